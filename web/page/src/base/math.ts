// Vectors as triples, and what the page needs of them.
export type V3 = [number, number, number];

export const add = (a: V3, b: V3): V3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a: V3, b: V3): V3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a: V3, k: number): V3 => [a[0] * k, a[1] * k, a[2] * k];
export const dot = (a: V3, b: V3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: V3, b: V3): V3 => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const length = (a: V3): number => Math.hypot(a[0], a[1], a[2]);
export const distance = (a: V3, b: V3): number => length(sub(a, b));
export const unit = (a: V3): V3 => { const l = length(a); return l > 0 ? scale(a, 1 / l) : [0, 0, 0]; };
export const mix = (a: V3, b: V3, t: number): V3 => add(scale(a, 1 - t), scale(b, t));
export const clamp = (x: number, low: number, high: number): number => Math.min(high, Math.max(low, x));

/** A vector in any form that the library takes. */
export function triple(v: ArrayLike<number> | { x: number; y: number; z: number }): V3 {
  return "x" in v ? [v.x, v.y, v.z] : [v[0], v[1], v[2]];
}

/** Rotates by a unit quaternion x, y, z, w. */
export function turn(q: readonly number[], v: V3): V3 {
  const u: V3 = [q[0], q[1], q[2]], t = scale(cross(u, v), 2);
  return add(add(v, scale(t, q[3])), cross(u, t));
}

/** The least of the last values: a time that other work on the machine disturbs least. */
export class Least {
  private values: number[] = [];
  constructor(private length = 120) {}
  add(value: number): number {
    this.values.push(value);
    if (this.values.length > this.length) this.values.shift();
    return Math.min(...this.values);
  }
}
