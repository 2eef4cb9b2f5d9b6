// What must hold on every adapter, in whatever order it projects: edges keep their lengths, what is held stays to the bit, momentum
// is what forces give, nothing is inside of a collider, a hand pulls with no more than its limit.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createGpuSimulation, type GpuDescription, type GpuOptions, type GpuSimulation } from "../src/index.js";
import { openDevice } from "./support/device.js";
import { makeSheet } from "./support/sheet.js";

const DT = 1 / 60;
const device = await openDevice();

/** Root mean square of |l - l0| / l0 over the distances. */
function residual(description: GpuDescription, x: Float32Array): number {
  const { particles, rest } = description.sets[0]!;
  let squares = 0;
  for (let i = 0; i < rest.length; i++) {
    const [a, b] = [3 * particles[2 * i]!, 3 * particles[2 * i + 1]!];
    const length = Math.hypot(x[a]! - x[b]!, x[a + 1]! - x[b + 1]!, x[a + 2]! - x[b + 2]!);
    squares += ((length - rest[i]!) / rest[i]!) ** 2;
  }
  return Math.sqrt(squares / rest.length);
}

async function simulate(description: GpuDescription, steps: number, options: GpuOptions = {}): Promise<GpuSimulation> {
  const simulation = await createGpuSimulation(device, description, options);
  for (let i = 0; i < steps; i++) simulation.step(DT);
  return simulation;
}

test("a sheet hung by two corners: pins stay to the bit, edges stretch by little, both orders hang alike", async () => {
  const pins = [0, 31];
  const settings = { substeps: 20 };
  const description = makeSheet({ columns: 32, pins, settings, sets: [["distance"], ["dihedral", { compliance: 1e-3 }]] });
  const lowest: number[] = [];
  for (const order of ["given", "coloured"] as const) {
    const simulation = await simulate(description, 20, { order });
    const x = await simulation.readPositions();
    for (const pin of pins)
      for (let k = 0; k < 3; k++) assert.equal(x[3 * pin + k], Math.fround(description.positions[3 * pin + k]!), `pin ${pin}`);
    const stretch = residual(description, x);
    lowest.push(Math.min(...x.filter((_, i) => i % 3 === 1)));
    console.log(`${order}: edges are off by ${(100 * stretch).toFixed(2)} % rms, the lowest particle is at ${lowest.at(-1)!.toFixed(3)} m`);
    assert.ok(stretch < 0.02, `${order}: edges are off by ${stretch}`);
    simulation.release();
  }
  assert.ok(Math.abs(lowest[0]! - lowest[1]!) < 0.02, `both orders hang alike: ${lowest}`);
  assert.ok(lowest[0]! < -0.2, "it has fallen");
});

test("a free sheet: momentum is gravity's and the centre of mass falls by g t^2 / 2", async () => {
  for (const type of ["isometric", "dihedral", "triangle", "opposite_distance"]) {
    const description = makeSheet({ columns: 24, noise: 0.1, isUneven: true, sets: [["distance", { compliance: 1e-6 }], [type, { compliance: 1e-5 }]] });
    const simulation = await simulate(description, 6);
    const v = await simulation.readVelocities();
    const momentum = [0, 0, 0];
    let mass = 0;
    for (let i = 0; i < simulation.particleCount; i++) {
      const m = 1 / description.inverseMasses[i]!;
      mass += m;
      for (let k = 0; k < 3; k++) momentum[k]! += m * v[3 * i + k]!;
    }
    const wanted = [0, -9.81 * 6 * DT * mass, 0];
    const off = Math.max(...momentum.map((p, k) => Math.abs(p - wanted[k]!))) / mass;
    console.log(`${type}: the velocity of the centre of mass is off by ${off.toExponential(1)} m/s of 0.98`);
    assert.ok(off < 1e-4, `${type}: ${momentum} / ${mass}`);
    simulation.release();
  }
});

test("a sheet dropped on a ball and the ground keeps its thickness from both, also when the ball is thrown through it", async () => {
  const colliders = [
    { shape: "sphere", radius: 0.2, position: [0.05, 0.2, 0] },
    { shape: "plane", friction: 0.5 },
  ] as const;
  const description = makeSheet({ columns: 32, height: 0.45, settings: { substeps: 15 }, rest: { colliders, thickness: 0.005 }, sets: [["distance"], ["isometric", { compliance: 1e-3 }]] });
  const simulation = await simulate(description, 30);
  const depths = async (centre: readonly [number, number, number]): Promise<number> => {
    const x = await simulation.readPositions();
    let deepest = 0;
    for (let i = 0; i < x.length; i += 3) {
      const far = Math.hypot(x[i]! - centre[0], x[i + 1]! - centre[1], x[i + 2]! - centre[2]);
      deepest = Math.max(deepest, 0.205 - far, 0.005 - x[i + 1]!); // With the thickness.
    }
    return deepest;
  };
  const resting = await depths([0.05, 0.2, 0]);
  for (let i = 1; i <= 10; i++) {
    simulation.moveCollider(0, { position: [0.05, 0.2 + 0.05 * i, 0] });
    simulation.step(DT);
  }
  const thrown = await depths([0.05, 0.7, 0]);
  console.log(`deepest particle: ${(1e3 * resting).toFixed(2)} mm at rest, ${(1e3 * thrown).toFixed(2)} mm after the throw`);
  assert.ok(resting <= 2e-4 && thrown <= 2e-4, `${resting} m and ${thrown} m deep`);
  simulation.release();
});

test("a hand lifts a free sheet and lets go; its force stays below its limit", async () => {
  const description = makeSheet({ columns: 20, settings: { gravity: [0, 0, 0] }, sets: [["distance"], ["isometric"]] });
  const simulation = await createGpuSimulation(device, description);
  const hand = simulation.grab({ vertex: 190 });
  assert.ok(hand.particleCount > 5 && hand.active);
  const speeds: number[] = [];
  for (let i = 0; i < 20; i++) {
    hand.update([0, 5, 0], DT);
    simulation.step(DT);
    const v = await simulation.readVelocities();
    speeds.push(v.filter((_, k) => k % 3 === 1).reduce((sum, vy) => sum + vy, 0) / simulation.particleCount);
  }
  // 0.2 kg: the force is the mass times the change of the mean speed over a step.
  const most = Math.max(...speeds.map((speed, i) => ((speed - (speeds[i - 1] ?? 0)) * 0.2) / DT));
  console.log(`the hand pulls with ${most.toFixed(3)} N at most; its limit is ${hand.limit.toFixed(3)} N`);
  assert.ok(most < 1.02 * hand.limit && most > 0.5 * hand.limit, `${most} N of ${hand.limit} N`);
  for (let i = 0; i < 10 && hand.active; i++) {
    hand.update([0, 5, 0], DT, false);
    simulation.step(DT);
  }
  assert.ok(!hand.active, "it has let go");
  const before = await simulation.readVelocities();
  simulation.step(DT);
  const after = await simulation.readVelocities();
  const mean = (v: Float32Array): number => v.filter((_, k) => k % 3 === 1).reduce((sum, vy) => sum + vy, 0) / simulation.particleCount;
  assert.ok(Math.abs(mean(before) - mean(after)) < 1e-4, "nothing pulls any more");
  simulation.release();
});

test("pins, parameters and settings change while it runs", async () => {
  const description = makeSheet({ columns: 16, pins: [0, 15], sets: [["distance"], ["triangle", { kappa: 0 }]] });
  const simulation = await simulate(description, 3);
  simulation.pin(100);
  const held = (await simulation.readPositions()).slice(300, 303);
  simulation.setParameters(1, { kappa: 0.01 });
  simulation.set({ substeps: 5, gravity: [0, 9.81, 0] });
  for (let i = 0; i < 5; i++) simulation.step(DT);
  assert.deepEqual((await simulation.readPositions()).slice(300, 303), held, "what is pinned stays to the bit");
  simulation.pin(100, false);
  for (let i = 0; i < 5; i++) simulation.step(DT);
  assert.notDeepEqual((await simulation.readPositions()).slice(300, 303), held, "and goes on when it is let go");
  simulation.write(description.positions);
  const { distance } = await simulation.largestDifference(Float32Array.from(description.positions));
  assert.equal(distance, 0, "write() puts all back");
  assert.equal(simulation.stepCount, 13);
  simulation.release();
});
