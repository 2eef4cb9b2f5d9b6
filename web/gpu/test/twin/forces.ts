// What acts on velocities before a prediction, in JavaScript: the air in rounded arithmetic by the formula of
// src/particles/wind_kernels.h, and the damping of Mueller et al. 2006, section 3.5, with sums in double.
import * as m from "./float3.js";

const { f } = m;

export interface TwinParticles {
  count: number;
  /** Four numbers a particle: positions with inverse masses, and velocities. */
  x: Float32Array;
  v: Float32Array;
}

const at = (from: Float32Array, i: number): m.V => [from[4 * i]!, from[4 * i + 1]!, from[4 * i + 2]!];

/** Adds a change of velocity to what moves. */
export function accelerate(p: TwinParticles, change: m.V): void {
  for (let i = 0; i < p.count; i++) if (p.x[4 * i + 3] !== 0) p.v.set(m.vadd(at(p.v, i), change), 4 * i);
}

/** `perMass` is step x density / 6. */
export function blow(p: TwinParticles, triangles: ArrayLike<number>, air: { wind: m.V; friction: number; perMass: number }): void {
  const before = p.v.slice();
  const sums = Array.from({ length: p.count }, () => ({ pressure: [0, 0, 0] as m.V, lift: [0, 0, 0] as m.V, pressed: 0, rubbed: 0 }));
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [triangles[t]!, triangles[t + 1]!, triangles[t + 2]!] as const;
    const [a, b, c] = corners.map((i) => at(p.x, i)) as [m.V, m.V, m.V];
    const normal = m.cross(m.vsub(b, a), m.vsub(c, a));
    const per = m.inverseAbove(m.length(normal), 0);
    for (const i of corners) {
      const s = sums[i]!;
      const u = m.vsub(air.wind, at(before, i));
      const flux = m.dot(u, normal);
      const speed = f(flux * per);
      s.pressure = m.vaddScaled(s.pressure, normal, f(Math.abs(speed) * speed));
      s.pressed = f(s.pressed + Math.abs(flux));
      const slide = m.maximum(f(f(m.dot(u, u) * m.dot(normal, normal)) - f(flux * flux)), 0);
      const rub = f(air.friction * m.root(slide));
      s.lift = m.vaddScaled(s.lift, normal, f(f(rub * per) * speed));
      s.rubbed = f(s.rubbed + rub);
    }
  }
  sums.forEach((s, i) => {
    const perArea = f(air.perMass * p.x[4 * i + 3]!);
    let v = m.vaddScaled(at(before, i), s.pressure, f(perArea / f(1 + f(perArea * s.pressed))));
    const friction = m.vsub(m.vscale(m.vsub(air.wind, at(before, i)), s.rubbed), s.lift);
    if (air.friction > 0) v = m.vaddScaled(v, friction, f(perArea / f(1 + f(perArea * s.rubbed))));
    p.v.set(v, 4 * i);
  });
}

/** Solves a symmetric system of three by Cramer's rule; zero where it is singular. */
function solve(i: readonly (readonly number[])[], b: readonly number[]): m.V {
  const det = (c: readonly (readonly number[])[]): number =>
    c[0]![0]! * (c[1]![1]! * c[2]![2]! - c[1]![2]! * c[2]![1]!) -
    c[0]![1]! * (c[1]![0]! * c[2]![2]! - c[1]![2]! * c[2]![0]!) +
    c[0]![2]! * (c[1]![0]! * c[2]![1]! - c[1]![1]! * c[2]![0]!);
  const whole = det(i);
  if (!(whole > 1e-12 * (i[0]![0]! + i[1]![1]! + i[2]![2]!) ** 3)) return [0, 0, 0];
  return [0, 1, 2].map((k) => det(i.map((row, r) => row.map((x, c) => (c === k ? b[r]! : x)))) / whole) as unknown as m.V;
}

const crossed = (a: m.V, b: m.V): m.V => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** Takes `share` from what each velocity is beside the rigid motion of best fit, that of pins where the weights are theirs. */
export function damp(p: TwinParticles, share: number, weigh = (w: number): number => (w > 0 ? 1 / w : 0), least = 0): void {
  const massOf = (i: number): number => weigh(p.x[4 * i + 3]!);
  const all = Array.from({ length: p.count }, (_, i) => i);
  const mass = all.reduce((sum, i) => sum + massOf(i), 0);
  if (!(mass > 0)) return;
  const mean = (of: Float32Array): m.V => [0, 1, 2].map((k) => all.reduce((sum, i) => sum + massOf(i) * of[4 * i + k]!, 0) / mass) as unknown as m.V;
  const [centre, velocity] = [mean(p.x), mean(p.v)];
  const arm = (i: number): m.V => at(p.x, i).map((x, k) => x - centre[k]!) as unknown as m.V;
  const momentum = [0, 0, 0];
  const inertia = [0, 1, 2].map(() => [0, 0, 0]);
  for (const i of all) {
    const r = arm(i);
    const turn = crossed(r, at(p.v, i));
    for (let k = 0; k < 3; k++) {
      momentum[k]! += massOf(i) * turn[k]!;
      for (let l = 0; l < 3; l++) inertia[k]![l]! += massOf(i) * ((k === l ? r[0] * r[0] + r[1] * r[1] + r[2] * r[2] : 0) - r[k]! * r[l]!);
    }
  }
  const trace = inertia[0]![0]! + inertia[1]![1]! + inertia[2]![2]!;
  for (let k = 0; k < 3; k++) inertia[k]![k]! += least * trace;
  const spin = solve(inertia, momentum);
  for (const i of all.filter((one) => p.x[4 * one + 3]! > 0)) {
    const turn = crossed(spin, arm(i));
    for (let k = 0; k < 3; k++) p.v[4 * i + k] = f(p.v[4 * i + k]! + f(share * f(velocity[k]! + turn[k]! - p.v[4 * i + k]!)));
  }
}
