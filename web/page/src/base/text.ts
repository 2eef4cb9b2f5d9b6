// Numbers as the page writes them.

/** Shortest text of three significant digits: 0.02, 1.5e-6, 12 300. */
export function short(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return value > 0 ? "infinite" : String(value);
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size < 1e-3 || size >= 1e6) return value.toExponential(Math.max(0, digits - 1)).replace(/\.?0+e/, "e").replace("e+", "e");
  return String(Number(value.toPrecision(digits)));
}

const UNITS: Record<string, string> = {
  "N m": "newton metre", m: "metre", "m/s": "metres a second", s: "seconds", "kg/m^2": "kilogram a square metre", "m^2/J": "square metres a joule",
  "rad^2/J": "square radians a joule", "m/s^2": "metres a second squared", "kg/m^3": "kilogram a cubic metre", "m/N": "metres a newton", "1/m": "a metre",
};
/** The same for a screen reader: "2 e minus 4 newton metre". */
export const spoken = (value: number, unit: string): string =>
  `${short(value).replace("e-", " e minus ").replace("e", " e ").replace(/ +/g, " ")} ${UNITS[unit] ?? unit}`.trim();

/** Superscripts as people write them: m^2/J becomes m²/J. */
export const pretty = (unit: string): string => unit.replace(/\^2/g, "²").replace(/\^3/g, "³").replace(/ /g, " ");

export const milliseconds = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`;

/** A value as overrides and `--set` write it, and back. */
export const writeValue = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
export function readValue(text: string): unknown {
  try { return JSON.parse(text); } catch { return text; }
}
