// Large meshes: 100 thousand vertices for some frames in both orders, and more invocations than one dimension of workgroups holds.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createGpuSimulation } from "../src/index.js";
import { openDevice } from "./support/device.js";
import { makeSheet } from "./support/sheet.js";

const device = await openDevice();
const DT = 1 / 60;

test("a sheet of 320 x 320, held at a corner, falls onto the ground, in the given order and by colour", async () => {
  const columns = 320;
  const colliders = [{ shape: "plane", position: [0, -0.01, 0] }] as const;
  const description = makeSheet({ columns, pins: [0], sets: [["distance"], ["isometric", { compliance: 1e-4 }]], settings: { substeps: 1 }, rest: { colliders } });
  const far = 3 * (columns * columns - 1) + 1;
  for (const order of ["given", "coloured"] as const) {
    const simulation = await createGpuSimulation(device, description, { order });
    simulation.step(DT);
    const first = await simulation.readPositions();
    // Too far from the pin to know of it, and not yet on the ground: g h^2 below where it was.
    assert.ok(Math.abs(first[far]! + 9.81 * DT * DT) < 1e-6, `the far corner is at ${first[far]}`);
    if (order === "given") simulation.step(DT);
    const x = await simulation.readPositions();
    const [particles, constraints] = [simulation.particleCount, simulation.constraintCount];
    console.log(`${order}: ${particles} particles, ${constraints} constraints, ${simulation.dispatchCount} dispatches and ${simulation.milliseconds?.toFixed(0)} ms a substep`);
    assert.ok(particles > 100_000 && constraints > 500_000);
    if (order === "given") assert.ok(Math.abs(x[far]! + 0.005) < 1e-6, `the far corner is at ${x[far]}, and lies 5 mm over the ground`);
    assert.equal(x[1], 0, "the pin stays");
    simulation.release();
  }
});

test("4.3 million particles take two dimensions of workgroups", { skip: process.env.PLIANT_QUICK ? "PLIANT_QUICK" : false }, async () => {
  const count = 65_536 * 64 + 100_000;
  const positions = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) positions[3 * i] = i / 65_536;
  const inverseMasses = new Float32Array(count).fill(1);
  const simulation = await createGpuSimulation(device, { positions, inverseMasses, sets: [], settings: { substeps: 1 } });
  simulation.step(0.1);
  const x = await simulation.readPositions();
  const fallen = Math.fround(Math.fround(Math.fround(-9.81) * Math.fround(0.1)) * Math.fround(0.1));
  for (let i = 0; i < count; i++)
    if (x[3 * i + 1] !== fallen || x[3 * i] !== positions[3 * i]) assert.fail(`particle ${i} is at ${x.slice(3 * i, 3 * i + 3)}`);
  simulation.release();
});
