// The ten pinned scenes of tests/determinism/test_hash.c and tests/properties/scenery.h, made again through the package: the
// same calls with the same numbers, so that the hashes pinned there must come out. It runs in Node, in pages and in workers.

const STEPS = 60;
const SMALL = 12;
const LARGE = 60;
const single = Math.fround;

/** The generator of tests/properties/property.h. */
class Random {
  #state = 77n;

  uniform(low, high) {
    this.#state = BigInt.asUintN(64, this.#state * 6364136223846793005n + 1442695040888963407n);
    return low + ((high - low) * Number(this.#state >> 33n)) / 2147483648;
  }

  vector(size) {
    return [this.uniform(-size, size), this.uniform(-size, size), this.uniform(-size, size)];
  }
}

function tune(set, values) {
  for (const [name, value] of Object.entries(values)) set.write(name, value);
}

/** A sheet that falls over a sphere onto a plane. */
function drape({ Mesh, engine }, world, bending) {
  const mesh = Mesh.grid({ columns: 40, rows: 40, pattern: "alternating" }, engine);
  const sheet = world.createDeformable({ mesh, pose: { position: [0.05, 0.45, 0.02] } });
  sheet.createConstraintSet({ type: "distance" });
  tune(sheet.createConstraintSet({ type: bending }), { compliance: 1e-4, stiffness: 0.3 });
  world.createCollider({});
  world.createCollider({ shape: "sphere", radius: 0.2, pose: { position: [0, 0.2, 0] } });
}

/** A ball under pressure that bounces, and a flag in the wind. */
function ballAndFlag({ Mesh, engine }, world) {
  const ball = world.createDeformable({
    mesh: Mesh.sphere({ subdivisions: 3, radius: 0.2 }, engine),
    pose: { position: [0, 0.4, 0] },
  });
  ball.createConstraintSet({ type: "distance" });
  tune(ball.createConstraintSet({ type: "volume" }), { pressure: 1.3 });
  const flag = world.createDeformable({
    mesh: Mesh.grid({ columns: 50, rows: 30, pattern: "quads" }, engine),
    pose: { position: [1, single(single(0.4) + single(0.6)), 0], rotation: [0.7071068, 0, 0, 0.7071068] },
  });
  flag.createConstraintSet({ type: "distance" });
  tune(flag.createConstraintSet({ type: "triangle_linear" }), { rigidity: 1e-5 });
  flag.createAttachment({ particles: Array.from({ length: 30 }, (_, i) => 50 * i) });
  world.createCollider({ restitution: 0.5 });
}

/** A sheet that falls upright and folds onto itself, particle against particle. */
function foldByParticles({ Mesh, engine }, world) {
  const sheet = world.createDeformable({
    mesh: Mesh.grid({ columns: 24, rows: 36, width: 0.5, depth: 0.5, pattern: "alternating" }, engine),
    pose: { position: [0, 0.26, 0], rotation: [0.67559, 0, 0, 0.737277] },
    self_collision: true,
    self_contact: "particles",
  });
  sheet.createConstraintSet({ type: "distance" });
  tune(sheet.createConstraintSet({ type: "isometric" }), { rigidity: 1e-6 });
  world.createCollider({});
}

const PINNED_TYPES = [
  "distance",
  "stick",
  "tether",
  "opposite_distance",
  "dihedral",
  "dihedral_printed",
  "isometric",
  "isometric_energy",
  "triangle",
  "triangle_signed",
  "triangle_edge",
  "triangle_linear",
  "ring_laplacian",
  "volume",
];

/** The same faces, each vertex moved by a random share of the mean edge. */
function jittered({ Mesh, engine }, mesh, random, inPlane, height) {
  const { positions, face_vertices, face_offsets } = mesh.topology;
  const edge = mesh.report.edge_length_mean;
  const moved = positions.slice();
  for (let i = 0; i < moved.length; i++) {
    const by = i % 3 === 1 ? height : inPlane;
    moved[i] = moved[i] + single(random.uniform(-by, by) * edge);
  }
  const faceSizes = Array.from({ length: mesh.faceCount }, (_, f) => face_offsets[f + 1] - face_offsets[f]);
  return new Mesh({ positions: moved, faces: face_vertices.slice(), faceSizes }, engine);
}

/** Moves the particles of a deformable at random, and changes their masses. */
function scatter(deformable, random, by) {
  const positions = deformable.copyPositions();
  const masses = deformable.copyInverseMasses();
  for (let i = 0; i < masses.length; i++) {
    random.vector(by).forEach((x, k) => (positions[3 * i + k] += x));
    const mass = masses[i] > 0 ? 1 / masses[i] : 0;
    masses[i] = random.uniform(0.5, 2) / Math.max(1e-9, mass);
  }
  deformable.setPositions(positions);
  deformable.setInverseMasses(masses);
}

/** A set of every pinned type that finds its stencils on this mesh. */
function constrain({ PliantError, engine }, deformable) {
  for (const row of engine.names.types) {
    if (!PINNED_TYPES.includes(row.name)) continue;
    let set;
    try {
      set = deformable.createConstraintSet({ type: row.name });
    } catch (error) {
      if (error instanceof PliantError) continue;
      throw error;
    }
    if (row.name !== "distance") tune(set, { stiffness: 0.05, compliance: 0.02, damping: 0.001 });
  }
}

/** A ball and a held sheet with every type on each, over a sphere, a box, a capsule and the ground. */
function allTypes(pliant, world, side) {
  const { Mesh, engine } = pliant;
  const random = new Random();
  const sheet = Mesh.grid({ columns: side, rows: side - 1, width: 1.2, depth: 1.2, pattern: "alternating" }, engine);
  const meshes = [
    jittered(pliant, Mesh.sphere({ subdivisions: 2, radius: 0.5 }, engine), random, 0.05, 0.05),
    jittered(pliant, sheet, random, 0.1, 0.05),
  ];
  const bodies = meshes.map((mesh, m) => {
    const y = single(single(0.52) + single(single(0.65) * m));
    const body = world.createDeformable({
      mesh,
      pose: { position: [single(single(0.2) * m), y, 0] },
      thickness: 0.02,
    });
    scatter(body, random, 0.05 * mesh.report.edge_length_mean);
    constrain(pliant, body);
    return body;
  });
  bodies[1].createAttachment({ particles: [0, side - 1] });
  bodies[1].createAttachment({
    particles: [side * Math.floor(side / 2)],
    fixed: false,
    compliance: 0.01,
    stiffness: 0.3,
  });
  ["plane", "sphere", "capsule", "box"].forEach((shape, i) => {
    world.createCollider({
      shape,
      radius: 0.2,
      half_height: 0.3,
      half_extents: [0.2, 0.1, 0.3],
      friction: 0.4,
      restitution: single(single(0.2) * i),
      pose: i ? { position: [single(single(-0.8) + single(single(0.4) * i)), 0.1, 0.1] } : {},
    });
  });
}

/** In the order of the table in test_hash.c. */
export const scenes = [
  { name: "all types, XPBD", make: (p, world) => allTypes(p, world, SMALL) },
  { name: "all types, PBD", make: (p, world) => allTypes(p, world, SMALL), method: "pbd" },
  { name: "all types, XPBD, sequential", make: (p, world) => allTypes(p, world, SMALL), order: "sequential" },
  {
    name: "all types, PBD, sequential",
    make: (p, world) => allTypes(p, world, SMALL),
    method: "pbd",
    order: "sequential",
  },
  { name: "all types, large", make: (p, world) => allTypes(p, world, LARGE), steps: 10 },
  { name: "drape, isometric", make: (p, world) => drape(p, world, "isometric") },
  { name: "drape, triangle, PBD", make: (p, world) => drape(p, world, "triangle"), method: "pbd" },
  { name: "drape, dihedral", make: (p, world) => drape(p, world, "dihedral") },
  { name: "fold, by particles", make: foldByParticles },
  { name: "ball and flag", make: ballAndFlag },
];

/** Name and hash of every scene, run on an engine; `share` of the steps, for machines that are slow. */
export function pinnedHashes(module, engine, { share = 1, threads = 1 } = {}) {
  const pliant = { ...module, engine };
  return scenes.map((scene) => {
    const { method = "xpbd", order = "coloured", steps = STEPS } = scene;
    const world = new module.World(
      { method, order, threads, substeps: 3, iterations: 2, damping: 3.1, wind: [1, 0, 0.5], air_density: 1.2 },
      engine,
    );
    scene.make(pliant, world);
    for (let i = 0; i < steps * share; i++) world.step(single(1 / 60));
    const hash = world.hash();
    world.dispose();
    return { name: scene.name, hash };
  });
}
