// Arithmetic in floats for the twins: every operation is rounded by Math.fround, as C rounds it.

export const f = Math.fround;
export type V = readonly [number, number, number];

export const mul = (a: number, b: number): number => f(a * b);
export const add = (a: number, b: number): number => f(a + b);
export const sub = (a: number, b: number): number => f(a - b);
export const div = (a: number, b: number): number => f(a / b);
export const root = (a: number): number => f(Math.sqrt(a));

export const vadd = (a: V, b: V): V => [f(a[0] + b[0]), f(a[1] + b[1]), f(a[2] + b[2])];
export const vsub = (a: V, b: V): V => [f(a[0] - b[0]), f(a[1] - b[1]), f(a[2] - b[2])];
export const vscale = (a: V, s: number): V => [f(a[0] * s), f(a[1] * s), f(a[2] * s)];
export const vaddScaled = (a: V, b: V, s: number): V => vadd(a, vscale(b, s));
export const vneg = (a: V): V => [-a[0], -a[1], -a[2]];
export const dot = (a: V, b: V): number => f(f(f(a[0] * b[0]) + f(a[1] * b[1])) + f(a[2] * b[2]));
export const cross = (a: V, b: V): V => [
  f(f(a[1] * b[2]) - f(a[2] * b[1])),
  f(f(a[2] * b[0]) - f(a[0] * b[2])),
  f(f(a[0] * b[1]) - f(a[1] * b[0])),
];
export const length = (a: V): number => root(dot(a, a));
export const inverseAbove = (a: number, least: number): number => (least < a ? f(1 / a) : 0);
export const minimum = (a: number, b: number): number => (a < b ? a : b);
export const maximum = (a: number, b: number): number => (a < b ? b : a);

/** How many floats lie between two floats; 0 for both zeros, and for denormals against zero. */
export function ulps(a: number, b: number): number {
  const least = 2 ** -126;
  const [x, y] = [a, b].map((value) => (Math.abs(value) < least ? 0 : value)) as [number, number];
  const words = new Int32Array(new Float32Array([x, y]).buffer);
  const [i, j] = [...words].map((word) => (word < 0 ? -2147483648 - word : word)) as [number, number];
  return Math.abs(i - j);
}
