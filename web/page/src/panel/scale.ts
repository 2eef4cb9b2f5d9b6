// A slider of 0..1 and the value it stands for, as a row says: linear, square, or by decades with a notch for 0.
import type { PropertyRow } from "pliant";
import { clamp } from "../base/math.ts";

export interface Range { low: number; high: number; kind: "linear" | "square" | "log"; notch: boolean; whole: boolean }
/** What soft ranges are multiples of, on this mesh. */
export interface Measures { one: number; mean_edge: number; compliance_scale: number }

const NOTCH = 0.04;

export function rangeOf(row: PropertyRow, measures: Measures): Range {
  const soft = row.soft ?? { minimum: row.minimum ?? 0, maximum: row.maximum ?? 1, times: "one" as const };
  const unit = measures[soft.times] || 1;
  return {
    low: soft.minimum * unit, high: soft.maximum * unit, kind: row.scale ?? "linear", whole: row.kind === "integer",
    notch: row.scale === "log" && (row.minimum ?? 0) === 0 && row.kind === "number",
  };
}

export function toSlider(value: number, range: Range): number {
  const { low, high, kind, notch } = range;
  if (kind === "square") return Math.sqrt(clamp((value - low) / (high - low), 0, 1));
  if (kind === "linear") return clamp((value - low) / (high - low), 0, 1);
  if (value <= 0) return 0;
  const t = clamp(Math.log(value / low) / Math.log(high / low), 0, 1);
  return notch ? NOTCH + (1 - NOTCH) * t : t;
}

export function fromSlider(t: number, range: Range): number {
  const { low, high, kind, notch, whole } = range;
  let value: number;
  if (kind === "square") value = low + t * t * (high - low);
  else if (kind === "linear") value = low + t * (high - low);
  else if (notch && t < NOTCH / 2) return 0;
  else value = low * (high / low) ** clamp(notch ? (t - NOTCH) / (1 - NOTCH) : t, 0, 1);
  return whole ? Math.round(value) : Number(value.toPrecision(3));
}

/** One arrow key: a step of the row, and ten for Page Up. */
export function stepOf(row: PropertyRow, range: Range): number {
  const step = row.step ?? 0.01;
  if (range.kind === "log") return step / Math.log10(range.high / range.low);
  if (range.kind === "square") return step;
  return step / (range.high - range.low);
}
