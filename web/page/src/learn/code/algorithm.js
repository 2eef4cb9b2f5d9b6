// Algorithm 1 of Mueller and others (2006), line by line. The figure runs it, and a test compares each step with the library's.
import { Mesh, World } from "pliant";

const GRAVITY = -9.81, RESTITUTION = 0.5;

/** Two triangles that hang from one fixed point, over a floor at y = 0: positions x, velocities v, estimates p, inverse masses w. */
export function makeSystem(positions, masses, fixed, edges, stiffness, iterations, dt) {
  const x = positions.map((one) => [...one]), length = (a, b) => Math.hypot(x[a][0] - x[b][0], x[a][1] - x[b][1]);
  return {
    x, v: x.map(() => [0, 0]), p: x.map((one) => [...one]), w: masses.map((m, i) => (i === fixed ? 0 : 1 / m)),
    constraints: edges.map(([a, b]) => ({ a, b, d: length(a, b) })), floor: [], stiffness, iterations, dt,
  };
}

/** k' = 1 - (1 - k)^(1/n): what one of n projections removes, so that together they remove k (section 3.3). */
export const perIteration = (k, n) => 1 - (1 - k) ** (1 / n);

/** One step. It stops after each line and tells which one that was; line 10 stops after each constraint. */
export function* step(system) {
  const { x, v, p, w, dt } = system, free = w.flatMap((one, i) => (one > 0 ? [i] : []));
  for (const i of free) v[i][1] += dt * GRAVITY;
  const approach = v.map((one) => one[1]), pushed = new Set();
  yield { line: 5 };
  yield { line: 6 };   // No damping here.
  for (const i of free) for (const k of [0, 1]) p[i][k] = x[i][k] + dt * v[i][k];
  yield { line: 7 };
  system.floor = free.filter((i) => p[i][1] < 0);
  yield { line: 8 };
  const k = perIteration(system.stiffness, system.iterations);
  for (let n = 1; n <= system.iterations; n++) {
    yield { line: 9, iteration: n };
    for (const [j, { a, b, d }] of system.constraints.entries()) {
      const by = [0, 1].map((c) => p[a][c] - p[b][c]), l = Math.hypot(...by), C = l - d, s = C / (w[a] + w[b]);
      for (const c of [0, 1]) {
        p[a][c] -= (k * s * w[a] * by[c]) / l;
        p[b][c] += (k * s * w[b] * by[c]) / l;
      }
      yield { line: 10, iteration: n, constraint: j, C, s };
    }
    system.floor = free.filter((i) => p[i][1] < 0 || system.floor.includes(i));
    for (const i of system.floor) {
      const C = p[i][1];
      if (C < 0) { p[i][1] = 0; pushed.add(i); }
      yield { line: 10, iteration: n, floor: i, C, s: Math.min(C, 0) / w[i] };
    }
  }
  for (const i of free) for (const c of [0, 1]) {
    v[i][c] = (p[i][c] - x[i][c]) / dt;
    x[i][c] = p[i][c];
  }
  yield { line: 12 };
  for (const i of pushed) if (approach[i] < 2 * dt * GRAVITY) v[i][1] = Math.max(v[i][1], -RESTITUTION * approach[i]);
  yield { line: 16 };
}

/** The same system in the library: PBD as printed, one substep, in order. */
export function makeWorld(positions, masses, fixed, triangles, edges, stiffness, iterations) {
  const flat = positions.flatMap(([a, b]) => [a, b, 0]);
  const world = new World({ order: "sequential", method: "pbd", substeps: 1, iterations, sweeps: "forward", keep_momentum: false, gravity: [0, GRAVITY, 0] });
  const mesh = new Mesh({ positions: flat, faces: triangles });
  const body = world.createDeformable({ mesh, thickness: 0, friction: 0, stretch: "swept" });
  body.setInverseMasses(masses.map((m, i) => (i === fixed ? 0 : 1 / m)));
  body.createConstraintSet({ type: "distance", particles: edges.flat(), parameters: { stiffness } });
  world.createCollider({ shape: "plane", friction: 0, restitution: RESTITUTION });
  return { world, body, mesh };
}
