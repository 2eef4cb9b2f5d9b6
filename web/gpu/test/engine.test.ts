// Whole steps against the library itself: engine.c runs a sheet of it and prints what it put into its world and where that is
// after some steps. The twin and the graphics card run the same description; on the software adapter all three have one and
// the same bits, in whatever order the library projects (grids in columns, other meshes by colour).
import assert from "node:assert/strict";
import { test } from "node:test";
import { createGpuSimulation, type GpuGrab, type GpuPose } from "../src/index.js";
import { fullPose } from "../src/tables.js";
import { compare, words } from "./support/compare.js";
import { isExact, openDevice } from "./support/device.js";
import { ballAt, BUILD, buildEngine, DT, handAt, runEngine, turnedAt } from "./support/engine.js";
import { Twin } from "./twin/twin.js";

const f = Math.fround;

const scenes = [
  "grid none xpbd 10 1 back_and_forth p 3",
  "grid dihedral xpbd 10 1 back_and_forth ps 3",
  "grid stick pbd 8 2 back_and_forth psh 6",
  "grid opposite_distance xpbd 10 1 back_and_forth c 8",
  "dome isometric xpbd 8 1 back_and_forth hc 7",
  "dome dihedral xpbd 4 3 back_and_forth ps 3",
  "grid triangle xpbd 5 2 forward ps 3",
  "ball triangle xpbd 8 2 back_and_forth cis 8",
  "ball isometric pbd 4 3 back_and_forth sc 8",
  "ball dihedral xpbd 6 1 back_and_forth cmh 10",
  "small dihedral xpbd 120 1 back_and_forth psc 3",
  "small triangle xpbd 20 2 forward cmv 16",
  "small isometric xpbd 10 4 back_and_forth s 6",
  "small distance xpbd 10 2 back_and_forth ap 8",
  "dome isometric xpbd 8 1 back_and_forth adsv 3",
  "ball dihedral xpbd 6 1 back_and_forth d 4",
  "small dihedral xpbd 10 1 back_and_forth pd 6",
  "small dihedral pbd 1 16 back_and_forth hcd 8",
  "small triangle xpbd 6 2 back_and_forth hpd 8",
  "small dihedral xpbd 10 1 back_and_forth kpc 12",
  "ball triangle xpbd 8 2 back_and_forth kmads 10",
];

/** Leads what is led and steps. */
function lead(what: string, step: number, steps: number, hand: Pick<GpuGrab, "update"> | null, moveFirst: (to: GpuPose) => void): void {
  const rotation = what.includes("k") ? { rotation: turnedAt(step) } : {};
  if (what.includes("m")) moveFirst({ position: ballAt(step), ...rotation });
  hand?.update(handAt(step), DT, step < steps - 4);
}

async function runScene(device: GPUDevice, program: string, name: string): Promise<void> {
  const scene = runEngine(program, name);
  const [what, count] = name.split(" ").slice(6) as [string, string];
  const [steps, n] = [Number(count), scene.inverseMasses.length];
  const grab = { vertex: Math.floor(n / 2), ramp: 3 };
  const twin = new Twin(scene);
  const twinHand = what.includes("h") ? twin.grab(grab) : null;
  const simulation = await createGpuSimulation(device, scene);
  const hand = what.includes("h") ? simulation.grab(grab) : null;
  if (hand && scene.hold) {
    const { particleCount, limit, reach } = scene.hold;
    assert.deepEqual([hand.particleCount, f(hand.limit), f(hand.reach)], [particleCount, f(limit), f(reach)], `${name}: the hold`);
  }
  for (let step = 0; step < steps; step++) {
    lead(what, step, steps, twinHand, (pose) => (twin.courses[0]!.next = fullPose(pose)));
    lead(what, step, steps, hand, (pose) => simulation.moveCollider(0, pose));
    twin.step(DT);
    simulation.step(DT);
  }
  const [x, v] = [await simulation.readPositions(), await simulation.readVelocities()];
  const all = [compare(twin.x, scene.after, n), compare(twin.v, scene.velocitiesAfter, n), compare(x, scene.after, n), compare(v, scene.velocitiesAfter, n)];
  console.log(`${name}: twin ${words(all[0]!)}; GPU ${words(all[2]!)}; ${simulation.dispatchCount} dispatches a substep`);
  simulation.release();
  assert.deepEqual([all[0]!.different, all[1]!.different], [0, 0], `${name}: the twin is the library`);
  // Damping sums in pairs of floats, where the library has doubles: a rounding now and then falls to the other side.
  if (isExact && !what.includes("d")) assert.deepEqual([all[2]!.different, all[3]!.different], [0, 0], `${name}: the GPU is the library`);
  else if (isExact) assert.ok(all[2]!.largest < 1e-5 && all[3]!.largest < 1e-3, `${name}: ${words(all[2]!)}, velocities ${words(all[3]!)}`);
  // Rounding grows with time; a wrong sign, index or level is off by an edge (16 mm) at once.
  else assert.ok(all[2]!.largest < 1e-3, `${name}: ${words(all[2]!)}`);
}

const program = buildEngine();
test("the library, its twin and the graphics card agree", { skip: program ? false : `${BUILD} has no libpliant.a` }, async (t) => {
  const device = await openDevice();
  for (const name of scenes) await t.test(name, () => runScene(device, program!, name));
});
