// What every page has: the menu on phones, and light or dark.
import { h } from "../base/dom.ts";

const THEMES = ["system", "light", "dark"] as const;

export function shell(onTheme: () => void = () => undefined): void {
  const menu = document.getElementById("menu"), nav = document.querySelector("header nav");
  menu?.addEventListener("click", () => menu.setAttribute("aria-expanded", String(nav!.classList.toggle("open"))));
  const theme = document.getElementById("theme");
  const stored = (): (typeof THEMES)[number] => (document.documentElement.dataset.theme as "light" | "dark" | undefined) ?? "system";
  const show = (): void => {
    theme?.setAttribute("title", `Colours: ${stored()}`);
    theme?.setAttribute("aria-label", `Colours: ${stored()}. Press for ${THEMES[(THEMES.indexOf(stored()) + 1) % 3]}.`);
  };
  theme?.addEventListener("click", () => {
    const next = THEMES[(THEMES.indexOf(stored()) + 1) % 3];
    if (next === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    try {
      if (next === "system") localStorage.removeItem("theme");
      else localStorage.setItem("theme", next);
    } catch { /* Without storage the choice lasts for this page. */ }
    show();
    onTheme();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", onTheme);
  show();
}

/** An icon of one stroke. */
export function icon(path: string): SVGSVGElement {
  const holder = h("span");
  holder.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`;
  return holder.firstElementChild as SVGSVGElement;
}
