// Deformables: cloth, leaves, shells and balloons; surfaces of particles with mass.
import type { Attachment, AttachmentDef } from "./attachment.js";
import type { ConstraintSet, ConstraintSetDef, MadeConstraintSet } from "./constraint-set.js";
import { WorldObject } from "./disposable.js";
import { given, PliantError } from "./errors.js";
import type {
  AttributeName,
  ConstraintTypeName,
  DeformableProperties,
  MeasureName,
  PaintedName,
  PlateProperties,
  TearingProperties,
} from "./generated/properties.js";
import { copyVectors, writeAttribute, type WritableAttribute, type WritableGeometry } from "./geometry.js";
import { Mesh } from "./mesh.js";
import { addAttributes } from "./properties.js";
import { poseOf, vectorOf, type PoseLike, type Vector, type VectorLike } from "./vectors.js";
import type { World } from "./world.js";

export interface DeformableDef extends Partial<DeformableProperties> {
  /** Its shape at rest. */
  mesh: Mesh;
  name?: string;
  /** Applied to the rest positions to start from. */
  pose?: PoseLike;
  /** Start positions instead, 3 numbers a vertex. */
  positions?: ArrayLike<number>;
  tearing?: Partial<TearingProperties>;
  plate?: Partial<PlateProperties>;
  /** Keep the positions before each step, for previousPositions. */
  keepPrevious?: boolean;
}

/** Measures of one deformable, as pli_deformable_statistics has them. */
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
  /** Wall time of the last step that was its own [s]. */
  seconds: number;
  memory: number;
}

/** Properties are attributes: `cloth.friction = 0.1`. */
export interface Deformable extends DeformableProperties {}

/** The views of bindings/wasm/deformable.c, by number. */
const VIEWS = { positions: 0, localPositions: 1, previousPositions: 2, velocities: 3, normals: 4 } as const;

/** The elements that values can be given for, by number. */
const PAINT_ELEMENTS = ["vertex", "face", "triangle"] as const;
export type PaintElement = (typeof PAINT_ELEMENTS)[number];

/** Bytes of a float. */
const FLOAT = 4;

/**
 * A surface of particles; particle i is vertex i of its mesh.
 *
 * Views (positions, velocities, normals ...) are typed arrays over the library's memory, without a copy: coordinate k of
 * particle i is array[stride * i + k]. A view is valid until the world changes or memory grows. Take the property again
 * then: it is the same array while nothing has moved, and costs nothing worth naming. An array that was kept while memory
 * grew has the length 0, so that it is never wrong in silence.
 */
export class Deformable extends WorldObject {
  #mesh: Mesh | null;
  #views = new Map<number, Float32Array>();
  #stride = 4;

  /** For this package; World.createDeformable makes one. */
  constructor(
    readonly world: World,
    id: number,
    mesh: Mesh | null,
  ) {
    super(id);
    this.#mesh = mesh;
    const names = world.engine.properties.names("deformable");
    addAttributes(this, names, (name) => this.properties[name as keyof DeformableProperties], (values) => this.set(values));
  }

  protected destroy(): void {
    this.#memory.check(this.#exports.deformable_destroy(this.world.address, this.id));
    this.world.forgetGone();
  }

  get #memory() {
    return this.world.engine.memory;
  }
  get #exports() {
    return this.world.engine.memory.exports;
  }
  /** The world's address and the number here, as every call takes them. */
  get #key(): [number, number] {
    if (this.disposed) throw new PliantError("not found", "the Deformable was disposed of");
    return [this.world.address, this.id];
  }

  get name(): string {
    return this.#memory.text(this.#exports.deformable_name(...this.#key));
  }

  /** The mesh that it was made from. */
  get mesh(): Mesh {
    this.#mesh ??= new Mesh(this.#exports.deformable_mesh(...this.#key), this.world.engine);
    return this.#mesh;
  }

  /** Vertices, those that tears have added included. */
  get vertexCount(): number {
    return this.#exports.deformable_vertex_count(...this.#key);
  }

  /** Mass of the particles that are not fixed [kg]. */
  get mass(): number {
    this.#memory.check(this.#exports.deformable_mass(...this.#key));
    return this.#memory.value(0);
  }

  /** Box around all particles [m]. */
  get bounds(): { minimum: Vector; maximum: Vector } {
    this.#memory.check(this.#exports.deformable_bounds(...this.#key));
    return { minimum: this.#memory.vector(0), maximum: this.#memory.vector(3) };
  }

  /* ---- views ---------------------------------------------------------------------------------- */

  #view(which: number): Float32Array {
    this.#exports.deformable_view(...this.#key, which);
    const [address, count, stride] = this.#memory.numbers(0, 3) as [number, number, number];
    if (count === 0) return new Float32Array(0);
    this.#stride = stride / FLOAT;
    const known = this.#views.get(which);
    const length = this.#stride * count;
    if (known && known.buffer === this.#memory.buffer && known.byteOffset === address && known.length === length)
      return known;
    const view = new Float32Array(this.#memory.buffer, address, length);
    this.#views.set(which, view);
    return view;
  }

  /** Floats from one particle to the next in the views below. */
  get stride(): number {
    return this.#stride;
  }
  /** [m] */
  get positions(): Float32Array {
    return this.#view(VIEWS.positions);
  }
  /** Relative to World.origin: what a step sees [m]. */
  get localPositions(): Float32Array {
    return this.#view(VIEWS.localPositions);
  }
  /** Before the last step [m]; empty without `keepPrevious`. */
  get previousPositions(): Float32Array {
    return this.#view(VIEWS.previousPositions);
  }
  /** [m/s] */
  get velocities(): Float32Array {
    return this.#view(VIEWS.velocities);
  }
  /** Unit normals of the vertices, computed when they are first asked for after a step. */
  get normals(): Float32Array {
    return this.#view(VIEWS.normals);
  }
  /** Triangles now, 3 vertices each: a view like those above. */
  get triangles(): Int32Array {
    return this.#integers(this.#exports.deformable_triangles(...this.#key), 3 * this.mesh.triangleCount);
  }
  /** Vertices of the faces now: a view like those above. */
  get faceVertices(): Int32Array {
    const offsets = this.mesh.topology.face_offsets;
    return this.#integers(this.#exports.deformable_face_vertices(...this.#key), offsets[offsets.length - 1] as number);
  }

  #integers(address: number, length: number): Int32Array {
    return new Int32Array(this.#memory.buffer, address, length);
  }

  /* ---- copies ---------------------------------------------------------------------------------- */

  #copy(from: Float32Array, target: Float32Array | undefined, map: ArrayLike<number> | null): Float32Array {
    const count = map ? map.length : from.length / this.#stride;
    const to = target ?? new Float32Array(3 * count);
    if (to.length < 3 * count)
      throw new PliantError("invalid argument", `target has ${to.length} numbers; ${count} vectors have ${3 * count}`);
    copyVectors(from, this.#stride, to, count, map);
    return to;
  }

  /** Positions packed, 3 floats each, in the order of the mesh; with `map` of the particles that it names. */
  copyPositions(target?: Float32Array, map: ArrayLike<number> | null = null): Float32Array {
    return this.#copy(this.positions, target, map);
  }

  /** Normals in the same way. */
  copyNormals(target?: Float32Array, map: ArrayLike<number> | null = null): Float32Array {
    return this.#copy(this.normals, target, map);
  }

  /** Inverse masses [1/kg]. */
  copyInverseMasses(target?: Float32Array): Float32Array {
    const count = this.vertexCount;
    const to = target ?? new Float32Array(count);
    this.#exports.deformable_inverse_masses(...this.#key);
    const [address, stride] = this.#memory.numbers(0, 2) as [number, number];
    const from = new Float32Array(this.#memory.buffer, address, count ? (stride / FLOAT) * (count - 1) + 1 : 0);
    for (let i = 0; i < count; i++) to[i] = from[(stride / FLOAT) * i] as number;
    return to;
  }

  /**
   * Writes positions, and normals where it has them, into a three.js geometry, and marks its attributes as changed: the
   * geometry that the mesh was made from (Mesh.fromGeometry), or one with a vertex for each particle. What has no index
   * follows tears and cuts; what has one stays whole.
   */
  writeGeometry(geometry: WritableGeometry): void {
    given(geometry, "the geometry");
    const position = geometry.attributes.position as WritableAttribute | undefined;
    const normal = geometry.attributes.normal as WritableAttribute | undefined;
    if (!position) throw new PliantError("invalid argument", "the geometry has no attribute 'position'");
    const mesh = this.mesh;
    const map = mesh.byCorner ? this.faceVertices : mesh.vertexMap;
    const count = map ? map.length : this.vertexCount;
    if (map ? position.count !== count : position.count < count)
      throw new PliantError(
        "invalid argument",
        `the geometry has ${position.count} vertices; the mesh was made from ${count}`,
      );
    writeAttribute(position, this.positions, this.#stride, count, map);
    if (normal) writeAttribute(normal, this.normals, this.#stride, count, map);
  }

  /* ---- changes --------------------------------------------------------------------------------- */

  #write(
    call: "deformable_set_positions" | "deformable_set_velocities" | "deformable_set_inverse_masses",
    values: ArrayLike<number>,
    first: number,
    each: number,
  ): void {
    const key = this.#key;
    given(values, "the list of numbers");
    if (values.length % each !== 0)
      throw new PliantError("invalid argument", `the list has ${values.length} numbers; it must have ${each} a particle`);
    this.#memory.scratch((scratch) =>
      this.#memory.check(this.#exports[call](...key, first, values.length / each, scratch.floats(values))),
    );
  }

  /** Overwrites particles from `first` on, 3 numbers each. */
  setPositions(positions: ArrayLike<number>, first = 0): void {
    this.#write("deformable_set_positions", positions, first, 3);
  }

  setVelocities(velocities: ArrayLike<number>, first = 0): void {
    this.#write("deformable_set_velocities", velocities, first, 3);
  }

  /** 1 number each [1/kg]; 0 fixes the particle. */
  setInverseMasses(inverseMasses: ArrayLike<number>, first = 0): void {
    this.#write("deformable_set_inverse_masses", inverseMasses, first, 1);
  }

  /** A force [N] on one particle during the next step. */
  addForce(particle: number, force: VectorLike): void {
    this.#memory.put(...vectorOf(force));
    this.#memory.check(this.#exports.deformable_add_force(...this.#key, particle));
  }

  #load(): void {
    this.#memory.check(this.#exports.deformable_load(...this.#key));
  }

  #change(group: string, values: object): void {
    this.#load();
    this.world.engine.properties.writeAll(group, values);
    this.#memory.check(this.#exports.deformable_store(...this.#key));
  }

  #properties(group: string): unknown {
    this.#load();
    return this.world.engine.properties.readAll(group);
  }

  /** Its properties now. */
  get properties(): DeformableProperties {
    return this.#properties("deformable") as DeformableProperties;
  }
  /** Changes some; refuses values out of range and leaves all as they were. */
  set(values: Partial<DeformableProperties>): void {
    this.#change("deformable", values);
  }
  /** When its edges tear. */
  get tearing(): TearingProperties {
    return this.#properties("tearing") as TearingProperties;
  }
  setTearing(values: Partial<TearingProperties>): void {
    this.#change("tearing", values);
  }
  /** Bending solved for the whole surface simultaneously. */
  get plate(): PlateProperties {
    return this.#properties("plate") as PlateProperties;
  }
  setPlate(values: Partial<PlateProperties>): void {
    this.#change("plate", values);
  }

  /** Takes no part in steps. */
  get paused(): boolean {
    return this.properties.paused;
  }
  set paused(paused: boolean) {
    this.#memory.check(this.#exports.deformable_set_paused(...this.#key, Number(paused)));
  }

  /** Whether it sleeps (settings.sleep_speed). */
  get isAsleep(): boolean {
    return this.#exports.deformable_is_asleep(...this.#key) !== 0;
  }
  wake(): void {
    this.#memory.check(this.#exports.deformable_wake(...this.#key));
  }

  /* ---- attributes ------------------------------------------------------------------------------ */

  /** Gives an attribute a value for each vertex, face or triangle; null clears the values. */
  paint(name: PaintedName, values: ArrayLike<number> | null, element: PaintElement = "vertex"): void {
    const key = this.#key;
    this.#memory.scratch((scratch) => {
      const address = values ? scratch.floats(values) : 0;
      const number = PAINT_ELEMENTS.indexOf(element);
      this.#memory.check(
        this.#exports.deformable_paint(...key, this.#memory.name(name), number, address, values?.length ?? 0),
      );
    });
  }

  /** Values of an attribute for each vertex or triangle. */
  attribute(name: AttributeName): Float32Array {
    const key = this.#key;
    this.#exports.attribute_info(this.#memory.name(name));
    const [ofTriangles, components] = this.#memory.numbers(0, 2) as [number, number];
    const count = (ofTriangles ? this.mesh.triangleCount : this.vertexCount) * components;
    return this.#memory.scratch((scratch) => {
      const values = scratch.bytes(FLOAT * count);
      this.#memory.check(this.#exports.deformable_attribute(...key, this.#memory.name(name), values, count));
      return new Float32Array(this.#memory.buffer, values, count).slice();
    });
  }

  /* ---- measures -------------------------------------------------------------------------------- */

  /** One value a vertex. */
  measure(measure: MeasureName, target?: Float32Array): Float32Array {
    const count = this.vertexCount;
    const key = this.#key;
    const { measures } = this.world.engine.names;
    if (!measures.includes(measure))
      throw new PliantError("not found", `no measure is called '${measure}'; there are ${measures.join(", ")}`);
    const to = target ?? new Float32Array(count);
    this.#memory.scratch((scratch) => {
      const values = scratch.bytes(4 * count);
      const name = this.#memory.name(measure);
      this.#memory.check(this.#exports.deformable_measure(...key, name, values, count));
      to.set(new Float32Array(this.#memory.buffer, values, count));
    });
    return to;
  }

  statistics(): DeformableStatistics {
    this.#memory.check(this.#exports.deformable_statistics(...this.#key));
    return this.#memory.record("deformable_statistics_fields") as unknown as DeformableStatistics;
  }

  /* ---- what is on it --------------------------------------------------------------------------- */

  /** Constraints of one type, from a generator or from a list. */
  createConstraintSet<T extends ConstraintTypeName>(def: ConstraintSetDef<T>): MadeConstraintSet<T> {
    return this.world.createConstraintSet(this, def);
  }

  /** Particles that follow a frame: pins, hands, bones. */
  createAttachment(def: AttachmentDef): Attachment {
    return this.world.createAttachment(this, def);
  }

  get constraintSets(): readonly ConstraintSet[] {
    return this.world.constraintSets.filter((set) => set.deformable === this);
  }

  get attachments(): readonly Attachment[] {
    return this.world.attachments.filter((attachment) => attachment.deformable === this);
  }

  /** Cuts along a path of edges, or between faces on two sides of a plane. Returns the number of vertices added. */
  cut(def: { path: ArrayLike<number> } | { point: VectorLike; normal: VectorLike; reach?: number }): number {
    const key = this.#key;
    given(def, "the cut's definition");
    const added = this.#memory.scratch((scratch) => {
      const path = "path" in def ? scratch.integers(def.path, "path") : 0;
      const plane = "path" in def ? [0, 0, 0, 0, 1, 0] : [...vectorOf(def.point), ...vectorOf(def.normal)];
      const reach = "path" in def ? Infinity : (def.reach ?? Infinity);
      this.#memory.put(...plane);
      this.#memory.check(this.#exports.deformable_cut(...key, path, "path" in def ? def.path.length : 0, reach));
      return this.#memory.value(0);
    });
    this.world.reportChanges();
    return added;
  }

  /** Back to the rest shape, at the pose of its definition or at another. */
  reset(pose?: PoseLike): void {
    this.#memory.put(...poseOf(pose));
    this.#memory.check(this.#exports.deformable_reset(...this.#key, Number(pose !== undefined)));
  }

  /** To positions, 3 numbers a vertex, at rest. */
  resetTo(positions: ArrayLike<number>): void {
    const key = this.#key;
    this.#memory.scratch((scratch) =>
      this.#memory.check(this.#exports.deformable_reset_to(...key, scratch.floats(positions), positions.length / 3)),
    );
  }
}
