// What goes wrong is a GpuError whose sentence says what, where and the mend; nothing crashes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createGpuSimulation, type GpuDescription, GpuError, isGpuAvailable, openGpu } from "../src/index.js";
import { gpu, openDevice } from "./support/device.js";
import { makeSheet } from "./support/sheet.js";

const device = await openDevice();
const sheet = makeSheet({ columns: 6, sets: [["distance"], ["isometric"]] });
const [edges, hinges] = sheet.sets as [GpuDescription["sets"][0], GpuDescription["sets"][0]];
const with_ = (values: Partial<GpuDescription>): GpuDescription => ({ ...sheet, ...values });

const bad: [name: string, description: GpuDescription, says: RegExp][] = [
  ["no particles", with_({ inverseMasses: [], positions: [] }), /no particles/],
  ["too few positions", with_({ positions: [1, 2, 3] }), /positions has 3 numbers; 108 belong there/],
  ["a position that is no number", with_({ positions: Array.from(sheet.positions, (x, i) => (i === 7 ? NaN : x)) }), /positions\[7\] is NaN/],
  ["a negative mass", with_({ inverseMasses: Array.from(sheet.inverseMasses, (w, i) => (i === 3 ? -1 : w)) }), /inverseMasses\[3\] is -1/],
  ["a type that is not projected", with_({ sets: [{ ...edges, type: "volume" }] }), /sets\[0\] is of the type 'volume', .* it has distance, stick/],
  ["a particle that is not there", with_({ sets: [edges, { ...hinges, particles: Array.from(hinges.particles, () => 36) }] }), /sets\[1\]\.particles\[0\] is 36; particles are 0\.\.35/],
  ["half a stencil", with_({ sets: [{ ...edges, particles: [1, 2, 3] }] }), /'distance' takes 2 each/],
  ["missing rest values", with_({ sets: [{ ...hinges, rest: [1] }] }), /sets\[0\]\.rest has 1 numbers/],
  ["a rigidity without scales", with_({ sets: [{ type: hinges.type, particles: hinges.particles, rest: hinges.rest, parameters: { rigidity: 1 } }] }), /needs the scales/],
  ["a negative compliance", with_({ sets: [{ ...edges, parameters: { compliance: -1 } }] }), /compliance is -1/],
  ["too many colliders", with_({ colliders: Array.from({ length: 21 }, () => ({ shape: "plane" as const })) }), /21 colliders; the GPU takes 20/],
  ["a capsule without end", with_({ colliders: [{ shape: "capsule", radius: 0.1, half_height: Infinity }] }), /half height is Infinity/],
  ["negative damping", with_({ settings: { damping: -2 } }), /damping is -2; it is 0..1e6/],
  ["a triangle of two", with_({ triangles: [0, 1] }), /triangles has 2 numbers/],
  ["a triangle beyond", with_({ triangles: [0, 1, 99] }), /triangles\[2\] is 99/],
  ["a ball without a radius", with_({ colliders: [{ shape: "sphere" }] }), /colliders\[0\]: the radius is undefined/],
  ["a rotation of length 2", with_({ colliders: [{ shape: "plane", rotation: [0, 0, 0, 2] }] }), /unit quaternion/],
  ["no substeps", with_({ settings: { substeps: 0 } }), /substeps is 0; it is a whole number 1\.\.1000/],
  ["gravity without an end", with_({ settings: { gravity: [0, Infinity, 0] } }), /gravity must be three finite numbers/],
];

test("bad descriptions are refused by a sentence, before the card is touched", async () => {
  for (const [name, description, says] of bad)
    await assert.rejects(createGpuSimulation(device, description), (error) => {
      assert.ok(error instanceof GpuError, `${name}: ${error}`);
      assert.match(error.message, says, name);
      return true;
    });
});

test("bad calls leave the simulation as it was", async () => {
  const simulation = await createGpuSimulation(device, sheet);
  const says = (call: () => unknown, words: RegExp): void => assert.throws(call, (e) => e instanceof GpuError && words.test(e.message));
  says(() => simulation.step(0), /the step is 0/);
  says(() => simulation.step(NaN), /the step is NaN/);
  says(() => simulation.set({ iterations: 1.5 }), /iterations is 1.5/);
  says(() => simulation.setParameters(7, {}), /there is no set 7; sets are 0..1/);
  says(() => simulation.moveCollider(0, { position: [0, 0, 0] }), /there is no collider 0/);
  says(() => simulation.grab({ vertex: 99 }), /there is no particle 99/);
  says(() => simulation.grab({ vertex: 3, strength: 0 }), /strength 0/);
  says(() => simulation.grab({ vertex: 3 }).update([NaN, 0, 0], 0.1), /target must be finite/);
  says(() => simulation.write([1]), /108 numbers/);
  await assert.rejects(simulation.readPositions(new Float32Array(5)), GpuError);
  await assert.rejects(simulation.largestDifference([1, 2]), GpuError);
  assert.equal(simulation.currentSettings.iterations, 1);
  assert.equal((await simulation.largestDifference(Float32Array.from(sheet.positions))).distance, 0);
  simulation.release();
  says(() => simulation.step(0.1), /was released/);
  simulation.release();
});

test("a state that is not finite is told, with the particle", async () => {
  const simulation = await createGpuSimulation(device, with_({ velocities: Array.from(sheet.positions, (_, i) => (i === 15 ? 3e38 : 0)), settings: { substeps: 2 } }));
  for (let i = 0; i < 3; i++) simulation.step(10);
  await assert.rejects(simulation.readPositions(), /particle \d+ is at no finite place after 3 steps; take more substeps/);
  simulation.release();
});

test("what the card refuses is thrown by the next call", async () => {
  const own = await openDevice();
  const simulation = await createGpuSimulation(own, sheet);
  own.createBuffer({ size: 16, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.STORAGE });
  await own.queue.onSubmittedWorkDone();
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.throws(() => simulation.step(0.01), /The graphics card refuses a command/);
  simulation.release();
});

test("a lost device is told in a sentence", async () => {
  const own = await openDevice();
  const simulation = await createGpuSimulation(own, sheet);
  simulation.step(0.01);
  const reading = simulation.readPositions();
  own.destroy();
  await assert.rejects(reading, (error) => error instanceof GpuError);
  await own.lost;
  assert.throws(() => simulation.step(0.01), /The graphics card is lost: its device was destroyed\. Go on from the last positions/);
  await assert.rejects(simulation.readPositions(), /lost/);
  await assert.rejects(createGpuSimulation(own, sheet), GpuError);
  simulation.release();
});

test("a mesh that does not fit the device is refused with how much it takes", async () => {
  const own = await (await (await gpu()).requestAdapter())!.requestDevice(); // With default limits: 128 MB a buffer.
  const count = 9_000_000;
  const large = { positions: new Float32Array(3 * count), inverseMasses: new Float32Array(count).fill(1), sets: [] };
  await assert.rejects(createGpuSimulation(own, large), /positions take 138 MB, and this device was opened for 128 MB at a time; openGpu\(\) asks for all/);
  own.destroy();
});

test("where there is no graphics card, a sentence says so", async () => {
  const none = await isGpuAvailable(undefined);
  assert.deepEqual([none.available, none.adapter], [false, null]);
  assert.match(none.sentence, /^No WebGPU here: .*; the CPU does it\.$/);
  const empty = { requestAdapter: async () => null } as unknown as GPU;
  assert.match((await isGpuAvailable(empty)).sentence, /no graphics card that it trusts/);
  const broken = { requestAdapter: async () => Promise.reject(new Error("blocked")) } as unknown as GPU;
  assert.match((await isGpuAvailable(broken)).sentence, /the browser answers "blocked"/);
  await assert.rejects(openGpu(empty), GpuError);
  const here = await isGpuAvailable(await gpu());
  assert.ok(here.available && here.adapter && /WebGPU is there/.test(here.sentence), here.sentence);
});
