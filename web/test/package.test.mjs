// What the package promises: errors, views, meshes of geometries, tears, hands, state, scenes. In Node.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import * as THREE from "three";
import {
  evaluateConstraint,
  findTriangleNeighbors,
  load,
  Mesh,
  PliantError,
  Scene,
  trianglePairs,
  World,
} from "../package/dist/index.js";

const lines = [];
const engine = await load({ scenes: true });
const GRAVITY = 9.81;

/** A square of cloth, held by two corners. */
function hanging(side = 20, def = {}) {
  const world = new World(def);
  const mesh = Mesh.grid({ columns: side, rows: side });
  const cloth = world.createDeformable({ mesh, name: "cloth" });
  cloth.createConstraintSet({ type: "distance" });
  cloth.createConstraintSet({ type: "isometric", parameters: { rigidity: 1e-5 } });
  const pins = cloth.createAttachment({ particles: [0, side - 1] });
  return { world, mesh, cloth, pins };
}

function fails(status, words, call) {
  assert.throws(call, (error) => {
    assert.ok(error instanceof PliantError, String(error));
    assert.equal(error.status, status);
    assert.match(error.message, words);
    return true;
  });
}

test("what falls follows the closed form", () => {
  const world = new World({ substeps: 20 });
  const cloth = world.createDeformable({ mesh: Mesh.grid({ columns: 4, rows: 4 }) });
  for (let i = 0; i < 60; i++) world.step(1 / 60);
  const h = 1 / 1200;
  // Symplectic Euler: the sum of v over n substeps of h.
  const fallen = (GRAVITY * h * h * 1200 * 1201) / 2;
  assert.ok(Math.abs(cloth.positions[1] + fallen) < 1e-4, `${cloth.positions[1]} against ${-fallen}`);
  assert.ok(Math.abs(world.time - 1) < 1e-6);
  assert.equal(world.stepCount, 60);
});

test("refusals are exceptions with the library's words, and change nothing", () => {
  const { world, cloth } = hanging();
  const before = world.hash();
  fails("invalid argument", /substeps.*1 to 1000/, () => world.set({ substeps: 0 }));
  fails("not found", /'substep' is no property/, () => world.set({ substep: 3 }));
  fails("invalid argument", /method is 'xpdb'; it must be one of xpbd, pbd/, () => world.set({ method: "xpdb" }));
  fails("invalid argument", /gravity is 3/, () => world.set({ gravity: 3 }));
  fails("not found", /distanze.*distance/, () => cloth.createConstraintSet({ type: "distanze" }));
  fails("not found", /./, () => cloth.createConstraintSet({ type: "distance", parameters: { rigidity: 1 } }));
  fails("invalid argument", /particles\[1\] is 1\.5/, () => cloth.createAttachment({ particles: [5, 1.5] }));
  fails("invalid argument", /./, () => cloth.createAttachment({ particles: [100000] }));
  fails("invalid mesh", /./, () => new Mesh({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], faces: [0, 1, 7] }));
  fails("invalid argument", /3 a vertex/, () => new Mesh({ positions: [0, 0], faces: [] }));
  fails("invalid argument", /./, () => Mesh.grid({ columns: 1, rows: 5 }));
  fails("invalid argument", /./, () => world.step(-1));
  fails("invalid argument", /./, () => world.step(NaN));
  fails("invalid argument", /./, () => cloth.setPositions([NaN, 0, 0]));
  fails("not found", /no property of this world/, () => world.write("deformables[7].friction", 1));
  fails("corrupt", /./, () => world.restore(new Uint8Array(100)));
  assert.equal(world.settings.substeps, 10);
  assert.equal(world.hash(), before);
});

test("a definition that is missing is named, not met as a TypeError", () => {
  const { world, cloth } = hanging();
  const before = world.hash();
  fails("invalid argument", /the deformable's definition is missing/, () => world.createDeformable());
  fails("invalid argument", /needs `mesh`, a Mesh/, () => world.createDeformable({}));
  fails("invalid argument", /needs `mesh`, a Mesh/, () => world.createDeformable({ mesh: new THREE.PlaneGeometry() }));
  fails("invalid argument", /the constraint set's definition is missing/, () => cloth.createConstraintSet());
  fails("invalid argument", /the constraint set's type is missing/, () => cloth.createConstraintSet({}));
  fails("invalid argument", /the attachment's `particles` is missing/, () => cloth.createAttachment({}));
  fails("invalid argument", /the collider's definition is missing/, () => world.createCollider());
  fails("invalid argument", /the grid's definition is missing/, () => Mesh.grid());
  fails("invalid argument", /the mesh's `positions` is missing/, () => new Mesh({}));
  fails("invalid argument", /the geometry is missing/, () => Mesh.fromGeometry(undefined));
  fails("invalid argument", /a vector is missing/, () => cloth.addForce(0));
  fails("invalid argument", /the list of numbers is missing/, () => cloth.setPositions());
  fails("invalid argument", /the list has 2 numbers; it must have 3 a particle/, () => cloth.setPositions([1, 2]));
  fails("invalid argument", /the engine is 6; definitions are one object/, () => Mesh.grid(6, 6));
  fails("invalid argument", /the geometry is missing/, () => cloth.writeGeometry());
  fails("invalid argument", /the cut's definition is missing/, () => cloth.cut());
  fails("invalid argument", /the teleport's definition is missing/, () => world.teleport());
  fails("invalid argument", /the list of values is missing/, () => world.set());
  fails("invalid argument", /the grab's definition is missing/, () => world.grab());
  fails("not found", /'deformables\[0\].frction' is no property/, () => world.read("deformables[0].frction"));
  fails("not found", /no measure is called 'strech'; there are stretch, /, () => cloth.measure("strech"));
  assert.equal(world.hash(), before);
});

test("what can be set is an attribute too, and parameters change together", () => {
  const { world, cloth, pins } = hanging();
  const bends = cloth.constraintSets[1];
  const ball = world.createCollider({ shape: "sphere", radius: 0.1, pose: { position: [0, -5, 0] } });
  world.gravity = [0, -1.6, 0];
  world.substeps = 7;
  cloth.friction = 0.125;
  bends.rigidity = 0.25;
  ball.friction = 0.5;
  pins.compliance = 0.5;
  assert.deepEqual(world.settings.gravity, [0, -1.6, 0]);
  assert.deepEqual(world.gravity, [0, -1.6, 0]);
  assert.deepEqual([world.settings.substeps, cloth.properties.friction, bends.read("rigidity")], [7, 0.125, 0.25]);
  assert.deepEqual([ball.properties.friction, pins.properties.compliance], [0.5, 0.5]);
  assert.throws(() => (world.gravity[1] = 0), TypeError); // It would write into a copy.
  fails("invalid argument", /substeps.*1 to 1000/, () => (world.substeps = 0));
  assert.equal(world.substeps, 7);
  assert.deepEqual(world.origin, [0, 0, 0]); // The point, not the setting of that name.
  bends.set({ rigidity: 0.5, damping: 0.25 });
  assert.deepEqual([bends.rigidity, bends.damping], [0.5, 0.25]);
  fails("invalid argument", /damping/, () => bends.set({ rigidity: 0.125, damping: -1 }));
  fails("not found", /rigidty/, () => bends.set({ rigidity: 0.125, rigidty: 1 }));
  assert.equal(bends.rigidity, 0.5);
  const start = cloth.positions[1 + 4 * 210];
  world.step(1 / 60);
  const moon = start - cloth.positions[1 + 4 * 210];
  assert.ok(moon > 0 && moon < 0.0007, `fell by ${moon}: gravity of the moon, not of the earth`);
});

test("parameters beside the type act as those of `parameters`", () => {
  const hashOf = (def) => {
    const { world, cloth } = hanging();
    cloth.createConstraintSet({ type: "isometric", ...def });
    for (let i = 0; i < 3; i++) world.step(1 / 60);
    return world.hash();
  };
  assert.equal(hashOf({ rigidity: 1e-4 }), hashOf({ parameters: { rigidity: 1e-4 } }));
  assert.notEqual(hashOf({ rigidity: 1e-4 }), hashOf({}));
  fails("not found", /rigidty.*rigidity/, () => hashOf({ rigidty: 1e-4 }));
});

test("properties come back as they were written", () => {
  const { world, cloth } = hanging();
  world.set({ wind: { x: 1, y: 2, z: 3 }, air_density: 1.2, ccd: "off", keep_momentum: false });
  const { wind, air_density, ccd, keep_momentum, speed_limit } = world.settings;
  assert.deepEqual([wind, air_density, ccd, keep_momentum], [[1, 2, 3], 1.2, "off", false]);
  assert.equal(speed_limit, Infinity);
  cloth.set({ friction: 0.7, layer: 3, collides_with: [0, 5, 31] });
  assert.deepEqual([cloth.properties.friction, cloth.properties.layer], [0.7, 3]);
  assert.deepEqual(cloth.properties.collides_with, [0, 5, 31]);
  const [distance, isometric] = cloth.constraintSets;
  assert.equal(isometric.read("rigidity"), 1e-5);
  world.write("deformables[0].constraints[0].compliance", 1e-4);
  assert.equal(distance.read("compliance"), 1e-4);
  world.write("settings.substeps", 7);
  assert.equal(world.read("settings.substeps"), 7);
  world.write("deformables[0].tearing.stretch", 2);
  assert.equal(cloth.tearing.stretch, 2);
  const collider = world.createCollider({ shape: "capsule", radius: 0.1, half_height: 0.2 });
  world.write("colliders[0].radius", 0.25);
  assert.equal(collider.properties.radius, 0.25);
  assert.equal(collider.properties.shape, "capsule");
});

test("views are the library's memory, and are made anew when it grows", () => {
  const { world, cloth } = hanging();
  const positions = cloth.positions;
  assert.equal(cloth.positions, positions, "the same array while nothing has moved");
  assert.equal(positions.buffer, engine.memory.buffer, "no copy");
  assert.equal(positions.length, cloth.stride * cloth.vertexCount);
  const before = positions[4 * 200 + 1];
  world.step(1 / 60);
  assert.notEqual(cloth.positions[4 * 200 + 1], before);
  const bytes = engine.memoryBytes;
  const kept = cloth.positions;
  const topology = cloth.mesh.topology;
  const copy = cloth.copyPositions();
  const more = [];
  while (engine.memoryBytes === bytes) more.push(Mesh.grid({ columns: 100, rows: 100 }));
  assert.equal(kept.length, 0, "an old view is empty, never wrong");
  assert.equal(topology.positions.length, 0);
  const now = cloth.positions;
  assert.equal(now.length, 4 * cloth.vertexCount);
  assert.deepEqual(cloth.copyPositions(), copy, "what it shows has not changed");
  assert.equal(cloth.mesh.topology.edges.length, 2 * cloth.mesh.edgeCount);
  world.step(1 / 60);
  more.forEach((mesh) => mesh.dispose());
});

test("attributes are painted and read back, in their order", () => {
  const { world, cloth } = hanging(8);
  const each = (count, low = 0.5) => Float32Array.from({ length: count }, (_, i) => low + 0.01 * i);
  const friction = each(cloth.vertexCount);
  cloth.paint("friction", friction);
  assert.deepEqual(cloth.attribute("friction"), friction);
  cloth.paint("pressure", each(cloth.mesh.triangleCount), "triangle");
  assert.deepEqual(cloth.attribute("pressure"), each(cloth.mesh.triangleCount));
  const edges = world.constraintSets[0];
  edges.paint("stiffness", each(edges.constraintCount), "constraint");
  assert.deepEqual(edges.attribute("stiffness"), each(edges.constraintCount));
  cloth.addForce(3, [1, 2, 3]);
  assert.deepEqual([...cloth.attribute("force").subarray(9, 12)], [1, 2, 3]);
  const before = world.snapshot();
  cloth.paint("friction", null);
  assert.ok(cloth.attribute("friction").every((value) => value === Math.fround(cloth.friction)));
  world.restore(before);
  assert.deepEqual(cloth.attribute("friction"), friction);
  assert.throws(() => cloth.paint("fricton", friction), /did you mean 'friction'/);
  assert.throws(() => cloth.paint("drag", friction.map((_, i) => (i === 4 ? 101 : 1))), /vertex 4 is 101; it must be 0 to 100/);
  world.dispose();
});

test("geometries of three.js are welded, and written back", () => {
  const sources = [
    new THREE.PlaneGeometry(1, 1, 8, 6),
    new THREE.SphereGeometry(0.5, 12, 8),
    new THREE.BoxGeometry(1, 2, 3, 2, 2, 2),
    new THREE.IcosahedronGeometry(1, 2),
  ];
  for (const geometry of sources) {
    const from = geometry.attributes.position;
    const mesh = Mesh.fromGeometry(geometry);
    const positions = mesh.topology.positions.slice();
    // By comparison of all pairs: two vertices are one particle exactly when they are at one place, up to rounding.
    geometry.computeBoundingBox();
    const near = 1e-6 * geometry.boundingBox.min.distanceTo(geometry.boundingBox.max);
    let merged = 0;
    for (let i = 0; i < from.count; i++) {
      const at = [from.getX(i), from.getY(i), from.getZ(i)];
      at.forEach((x, k) => assert.ok(Math.abs(positions[3 * mesh.vertexMap[i] + k] - x) <= near));
      let first = true;
      for (let j = 0; j < i; j++) {
        const same = Math.hypot(from.getX(j) - at[0], from.getY(j) - at[1], from.getZ(j) - at[2]) <= near;
        assert.equal(mesh.vertexMap[i] === mesh.vertexMap[j], same);
        first &&= !same;
      }
      merged += first ? 0 : 1;
    }
    assert.equal(mesh.weld.mergedVertices, merged);
    const world = new World();
    const body = world.createDeformable({ mesh, pose: { position: [5, 6, 7] } });
    const version = from.version;
    body.writeGeometry(geometry);
    const shifted = geometry.attributes.position;
    for (let i = 0; i < from.count; i++)
      assert.ok(Math.abs(shifted.getY(i) - positions[3 * mesh.vertexMap[i] + 1] - 6) < 1e-5);
    assert.ok(shifted.version > version, "the attribute is marked as changed");
    const normal = new THREE.Vector3().fromBufferAttribute(geometry.attributes.normal, 0);
    assert.ok(Math.abs(normal.length() - 1) < 1e-5);
    world.dispose();
  }
  fails("invalid argument", /made from/, () => {
    const body = new World().createDeformable({ mesh: Mesh.fromGeometry(sources[0]) });
    body.writeGeometry(sources[1]);
  });
});

test("round geometries of three.js close", () => {
  const profile = [0, 1, 2, 3].map((i) => new THREE.Vector2(0.3 + 0.1 * Math.sin(i), 0.2 * i));
  const path = new THREE.CatmullRomCurve3([[1, 0, 0], [0, 1, 0.3], [-1, 0, 0], [0, -1, -0.3]].map((p) => new THREE.Vector3(...p)), true);
  // Geometry, and the borders that it has by its construction: both ends of a lathe of 12 segments.
  const sources = [
    [new THREE.SphereGeometry(0.5, 32, 16), 0],
    [new THREE.TorusGeometry(1, 0.3, 12, 48), 0],
    [new THREE.CylinderGeometry(0.5, 0.5, 1, 20), 0],
    [new THREE.ConeGeometry(0.5, 1, 20), 0],
    [new THREE.CapsuleGeometry(0.3, 1, 8, 24), 0],
    [new THREE.LatheGeometry(profile, 12), 24],
    [new THREE.TubeGeometry(path, 40, 0.1, 8, true), 0],
    [new THREE.TorusKnotGeometry(1, 0.3, 100, 12), 0],
    [new THREE.SphereGeometry(0.5, 32, 16).toNonIndexed(), 0],
    [new THREE.SphereGeometry(1e-4, 32, 16).translate(0.001, 0, 0), 0],
    [new THREE.SphereGeometry(1e6, 32, 16), 0],
  ];
  for (const [geometry, borders] of sources) {
    const mesh = Mesh.fromGeometry(geometry);
    assert.equal(mesh.report.boundary_edge_count, borders, geometry.type);
    assert.equal(mesh.report.zero_area_faces, 0, geometry.type);
    assert.ok(mesh.weld.mergedVertices > 0);
    const corners = geometry.index ? geometry.index.count : geometry.attributes.position.count;
    assert.equal(mesh.report.triangle_count, corners / 3 - mesh.weld.droppedTriangles, geometry.type);
  }
  assert.equal(Mesh.fromGeometry(sources[4][0]).weld.droppedTriangles, 48, "both poles of a capsule");
});

test("a geometry without an index follows cuts", () => {
  const geometry = new THREE.PlaneGeometry(1, 1, 6, 6).toNonIndexed();
  const mesh = Mesh.fromGeometry(geometry);
  const world = new World({ gravity: [0, 0, 0] });
  const cloth = world.createDeformable({ mesh });
  cloth.createConstraintSet({ type: "distance" });
  const changes = [];
  world.onTopologyChange = (deformable, change) => changes.push([deformable, change]);
  const added = cloth.cut({ point: [0, 0, 0], normal: [1, 0, 0] });
  assert.equal(added, 7, "one row of vertices of a grid of seven");
  assert.equal(cloth.vertexCount, 49 + 7);
  assert.equal(changes.length, 1);
  assert.equal(changes[0][0], cloth);
  assert.equal(changes[0][1].copies.length, 14);
  // Each half goes its own way; corners of a triangle must stay together.
  const positions = cloth.copyPositions();
  const { copies } = changes[0][1];
  for (let i = 0; i < copies.length; i += 2) positions[3 * copies[i + 1]] -= 1;
  cloth.setPositions(positions);
  cloth.writeGeometry(geometry);
  const { array } = geometry.attributes.position;
  const corners = cloth.faceVertices;
  assert.equal(array.length, 3 * corners.length);
  for (let i = 0; i < corners.length; i++) assert.equal(array[3 * i], positions[3 * corners[i]]);
});

test("what tears tells its topology", () => {
  const { world, cloth } = hanging(12);
  cloth.setTearing({ stretch: 1.05, most: 8 });
  let copies = 0;
  world.onTopologyChange = (_, change) => (copies += change.copies.length / 2);
  for (let i = 0; i < 40; i++) {
    cloth.addForce(12 * 11 + 6, [0, -60, 0]);
    world.step(1 / 60);
  }
  assert.ok(copies > 0, "it has torn");
  assert.equal(cloth.vertexCount, 144 + copies);
  assert.equal(cloth.triangles.length, 3 * cloth.mesh.triangleCount);
});

test("a ray finds the cloth, and a hand pulls it within its limit", () => {
  const { world, cloth } = hanging(30);
  const hit = world.ray([0.1, 2, 0.1], [0, -3, 0]);
  assert.equal(hit.deformable, cloth);
  assert.ok(Math.abs(hit.distance - 2) < 1e-5);
  assert.ok(Math.abs(hit.weights[0] + hit.weights[1] + hit.weights[2] - 1) < 1e-6);
  assert.equal(world.ray([0.1, 2, 0.1], [0, 1, 0]), null);
  assert.equal(world.ray([0.1, 2, 0.1], [0, -1, 0], { layers: [4] }), null);
  const grab = world.grab(hit);
  for (let i = 0; i < 30; i++) {
    grab.update([0.1, 5, 0.1], 1 / 60);
    world.step(1 / 60);
  }
  assert.ok(grab.active && Math.hypot(...grab.force) <= grab.limit * 1.001);
  assert.ok(cloth.positions[4 * hit.vertex + 1] > 0.05, "it has been lifted");
  for (let i = 0; i < 10 && grab.active; i++) {
    grab.update([0, 5, 0], 1 / 60, false);
    world.step(1 / 60);
  }
  assert.equal(grab.active, false);
  const ball = world.createCollider({ shape: "sphere", radius: 0.5, pose: { position: [0, -3, 0] } });
  const met = world.rayCollider([0, 3, 0], [0, -1, 0]);
  assert.equal(met.collider, ball);
  assert.ok(Math.abs(met.distance - 5.5) < 1e-5 && Math.abs(met.position[1] + 2.5) < 1e-5);
});

test("a snapshot goes on to the same bits, also in another world and from cooked sets", () => {
  const { world } = hanging();
  for (let i = 0; i < 10; i++) world.step(1 / 60);
  const snapshot = world.snapshot();
  const cooked = world.cooked();
  for (let i = 0; i < 10; i++) world.step(1 / 60);
  const end = world.hash();
  world.restore(snapshot);
  assert.notEqual(world.hash(), end);
  for (let i = 0; i < 10; i++) world.step(1 / 60);
  assert.equal(world.hash(), end);
  const other = new World();
  other.useCooked(cooked);
  const cloth = other.createDeformable({ mesh: Mesh.grid({ columns: 20, rows: 20 }) });
  cloth.createConstraintSet({ type: "distance" });
  cloth.createConstraintSet({ type: "isometric", parameters: { rigidity: 1e-5 } });
  cloth.createAttachment({ particles: [0, 19] });
  other.useCooked(null);
  for (let i = 0; i < 20; i++) other.step(1 / 60);
  assert.equal(other.hash(), end);
});

test("a step that diverges is undone and says why", () => {
  const { world, cloth } = hanging();
  world.step(1 / 60);
  const before = world.hash();
  cloth.addForce(150, [1e38, 0, 0]);
  fails("non-finite state", /./, () => world.step(1 / 60));
  assert.equal(world.hash(), before);
  world.step(1 / 60);
});

test("what is disposed of says so, and its memory is used again", () => {
  const { world, cloth, pins } = hanging();
  pins.dispose();
  pins.dispose();
  assert.deepEqual(cloth.attachments, []);
  fails("not found", /disposed/, () => pins.particles);
  cloth.dispose();
  fails("not found", /disposed/, () => cloth.positions);
  assert.deepEqual(world.constraintSets, []);
  world.dispose();
  assert.ok(world.disposed);
  fails("not found", /disposed/, () => world.step(1 / 60));
  const round = () => {
    const made = hanging(40);
    made.world.step(1 / 60);
    made.world.dispose();
    made.mesh.dispose();
  };
  for (let i = 0; i < 5; i++) round();
  const bytes = engine.memoryBytes;
  for (let i = 0; i < 100; i++) round();
  assert.equal(engine.memoryBytes, bytes);
});

test("gradients are the differences of C", () => {
  // Flat at rest: the isometric gradient leaves out how the normal of a curved one turns.
  const restPositions = [0, 0, 0, 1, 0, 0, 0.5, 0, 1, 0.5, 0, -1];
  const positions = [0, 0, 0.1, 1.1, 0, 0, 0.4, 0.5, 0.9, 0.6, 0.4, -0.8];
  for (const type of ["opposite_distance", "dihedral", "isometric"]) {
    const size = engine.names.types.find((row) => row.name === type).particles;
    const cut = (values) => values.slice(12 - 3 * size);
    const at = (x) => evaluateConstraint({ type, restPositions: cut(restPositions), positions: x }).values;
    const { gradients, values } = evaluateConstraint({
      type,
      restPositions: cut(restPositions),
      positions: cut(positions),
    });
    for (let i = 0; i < 3 * size; i++) {
      const step = 1e-5;
      const low = cut(positions), high = cut(positions);
      low[i] -= step, high[i] += step;
      const a = at(low), b = at(high);
      for (let d = 0; d < values.length; d++) {
        const slope = (b[d] - a[d]) / (2 * step);
        assert.ok(Math.abs(slope - gradients[3 * size * d + i]) < 1e-4 * (1 + Math.abs(slope)), `${type} ${i}`);
      }
    }
  }
});

test("the tutorial's functions, on two triangles", () => {
  const triangles = [0, 1, 2, 2, 1, 3];
  const neighbors = findTriangleNeighbors(triangles, 4);
  assert.deepEqual([...neighbors], [-1, 3, -1, 1, -1, -1]);
  assert.deepEqual([...trianglePairs(triangles, neighbors)].sort(), [0, 1, 2, 3]);
  const stencils = Mesh.grid({ columns: 5, rows: 4, pattern: "diagonal" }).stencils("hinges");
  // Interior edges of a grid of 4 x 3 squares with one diagonal each.
  assert.equal(stencils.count, 4 * 2 + 3 * 3 + 12);
});

test("scenes and mesh files", () => {
  const text = readFileSync(new URL("../../scenes/first.json", import.meta.url), "utf8");
  const scene = Scene.load(text, { overrides: { "settings.substeps": 5 } });
  const world = scene.createWorld();
  assert.equal(world.settings.substeps, 5);
  for (let frame = 0; frame < 3; frame++) scene.step(world, frame);
  assert.equal(world.stepCount, 3);
  assert.equal(world.deformables[0].constraintSets.length, 2);
  assert.throws(
    () => Scene.load(text.replace('"iterations"', '"iteration"').replace('"constraints"', '"constrains"')),
    (error) => error instanceof PliantError && error.diagnostics.length > 0 && error.diagnostics[0].line > 0,
  );
  const square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 1/1 2/2 3/3 4/4\n";
  const mesh = Mesh.read(square, "square.OBJ");
  assert.equal(mesh.faceCount, 1);
  assert.deepEqual([...mesh.attributes.attributes[0].values], [0, 0, 1, 0, 1, 1, 0, 1]);
  fails("parse error", /1/, () => Mesh.read("v 0 0\n", "obj"));
  assert.equal(Scene.load(JSON.parse(text)).hash, Scene.load(text).hash, "an object is its text");
  const { expect: _, ...rest } = JSON.parse(text);
  const bracket = JSON.stringify({
    ...rest,
    deformables: [{ mesh: { file: "square.obj" }, constraints: [{ type: "distance" }] }],
  });
  const named = Scene.load(bracket, { files: { "square.obj": square } });
  assert.equal(named.mesh(0).attributes.vertexMap.length, 4);
  fails("file error", /square\.obj/, () => Scene.load(bracket));
});

test("check lists what is wrong with its objects, and nothing for a sound world", () => {
  const { world, cloth } = hanging();
  assert.deepEqual(world.check(), []);
  const ball = world.createCollider({ shape: "sphere", radius: 0.4 });
  const before = world.hash();
  const findings = world.check(1 / 60);
  const inside = findings.find(({ kind }) => kind === "inside");
  assert.equal(inside.deformable, cloth);
  assert.equal(inside.collider, ball);
  assert.equal(inside.other, null);
  assert.equal(inside.rigid_body, null);
  assert.ok(inside.count > 0 && inside.vertex >= 0 && inside.value > 0, JSON.stringify({ ...inside, deformable: 0, collider: 0 }));
  assert.match(inside.text, /cloth.*inside/);
  assert.equal(world.hash(), before);
  fails("invalid argument", /above 0/, () => world.check(0));
});

test("settle brings cloth to rest, and time and steps stay", () => {
  const { world, cloth } = hanging();
  world.step(1 / 60);
  const { time, stepCount } = world;
  const found = world.settle(0.01);
  assert.equal(found.settled, true);
  assert.ok(found.steps > 10 && found.speed < 0.01 && found.kinetic_energy < 1e-4, JSON.stringify(found));
  assert.equal(world.time, time);
  assert.equal(world.stepCount, stepCount);
  const rest = cloth.positions.slice();
  for (let i = 0; i < 10; i++) world.step(1 / 60);
  const moved = rest.reduce((most, x, i) => Math.max(most, Math.abs(cloth.positions[i] - x)), 0);
  assert.ok(moved < 0.005, `${moved} m after settling`);
  const few = world.settle(1e-9, { mostSteps: 3 });
  assert.deepEqual([few.settled, few.steps], [false, 3]);
  fails("invalid argument", /speed/, () => world.settle(0));
});

test("without scenes the engine says how to have them", async () => {
  const core = await load({ log: (line) => lines.push(line) });
  assert.equal(core.hasScenes, false);
  fails("unsupported", /load\(\{ scenes: true \}\)/, () => Scene.load("{}", {}, core));
  fails("unsupported", /load/, () => Mesh.read("v 0 0 0", "obj", {}, core));
  // Warnings go to the log that was given.
  const world = new World({}, core);
  world.createDeformable({ mesh: Mesh.grid({ columns: 5, rows: 5 }, core) });
  world.createCollider({ shape: "sphere", radius: 0.4 });
  world.step(1 / 60);
  assert.match(lines.join(), /inside/);
});
