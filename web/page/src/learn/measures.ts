// Measures of shapes, as lab/base/lab_measures.c has them: distances after the best rigid alignment, flatness, curvature, and its random numbers.
import type { Deformable } from "pliant";

type Matrix = number[][];

/** Diagonalises a symmetric matrix in place by Jacobi rotations; column k of the result is the direction of a[k][k]. */
function diagonalise(a: Matrix): Matrix {
  const n = a.length, axes: Matrix = a.map((_, i) => a.map((_one, k) => (i === k ? 1 : 0)));
  for (let sweep = 0; sweep < 30; sweep++) for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) {
    if (Math.abs(a[p][q]) < 1e-300) continue;
    const theta = (a[q][q] - a[p][p]) / (2 * a[p][q]), t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1)), c = 1 / Math.sqrt(t * t + 1), s = t * c;
    for (let k = 0; k < n; k++) {
      [a[k][p], a[k][q]] = [c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]];
      [axes[k][p], axes[k][q]] = [c * axes[k][p] - s * axes[k][q], s * axes[k][p] + c * axes[k][q]];
    }
    for (let k = 0; k < n; k++) [a[p][k], a[q][k]] = [c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]];
  }
  return axes;
}

function centre(positions: ArrayLike<number>): number[] {
  const sum = [0, 0, 0], count = positions.length / 3;
  for (let i = 0; i < positions.length; i++) sum[i % 3] += positions[i] / count;
  return sum;
}

/** Root mean square distance of two shapes, packed, after the best rigid alignment (Horn 1987). */
export function shapeDistance(rest: ArrayLike<number>, positions: ArrayLike<number>): number {
  const a = centre(rest), b = centre(positions), m = [[0, 0, 0], [0, 0, 0], [0, 0, 0]], count = rest.length / 3;
  let squares = 0;
  for (let i = 0; i < count; i++) for (let j = 0; j < 3; j++) {
    const p = rest[3 * i + j] - a[j], q = positions[3 * i + j] - b[j];
    squares += p * p + q * q;
    for (let k = 0; k < 3; k++) m[j][k] += p * (positions[3 * i + k] - b[k]);
  }
  const n = [
    [m[0][0] + m[1][1] + m[2][2], m[1][2] - m[2][1], m[2][0] - m[0][2], m[0][1] - m[1][0]], [m[1][2] - m[2][1], m[0][0] - m[1][1] - m[2][2], m[0][1] + m[1][0], m[2][0] + m[0][2]],
    [m[2][0] - m[0][2], m[0][1] + m[1][0], m[1][1] - m[0][0] - m[2][2], m[1][2] + m[2][1]], [m[0][1] - m[1][0], m[2][0] + m[0][2], m[1][2] + m[2][1], m[2][2] - m[0][0] - m[1][1]],
  ];
  diagonalise(n);
  return Math.sqrt(Math.max(0, squares - 2 * Math.max(n[0][0], n[1][1], n[2][2], n[3][3])) / count);
}

/** Root mean square distance from the best plane. */
export function flatness(positions: ArrayLike<number>): number {
  const c = centre(positions), m = [[0, 0, 0], [0, 0, 0], [0, 0, 0]], count = positions.length / 3;
  for (let i = 0; i < count; i++) for (let j = 0; j < 3; j++) for (let k = 0; k < 3; k++) m[j][k] += (positions[3 * i + j] - c[j]) * (positions[3 * i + k] - c[k]);
  diagonalise(m);
  return Math.sqrt(Math.max(0, Math.min(m[0][0], m[1][1], m[2][2])) / count);
}

/** Mean distance between two states of a body, packed. */
export function rms(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] - b[i]) ** 2;
  return Math.sqrt(sum / (a.length / 3));
}

export const tall = (body: Deformable): number => body.bounds.maximum[1] - body.bounds.minimum[1];

export const meanCurvature = (body: Deformable): number => { const values = body.measure("curvature"); return values.reduce((sum, x) => sum + Math.abs(x), 0) / values.length; };

export function quantile(values: number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b), place = part * (sorted.length - 1), below = Math.floor(place), above = Math.min(sorted.length - 1, below + 1);
  return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}

const WORD = (1n << 64n) - 1n;
/** Numbers from -1 to 1 by splitmix64 (Vigna), the experiments' own. */
export function randoms(seed: number): () => number {
  let state = BigInt(seed);
  return () => {
    state = (state + 0x9e3779b97f4a7c15n) & WORD;
    let z = state;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & WORD;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & WORD;
    return Number((z ^ (z >> 31n)) >> 11n) * 2 ** -52 - 1;
  };
}
