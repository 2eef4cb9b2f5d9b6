// The interface of the package, to be programmed against until the sources in src replace this file with the same declarations.
// Words and keys are the library's: keys of definitions are those of scenes and descriptors (air_density), calls are in
// camel case (createDeformable). Units are SI. Every failure of the library is a PliantError with its message.
import type {
  AttachmentProperties,
  ColliderProperties,
  ConstraintParameters,
  ConstraintTypeName,
  ContactProperties,
  DeformableProperties,
  GeneratorName,
  MeasureName,
  SettingsProperties,
  StageName,
  StretchLimitProperties,
  TearingProperties,
  WorldProperties,
} from "./src/generated/properties.js";
import type { Pose, PoseLike, RotationLike, Vector, VectorLike } from "./src/vectors.js";
export type * from "./src/generated/properties.js";
export type * from "./src/vectors.js";

/* ---- loading -------------------------------------------------------------------------------------------------- */

export interface LoadOptions {
  /** "auto" (the default) takes the SIMD build where the browser has 128-bit vectors, else the scalar one. The same bits. */
  simd?: "auto" | "wasm" | "scalar";
  /** Bytes of the .wasm, or where it is. By default it is beside the module, which bundlers find. */
  wasm?: BufferSource | WebAssembly.Module | URL | string | Response | Promise<Response>;
  /** Takes lines that the library logs; by default warnings go to console.warn. */
  log?: (line: string) => void;
  /** True takes the build with threads where the page is cross-origin isolated. WorldDef.threads says how many work. */
  threads?: boolean;
}

/** One instance of the library with its memory. */
export declare class Engine {
  /** Version of the library, such as "0.1.0". */
  readonly version: string;
  /** Back end in use. */
  readonly simd: "wasm" | "scalar";
  /** Whether worlds may have more than one thread. */
  readonly hasThreads: boolean;
  /** Whether the library of this build reads scenes and mesh files. */
  readonly hasScenes: boolean;
  /** Bytes of WebAssembly memory; it grows and does not shrink. */
  readonly memoryBytes: number;
  /** Rows of everything that can be set: docs/descriptors.md. Parsed once, so treat it as read-only. */
  readonly descriptors: Descriptors;
  /** JSON Schema of scenes. */
  sceneSchema(): unknown;
}

/**
 * Loads the library. The first engine that is loaded becomes the default one, which all constructors take that are given
 * none. A second call with the same options gives the same engine.
 */
export declare function load(options?: LoadOptions): Promise<Engine>;

/* ---- errors --------------------------------------------------------------------------------------------------- */

/** Names of the library's statuses. "internal" is a defect: the engine cannot be used any more. */
export type Status =
  | "invalid argument"
  | "invalid mesh"
  | "not found"
  | "out of memory"
  | "non-finite state"
  | "file error"
  | "parse error"
  | "unsupported"
  | "corrupt"
  | "cancelled"
  | "internal";

/** Why a call failed; `message` says what, where and the mend. The object it was made on is as it was before. */
export declare class PliantError extends Error {
  readonly status: Status;
  /** Findings in a scene, where one was loaded. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Everything that holds memory of the library. What is forgotten is freed with the garbage; dispose() frees it at once. */
export interface Disposable {
  /** Frees it. A second call does nothing; every other call then throws a PliantError of status "not found". */
  dispose(): void;
  readonly disposed: boolean;
  [Symbol.dispose](): void;
}

/* ---- meshes --------------------------------------------------------------------------------------------------- */

export interface MeshDef {
  /** 3 numbers a vertex [m]. */
  positions: ArrayLike<number>;
  /** Vertices of the faces, one after the other, counter-clockwise seen from the front. Triangles unless `faceSizes` is given. */
  faces: ArrayLike<number>;
  /** Vertices of each face. */
  faceSizes?: ArrayLike<number>;
  /** "refuse" (the default) throws for non-manifold edges and degenerate faces; "repair" mends them. */
  policy?: "refuse" | "repair";
}

export type GridPattern = "quads" | "diagonal" | "alternating" | "crossed";

/** What of a three.js BufferGeometry is read; plain objects of this shape do too. */
export interface GeometryLike {
  readonly attributes: { readonly position: AttributeLike };
  readonly index?: { readonly array: ArrayLike<number>; readonly count: number } | null;
}
export interface AttributeLike {
  readonly count: number;
  getX(index: number): number;
  getY(index: number): number;
  getZ(index: number): number;
}

/** A polygon mesh with its adjacency; immutable, shared by any number of worlds of one engine. */
export declare class Mesh implements Disposable {
  constructor(def: MeshDef, engine?: Engine);
  /** A rectangle in the xz plane, faces looking along +y; vertex (column, row) has index row * columns + column. */
  static grid(
    def: { columns: number; rows: number; width?: number; depth?: number; pattern?: GridPattern },
    engine?: Engine,
  ): Mesh;
  /** An icosphere of 10 * 4^subdivisions + 2 vertices. */
  static sphere(def?: { subdivisions?: number; radius?: number }, engine?: Engine): Mesh;
  static box(def?: { size?: VectorLike }, engine?: Engine): Mesh;
  /** The convex hull of points, 3 numbers each. */
  static hull(points: ArrayLike<number>, engine?: Engine): Mesh;
  static tube(
    def: { around: number; along: number; radius?: number; length?: number; capped?: boolean; pattern?: GridPattern },
    engine?: Engine,
  ): Mesh;
  static plant(
    def?: {
      height?: number;
      radius?: number;
      branches?: number;
      segments?: number;
      sides?: number;
      leaf_length?: number;
      leaf_width?: number;
      seed?: number;
    },
    engine?: Engine,
  ): Mesh;
  /** The surface of a collider's shape, to draw it. */
  static shape(def: Partial<ColliderProperties> & { mesh?: Mesh }, resolution?: number, engine?: Engine): Mesh;
  /**
   * From a geometry of three.js. Vertices at one position become one particle (welded), and `vertexMap` has the particle of
   * each vertex of the geometry, so that deformable.writeGeometry can write it back.
   */
  static fromGeometry(
    geometry: GeometryLike,
    options?: { policy?: "refuse" | "repair"; scale?: number },
    engine?: Engine,
  ): Mesh;
  /** From the bytes of a mesh file: "obj", "ply", "stl", "gltf"; `format` may be a file name. */
  static read(
    bytes: Uint8Array | ArrayBuffer | string,
    format: string,
    options?: { policy?: "refuse" | "repair"; weld?: boolean; scale?: number },
    engine?: Engine,
  ): Mesh;

  /** Particle of each vertex that the mesh was made from (geometry or file); null where they are the same. */
  readonly vertexMap: Int32Array | null;
  readonly vertexCount: number;
  readonly faceCount: number;
  readonly triangleCount: number;
  readonly edgeCount: number;
  readonly hingeCount: number;
  /** Counts, defects, lengths, area, volume and bounds, as pli_mesh_report has them. */
  readonly report: MeshReport;
  /** Arrays of adjacency by the names of pli_topology ("positions", "edges", "hinges" ...): views of the library's memory. */
  readonly topology: MeshTopology;
  /** Stencils that a generator finds. `particles` has `cardinality` vertices each, or runs between `offsets` when that is 0. */
  stencils(generator: GeneratorName): { cardinality: number; count: number; particles: Int32Array; offsets: Int32Array | null };

  dispose(): void;
  readonly disposed: boolean;
  [Symbol.dispose](): void;
}

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
  readonly vertex_areas: Float32Array;
}

/** Fields of pli_mesh_report. */
export interface MeshReport {
  vertex_count: number;
  face_count: number;
  triangle_count: number;
  edge_count: number;
  hinge_count: number;
  boundary_edge_count: number;
  boundary_loop_count: number;
  component_count: number;
  closed: boolean;
  oriented: boolean;
  edge_length_min: number;
  edge_length_mean: number;
  edge_length_max: number;
  area: number;
  volume: number;
  bounds_min: Vector;
  bounds_max: Vector;
}

/** findTriNeighbors of Ten Minute Physics 14: the corner across the edge that starts at each corner, or -1. */
export declare function findTriangleNeighbors(triangles: ArrayLike<number>, vertexCount: number, engine?: Engine): Int32Array;
/** getTriPairIds of the same: four vertices for each pair of adjacent triangles, both ends of the edge first. */
export declare function trianglePairs(triangles: ArrayLike<number>, neighbors: ArrayLike<number>, engine?: Engine): Int32Array;

/* ---- worlds --------------------------------------------------------------------------------------------------- */

export type Settings = SettingsProperties & ContactProperties;

/** Settings may stand beside the rest: new World({ substeps: 20, threads: 2 }). */
export type WorldDef = Partial<WorldProperties> & Partial<Settings>;

export declare class World implements Disposable {
  constructor(def?: WorldDef, engine?: Engine);
  readonly engine: Engine;

  /** Settings in effect. */
  readonly settings: Settings;
  /** Changes some settings; refuses values out of range and leaves all as they were. */
  set(values: Partial<Settings>): void;
  /**
   * Reads and writes any live property by the path that it has in a scene, the names of panels, links and `--set`:
   * "settings.substeps", "deformables[0].constraints[1].kappa", "colliders[2].friction".
   */
  read(path: string): unknown;
  write(path: string, value: unknown): void;

  createDeformable(def: DeformableDef): Deformable;
  createCollider(def: ColliderDef): Collider;
  readonly deformables: readonly Deformable[];
  readonly constraintSets: readonly ConstraintSet[];
  readonly attachments: readonly Attachment[];
  readonly colliders: readonly Collider[];
  /** The first deformable, or set, of that name; null when there is none. */
  findDeformable(name: string): Deformable | null;
  findConstraintSet(name: string): ConstraintSet | null;

  /** Advances by dt [s]. A step that diverges is undone, and its PliantError ("non-finite state") names the cause. */
  step(dt: number): void;
  /** Steps that take longer [s of wall time] are undone and throw "cancelled"; Infinity for none. */
  setTimeLimit(seconds: number): void;
  /** Time simulated [s], and steps done. */
  readonly time: number;
  readonly stepCount: number;
  /** Threads that share the work of a step. */
  readonly threads: number;

  /** Hash of all positions and velocities, 16 hexadecimal digits, as the command line prints it. */
  hash(): string;
  statistics(): Statistics;
  /** Contacts of the last substep. */
  contacts(): Contact[];
  /** The nearest point of a deformable that a ray meets, within `reach` [m]; null when there is none. */
  ray(origin: VectorLike, direction: VectorLike, options?: { reach?: number; layers?: readonly number[] }): RayHit | null;
  /** The nearest collider that a ray meets. */
  rayCollider(origin: VectorLike, direction: VectorLike, reach?: number): ColliderHit | null;
  /** Takes hold of cloth, softly and with a limit of force. */
  grab(def: GrabDef | RayHit): Grab;

  /** Everything that a run depends on; restore() continues from it to the same bits in a world that was made the same way. */
  snapshot(): Uint8Array;
  restore(snapshot: Uint8Array): void;
  /** Cooked constraint sets, which make the next start of the same world fast; give them to useCooked before it is made. */
  cooked(): Uint8Array;
  useCooked(bytes: Uint8Array | null): void;

  /** The point that positions are relative to inside of the world [m]. */
  readonly origin: Vector;
  setOrigin(origin: VectorLike): void;
  shift(offset: VectorLike): void;
  /** Moves objects from one frame to another at once. */
  teleport(def: {
    from?: PoseLike;
    to?: PoseLike;
    keepVelocities?: boolean;
    everything?: boolean;
    deformables?: readonly Deformable[];
    colliders?: readonly Collider[];
  }): void;

  /** Called at the end of a step or cut for each deformable whose topology changed. Null for none. */
  onTopologyChange: ((deformable: Deformable, change: TopologyChange) => void) | null;

  dispose(): void;
  readonly disposed: boolean;
  [Symbol.dispose](): void;
}

export interface TopologyChange {
  /** Source and copy of each vertex that was added, in order of creation. */
  readonly copies: Int32Array;
  /** Faces whose vertices changed, ascending. */
  readonly faces: Int32Array;
  readonly vertexCount: number;
}

/** Fields of pli_statistics; `stages` has seconds by stage. */
export interface Statistics {
  step: number;
  time: number;
  stages: Record<StageName, number>;
  step_seconds: number;
  kinetic_energy: number;
  momentum: Vector;
  angular_momentum: Vector;
  stretch_rms: number;
  stretch_max: number;
  particle_count: number;
  fixed_count: number;
  contact_count: number;
  surface_contact_count: number;
  candidate_count: number;
  limited_count: number;
  intersection_count: number;
  failed_pair_count: number;
  projection_count: number;
  memory: number;
  lagging_count: number;
  lag: number;
  work: number;
  shortened_count: number;
  substep_count: number;
}

export interface ContactSide {
  deformable: Deformable | null;
  collider: Collider | null;
  vertices: number[];
  weights: number[];
}
export interface Contact {
  a: ContactSide;
  b: ContactSide;
  position: Vector;
  /** From b to a. */
  normal: Vector;
  /** In the last substep [N s]. */
  impulse: number;
  friction: number;
  restitution: number;
}

export interface RayHit {
  deformable: Deformable;
  face: number;
  vertices: [number, number, number];
  weights: [number, number, number];
  /** The vertex of the largest weight. */
  vertex: number;
  distance: number;
  position: Vector;
  normal: Vector;
}
export interface ColliderHit {
  collider: Collider;
  distance: number;
  position: Vector;
  normal: Vector;
}

export interface GrabDef {
  deformable: Deformable;
  /** The middle of what is taken. */
  vertex: number;
  /** How far it reaches along edges at rest [m]; 0: 4 % of the size. */
  radius?: number;
  /** Limit of the force over 1.5 weights. Default 1. */
  strength?: number;
  /** Distance at which the limit is reached [m]; 0: 6 % of the size. */
  reach?: number;
  /** Steps in which the force comes and goes. Default 6. */
  ramp?: number;
}

/** A hand that holds. Call update before each step while it holds, and then until `active` is false. */
export declare class Grab {
  readonly deformable: Deformable;
  readonly particleCount: number;
  /** Most force [N]. */
  readonly limit: number;
  readonly reach: number;
  /** Share of the limit that it has now, 0..1. */
  readonly share: number;
  /** Force of the next step at its start [N]. */
  readonly force: Vector;
  /** False once it has let go. */
  readonly active: boolean;
  /** Leads the hand to `target` [m]; with `holds` false it lets go within its ramp. */
  update(target: VectorLike, dt: number, holds?: boolean): void;
}

/* ---- deformables ---------------------------------------------------------------------------------------------- */

export interface DeformableDef extends Partial<DeformableProperties> {
  mesh: Mesh;
  name?: string;
  /** Applied to the rest positions to start from. */
  pose?: PoseLike;
  /** Start positions instead, 3 numbers a vertex. */
  positions?: ArrayLike<number>;
  tearing?: Partial<TearingProperties>;
  stretch_limit?: Partial<StretchLimitProperties>;
  /** Keep the positions before each step, for previousPositions. */
  keepPrevious?: boolean;
}

/**
 * A surface of particles; particle i is vertex i of its mesh.
 *
 * Views (positions, velocities, normals ...) are typed arrays over the library's memory without a copy: element k of particle
 * i is array[stride * i + k]. A view is valid until the world changes or memory grows; then take the property again, which
 * gives the same array while nothing has moved and costs nothing. One that was kept over a growth has length 0.
 */
export declare class Deformable implements Disposable {
  readonly world: World;
  readonly name: string;
  /** The mesh that it was made from. */
  readonly mesh: Mesh;
  readonly vertexCount: number;
  /** Mass of the particles that are not fixed [kg]. */
  readonly mass: number;
  readonly bounds: { minimum: Vector; maximum: Vector };

  /** Floats from one particle to the next in the views below: 4. */
  readonly stride: number;
  readonly positions: Float32Array;
  readonly localPositions: Float32Array;
  readonly previousPositions: Float32Array;
  readonly velocities: Float32Array;
  /** Unit normals of the vertices. */
  readonly normals: Float32Array;
  /** Triangles now, 3 vertices each: a view. */
  readonly triangles: Int32Array;
  /** Vertices of the faces now: a view. */
  readonly faceVertices: Int32Array;
  /** Copies, packed: 3 floats a vertex, in the order of the mesh; with `map` in that of its entries. Returns `target`. */
  copyPositions(target?: Float32Array, map?: ArrayLike<number> | null): Float32Array;
  copyNormals(target?: Float32Array, map?: ArrayLike<number> | null): Float32Array;
  copyInverseMasses(target?: Float32Array): Float32Array;
  /**
   * Writes positions (and normals, where it has them) into a three.js geometry that the mesh was made from, or that has a vertex
   * for each particle, and marks the attributes as changed.
   */
  writeGeometry(geometry: WritableGeometry): void;

  /** Overwrites particles from `first` on, 3 numbers each. */
  setPositions(positions: ArrayLike<number>, first?: number): void;
  setVelocities(velocities: ArrayLike<number>, first?: number): void;
  /** 1 number each [1/kg]; 0 fixes the particle. */
  setInverseMasses(inverseMasses: ArrayLike<number>, first?: number): void;
  /** A force [N] on one particle during the next step. */
  addForce(particle: number, force: VectorLike): void;

  /** Its properties now. */
  readonly properties: DeformableProperties;
  set(values: Partial<DeformableProperties>): void;
  readonly tearing: TearingProperties;
  setTearing(values: Partial<TearingProperties>): void;
  readonly stretchLimit: StretchLimitProperties;
  setStretchLimit(values: Partial<StretchLimitProperties>): void;
  paused: boolean;
  readonly isAsleep: boolean;
  wake(): void;

  /** One value a vertex. */
  measure(measure: MeasureName, target?: Float32Array): Float32Array;
  statistics(): DeformableStatistics;

  createConstraintSet<T extends ConstraintTypeName>(def: ConstraintSetDef<T>): ConstraintSet<T>;
  createAttachment(def: AttachmentDef): Attachment;
  readonly constraintSets: readonly ConstraintSet[];
  readonly attachments: readonly Attachment[];

  /** Cuts along a path of edges, or between faces on two sides of a plane. Returns the number of vertices added. */
  cut(def: { path: ArrayLike<number> } | { point: VectorLike; normal: VectorLike; reach?: number }): number;
  /** Back to the rest shape, at its pose or at another. */
  reset(pose?: PoseLike): void;
  /** To positions, at rest. */
  resetTo(positions: ArrayLike<number>): void;

  dispose(): void;
  readonly disposed: boolean;
  [Symbol.dispose](): void;
}

export interface DeformableStatistics {
  particle_count: number;
  fixed_count: number;
  kinetic_energy: number;
  momentum: Vector;
  angular_momentum: Vector;
  stretch_rms: number;
  stretch_max: number;
  contact_count: number;
  surface_contact_count: number;
  intersection_count: number;
  seconds: number;
  memory: number;
}

export interface WritableGeometry {
  readonly attributes: { readonly position: WritableAttribute; readonly normal?: WritableAttribute };
}
export interface WritableAttribute {
  readonly array: ArrayLike<number>;
  readonly count: number;
  readonly itemSize: number;
  needsUpdate: boolean;
}

/* ---- constraint sets ------------------------------------------------------------------------------------------ */

export interface ConstraintSetDef<T extends ConstraintTypeName = ConstraintTypeName> {
  type: T;
  name?: string;
  /** By default that of the type. */
  generator?: GeneratorName;
  /** Particles of each constraint instead of a generator, as many as the type has. */
  particles?: ArrayLike<number>;
  parameters?: Partial<ConstraintParameters[T]>;
  /** Keep the mean multipliers for at(). */
  keepLambda?: boolean;
}

export declare class ConstraintSet<T extends ConstraintTypeName = ConstraintTypeName> implements Disposable {
  readonly deformable: Deformable;
  readonly name: string;
  readonly type: T;
  readonly generator: GeneratorName | null;
  readonly constraintCount: number;
  readonly degenerateCount: number;
  readonly colourCount: number;
  read<K extends keyof ConstraintParameters[T]>(name: K): ConstraintParameters[T][K];
  write<K extends keyof ConstraintParameters[T]>(name: K, value: ConstraintParameters[T][K]): void;
  residual(): { rms: number; max: number; count: number; worst: number };
  at(index: number): { particles: Int32Array; rest: Float32Array; lambda: Float32Array | null };

  dispose(): void;
  readonly disposed: boolean;
  [Symbol.dispose](): void;
}

/**
 * C and its gradient of a type on one stencil: rest values of `restPositions`, then values and gradients at `positions`
 * (3 numbers a particle; gradients value by value, particle by particle). Null when the rest state is degenerate.
 */
export declare function evaluateConstraint<T extends ConstraintTypeName>(
  def: {
    type: T;
    restPositions: ArrayLike<number>;
    positions: ArrayLike<number>;
    parameters?: Partial<ConstraintParameters[T]>;
  },
  engine?: Engine,
): { rest: Float32Array; values: Float64Array; gradients: Float64Array } | null;

/* ---- attachments, colliders ----------------------------------------------------------------------------------- */

export interface AttachmentDef extends Partial<AttachmentProperties> {
  particles: ArrayLike<number>;
  pose?: PoseLike;
}
export declare class Attachment implements Disposable {
  readonly deformable: Deformable;
  readonly particles: Int32Array;
  readonly properties: AttachmentProperties;
  /** Takes over properties; with `particles` other ones, which keep their places in the frame as it is at `pose`. */
  set(values: Partial<AttachmentProperties> & { particles?: ArrayLike<number>; pose?: PoseLike }): void;
  /** Where the frame is at the end of the next step. */
  setPose(pose: PoseLike): void;
  teleport(pose: PoseLike): void;
  readonly lag: { count: number; distance: number; force: number };

  dispose(): void;
  readonly disposed: boolean;
  [Symbol.dispose](): void;
}

export interface ColliderDef extends Partial<ColliderProperties> {
  /** Of the shapes "hull" and "mesh". */
  mesh?: Mesh;
  pose?: PoseLike;
  /** Where a mesh's vertices are to start with. */
  positions?: ArrayLike<number>;
}
export declare class Collider implements Disposable {
  readonly world: World;
  readonly properties: ColliderProperties;
  readonly pose: Pose;
  set(values: Partial<ColliderProperties> & { mesh?: Mesh; positions?: ArrayLike<number> }): void;
  /** Where it is at the end of the next step; it moves there and carries what it touches. */
  setPose(pose: PoseLike): void;
  teleport(pose: PoseLike): void;
  setVertices(positions: ArrayLike<number>): void;
  teleportVertices(positions: ArrayLike<number>): void;
  /** Vertices of a mesh or hull now, packed. */
  copyVertices(target?: Float32Array): Float32Array;
  /** Where a ray first meets it. */
  ray(origin: VectorLike, direction: VectorLike, reach?: number): { distance: number; normal: Vector } | null;

  dispose(): void;
  readonly disposed: boolean;
  [Symbol.dispose](): void;
}

/* ---- scenes --------------------------------------------------------------------------------------------------- */

export interface SceneOptions {
  /** Files that the scene names, by name: bytes or text. */
  files?: Record<string, Uint8Array | ArrayBuffer | string>;
  /** "path=value" as of --set, or an object of paths and values. */
  overrides?: readonly string[] | Record<string, unknown>;
  /** Name of the scene in messages. */
  path?: string;
}

export interface Diagnostic {
  line: number;
  column: number;
  warning: boolean;
  path: string;
  text: string;
}

export declare class Scene implements Disposable {
  /** Reads and checks a scene (docs/scene-format.md). Throws a PliantError with all diagnostics. */
  static load(text: string, options?: SceneOptions, engine?: Engine): Scene;
  /** Warnings. */
  readonly diagnostics: readonly Diagnostic[];
  readonly title: string;
  readonly frameCount: number;
  readonly framesPerSecond: number;
  /** Hash of its content, 16 hexadecimal digits. */
  readonly hash: string;
  readonly view: SceneView;
  /** Colours of deformable i, linear 0..1. */
  look(deformable: number): { front: Vector; back: Vector; flat: boolean };
  colliderLook(collider: number): { colour: Vector; visible: boolean; flat: boolean };
  /** The world at its start. */
  createWorld(def?: { threads?: number; cooked?: Uint8Array }): World;
  /** Poses and keyframes of the step from `frame` to `frame` + 1, and the step. */
  step(world: World, frame: number): void;
  /** Before a snapshot of `frame` is restored. */
  seek(world: World, frame: number): void;

  dispose(): void;
  readonly disposed: boolean;
  [Symbol.dispose](): void;
}

export interface SceneView {
  fitted: boolean;
  eye: Vector;
  target: Vector;
  up: Vector;
  field_of_view: number;
  width: number;
  height: number;
  ground: boolean;
  ground_height: number;
  wireframe: boolean;
  measure: MeasureName | null;
  measure_minimum: number;
  measure_maximum: number;
  background: Vector;
}

/* ---- descriptors ---------------------------------------------------------------------------------------------- */

export interface PropertyRow {
  name: string;
  label: string;
  kind: "number" | "integer" | "boolean" | "choice" | "vector" | "layer" | "layers";
  unit: string;
  summary: string;
  help?: string;
  default: unknown;
  minimum?: number | null;
  maximum?: number | null;
  soft?: { minimum: number; maximum: number; times: "one" | "mean_edge" | "compliance_scale" };
  scale?: "linear" | "square" | "log";
  step?: number;
  zero?: string;
  choices?: { name: string; label: string; summary: string }[];
  change: "live" | "remake" | "restart";
  animates: boolean;
  section: string;
  when?: { path: string; is?: string[]; is_not?: string[] }[];
  instead_of?: string;
  saturates?: "above" | "below";
}

export interface ConstraintTypeRow {
  name: ConstraintTypeName;
  label: string;
  summary: string;
  formula: string;
  source: string;
  unit: string;
  particles: number;
  values: number;
  bending: boolean;
  generator: GeneratorName | null;
  generators: GeneratorName[];
  parameters: PropertyRow[];
}

export interface Descriptors {
  descriptors: number;
  pliant: string;
  sections: { id: string; label: string; open: boolean }[];
  groups: { id: string; label: string; summary: string; target: string; definition: string; properties: PropertyRow[] }[];
  types: ConstraintTypeRow[];
  generators: { name: GeneratorName; label: string; summary: string }[];
  measures: { name: MeasureName; label: string; summary: string; unit: string; signed: boolean }[];
  stages: { name: StageName; label: string; summary: string }[];
}

export type { Pose, PoseLike, RotationLike, Vector, VectorLike };
