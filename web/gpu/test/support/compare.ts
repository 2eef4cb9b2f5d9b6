// Comparing states: numbers that differ, the largest difference, and the largest distance in floats between.
import { ulps } from "../twin/float3.js";

export interface Comparison {
  /** Numbers that differ; zeros and denormals are equal. */
  different: number;
  of: number;
  /** [m] or [m/s] */
  largest: number;
  /** Floats between the two that are furthest apart in that sense. */
  ulps: number;
}

/** Compares arrays of as many particles, 3 or 4 numbers each. */
export function compare(a: ArrayLike<number>, b: ArrayLike<number>, particles: number): Comparison {
  const found: Comparison = { different: 0, of: 3 * particles, largest: 0, ulps: 0 };
  const [s, t] = [a.length / particles, b.length / particles];
  for (let i = 0; i < particles; i++)
    for (let k = 0; k < 3; k++) {
      const [x, y] = [a[s * i + k]!, b[t * i + k]!];
      const apart = Number.isFinite(x) && Number.isFinite(y) ? ulps(x, y) : Infinity;
      if (apart === 0) continue;
      found.different++;
      found.largest = Math.max(found.largest, Math.abs(x - y));
      found.ulps = Math.max(found.ulps, apart);
    }
  return found;
}

export const words = (c: Comparison): string => `${c.different} of ${c.of} differ, by ${c.largest.toExponential(1)} and ${c.ulps} ULP at most`;
