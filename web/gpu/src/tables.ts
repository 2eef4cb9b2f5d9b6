// The numbers of a step that are the same for all particles, rounded to float where the library rounds them.
import type { GpuCollider, GpuPose, GpuSettings } from "./description.js";
import type { GpuParameters } from "./types/type_row.js";

const f = Math.fround;

/** The substep [s], and what follows from it. */
export interface Pace {
  substeps: number;
  step: number;
  perSecond: number;
  perSquare: number;
  /** Velocity change by gravity in a substep [m/s]. */
  change: [number, number, number];
  /** Normal speed below which restitution is 0 [m/s]. */
  bounce: number;
  /** Whether moves lost to rounding are kept for the velocities. */
  keepsLost: boolean;
}

/** How far what starts too near a collider is moved out in a substep at most [m]. `edge` is the mean length of edges. */
export const recoveryOf = (thickness: number, edge: number, step: number): number =>
  f(f(60 * step) * Math.max(thickness, f(f(0.1) * edge)));

export function paceOf(settings: GpuSettings, dt: number): Pace {
  const step = f(f(dt) / f(settings.substeps));
  const g = settings.gravity.map(f) as [number, number, number];
  const length = f(Math.sqrt(f(f(f(g[0] * g[0]) + f(g[1] * g[1])) + f(g[2] * g[2]))));
  return {
    substeps: settings.substeps,
    step,
    perSecond: f(1 / step),
    perSquare: f(1 / f(step * step)),
    change: [f(g[0] * step), f(g[1] * step), f(g[2] * step)],
    bounce: f(f(2 * step) * length),
    keepsLost: step < f(1 / 6000),
  };
}

/** Sweeps of a substep in all, of the iterations before `iteration`, and which of them go backward (src/sweep/sweep.c). */
export function sweepsBefore(settings: GpuSettings, iteration: number): number {
  const turns = settings.sweeps === "back_and_forth";
  const isDoubled = turns && settings.iterations % 2 === 1 && iteration > Math.floor(settings.iterations / 2);
  return iteration + (isDoubled ? 1 : 0);
}
export const sweepCount = (settings: GpuSettings): number => sweepsBefore(settings, settings.iterations);
export const isBackward = (settings: GpuSettings, sweep: number): boolean =>
  settings.sweeps === "back_and_forth" && sweep < Math.floor(sweepCount(settings) / 2);

// (1 - u)^n - 1 without cancellation.
function powerMinusOne(u: number, n: number): number {
  let square = -u;
  let result = 0;
  for (; n > 0; n >>= 1) {
    if (n & 1) result = result + square + result * square;
    square = square + square + square * square;
  }
  return result;
}

/** Solves (1 - u)^n = 1 - k for u by Newton's method from below (src/constraints/stiffness.c). */
export function stiffnessPerIteration(k: number, n: number): number {
  if (n <= 1 || k <= 0 || k >= 1) return k;
  let u = k / n;
  for (let i = 0; i < 200; i++) {
    const power = powerMinusOne(u, n);
    const next = u + ((power + k) * (1 - u)) / (n * (1 + power));
    if (!(next > u)) break;
    u = next;
  }
  return u;
}

/** Coefficients of a sweep over a set (pli_projection). */
export interface Coefficients {
  stiffness: number;
  compliance: number;
  inverseRigidity: number;
  damping: number;
  sense: 0 | 1 | 2;
  keepsMultipliers: boolean;
}

const SENSES = ["equal", "at_most", "at_least"] as const;

export function coefficientsOf(parameters: GpuParameters, type: string, settings: GpuSettings, pace: Pace): Coefficients {
  const sense = (type === "triangle" ? SENSES.indexOf(parameters.relation ?? "equal") : 0) as 0 | 1 | 2;
  const sweeps = sweepCount(settings);
  const { compliance = 0, rigidity = 0, damping = 0, stiffness = 1 } = parameters;
  if (settings.method === "pbd") {
    const perIteration = f(stiffnessPerIteration(stiffness, sweeps));
    return { stiffness: perIteration, compliance: 0, inverseRigidity: 0, damping: 0, sense, keepsMultipliers: false };
  }
  const isRigid = !(compliance > 0) && !(rigidity > 0);
  return {
    stiffness: 1,
    compliance: f(compliance * pace.perSquare),
    inverseRigidity: rigidity > 0 ? f(pace.perSquare / rigidity) : 0,
    damping: f(damping / pace.step),
    sense,
    keepsMultipliers: sweeps > 1 && !(isRigid && sense === 0),
  };
}

/** The radius of the ball around a bounded shape, as its contact kernel culls by it [m]. */
export const reachOf = (collider: GpuCollider): number => f(f(collider.radius ?? 0) + halfHeightOf(collider));
export const halfHeightOf = (collider: GpuCollider): number => (collider.shape === "capsule" ? f(collider.half_height ?? 0) : 0);

/** A pose with all of it given, in floats. */
export interface FullPose {
  position: [number, number, number];
  rotation: [number, number, number, number];
}

function normalised(q: readonly number[]): [number, number, number, number] {
  const [x, y, z, w] = q as [number, number, number, number];
  const square = f(f(f(f(x * x) + f(y * y)) + f(z * z)) + f(w * w));
  const inverse = f(1 / f(Math.sqrt(square)));
  return [f(x * inverse), f(y * inverse), f(z * inverse), f(w * inverse)];
}

export function fullPose(pose: Partial<GpuPose>): FullPose {
  const position = (pose.position ?? [0, 0, 0]).map(f) as [number, number, number];
  return { position, rotation: normalised((pose.rotation ?? [0, 0, 0, 1]).map(f)) };
}

/** The pose at a share t of the way (pli_transform_between, and the end itself at 1). */
export function poseBetween(from: FullPose, to: FullPose, t: number): FullPose {
  if (t >= 1) return to;
  const [a, b, rest] = [from.rotation, to.rotation, f(1 - t)];
  const dot = f(f(f(f(a[0] * b[0]) + f(a[1] * b[1])) + f(a[2] * b[2])) + f(a[3] * b[3]));
  const side = dot < 0 ? -t : t;
  const blend = (x: number, y: number, s: number): number => f(f(x * rest) + f(y * s));
  return {
    position: from.position.map((x, k) => blend(x, to.position[k]!, t)) as [number, number, number],
    rotation: normalised(a.map((x, k) => blend(x, b[k]!, side))),
  };
}

/** A collider during a substep (pli_moving_shape). */
export interface MovingShape {
  from: FullPose;
  to: FullPose;
  rests: boolean;
  /** Of its way in the substep [m2]. */
  squareOfWay: number;
}

/** A collider on its way through a step: where it is and where it will be. */
export interface Course {
  collider: GpuCollider;
  pose: FullPose;
  next: FullPose;
}

export function moveShape(course: Course, substep: number, substeps: number): MovingShape {
  const from = poseBetween(course.pose, course.next, f(substep / substeps));
  const to = poseBetween(course.pose, course.next, f((substep + 1) / substeps));
  const way = to.position.map((x, k) => f(x - from.position[k]!)) as [number, number, number];
  const squareOfWay = f(f(f(way[0] * way[0]) + f(way[1] * way[1])) + f(way[2] * way[2]));
  const isSame = (a: readonly number[], b: readonly number[]): boolean => a.every((x, k) => Object.is(x, b[k]));
  return { from, to, rests: isSame(from.position, to.position) && isSame(from.rotation, to.rotation), squareOfWay };
}
