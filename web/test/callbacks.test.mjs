// What the library asks of the page, and bodies of another engine: rigid proxies, contact filters, vertex sources, constraint
// types in JavaScript; and the smaller build. In Node.
import assert from "node:assert/strict";
import test from "node:test";
import { load, Mesh, PliantError, World } from "../package/dist/index.js";

const engine = await load({ log() {} });

function hanging(world, side = 10, def = {}) {
  const mesh = Mesh.grid({ columns: side, rows: side }, world.engine);
  const cloth = world.createDeformable({ mesh, ...def });
  cloth.createAttachment({ particles: [0, side - 1] });
  return cloth;
}

test("a rigid body that hangs on cloth gets what the cloth loses", () => {
  const world = new World({ gravity: [0, 0, 0] }, engine);
  const mesh = Mesh.grid({ columns: 6, rows: 6 }, engine);
  const cloth = world.createDeformable({ mesh, density: 1, stretch: "swept" });
  cloth.createConstraintSet({ type: "distance" });
  const body = world.createRigidBody({ name: "handle", inverse_mass: 0.5, velocity: [0, 1, 0] });
  cloth.createAttachment({ particles: [0, 5], body });
  assert.equal(body.name, "handle");
  assert.deepEqual(body.state.velocity, [0, 1, 0]);
  assert.deepEqual(world.rigidBodies, [body]);
  // The host's own velocities, to which it adds what it is told; poses are those to which they have led.
  const mass = 2;
  let velocity = [0, 1, 0], turn = [0, 0, 0];
  const sum = (a, b) => a.map((x, k) => x + b[k]);
  for (let i = 0; i < 20; i++) {
    world.step(1 / 60);
    const change = body.takeChange();
    change.velocity.forEach((v, k) => assert.ok(Math.abs(v - change.impulse[k] / mass) < 1e-6));
    velocity = sum(velocity, change.velocity), turn = sum(turn, change.angular_velocity);
    body.setState({ pose: body.state.pose, velocity, angular_velocity: turn });
  }
  const { momentum } = world.statistics();
  assert.ok(momentum[1] > 0.05, `the cloth is pulled along: ${momentum}`);
  // Nothing acts from outside, so the sum is what the body had.
  sum(momentum, velocity.map((v) => mass * v)).forEach((p, k) => assert.ok(Math.abs(p - [0, mass, 0][k]) < 0.01, `${k}: ${p}`));
  assert.throws(() => body.setMass(1, [1, 2]), /must have 6/);
  assert.throws(() => body.setMass(-1, [1, 1, 1, 0, 0, 0]), PliantError);
  const carried = world.createCollider({ shape: "sphere", radius: 0.1, body });
  body.dispose();
  assert.ok(carried.disposed, "its colliders go with it");
  assert.throws(() => body.state, /disposed/);
});

test("a contact filter sees the pairs and lets through what it refuses", () => {
  const lowest = (filter) => {
    const world = new World({ substeps: 5 }, engine);
    const cloth = world.createDeformable({ mesh: Mesh.grid({ columns: 10, rows: 10 }, engine) });
    cloth.createConstraintSet({ type: "distance" });
    const ground = world.createCollider({ pose: { position: [0, -0.2, 0] } });
    if (filter) world.setContactFilter((a, b) => filter(a, b, cloth, ground));
    for (let i = 0; i < 40; i++) world.step(1 / 60);
    return Math.min(...cloth.copyPositions().filter((_, i) => i % 3 === 1));
  };
  let asked = 0;
  assert.ok(lowest(null) > -0.21);
  assert.ok(lowest(() => true) > -0.21);
  const through = lowest((a, b, cloth, ground) => {
    asked++;
    assert.equal(a.deformable, cloth);
    assert.equal(b.collider, ground);
    assert.equal(a.vertices.length, 1);
    return false;
  });
  assert.ok(asked > 0 && through < -1, `${through}`);
});

test("an exception in a callback comes out of the step, and the world goes on", () => {
  const world = new World({}, engine);
  hanging(world).createConstraintSet({ type: "distance" });
  world.createCollider({ pose: { position: [0, -0.01, 0] } });
  world.setContactFilter(() => {
    throw new RangeError("of the page");
  });
  assert.throws(() => {
    for (let i = 0; i < 30; i++) world.step(1 / 60);
  }, new RangeError("of the page"));
  world.setContactFilter(null);
  world.step(1 / 60);
});

test("a field of the air carries a sheet along", () => {
  const world = new World({ gravity: [0, 0, 0], air_density: 1.2 }, engine);
  const mesh = Mesh.grid({ columns: 6, rows: 6 }, engine);
  const sheet = world.createDeformable({ mesh });
  const times = [];
  world.setAirField((time, points, velocities) => {
    times.push(time);
    assert.deepEqual([points.length, velocities.length], [108, 108]);
    for (let i = 0; i < velocities.length; i += 3) velocities.set([0, points[i] < 10 ? 2 : NaN, 0], i);
    return true;
  });
  for (let i = 0; i < 30; i++) world.step(1 / 60);
  assert.equal(times.length, 30);
  assert.ok(Math.abs(times[1] - 1.5 / 60) < 1e-6, `${times[1]}`);
  const heights = () => sheet.copyPositions().filter((_, i) => i % 3 === 1);
  assert.ok(Math.min(...heights()) > 0.1);
  world.setAirField(() => {
    throw new RangeError("of the page");
  });
  const before = world.hash();
  assert.throws(() => world.step(1 / 60), new RangeError("of the page"));
  assert.equal(world.hash(), before);
  world.setAirField(null);
  world.step(1 / 60);
});

test("a vertex source moves a mesh collider", () => {
  const world = new World({ gravity: [0, 0, 0] }, engine);
  const floor = Mesh.grid({ columns: 5, rows: 5 }, engine);
  const rest = Array.from(floor.topology.positions);
  const collider = world.createCollider({ shape: "mesh", mesh: floor });
  const times = [];
  collider.setSource((time, positions) => {
    times.push(time);
    rest.forEach((x, i) => (positions[i] = i % 3 === 1 ? x + time : x));
    return time < 0.09;
  });
  for (let i = 0; i < 12; i++) world.step(1 / 60);
  assert.ok(Math.abs(times[0] - 1 / 60) < 1e-6, `${times}`);
  const heights = collider.copyVertices().filter((_, i) => i % 3 === 1);
  const reached = times.filter((time) => time < 0.09).at(-1);
  heights.forEach((y) => assert.ok(Math.abs(y - reached) < 1e-5, `${y} against ${reached}`));
  const ball = world.createCollider({ shape: "sphere" });
  assert.throws(() => ball.setSource(() => true), PliantError);
});

/** The distance of two particles less that at rest, as a type of the page. */
const SPRING = {
  name: "spring",
  particles: 2,
  restValues: 1,
  generator: "edges",
  rest: (x, rest) => {
    rest[0] = Math.hypot(x[0] - x[3], x[1] - x[4], x[2] - x[5]);
    return rest[0] > 0;
  },
  evaluate(x, rest, values, gradients) {
    const d = [x[0] - x[3], x[1] - x[4], x[2] - x[5]];
    const length = Math.hypot(...d);
    values[0] = length - rest[0];
    if (gradients && length > 0) d.forEach((v, k) => ((gradients[k] = v / length), (gradients[3 + k] = -v / length)));
  },
};

test("a distance in JavaScript moves cloth as the built-in one does", () => {
  const run = (type) => {
    const world = new World({ order: "sequential", substeps: 4 }, engine);
    if (type === "spring") world.registerType(SPRING);
    const cloth = hanging(world, 8, { stretch: "swept" });
    const set = cloth.createConstraintSet({ type, parameters: { compliance: 1e-6 } });
    assert.equal(set.constraintCount, cloth.mesh.edgeCount);
    for (let i = 0; i < 20; i++) world.step(1 / 60);
    return cloth.copyPositions();
  };
  const own = run("spring"), built = run("distance");
  own.forEach((x, i) => assert.ok(Math.abs(x - built[i]) < 1e-4, `${x} against ${built[i]}`));
  const world = new World({}, engine);
  assert.throws(() => world.registerType({ ...SPRING, name: "distance" }), PliantError);
  assert.throws(() => world.registerType({ ...SPRING, particles: 9 }), PliantError);
  const faulty = () => {
    throw new TypeError("no rest");
  };
  world.registerType({ ...SPRING, rest: faulty });
  const cloth = hanging(world);
  assert.throws(() => cloth.createConstraintSet({ type: "spring" }), new TypeError("no rest"));
  assert.equal(cloth.constraintSets.length, 0);
});

test("the smaller build has the same bits for its types, and no others", async () => {
  const slim = await load({ slim: true, log() {} });
  const names = slim.names.types.map((type) => type.name).sort();
  assert.deepEqual(names, ["attachment", "dihedral", "distance", "isometric", "tether"]);
  const hashes = [engine, slim].map((on) => {
    const world = new World({}, on);
    const cloth = hanging(world, 20, { self_collision: true });
    cloth.createConstraintSet({ type: "distance" });
    cloth.createConstraintSet({ type: "isometric", parameters: { rigidity: 1e-5 } });
    world.createCollider({ shape: "sphere", radius: 0.2, pose: { position: [0, -0.3, 0] } });
    for (let i = 0; i < 20; i++) world.step(1 / 60);
    return world.hash();
  });
  assert.equal(hashes[0], hashes[1]);
  assert.throws(() => hanging(new World({}, slim)).createConstraintSet({ type: "volume" }), /volume/);
  assert.throws(() => new World({}, slim).check(), /the smaller build checks no worlds: load\(\)/);
});
