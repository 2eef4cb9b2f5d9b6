// Light or dark, as chosen or as the system has it.
export const isDark = (): boolean => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};
