// Projections of one constraint in rounded JavaScript, written from the formulas of src/constraints: what the kernels in WGSL
// are held against. It goes one by one, knows no levels and shares no code with them.
import type { GpuParameters } from "../../src/types/type_row.js";
import type { Coefficients } from "../../src/tables.js";
import * as m from "./float3.js";

const { f } = m;

/** The particles of a deformable, and what a projection reads and writes of them: 4 floats each. */
export interface TwinParticles {
  x: Float32Array;
  start: Float32Array;
  lost: Float32Array | null;
}

/** One constraint as a sweep meets it. */
export interface TwinConstraint {
  particles: TwinParticles;
  places: readonly number[];
  rest: readonly number[];
  scale: number;
  /** Multipliers kept between sweeps: three at most. */
  lambda: { values: Float32Array; at: number } | null;
  isFirst: boolean;
  c: Coefficients;
  parameters: GpuParameters;
  isZeroRest: (j: number) => boolean;
}

interface Stencil {
  x: m.V[];
  w: number[];
}

const at = (from: Float32Array, place: number): m.V => [from[4 * place]!, from[4 * place + 1]!, from[4 * place + 2]!];

function load(k: TwinConstraint): Stencil {
  return { x: k.places.map((place) => at(k.particles.x, place)), w: k.places.map((place) => k.particles.x[4 * place + 3]!) };
}

function move(k: TwinConstraint, place: number, from: m.V, along: m.V, scale: number): void {
  const step = m.vscale(along, scale);
  const to = m.vadd(from, step);
  k.particles.x.set(to, 4 * place);
  const { lost } = k.particles;
  if (lost) lost.set(m.vadd(at(lost, place), m.vsub(step, m.vsub(to, from))), 4 * place);
}

const compliance = (k: TwinConstraint): number =>
  k.c.inverseRigidity > 0 ? f(k.c.compliance + f(k.scale * k.c.inverseRigidity)) : k.c.compliance;
const isFirst = (k: TwinConstraint): boolean => k.isFirst || !k.lambda;
const lambdaOf = (k: TwinConstraint, d: number): number => (isFirst(k) ? 0 : k.lambda!.values[k.lambda!.at + d]!);
function keep(k: TwinConstraint, d: number, lambda: number): void {
  if (k.lambda) k.lambda.values[k.lambda.at + d] = lambda;
}
function forceOf(k: TwinConstraint, d: number, value: number, drift: number): number {
  let force = f(-k.c.stiffness * value);
  if (!isFirst(k)) force = f(force - f(compliance(k) * lambdaOf(k, d)));
  if (k.c.damping !== 0) force = f(force - f(k.c.damping * drift));
  return force;
}
const damped = (k: TwinConstraint, weight: number): number => (k.c.damping !== 0 ? f(f(1 + k.c.damping) * weight) : weight);
function clamp(k: TwinConstraint, lambda: number, change: number): number {
  if (k.c.sense === 1) return f(m.minimum(f(lambda + change), 0) - lambda);
  if (k.c.sense === 2) return f(m.maximum(f(lambda + change), 0) - lambda);
  return change;
}
const drifts = (k: TwinConstraint, s: Stencil): m.V[] => s.x.map((x, i) => m.vsub(x, at(k.particles.start, k.places[i]!)));

function updateAlong(k: TwinConstraint, s: Stencil, d: m.V, length: number, shares: number[], value: number, weight: number): void {
  const lambda = lambdaOf(k, 0);
  let drift = 0;
  if (k.c.damping !== 0) {
    drifts(k, s).forEach((way, i) => (drift = f(drift + f(shares[i]! * m.dot(d, way)))));
    drift = f(drift * m.inverseAbove(length, 0));
  }
  const resistance = f(f(damped(k, weight) + compliance(k)) * length);
  let scale = f(forceOf(k, 0, value, drift) * m.inverseAbove(resistance, 0));
  if (k.c.sense !== 0) scale = f(clamp(k, lambda, f(scale * length)) * m.inverseAbove(length, 0));
  keep(k, 0, f(lambda + f(scale * length)));
  k.places.forEach((place, i) => move(k, place, s.x[i]!, d, f(s.w[i]! * f(shares[i]! * scale))));
}

function projectDistance(k: TwinConstraint): void {
  const s = load(k);
  const d = m.vsub(s.x[0]!, s.x[1]!);
  const length = m.length(d);
  updateAlong(k, s, d, length, [1, -1], f(length - k.rest[0]!), f(s.w[0]! + s.w[1]!));
}

function projectTriangle(k: TwinConstraint): void {
  const s = load(k);
  const isPrinted = k.parameters.weights === "printed";
  const d = m.vadd(m.vsub(s.x[2]!, s.x[0]!), m.vsub(s.x[2]!, s.x[1]!));
  const length = m.length(d);
  const value = f(f(length * f(1 / 3)) - f(k.rest[0]! + f(k.parameters.kappa ?? 0)));
  const sum = f(f(s.w[0]! + s.w[1]!) + f((isPrinted ? 2 : 4) * s.w[2]!));
  updateAlong(k, s, d, length, [-f(1 / 3), -f(1 / 3), f(2 / 3)], value, f(sum * f(isPrinted ? 1 / 6 : 1 / 9)));
}

function multipliers(k: TwinConstraint, value: m.V, weight: number, drift: m.V): m.V {
  const one = (d: number): number => {
    const force = forceOf(k, d, value[d]!, drift[d]!);
    const lambda = lambdaOf(k, d);
    const change = clamp(k, lambda, f(force * m.inverseAbove(f(damped(k, weight) + compliance(k)), 0)));
    keep(k, d, f(lambda + change));
    return change;
  };
  return [one(0), one(1), one(2)];
}

function updateLinear(k: TwinConstraint, s: Stencil, weights: number[], value: m.V): void {
  let weight = 0;
  let drift: m.V = [0, 0, 0];
  weights.forEach((share, i) => (weight = f(weight + f(s.w[i]! * f(share * share)))));
  if (k.c.damping !== 0) drifts(k, s).forEach((way, i) => (drift = m.vaddScaled(drift, way, weights[i]!)));
  const change = multipliers(k, value, weight, drift);
  k.places.forEach((place, i) => move(k, place, s.x[i]!, change, f(s.w[i]! * weights[i]!)));
}

/** Projects a pull to a point, `rest`. */
export function projectPull(k: TwinConstraint): void {
  const s = load(k);
  updateLinear(k, s, [1], m.vsub(s.x[0]!, k.rest as unknown as m.V));
}

// The stencil of src/constraints/types/linear_form.h: a = x1 - x0, and b has shares of the sides to p2 and p3.
function updateCurved(k: TwinConstraint, s: Stencil, weights: number[], sum: m.V): void {
  const [s0, least] = [k.rest[3]!, k.rest[4]!];
  const [x0, x1, x2, x3] = s.x as [m.V, m.V, m.V, m.V];
  const a = m.vsub(x1, x0);
  const shares = [0, 0, f(-1 * weights[2]!), f(1 * weights[3]!)];
  shares[0] = -f(shares[2]! + shares[3]!);
  const b = m.vaddScaled(m.vscale(m.vsub(x2, x0), shares[2]!), m.vsub(x3, x0), shares[3]!);
  const crossed = m.cross(a, b);
  const reach = m.length(crossed);
  const perReach = m.inverseAbove(m.maximum(reach, least), 0);
  const normal = m.vscale(crossed, perReach);
  const value = m.vsub(sum, m.vscale(normal, s0));
  const along = m.vscale(value, m.inverseAbove(m.length(value), 0));
  const q = m.vscale(m.vsub(m.vscale(normal, reach < least ? 0 : m.dot(along, normal)), along), f(s0 * perReach));
  const ofA = m.cross(b, q);
  const ofB = m.cross(q, a);
  const [aa, bb, ab] = [m.dot(ofA, ofA), m.dot(ofB, ofB), m.dot(ofA, ofB)];
  const [ua, ub] = [f(2 * m.dot(ofA, along)), f(2 * m.dot(ofB, along))];
  let weight = 0;
  for (let i = 0; i < 4; i++) {
    const [isA, isB, w, share] = [i < 2, i !== 1, weights[i]!, shares[i]!];
    let square = f(w * w);
    if (isA) square = f(square + (i === 0 ? f(aa - f(w * ua)) : f(aa + f(w * ua))));
    if (isB) square = f(square + f(share * f(f(share * bb) + f(w * ub))));
    if (isA && isB) square = f(square - f(f(2 * share) * ab));
    weight = f(weight + f(s.w[i]! * square));
  }
  let drift: m.V = [0, 0, 0];
  if (k.c.damping !== 0) {
    let turning = 0;
    drifts(k, s).forEach((way, i) => {
      drift = m.vaddScaled(drift, way, weights[i]!);
      if (i < 2) turning = f(turning + m.dot(ofA, m.vscale(way, i === 0 ? -1 : 1)));
      if (i !== 1) turning = f(turning + f(shares[i]! * m.dot(ofB, way)));
    });
    if (s0 !== 0) drift = m.vscale(along, f(m.dot(drift, along) + turning));
  }
  const change = multipliers(k, value, weight, drift);
  const share = m.dot(change, along);
  const [moveA, moveB] = [m.vscale(ofA, share), m.vscale(ofB, share)];
  k.places.forEach((place, i) => {
    let step = m.vscale(change, weights[i]!);
    if (i < 2) step = i === 0 ? m.vsub(step, moveA) : m.vadd(step, moveA);
    if (i !== 1) step = m.vaddScaled(step, moveB, shares[i]!);
    move(k, place, s.x[i]!, step, s.w[i]!);
  });
}

function projectIsometric(k: TwinConstraint): void {
  const s = load(k);
  const weights = [0, f(k.rest[0]!), f(k.rest[1]!), f(k.rest[2]!)];
  let others = 0;
  let sum: m.V = [0, 0, 0];
  for (let i = 1; i < 4; i++) {
    others = f(others + weights[i]!);
    sum = m.vaddScaled(sum, m.vsub(s.x[i]!, s.x[0]!), weights[i]!);
  }
  weights[0] = -others;
  if (k.isZeroRest(3)) updateLinear(k, s, weights, sum);
  else updateCurved(k, s, weights, sum);
}

const PI = f(3.14159265358979);

function arcTangent(q: number): number {
  const z = f(q * q);
  const z2 = f(z * z);
  const pair = (a: number, b: number): number => f(f(a) + f(f(b) * z));
  const low = f(pair(-0.33332987, 0.199903962) + f(pair(-0.14185972, 0.105739199) * z2));
  const high = f(pair(-0.0736668124, 0.041121577) + f(pair(-0.0151323675, 0.00262220344) * z2));
  return f(q + f(f(q * z) * f(low + f(high * f(z2 * z2)))));
}

function angleOf(y: number, x: number): number {
  const [ax, ay] = [Math.abs(x), Math.abs(y)];
  const isSteep = ax < ay;
  const isBehind = x < 0;
  const [longer, shorter] = isSteep ? [ay, ax] : [ax, ay];
  const turn = isSteep ? f(0.5 * PI) : isBehind ? PI : 0;
  const side = (isSteep ? -1 : 1) * (isBehind ? -1 : 1);
  const above = y < 0 ? -1 : 1;
  return f(f(above * turn) + f(above * side * arcTangent(f(shorter / (0 < longer ? longer : 1)))));
}

function angleBeyondRest(k: TwinConstraint, sine: number, cosine: number): number {
  let angle = angleOf(sine, cosine);
  if (k.isZeroRest(0)) return angle;
  angle = f(angle - k.rest[0]!);
  if (PI < angle) angle = f(angle - f(2 * PI));
  if (angle < -PI) angle = f(angle + f(2 * PI));
  return angle;
}

function projectDihedral(k: TwinConstraint): void {
  const s = load(k);
  const [x0, x1, x2, x3] = s.x as [m.V, m.V, m.V, m.V];
  const [edge, side3, side4] = [m.vsub(x1, x0), m.vsub(x2, x0), m.vsub(x3, x0)];
  const [normal1, normal2] = [m.cross(edge, side3), m.cross(side4, edge)];
  const edgeSquare = m.dot(edge, edge);
  const edgeLength = m.root(edgeSquare);
  const [square1, square2] = [m.dot(normal1, normal1), m.dot(normal2, normal2)];
  const fourth = f(edgeSquare * edgeSquare);
  const bound = f(f(1e-6 * 1e-6) * fourth);
  const isSound = bound < square1 && bound < square2;
  const sine = m.dot(m.cross(normal1, normal2), edge);
  const cosine = f(m.dot(normal1, normal2) * edgeLength);
  const value = isSound ? angleBeyondRest(k, sine, cosine) : 0;
  const inverse1 = isSound ? m.inverseAbove(square1, 0) : 0;
  const inverse2 = isSound ? m.inverseAbove(square2, 0) : 0;
  const d2 = m.vscale(normal1, -f(edgeSquare * inverse1));
  const d3 = m.vscale(normal2, -f(edgeSquare * inverse2));
  const d1 = m.vaddScaled(m.vscale(normal1, f(m.dot(side3, edge) * inverse1)), normal2, f(m.dot(side4, edge) * inverse2));
  const d = [m.vneg(m.vadd(m.vadd(d2, d3), d1)), d1, d2, d3];
  const wings = f(f(f(s.w[2]! * inverse1) + f(s.w[3]! * inverse2)) * fourth);
  const edges = f(f(s.w[0]! * m.dot(d[0]!, d[0]!)) + f(s.w[1]! * m.dot(d[1]!, d[1]!)));
  updateOver(k, s, d, edgeLength, value, f(edges + wings), f(k.parameters.change_limit ?? 0.3));
}

function updateOver(k: TwinConstraint, s: Stencil, d: m.V[], length: number, value: number, weight: number, most: number): void {
  const lambda = lambdaOf(k, 0);
  let drift = 0;
  if (k.c.damping !== 0) {
    drifts(k, s).forEach((way, i) => (drift = f(drift + m.dot(d[i]!, way))));
    drift = f(drift * m.inverseAbove(length, 0));
  }
  let force = forceOf(k, 0, value, drift);
  let resistance = f(damped(k, weight) + f(compliance(k) * f(length * length)));
  if (f(most * resistance) < f(Math.abs(force) * weight)) {
    force = m.maximum(-most, m.minimum(most, force));
    resistance = weight;
  }
  let scale = f(f(force * length) * m.inverseAbove(resistance, 0));
  if (k.c.sense !== 0) scale = f(clamp(k, lambda, f(scale * length)) * m.inverseAbove(length, 0));
  keep(k, 0, f(lambda + f(scale * length)));
  k.places.forEach((place, i) => move(k, place, s.x[i]!, d[i]!, f(s.w[i]! * scale)));
}

/** The projection of a type, one line each. */
export const PROJECTIONS: Record<string, (k: TwinConstraint) => void> = {
  distance: projectDistance,
  stick: projectDistance,
  opposite_distance: projectDistance,
  triangle: projectTriangle,
  isometric: projectIsometric,
  dihedral: projectDihedral,
};
