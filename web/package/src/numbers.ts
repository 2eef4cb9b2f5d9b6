// Numbers as C writes and reads them, by JavaScript's exact conversions: bindings/wasm/text/text.c.

/** The digits of a positive number, rounded half to even as C does: a tie is a number whose exact digits end with a 5. */
function digitsOf(number: number, after: number, write: (n: number, digits: number) => string): string {
  const text = write(number, after);
  const more = write(number, Math.min(100, after + 60));
  const [mantissa, power = ""] = more.split("e") as [string, string?];
  const kept = mantissa.slice(0, mantissa.indexOf(".") + 1 + after);
  const isTie = /^50*$/.test(mantissa.slice(kept.length)) && /[02468]\.?$/.test(kept);
  return isTie ? kept.replace(/\.$/, "") + (power && `e${power}`) : text;
}

/** As printf writes it with %g (or %f) and this many digits. */
export function numberText(number: number, precision: number, isFixed = false): string {
  const sign = number < 0 || Object.is(number, -0) ? "-" : "";
  if (!Number.isFinite(number)) return Number.isNaN(number) ? "nan" : `${sign}inf`;
  const size = Math.abs(number);
  const fixed = (n: number, digits: number): string => n.toFixed(digits);
  if (isFixed) return sign + digitsOf(size, precision, fixed);
  const digits = Math.max(precision, 1) - 1;
  const scientific = digitsOf(size, digits, (n, k) => n.toExponential(k));
  const [mantissa, power] = scientific.split("e") as [string, string];
  const trimmed = (text: string): string => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (Number(power) < -4 || Number(power) > digits) return `${sign}${trimmed(mantissa)}e${power.replace(/^([+-])(\d)$/, "$10$2")}`;
  return sign + trimmed(digitsOf(size, digits - Number(power), fixed));
}

/** The number at the start of a text, and how many characters it takes: strtod, of decimal numbers. */
export function textNumber(text: string): [number: number, length: number] {
  const found = /^\s*[+-]?(?:\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|inf(?:inity)?|nan)/i.exec(text);
  if (!found) return [0, 0];
  const word = found[0].trim().toLowerCase();
  const named = /inf/.test(word) ? (word.startsWith("-") ? -Infinity : Infinity) : Number(word);
  return [named, found[0].length];
}

/** What the module imports: texts are ASCII in its memory. */
export function numberImports(memory: () => WebAssembly.Memory): WebAssembly.ModuleImports {
  const bytes = (): Uint8Array => new Uint8Array(memory().buffer);
  return {
    number_text(number: number, isFixed: number, precision: number, to: number): number {
      const text = numberText(number, precision, isFixed !== 0);
      const all = bytes();
      for (let i = 0; i < text.length; i++) all[to + i] = text.charCodeAt(i);
      return text.length;
    },
    text_number(from: number, length: number): number {
      const all = bytes();
      const text = String.fromCharCode(...all.subarray(from, all.indexOf(0, from)));
      const [number, used] = textNumber(text);
      new DataView(all.buffer).setInt32(length, used, true);
      return number;
    },
  };
}
