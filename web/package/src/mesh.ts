// Polygon meshes with their adjacency.
import { readAttributes, type MeshAttributes } from "./attributes.js";
import { Resource } from "./disposable.js";
import { engineOr, needScenes, type Engine } from "./engine.js";
import { given, PliantError } from "./errors.js";
import type { ColliderProperties, GeneratorName } from "./generated/properties.js";
import { weldGeometry, type GeometryLike, type WeldReport } from "./geometry.js";
import { vectorOf, type Vector, type VectorLike } from "./vectors.js";

export interface MeshDef {
  /** 3 numbers a vertex [m]. */
  positions: ArrayLike<number>;
  /** Vertices of the faces, one after the other, counter-clockwise seen from the front. Triangles unless `faceSizes` says. */
  faces: ArrayLike<number>;
  /** Number of vertices of each face. */
  faceSizes?: ArrayLike<number>;
  /** "refuse" (the default) throws for non-manifold edges and degenerate faces; "repair" mends them. */
  policy?: "refuse" | "repair";
}

/** How the squares of a grid are divided. */
export type GridPattern = "quads" | "diagonal" | "alternating" | "crossed";
const PATTERNS: readonly GridPattern[] = ["quads", "diagonal", "alternating", "crossed"];

function patternIndex(pattern: GridPattern): number {
  const index = PATTERNS.indexOf(pattern);
  if (index < 0)
    throw new PliantError("invalid argument", `pattern is '${pattern}'; it must be one of ${PATTERNS.join(", ")}`);
  return index;
}

/** The kinds of things that a mesh may be taken for. */
export type GuessKind = "auto" | "cloth" | "shell" | "balloon";
const GUESS_KINDS: readonly GuessKind[] = ["auto", "cloth", "shell", "balloon"];

export interface GuessOptions {
  /** "auto", the default, chooses by the shape. */
  kind?: GuessKind;
  /** File of the mesh as the scene names it; without one the scene names a mesh of the host, by `name`. */
  file?: string;
  /** Title of the scene and name of the deformable. */
  name?: string;
  /** As the file was read. */
  scale?: number;
  weld?: boolean;
  repair?: boolean;
  /** Metres in a unit of the mesh; without it 1, and another where its size cannot be metres. */
  unit?: number;
  zUp?: boolean;
  /** Whether a plane lies below (the default). */
  ground?: boolean;
}

/** A scene for a mesh about which nothing else is known, and what it was taken for. */
export interface Guess {
  kind: Exclude<GuessKind, "auto">;
  /** One line: the kind, and why. */
  reason: string;
  unit: number;
  closed: boolean;
  flat: boolean;
  /** How many vertices are pinned, and how many constraints join its pieces. */
  pins: number;
  joints: number;
  /** The scene, for Scene.load. */
  scene: Record<string, unknown>;
}

/** Counts and defects, as pli_mesh_report has them, and lengths [m], area [m^2], volume [m^3]. */
export interface MeshReport {
  vertex_count: number;
  face_count: number;
  triangle_count: number;
  edge_count: number;
  hinge_count: number;
  boundary_edge_count: number;
  boundary_loop_count: number;
  component_count: number;
  face_degree_min: number;
  face_degree_max: number;
  closed: boolean;
  oriented: boolean;
  non_manifold_edges: number;
  repeated_vertex_faces: number;
  duplicate_faces: number;
  non_manifold_vertices: number;
  isolated_vertices: number;
  duplicate_vertices: number;
  zero_area_faces: number;
  misoriented_edges: number;
  edge_length_min: number;
  edge_length_mean: number;
  edge_length_max: number;
  area: number;
  volume: number;
  bounds_min: Vector;
  bounds_max: Vector;
}

/** Arrays of adjacency by their names in pli_topology: views of the library's memory, valid until memory grows. */
export interface MeshTopology {
  readonly positions: Float32Array;
  readonly face_offsets: Int32Array;
  readonly face_vertices: Int32Array;
  readonly triangles: Int32Array;
  readonly triangle_faces: Int32Array;
  readonly edges: Int32Array;
  readonly edge_faces: Int32Array;
  readonly hinges: Int32Array;
  readonly hinge_edges: Int32Array;
  readonly ring_offsets: Int32Array;
  readonly ring_vertices: Int32Array;
  readonly vertex_boundary: Uint8Array;
  readonly boundary_offsets: Int32Array;
  readonly boundary_vertices: Int32Array;
  readonly vertex_components: Int32Array;
  readonly face_components: Int32Array;
  readonly component_closed: Uint8Array;
  readonly vertex_source: Int32Array;
  readonly vertex_areas: Float32Array;
  readonly triangle_offsets: Int32Array;
  readonly vertex_triangles: Int32Array;
}

/** Stencils that a generator finds: `cardinality` vertices each, or runs between `offsets` when that is 0. */
export interface Stencils {
  cardinality: number;
  count: number;
  particles: Int32Array;
  offsets: Int32Array | null;
}

const ARRAY_KINDS = { f: Float32Array, i: Int32Array, b: Uint8Array };

/** What a mesh made of something else remembers of it. */
interface MeshOrigin {
  vertexMap?: Int32Array;
  attributes?: MeshAttributes;
  /** The render vertices are the corners of the faces in order, so that they can follow tears. */
  byCorner?: boolean;
  weld?: WeldReport;
}

/** A polygon mesh with its adjacency; immutable, shared by any number of worlds of one engine. */
export class Mesh extends Resource {
  readonly engine: Engine;
  /** Particle of each vertex that the mesh was made from (geometry or file); null where they are the same. */
  readonly vertexMap: Int32Array | null;
  /** What its file says beside the shape; null when it came from none. */
  readonly attributes: MeshAttributes | null;
  /** Whether the vertices that it was made from are the corners of its faces, in order. */
  readonly byCorner: boolean;
  /** What welding did to the geometry that it was made from; null when it was made from none. */
  readonly weld: WeldReport | null;
  #report: MeshReport | null = null;
  #topology: MeshTopology | null = null;

  constructor(def: MeshDef, engine?: Engine);
  /** For this package: takes over an address of the library. */
  constructor(address: number, engine: Engine, origin?: MeshOrigin);
  constructor(from: MeshDef | number, engine?: Engine, origin: MeshOrigin = {}) {
    const on = engineOr(engine);
    const address = typeof from === "number" ? on.memory.made(from) : createFrom(from, on);
    super(address, (mesh) => on.memory.exports.mesh_destroy(mesh));
    this.engine = on;
    this.vertexMap = origin.vertexMap ?? origin.attributes?.vertexMap ?? null;
    this.attributes = origin.attributes ?? null;
    this.byCorner = origin.byCorner ?? false;
    this.weld = origin.weld ?? null;
  }

  /** A rectangle in the xz plane, faces looking along +y; vertex (column, row) has index row * columns + column. */
  static grid(
    def: { columns: number; rows: number; width?: number; depth?: number; pattern?: GridPattern },
    engine?: Engine,
  ): Mesh {
    const on = engineOr(engine);
    const { columns, rows, width = 1, depth = 1, pattern = "alternating" } = given(def, "the grid's definition");
    return new Mesh(on.memory.exports.mesh_grid(columns, rows, width, depth, patternIndex(pattern)), on);
  }

  /** An icosphere of 10 * 4^subdivisions + 2 vertices. */
  static sphere(def: { subdivisions?: number; radius?: number } = {}, engine?: Engine): Mesh {
    const on = engineOr(engine);
    return new Mesh(on.memory.exports.mesh_sphere(def.subdivisions ?? 3, def.radius ?? 0.5), on);
  }

  /** A box of 8 vertices and 6 quads about the origin. */
  static box(def: { size?: VectorLike } = {}, engine?: Engine): Mesh {
    const on = engineOr(engine);
    return new Mesh(on.memory.exports.mesh_box(...vectorOf(def.size ?? [1, 1, 1])), on);
  }

  /** The convex hull of points, 3 numbers each. */
  static hull(points: ArrayLike<number>, engine?: Engine): Mesh {
    const on = engineOr(engine);
    return on.memory.scratch(
      (scratch) => new Mesh(on.memory.exports.mesh_hull(scratch.floats(points), Math.floor(points.length / 3)), on),
    );
  }

  /** A tube along y about the origin. */
  static tube(
    def: { around: number; along: number; radius?: number; length?: number; capped?: boolean; pattern?: GridPattern },
    engine?: Engine,
  ): Mesh {
    const on = engineOr(engine);
    const { around, along, radius = 0.25, length = 1, capped = false, pattern = "alternating" } = given(def, "the tube's definition");
    return new Mesh(
      on.memory.exports.mesh_tube(around, along, radius, length, Number(capped), patternIndex(pattern)),
      on,
    );
  }

  /** A stem along +y that branches, each branch ending in a leaf; the same seed gives the same plant. */
  static plant(
    def: {
      height?: number;
      radius?: number;
      branches?: number;
      segments?: number;
      sides?: number;
      leaf_length?: number;
      leaf_width?: number;
      seed?: number;
    } = {},
    engine?: Engine,
  ): Mesh {
    const on = engineOr(engine);
    const { height, radius, branches, segments, sides, leaf_length, leaf_width, seed } = def;
    const values = [height, radius, branches, segments, sides, leaf_length, leaf_width, seed];
    on.memory.put(...values.map((value) => value ?? NaN));
    return new Mesh(on.memory.exports.mesh_plant(), on);
  }

  /** The surface of a collider's shape, to draw it. `resolution` is the number of edges around a circle. */
  static shape(def: Partial<ColliderProperties> & { mesh?: Mesh }, resolution = 24, engine?: Engine): Mesh {
    const on = engineOr(engine);
    const { mesh, ...properties } = def;
    on.memory.exports.definitions_reset();
    on.properties.writeAll("collider", properties);
    return new Mesh(on.memory.exports.mesh_shape(mesh?.address ?? 0, resolution), on);
  }

  /**
   * From a geometry of three.js. Vertices within a millionth of its bounding box diagonal become one particle (welded), and
   * triangles that lose their area by it are dropped; `weld` has the numbers. `vertexMap` has the particle of each vertex of the
   * geometry, so that Deformable.writeGeometry can write it back.
   */
  static fromGeometry(
    geometry: GeometryLike,
    options: { policy?: "refuse" | "repair"; scale?: number } = {},
    engine?: Engine,
  ): Mesh {
    const on = engineOr(engine);
    const { positions, faces, vertexMap, byCorner, weld } = weldGeometry(given(geometry, "the geometry"), options.scale ?? 1);
    const address = createFrom({ positions, faces, policy: options.policy ?? "refuse" }, on);
    // Repair may drop faces, so that corners no longer follow the faces.
    return new Mesh(address, on, { vertexMap, weld, byCorner: byCorner && options.policy !== "repair" });
  }

  /** From a mesh file: "obj", "ply", "stl", "gltf" or "glb"; `format` may be the file's name. */
  static read(
    content: Uint8Array | ArrayBuffer | string,
    format: string,
    options: { policy?: "refuse" | "repair"; weld?: boolean; scale?: number } = {},
    engine?: Engine,
  ): Mesh {
    const on = engineOr(engine);
    const calls = needScenes(on);
    const { policy = "refuse", weld = false, scale = 1 } = options;
    return on.memory.scratch((scratch) => {
      const [data, size] = scratch.content(content);
      const name = scratch.text(format.slice(format.lastIndexOf(".") + 1).toLowerCase());
      const repair = Number(policy === "repair");
      const address = on.memory.made(calls.mesh_read(data, size, name, repair, Number(weld), scale));
      return Mesh.withAttributes(on, address, calls.mesh_read_attributes());
    });
  }

  /** For this package: takes over an address, and copies the attributes at another. */
  static withAttributes(engine: Engine, address: number, attributes: number): Mesh {
    const { memory } = engine;
    if (!attributes) return new Mesh(address, engine);
    memory.exports.mesh_report(address);
    const { face_count, triangle_count } = memory.record("mesh_report_fields") as unknown as MeshReport;
    return new Mesh(address, engine, { attributes: readAttributes(memory, attributes, triangle_count, face_count) });
  }

  /** A scene for this mesh: cloth that hangs or falls, a shell that stands or a balloon, with values that carry its weight. */
  guess(options: GuessOptions = {}): Guess {
    const { memory } = this.engine;
    const calls = needScenes(this.engine);
    const { kind = "auto", file, name = "mesh", scale = 1, weld = false, repair = false, unit = 0, zUp = false, ground = true } = options;
    const index = GUESS_KINDS.indexOf(kind);
    if (index < 0) throw new PliantError("invalid argument", `kind is '${kind}'; it must be one of ${GUESS_KINDS.join(", ")}`);
    const text = memory.scratch((scratch) => memory.made(calls.mesh_guess(
      this.address, index, file === undefined ? 0 : scratch.text(file), scratch.text(name), scale, Number(weld), Number(repair), unit, Number(zUp), Number(ground),
    )));
    const [found, metres, closed, flat, pins, joints] = memory.numbers(0, 6) as [number, number, number, number, number, number];
    const scene = JSON.parse(memory.text(text)) as Record<string, unknown>;
    memory.exports.text_release(text);
    return {
      kind: GUESS_KINDS[found] as Guess["kind"], reason: String(scene["description"]), unit: metres, closed: closed !== 0, flat: flat !== 0, pins, joints, scene,
    };
  }

  get report(): MeshReport {
    if (!this.#report) {
      this.engine.memory.exports.mesh_report(this.address);
      const record = this.engine.memory.record("mesh_report_fields");
      record["closed"] = record["closed"] !== 0;
      record["oriented"] = record["oriented"] !== 0;
      this.#report = record as unknown as MeshReport;
    }
    return this.#report;
  }

  get vertexCount(): number {
    return this.report.vertex_count;
  }
  get faceCount(): number {
    return this.report.face_count;
  }
  get triangleCount(): number {
    return this.report.triangle_count;
  }
  get edgeCount(): number {
    return this.report.edge_count;
  }
  get hingeCount(): number {
    return this.report.hinge_count;
  }

  /** Take it again when memory may have grown; it is the same object until then. */
  get topology(): MeshTopology {
    const { memory } = this.engine;
    if (this.#topology?.positions.buffer === memory.buffer) return this.#topology;
    const names = memory.text(memory.exports.mesh_topology_fields()).trim().split(" ");
    memory.exports.mesh_topology(this.address);
    const arrays: Record<string, unknown> = {};
    names.forEach((text, i) => {
      const [name, kind] = text.split(":") as [string, keyof typeof ARRAY_KINDS];
      arrays[name] = new ARRAY_KINDS[kind](memory.buffer, memory.value(2 * i), memory.value(2 * i + 1));
    });
    this.#topology = arrays as unknown as MeshTopology;
    return this.#topology;
  }

  /** Stencils that a generator finds in it. */
  stencils(generator: GeneratorName): Stencils {
    const { memory } = this.engine;
    memory.check(memory.exports.stencils_generate(this.address, memory.name(generator)));
    const [cardinality, count, particles, length, offsets] = memory.numbers(0, 5) as [
      number,
      number,
      number,
      number,
      number,
    ];
    const found = {
      cardinality,
      count,
      particles: new Int32Array(memory.buffer, particles, length).slice(),
      offsets: offsets ? new Int32Array(memory.buffer, offsets, count + 1).slice() : null,
    };
    memory.exports.stencils_release();
    return found;
  }
}

function createFrom(def: MeshDef, engine: Engine): number {
  const { memory } = engine;
  const { positions, faces, faceSizes, policy = "refuse" } = given(def, "the mesh's definition");
  given(positions, "the mesh's `positions`");
  given(faces, "the mesh's `faces`");
  if (positions.length % 3 !== 0)
    throw new PliantError("invalid argument", `positions has ${positions.length} numbers; it must have 3 a vertex`);
  if (!faceSizes && faces.length % 3 !== 0)
    throw new PliantError("invalid argument", `faces has ${faces.length} numbers; triangles have 3 each`);
  if (faceSizes) {
    let corners = 0;
    for (let i = 0; i < faceSizes.length; i++) corners += faceSizes[i] as number;
    if (corners !== faces.length)
      throw new PliantError("invalid argument", `faceSizes add up to ${corners}; faces has ${faces.length} numbers`);
  }
  return memory.scratch((scratch) =>
    memory.made(
      memory.exports.mesh_create(
        scratch.floats(positions),
        positions.length / 3,
        scratch.integers(faces, "faces"),
        faceSizes ? scratch.integers(faceSizes, "faceSizes") : 0,
        faceSizes ? faceSizes.length : faces.length / 3,
        Number(policy === "repair"),
      ),
    ),
  );
}

/** findTriNeighbors of Ten Minute Physics 14: the corner across the edge that starts at each corner, or -1. */
export function findTriangleNeighbors(triangles: ArrayLike<number>, vertexCount: number, engine?: Engine): Int32Array {
  const { memory } = engineOr(engine);
  return memory.scratch((scratch) => {
    const from = scratch.integers(triangles, "triangles");
    const to = scratch.bytes(4 * triangles.length);
    memory.check(memory.exports.triangle_neighbors(from, triangles.length / 3, vertexCount, to));
    return new Int32Array(memory.buffer, to, triangles.length).slice();
  });
}

/** getTriPairIds of the same: four vertices for each pair of adjacent triangles, both ends of the edge first. */
export function trianglePairs(
  triangles: ArrayLike<number>,
  neighbors: ArrayLike<number>,
  engine?: Engine,
): Int32Array {
  const { memory } = engineOr(engine);
  if (neighbors.length !== triangles.length)
    throw new PliantError("invalid argument", "neighbors must have as many numbers as triangles");
  return memory.scratch((scratch) => {
    const from = scratch.integers(triangles, "triangles");
    const beside = scratch.integers(neighbors, "neighbors");
    const count = memory.exports.triangle_pairs(from, triangles.length / 3, beside, 0, 0);
    const to = scratch.bytes(16 * count);
    memory.exports.triangle_pairs(from, triangles.length / 3, beside, to, count);
    return new Int32Array(memory.buffer, to, 4 * count).slice();
  });
}
