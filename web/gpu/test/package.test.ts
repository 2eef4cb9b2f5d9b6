// Against the package `pliant`, in WebAssembly: a world of it is described, and the graphics card goes on from where it is, to the
// same bits as the world does. Grabs are compared with its grabs. PLIANT_PACKAGE says where the package is.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createGpuSimulation, describeWorld, type WorldLike } from "../src/index.js";
import { compare, words } from "./support/compare.js";
import { isExact, openDevice } from "./support/device.js";

const PACKAGE = process.env.PLIANT_PACKAGE ?? new URL("../../../package", import.meta.url).pathname;
const entry = join(PACKAGE, "dist/index.js");
const isThere = existsSync(entry) && existsSync(join(PACKAGE, "wasm"));
const DT = 1 / 60;

// What is used of the package, whose types this one does not need to be built.
interface Grab {
  update(target: readonly number[], dt: number, holds?: boolean): void;
  readonly particleCount: number;
  readonly limit: number;
}
interface Sheet {
  createAttachment(def: object): { setPose(pose: object): void };
  createConstraintSet(def: object): unknown;
  setInverseMasses(values: readonly number[], first: number): void;
}
interface World extends WorldLike {
  createDeformable(def: object): Sheet & WorldLike["deformables"][0];
  createCollider(def: object): unknown;
  grab(def: object): Grab;
  step(dt: number): void;
  write(path: string, value: unknown): void;
}
interface Package {
  load(): Promise<unknown>;
  World: new (def: object) => World;
  Mesh: { new (def: object): object; grid(def: object): object; sphere(def: object): object };
}

const types = ["distance", "stick", "opposite_distance", "isometric", "triangle", "dihedral"];

test("worlds of the package", { skip: isThere ? false : `${entry} has not been built` }, async (t) => {
  const { load, World, Mesh } = (await import(entry)) as Package;
  await load();
  const device = await openDevice();
  // Where the package does not tell the order of projection, that of creation is the CPU's in sequential worlds.
  const makeWorld = (order: string, kind: string, type: string): World => {
    const world = new World({ order, substeps: 6, keep_momentum: false });
    const isGrid = kind === "grid";
    const mesh = isGrid ? Mesh.grid({ columns: 24, rows: 20, width: 1, depth: 1, pattern: "diagonal" }) : Mesh.sphere({ subdivisions: 3, radius: 0.4 });
    const sheet = world.createDeformable({ mesh, pose: { position: [0, 0.5, 0] }, stretch: "swept" });
    sheet.createConstraintSet({ type: "distance", parameters: { compliance: 1e-7 } });
    sheet.createConstraintSet({ type, parameters: { compliance: 1e-4, damping: 1e-3 } });
    world.createCollider({ shape: "sphere", radius: 0.2, pose: { position: [0, isGrid ? 0.28 : -0.15, 0] }, friction: 0.5 });
    world.createCollider({ shape: "plane" });
    sheet.setInverseMasses([0], 3);
    return world;
  };
  for (const mesh of ["grid", "sphere"])
    for (const type of types.slice(1))
      await t.test(`${type} on a ${mesh}`, async () => {
        let world = makeWorld("coloured", mesh, type);
        if (!world.deformables[0]!.constraintSets[0]!.sequence) world = makeWorld("sequential", mesh, type);
        for (let i = 0; i < 2; i++) world.step(DT);
        const { description, leftOut } = describeWorld(world);
        assert.deepEqual(leftOut.filter((sentence) => !/order of creation/.test(sentence)), []);
        const simulation = await createGpuSimulation(device, description);
        const [cpu, gpu] = [world.grab({ deformable: world.deformables[0], vertex: 50 }), simulation.grab({ vertex: 50 })];
        assert.deepEqual([gpu.particleCount, Math.fround(gpu.limit)], [cpu.particleCount, Math.fround(cpu.limit)]);
        for (let i = 0; i < 4; i++) {
          const target = [0.1, 0.9 + 0.02 * i, 0] as const;
          cpu.update(target, DT);
          gpu.update(target, DT);
          world.step(DT);
          simulation.step(DT);
        }
        const sheet = world.deformables[0]!;
        const found = compare(await simulation.readPositions(), sheet.positions, sheet.vertexCount);
        const { distance } = await simulation.largestDifference(sheet.positions);
        console.log(`${type} on a ${mesh}: ${words(found)}`);
        if (isExact) assert.deepEqual([found.different, distance], [0, 0]);
        else assert.ok(distance < 1e-3, `${distance} m`);
        simulation.release();
      });
});

test("what a world does and the graphics card does not is told", { skip: isThere ? false : `${entry} has not been built` }, async () => {
  const { load, World, Mesh } = (await import(entry)) as Package;
  await load();
  const world = new World({ damping: 0.1, air_density: 1.2, sleep_speed: 0.01 });
  const sheet = world.createDeformable({ mesh: Mesh.grid({ columns: 8, rows: 8 }), self_collision: true, plate: { rigidity: 1e-5 } });
  sheet.createConstraintSet({ type: "distance" });
  sheet.createConstraintSet({ type: "ring_laplacian" });
  world.createCollider({ shape: "box" });
  const { description, leftOut, apart, alike } = describeWorld(world);
  for (const said of [/keep_momentum/, /sleeps/, /Self-collision/, /Stretch is swept, not "auto"/, /plate/, /'ring_laplacian'/, /A box is left out/])
    assert.ok(leftOut.some((sentence) => said.test(sentence)), `${said} in ${leftOut.join(" ")}`);
  assert.deepEqual([description.sets.length, description.colliders!.length], [1, 0]);
  assert.equal(apart.length, 3, apart.join(" "));
  for (const { path, value } of alike) world.write(path, value);
  assert.deepEqual(describeWorld(world).leftOut, apart);
});

test("pieces that are damped one by one are told", { skip: isThere ? false : `${entry} has not been built` }, async () => {
  const { load, World, Mesh } = (await import(entry)) as Package;
  await load();
  const apart = [0, 0, 0, 1, 0, 0, 0, 0, 1, 5, 0, 0, 6, 0, 0, 5, 0, 1];
  const findings = (triangles: readonly number[], damping: number, joins: boolean): string[] => {
    const world = new World({ damping, keep_momentum: false });
    const sheet = world.createDeformable({ mesh: new Mesh({ positions: apart, faces: triangles }), stretch: "swept" });
    sheet.createConstraintSet({ type: "distance" });
    if (joins) sheet.createConstraintSet({ type: "distance", particles: [2, 3] });
    const { leftOut, alike } = describeWorld(world);
    if (leftOut.length > 0) assert.deepEqual(alike.map(({ path, value }) => [path, value]), [["settings.damping", 0]]);
    return leftOut;
  };
  const two = [0, 1, 2, 3, 4, 5];
  assert.match(findings(two, 2, false).join(" "), /^Pieces that are not connected are damped as one/);
  for (const said of [findings(two, 0, false), findings(two, 2, true), findings([...two, 2, 1, 3], 2, false)]) assert.deepEqual(said, []);
});

test("shapes that fit through a triangle are told", { skip: isThere ? false : `${entry} has not been built` }, async () => {
  const { load, World, Mesh } = (await import(entry)) as Package;
  await load();
  // Sides of 0.1 m, and diagonals of 0.141 m.
  const findings = (radius: number): string[] => {
    const world = new World({ keep_momentum: false });
    const sheet = world.createDeformable({ mesh: Mesh.grid({ columns: 11, rows: 11, width: 1, depth: 1, pattern: "diagonal" }), stretch: "swept", pose: { position: [0, 1, 0] } });
    sheet.createConstraintSet({ type: "distance" });
    world.createCollider({ shape: "capsule", radius, half_height: 0.3 });
    world.createCollider({ shape: "plane" });
    return describeWorld(world).apart;
  };
  assert.deepEqual(findings(0.072), []);
  assert.match(findings(0.07).join(" "), /^A capsule is narrower than a triangle: /);
});

test("a start inside a collider is reported", { skip: isThere ? false : `${entry} has not been built` }, async () => {
  const { load, World, Mesh } = (await import(entry)) as Package;
  await load();
  const findings = (collider: object, height: number): string[] => {
    const world = new World({ keep_momentum: false });
    const sheet = world.createDeformable({ mesh: Mesh.grid({ columns: 41, rows: 41, width: 1, depth: 1 }), stretch: "swept", pose: { position: [0, height, 0] } });
    sheet.createConstraintSet({ type: "distance" });
    world.createCollider(collider);
    return describeWorld(world).apart;
  };
  // A capsule that lies along x reaches 0.5 m to each side, so that its end is below the border of the sheet.
  const lying = { shape: "capsule", radius: 0.1, half_height: 0.4, pose: { position: [0.7, 0, 0], rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] } };
  const tilted = { shape: "plane", pose: { rotation: [Math.sin(0.2), 0, 0, Math.cos(0.2)] } };
  for (const [collider, clear] of [[{ shape: "sphere", radius: 0.2 }, 0.21], [lying, 0.11], [tilted, 0.25]] as const) {
    assert.deepEqual(findings(collider, clear), [], collider.shape);
    assert.match(findings(collider, clear - 0.1).join(" "), /^It begins inside a collider/, collider.shape);
  }
});

test("a particle that is held is led where an attachment takes the world's", { skip: isThere ? false : `${entry} has not been built` }, async () => {
  const { load, World, Mesh } = (await import(entry)) as Package;
  await load();
  const world = new World({ substeps: 5, keep_momentum: false });
  const sheet = world.createDeformable({ mesh: Mesh.grid({ columns: 10, rows: 10 }), stretch: "swept" });
  sheet.createConstraintSet({ type: "distance", parameters: { compliance: 1e-7 } });
  const hand = sheet.createAttachment({ particles: [0, 1, 2] });
  world.step(DT);
  const simulation = await createGpuSimulation(await openDevice(), describeWorld(world).description);
  const place = (i: number): [number, number, number] => [0, 1, 2].map((k) => sheet.positions[sheet.stride * i + k]!) as [number, number, number];
  const largest = async (): Promise<number> => (await simulation.largestDifference(sheet.positions)).distance;
  for (let frame = 1; frame <= 6; frame++) {
    const before = [0, 1, 2].map(place);
    if (frame <= 4) hand.setPose({ position: [0.02 * frame, 0.01 * frame, 0] });
    world.step(DT);
    if (frame <= 4) before.forEach((from, i) => simulation.lead(i, from, place(i), DT));
    simulation.step(DT);
    assert.ok((await largest()) < 2e-6, `${await largest()} m after frame ${frame}`);
  }
  assert.throws(() => simulation.lead(50, [0, 0, 0], [0, 0, 0], DT), /is not held/);
  simulation.release();
});
