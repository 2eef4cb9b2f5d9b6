// Against the package `pliant`, in WebAssembly: a world of it is described, and the graphics card goes on from where it is, to the
// same bits as the world does. Grabs are compared with its grabs. PLIANT_PACKAGE says where the package is.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createGpuSimulation, describeWorld, type DescriptorsLike, type WorldDifference, type WorldLike } from "../src/index.js";
import { compare, words } from "./support/compare.js";
import { isExact, openDevice } from "./support/device.js";

const PACKAGE = process.env.PLIANT_PACKAGE ?? new URL("../../../package", import.meta.url).pathname;
const entry = join(PACKAGE, "dist/index.js");
const isThere = existsSync(entry) && existsSync(join(PACKAGE, "wasm"));
const DT = 1 / 60;
const notBuilt = isThere ? false : `${entry} has not been built`;
const { descriptors } = isThere ? ((await import(join(PACKAGE, "dist/descriptors-module.js"))) as { descriptors: DescriptorsLike }) : { descriptors: { groups: [], types: [] } };
const sentences = (found: readonly WorldDifference[]): string => found.map((one) => one.sentence).join(" ");

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

test("worlds of the package", { skip: notBuilt }, async (t) => {
  const { load, World, Mesh } = (await import(entry)) as Package;
  await load();
  const device = await openDevice();
  const makeWorld = (kind: string, type: string): World => {
    const world = new World({ substeps: 6, keep_momentum: false });
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
        const world = makeWorld(mesh, type);
        for (let i = 0; i < 2; i++) world.step(DT);
        const { description, differences } = describeWorld(world, descriptors);
        assert.deepEqual(differences, []);
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

test("properties and objects that the GPU does not implement are reported", { skip: notBuilt }, async () => {
  const { load, World, Mesh } = (await import(entry)) as Package;
  await load();
  const world = new World({ damping: 0.1, air_density: 1.2, sleep_speed: 0.01 });
  const sheet = world.createDeformable({ mesh: Mesh.grid({ columns: 8, rows: 8 }), self_collision: true, plate: { rigidity: 1e-5 } });
  sheet.createConstraintSet({ type: "distance" });
  sheet.createConstraintSet({ type: "ring_laplacian" });
  world.createCollider({ shape: "box" });
  const { description, differences } = describeWorld(world, descriptors);
  for (const said of [/Keep momentum/, /Sleep below \(settings\.sleep_speed\)/, /Self-collision \(deformables\[0\]/, /Stretch .* only as "swept"; it is "auto"/, /plate\.rigidity/, /"ring_laplacian"/, /shape "box"/])
    assert.match(sentences(differences), said);
  assert.deepEqual([description.sets.length, description.colliders!.length], [1, 0]);
  const unfixable = differences.filter((one) => !one.fix);
  assert.equal(unfixable.length, 3, sentences(unfixable));
  for (const { fix } of differences) if (fix) world.write(fix.path, fix.value);
  assert.deepEqual(describeWorld(world, descriptors).differences, unfixable);
});

test("every live setting of a world is implemented or reported", { skip: notBuilt }, async () => {
  const { load, World, Mesh } = (await import(entry)) as Package;
  await load();
  const world = new World({ keep_momentum: false });
  world.createDeformable({ mesh: Mesh.grid({ columns: 4, rows: 4 }), stretch: "swept", pose: { position: [0, 5, 0] } });
  const count = (): number => describeWorld(world, descriptors).differences.length;
  assert.equal(count(), 0);
  // Read back from a real world, by the names and values of the library.
  for (const [path, value, back] of [["settings.integrator", "bdf2", "euler"], ["settings.work_budget", 4, 16], ["deformables[0].paused", true, false], ["deformables[0].tearing.force", 3, Infinity], ["deformables[0].plate.rigidity", 1e-4, 0]] as const) {
    world.write(path, value);
    assert.match(sentences(describeWorld(world, descriptors).differences), new RegExp(`\\(${path.replace(/[[\].]/g, "\\$&")}\\), which is `), path);
    world.write(path, back);
    assert.equal(count(), 0, path);
  }
});

test("separate damping of disconnected pieces is reported", { skip: notBuilt }, async () => {
  const { load, World, Mesh } = (await import(entry)) as Package;
  await load();
  const apart = [0, 0, 0, 1, 0, 0, 0, 0, 1, 5, 0, 0, 6, 0, 0, 5, 0, 1];
  const findings = (triangles: readonly number[], damping: number, joins: boolean): string[] => {
    const world = new World({ damping, keep_momentum: false });
    const sheet = world.createDeformable({ mesh: new Mesh({ positions: apart, faces: triangles }), stretch: "swept" });
    sheet.createConstraintSet({ type: "distance" });
    if (joins) sheet.createConstraintSet({ type: "distance", particles: [2, 3] });
    const { differences } = describeWorld(world, descriptors);
    for (const { fix } of differences) assert.deepEqual([fix?.path, fix?.value], ["settings.damping", 0]);
    return differences.map((one) => one.sentence);
  };
  const two = [0, 1, 2, 3, 4, 5];
  assert.match(findings(two, 2, false).join(" "), /^The GPU damps disconnected pieces as one body/);
  for (const said of [findings(two, 0, false), findings(two, 2, true), findings([...two, 2, 1, 3], 2, false)]) assert.deepEqual(said, []);
});

test("shapes that fit through a triangle are reported", { skip: notBuilt }, async () => {
  const { load, World, Mesh } = (await import(entry)) as Package;
  await load();
  // Sides of 0.1 m, and diagonals of 0.141 m.
  const findings = (radius: number): string[] => {
    const world = new World({ keep_momentum: false });
    const sheet = world.createDeformable({ mesh: Mesh.grid({ columns: 11, rows: 11, width: 1, depth: 1, pattern: "diagonal" }), stretch: "swept", pose: { position: [0, 1, 0] } });
    sheet.createConstraintSet({ type: "distance" });
    world.createCollider({ shape: "capsule", radius, half_height: 0.3 });
    world.createCollider({ shape: "plane" });
    return describeWorld(world, descriptors).differences.map((one) => one.sentence);
  };
  assert.deepEqual(findings(0.072), []);
  assert.match(findings(0.07).join(" "), /^A capsule is narrower than a triangle: /);
});

test("a start inside a collider is reported", { skip: notBuilt }, async () => {
  const { load, World, Mesh } = (await import(entry)) as Package;
  await load();
  const findings = (collider: object, height: number): string[] => {
    const world = new World({ keep_momentum: false });
    const sheet = world.createDeformable({ mesh: Mesh.grid({ columns: 41, rows: 41, width: 1, depth: 1 }), stretch: "swept", pose: { position: [0, height, 0] } });
    sheet.createConstraintSet({ type: "distance" });
    world.createCollider(collider);
    return describeWorld(world, descriptors).differences.map((one) => one.sentence);
  };
  // A capsule that lies along x reaches 0.5 m to each side, so that its end is below the border of the sheet.
  const lying = { shape: "capsule", radius: 0.1, half_height: 0.4, pose: { position: [0.7, 0, 0], rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] } };
  const tilted = { shape: "plane", pose: { rotation: [Math.sin(0.2), 0, 0, Math.cos(0.2)] } };
  for (const [collider, clear] of [[{ shape: "sphere", radius: 0.2 }, 0.21], [lying, 0.11], [tilted, 0.25]] as const) {
    assert.deepEqual(findings(collider, clear), [], collider.shape);
    assert.match(findings(collider, clear - 0.1).join(" "), /^A particle is inside a collider/, collider.shape);
  }
});

test("a pinned particle moves as an attachment moves it in the world", { skip: notBuilt }, async () => {
  const { load, World, Mesh } = (await import(entry)) as Package;
  await load();
  const world = new World({ substeps: 5, keep_momentum: false });
  const sheet = world.createDeformable({ mesh: Mesh.grid({ columns: 10, rows: 10 }), stretch: "swept" });
  sheet.createConstraintSet({ type: "distance", parameters: { compliance: 1e-7 } });
  const hand = sheet.createAttachment({ particles: [0, 1, 2] });
  world.step(DT);
  const simulation = await createGpuSimulation(await openDevice(), describeWorld(world, descriptors).description);
  const place = (i: number): [number, number, number] => [0, 1, 2].map((k) => sheet.positions[sheet.stride * i + k]!) as [number, number, number];
  const largest = async (): Promise<number> => (await simulation.largestDifference(sheet.positions)).distance;
  for (let frame = 1; frame <= 6; frame++) {
    const before = [0, 1, 2].map(place);
    if (frame <= 4) hand.setPose({ position: [0.02 * frame, 0.01 * frame, 0] });
    world.step(DT);
    if (frame <= 4) before.forEach((from, i) => simulation.movePinned(i, from, place(i), DT));
    simulation.step(DT);
    assert.ok((await largest()) < 2e-6, `${await largest()} m after frame ${frame}`);
  }
  assert.throws(() => simulation.movePinned(50, [0, 0, 0], [0, 0, 0], DT), /is not pinned/);
  simulation.release();
});
