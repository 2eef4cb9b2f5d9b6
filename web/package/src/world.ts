// Worlds: settings, the step, statistics, and what is in them.
import { Attachment, Grab, makeAttachment, type AttachmentDef, type GrabDef } from "./attachment.js";
import { Callbacks, type AirField, type ConstraintTypeDef } from "./callbacks.js";
import { Collider, makeCollider, type ColliderDef } from "./collider.js";
import { ConstraintSet, makeConstraintSet, type ConstraintSetDef, type MadeConstraintSet } from "./constraint-set.js";
import { Deformable, type DeformableDef } from "./deformable.js";
import { Resource, type WorldObject } from "./disposable.js";
import { engineOr, type Engine } from "./engine.js";
import { given, PliantError } from "./errors.js";
import type {
  ConstraintTypeName,
  ContactProperties,
  SettingsProperties,
  StageName,
  WorldProperties,
} from "./generated/properties.js";
import { Mesh } from "./mesh.js";
import { resolvePath } from "./paths.js";
import { addAttributes, layerMask } from "./properties.js";
import { makeRigidBody, RigidBody, type RigidBodyDef } from "./rigid-body.js";
import { poseOf, vectorOf, type PoseLike, type Vector, type VectorLike } from "./vectors.js";

/** Settings of the solver and of contact. */
export type Settings = SettingsProperties & ContactProperties;

/** Order and threads stay for a world's life; settings may stand beside them: new World({ substeps: 20 }). */
export type WorldDef = Partial<WorldProperties> & Partial<Settings>;

/** What a tear or cut changed of one deformable. */
export interface TopologyChange {
  /** Source and copy of each vertex that was added, in order of creation. */
  readonly copies: Int32Array;
  /** Faces whose vertices changed, ascending. */
  readonly faces: Int32Array;
  readonly vertexCount: number;
}

/** Measures of the state and of the last step, as pli_statistics has them. */
export interface Statistics {
  step: number;
  time: number;
  /** Wall time of the last step by stage [s]. */
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
  off_target_count: number;
  tracking_error: number;
  work: number;
  shortened_count: number;
  substep_count: number;
  /** Work that bends which stayed have taken up [J]. */
  plastic_work: number;
  /** Fraction of all particles that have been held back for more than 0.5 s. */
  stuck: number;
}

/** What is worth knowing about a world before it is stepped for long, as pli_finding has it. */
export interface Finding {
  kind: FindingKind;
  /** One line: the objects' names, the problem and its cure. */
  text: string;
  /** The objects that it concerns; null where none of that kind takes part. */
  deformable: Deformable | null;
  other: Deformable | null;
  collider: Collider | null;
  rigid_body: RigidBody | null;
  attachment: Attachment | null;
  /** A vertex of `deformable` where it can be seen; -1 for all of it. */
  vertex: number;
  /** Number of vertices concerned; 0 where a number means nothing. */
  count: number;
  /** Numbers whose meaning depends on the kind (include/pliant/check.h). */
  value: number;
  wanted: number;
}

export type FindingKind =
  | "touching"
  | "inside"
  | "load"
  | "weight"
  | "thin"
  | "thickness"
  | "bending"
  | "creases"
  | "tracking";

/** The result of World.settle. */
export interface Settled {
  /** Nothing was faster than the requested speed at the end. */
  settled: boolean;
  steps: number;
  /** Speed of the fastest particle in the last step [m/s]. */
  speed: number;
  /** The largest in the last ten steps [J]. */
  kinetic_energy: number;
}

/** One side of a contact: a point on a deformable, or on a collider. */
export interface ContactSide {
  deformable: Deformable | null;
  collider: Collider | null;
  /** The touching vertex, edge or triangle; empty for shapes without vertices. */
  vertices: number[];
  weights: number[];
}

/** Whether a candidate pair may touch; `weights` of its sides are 0. It must give the same for the same, and change nothing. */
export type ContactFilter = (a: ContactSide, b: ContactSide) => boolean;

/** A contact of the last substep. */
export interface Contact {
  a: ContactSide;
  b: ContactSide;
  /** On side a [m]. */
  position: Vector;
  /** Unit, from b to a. */
  normal: Vector;
  /** Along the normal, on a, in the last substep [N s]. */
  impulse: number;
  friction: number;
  restitution: number;
}

/** The nearest point that a ray meets. */
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

/** Settings are attributes: `world.gravity = [0, -1.6, 0]`. "origin" is asked for as `settings.origin`: the attribute is a point. */
export interface World extends Omit<Settings, "origin"> {}

/** A simulation: deformables, their constraint sets and attachments, and colliders. */
export class World extends Resource {
  readonly engine: Engine;
  /** Called at the end of a step or cut for each deformable whose topology changed. */
  onTopologyChange: ((deformable: Deformable, change: TopologyChange) => void) | null = null;
  readonly #deformables = new Map<number, Deformable>();
  readonly #sets = new Map<number, ConstraintSet>();
  readonly #attachments = new Map<number, Attachment>();
  readonly #colliders = new Map<number, Collider>();
  readonly #bodies = new Map<number, RigidBody>();
  readonly #types = new Map<string, { particles: number }>();
  #filter = 0;
  #airField = 0;
  /** Cooked sets that the library borrows; 0 for none. */
  #cooked = 0;

  constructor(def?: WorldDef, engine?: Engine);
  /** For this package: takes over an address of the library. */
  constructor(address: number, engine: Engine);
  constructor(from: WorldDef | number = {}, engine?: Engine) {
    const on = engineOr(engine);
    super(typeof from === "number" ? from : createFrom(from, on), (world) => on.memory.exports.world_destroy(world));
    this.engine = on;
    const names = [...on.properties.names("settings"), ...on.properties.names("contact")];
    addAttributes(this, names, (name) => this.settings[name as keyof Settings], (values) => this.set(values));
  }

  get #memory() {
    return this.engine.memory;
  }
  get #exports() {
    return this.engine.memory.exports;
  }

  override dispose(): void {
    super.dispose();
    if (this.#cooked) this.#memory.give(this.#cooked);
    this.#cooked = 0;
    // The engine outlives its worlds, and what it calls would stay with it.
    for (const number of [this.#filter, this.#airField]) this.engine.callbacks.remove(number);
    this.#filter = this.#airField = 0;
    for (const map of [this.#deformables, this.#sets, this.#attachments, this.#colliders, this.#bodies]) {
      map.forEach((object) => object.forget());
      map.clear();
    }
  }

  /* ---- settings -------------------------------------------------------------------------------- */

  /** Settings in effect. */
  get settings(): Settings {
    this.#exports.settings_load(this.address);
    const { properties } = this.engine;
    return { ...properties.readAll("settings"), ...properties.readAll("contact") } as unknown as Settings;
  }

  /** Changes some settings; refuses values out of range and leaves all as they were. */
  set(values: Partial<Settings>): void {
    this.#exports.settings_load(this.address);
    writeSettings(this.engine, values);
    this.#memory.check(this.#exports.settings_store(this.address));
  }

  /**
   * Reads any property by the path that it has in a scene, the names of panels, links and `--set`: "settings.substeps",
   * "deformables[0].constraints[1].kappa", "colliders[2].friction".
   */
  read(path: string): unknown {
    const { place, name } = resolvePath(this, path);
    const value = place.read(name);
    if (value === undefined) throw new PliantError("not found", `'${path}' is no property of this world`);
    return value;
  }

  /** Changes a property by its path, while the world runs. */
  write(path: string, value: unknown): void {
    const { place, name } = resolvePath(this, path);
    place.write(name, value);
  }

  /* ---- what is in it --------------------------------------------------------------------------- */

  createDeformable(def: DeformableDef): Deformable {
    const memory = this.#memory;
    const { properties } = this.engine;
    const { mesh, name, pose, positions, tearing, plate, keepPrevious, ...rest } = given(def, "the deformable's definition");
    if (!(mesh instanceof Mesh)) throw new PliantError("invalid argument", "a deformable needs `mesh`, a Mesh of this package");
    memory.exports.definitions_reset();
    properties.writeAll("deformable", rest);
    properties.writeAll("tearing", tearing);
    properties.writeAll("plate", plate);
    const id = memory.scratch((scratch) => {
      const text = scratch.text(name);
      const start = positions ? scratch.floats(positions) : 0;
      memory.put(...poseOf(pose));
      return memory.made(
        memory.exports.deformable_create(this.address, mesh.address, text, start, Number(keepPrevious ?? false)),
      );
    });
    const deformable = new Deformable(this, id, mesh);
    this.#deformables.set(id, deformable);
    return deformable;
  }

  createCollider(def: ColliderDef): Collider {
    const collider = new Collider(this, makeCollider(this, def));
    this.#colliders.set(collider.id, collider);
    return collider;
  }

  createRigidBody(def: RigidBodyDef = {}): RigidBody {
    const body = new RigidBody(this, makeRigidBody(this, def));
    this.#bodies.set(body.id, body);
    return body;
  }

  /** Registers a constraint type of the page's own, for sets of this world. A world of one thread is needed. */
  registerType(type: ConstraintTypeDef): void {
    const { callbacks } = this.engine;
    const number = callbacks.add(type);
    const memory = this.#memory;
    const status = memory.exports.constraint_type_register(
      this.address,
      memory.name(type.name),
      type.generator ? memory.name(type.generator) : 0,
      number,
      type.particles,
      type.values ?? 1,
      type.restValues ?? 0,
      Callbacks.sense(type.sense),
    );
    if (status !== 0) callbacks.remove(number);
    memory.check(status);
    this.#types.set(type.name, { particles: type.particles });
  }

  /** For this package: how many particles a type has, by its name. */
  typeOf(name: string): { particles: number } | undefined {
    return this.#types.get(name) ?? this.engine.names.types.find((type) => type.name === name);
  }

  /** Asked for each candidate pair when pairs are found; null accepts every pair again. */
  setContactFilter(filter: ContactFilter | null): void {
    const { callbacks } = this.engine;
    callbacks.remove(this.#filter);
    this.#filter = filter ? callbacks.add(() => filter(this.#side(0), this.#side(9))) : 0;
    this.#exports.world_set_contact_filter(this.address, this.#filter);
  }

  /**
   * Asked for the air at the vertices of each deformable once before each step, while `air_density` is above 0; null stands for
   * the wind alone. What gusts add comes on top. A velocity that is not finite fails the step.
   */
  setAirField(field: AirField | null): void {
    const { callbacks } = this.engine;
    callbacks.remove(this.#airField);
    this.#airField = field ? callbacks.add(field) : 0;
    this.#exports.world_set_air_field(this.address, this.#airField);
  }

  /** The same as Deformable.createConstraintSet. */
  createConstraintSet<T extends ConstraintTypeName>(deformable: Deformable, def: ConstraintSetDef<T>): MadeConstraintSet<T> {
    const set = new ConstraintSet<T>(this, makeConstraintSet(deformable, def as ConstraintSetDef));
    this.#sets.set(set.id, set as unknown as ConstraintSet);
    return set as MadeConstraintSet<T>;
  }

  /** The same as Deformable.createAttachment. */
  createAttachment(deformable: Deformable, def: AttachmentDef): Attachment {
    const attachment = new Attachment(this, makeAttachment(deformable, def));
    this.#attachments.set(attachment.id, attachment);
    return attachment;
  }

  /** The objects whose numbers the library lists, those that it made itself (of a scene) included. */
  #listed<T extends WorldObject>(
    known: Map<number, T>,
    at: "deformable_at" | "constraint_set_at" | "attachment_at" | "collider_at" | "rigid_body_at",
    make: (id: number) => T,
  ): T[] {
    const found: T[] = [];
    for (let i = 0; ; i++) {
      const id = this.#exports[at](this.address, i);
      if (id === 0) break;
      let object = known.get(id);
      if (!object) known.set(id, (object = make(id)));
      found.push(object);
    }
    if (known.size > found.length)
      for (const [id, object] of known)
        if (!found.includes(object)) {
          object.forget();
          known.delete(id);
        }
    return found;
  }

  get deformables(): readonly Deformable[] {
    return this.#listed(this.#deformables, "deformable_at", (id) => new Deformable(this, id, null));
  }
  get constraintSets(): readonly ConstraintSet[] {
    return this.#listed(this.#sets, "constraint_set_at", (id) => new ConstraintSet(this, id));
  }
  get attachments(): readonly Attachment[] {
    return this.#listed(this.#attachments, "attachment_at", (id) => new Attachment(this, id));
  }
  get colliders(): readonly Collider[] {
    return this.#listed(this.#colliders, "collider_at", (id) => new Collider(this, id));
  }

  get rigidBodies(): readonly RigidBody[] {
    return this.#listed(this.#bodies, "rigid_body_at", (id) => new RigidBody(this, id));
  }

  /** For this package: looks through the lists again, since what was on a deformable has gone with it. */
  forgetGone(): void {
    void this.constraintSets;
    void this.attachments;
    void this.colliders;
  }

  /** For this package: the deformable of a number. */
  deformableOf(id: number): Deformable {
    let deformable = this.#deformables.get(id);
    if (!deformable) this.#deformables.set(id, (deformable = new Deformable(this, id, null)));
    return deformable;
  }

  /** For this package: the collider of a number. */
  #colliderOf(id: number): Collider {
    let collider = this.#colliders.get(id);
    if (!collider) this.#colliders.set(id, (collider = new Collider(this, id)));
    return collider;
  }

  /** The first of that name, or null. */
  findDeformable(name: string): Deformable | null {
    return this.deformables.find((deformable) => deformable.name === name) ?? null;
  }
  findConstraintSet(name: string): ConstraintSet | null {
    return this.constraintSets.find((set) => set.name === name) ?? null;
  }

  /* ---- time ------------------------------------------------------------------------------------ */

  /** Advances by dt [s]. A step that diverges is undone, and its PliantError ("non-finite state") names the cause. */
  step(dt: number): void {
    this.#endSteps(this.#exports.world_step(this.address, dt));
  }

  /** Steps with kinetic damping until no particle is faster than `speed` [m/s]. Time and step count do not change. */
  settle(speed = 0.01, options: { dt?: number; mostSteps?: number } = {}): Settled {
    const { dt = 1 / 60, mostSteps = 10000 } = given(options, "the options of settle");
    const status = this.#exports.world_settle(this.address, dt, speed, mostSteps);
    const [settled, steps, last, kinetic_energy] = this.#memory.numbers(0, 4) as [number, number, number, number];
    this.#endSteps(status);
    return { settled: settled !== 0, steps, speed: last, kinetic_energy };
  }

  #endSteps(status: number): void {
    this.reportChanges();
    this.engine.callbacks.check();
    this.#memory.check(status);
  }

  /** For this package: tells the callback what tears and cuts have changed. */
  reportChanges(): void {
    const { address } = this;
    const count = this.#exports.changes_count(address);
    if (count === 0) return;
    const changes: [number, TopologyChange][] = [];
    for (let i = 0; i < count && this.onTopologyChange; i++) {
      this.#exports.changes_at(address, i);
      const [id, copies, faces, vertexCount, at] = this.#memory.numbers(0, 5) as [number, number, number, number, number];
      const numbers = new Int32Array(this.#memory.buffer, at, 2 * copies + faces).slice();
      changes.push([id, { copies: numbers.slice(0, 2 * copies), faces: numbers.slice(2 * copies), vertexCount }]);
    }
    this.#exports.changes_clear(address);
    for (const [id, change] of changes) this.onTopologyChange?.(this.deformableOf(id), change);
  }

  /** Steps that take longer [s of wall time] are undone and throw "cancelled"; Infinity for none. */
  setTimeLimit(seconds: number): void {
    this.#memory.check(this.#exports.world_set_time_limit(this.address, seconds));
  }

  /** Time simulated [s]. */
  get time(): number {
    return this.#exports.world_time(this.address);
  }
  /** Steps done. */
  get stepCount(): number {
    return this.#exports.world_step_count(this.address);
  }
  /** Threads that share the work of a step. */
  get threads(): number {
    return Math.max(1, this.#exports.world_thread_count(this.address));
  }

  /* ---- state ----------------------------------------------------------------------------------- */

  /** Hash of all positions and velocities, 16 hexadecimal digits, as the command line prints it. */
  hash(): string {
    this.#exports.world_hash(this.address);
    return this.#memory
      .numbers(0, 2)
      .map((half) => half.toString(16).padStart(8, "0"))
      .join("");
  }

  statistics(): Statistics {
    this.#exports.world_statistics(this.address);
    const { stage_seconds, ...rest } = this.#memory.record("statistics_fields");
    const seconds = stage_seconds as number[];
    const stages = Object.fromEntries(this.engine.names.stages.map((name, i) => [name, seconds[i]]));
    return { ...rest, stages } as unknown as Statistics;
  }

  #bytes(size: "snapshot_size" | "cooked_size", write: "snapshot_write" | "cooked_write"): Uint8Array {
    const memory = this.#memory;
    return memory.scratch((scratch) => {
      const length = memory.exports[size](this.address);
      const at = scratch.bytes(length);
      memory.check(memory.exports[write](this.address, at, length));
      return new Uint8Array(memory.buffer, at, length).slice();
    });
  }

  /** Everything that a run depends on. */
  snapshot(): Uint8Array {
    return this.#bytes("snapshot_size", "snapshot_write");
  }

  /** Goes on from a snapshot, to the same bits, in a world that was made the same way. */
  restore(snapshot: Uint8Array): void {
    const memory = this.#memory;
    memory.scratch((scratch) => {
      const at = scratch.bytes(snapshot.length);
      new Uint8Array(memory.buffer, at, snapshot.length).set(snapshot);
      memory.check(memory.exports.snapshot_read(this.address, at, snapshot.length));
    });
  }

  /** Cooked constraint sets, which make the next start of the same world fast. */
  cooked(): Uint8Array {
    return this.#bytes("cooked_size", "cooked_write");
  }

  /** Sets made from now on are taken from these bytes, in the order in which they were written; null ends it. */
  useCooked(bytes: Uint8Array | null): void {
    const memory = this.#memory;
    let at = 0;
    if (bytes) {
      at = memory.take(bytes.length);
      new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
    }
    const status = memory.exports.cooked_use(this.address, at, bytes?.length ?? 0);
    if (this.#cooked) memory.give(this.#cooked);
    this.#cooked = at;
    memory.check(status);
  }

  /* ---- queries --------------------------------------------------------------------------------- */

  /** The nearest point of a deformable that a ray meets within `reach` [m], from either side; null when there is none. */
  ray(
    origin: VectorLike,
    direction: VectorLike,
    options: { reach?: number; layers?: readonly number[] } = {},
  ): RayHit | null {
    const memory = this.#memory;
    memory.put(...vectorOf(origin), ...vectorOf(direction));
    const reach = Math.min(options.reach ?? Infinity, 1e30);
    if (!memory.exports.world_ray(this.address, reach, layerMask(options.layers))) return null;
    const [id, face] = memory.numbers(0, 2) as [number, number];
    const vertices = memory.vector(2);
    const weights = memory.vector(5);
    return {
      deformable: this.deformableOf(id),
      face,
      vertices,
      weights,
      vertex: vertices[weights.indexOf(Math.max(...weights))] as number,
      distance: memory.value(8),
      position: memory.vector(9),
      normal: memory.vector(12),
    };
  }

  /** The nearest collider that a ray meets within `reach` [m]; null when there is none. */
  rayCollider(origin: VectorLike, direction: VectorLike, reach = Infinity): ColliderHit | null {
    let nearest: ColliderHit | null = null;
    const from = vectorOf(origin);
    const along = vectorOf(direction);
    const length = Math.hypot(...along);
    for (const collider of this.colliders) {
      const hit = collider.ray(from, along, nearest?.distance ?? reach);
      if (!hit) continue;
      const position = from.map((x, k) => x + ((along[k] as number) * hit.distance) / length) as Vector;
      nearest = { collider, position, ...hit };
    }
    return nearest;
  }

  /** Contacts of the last substep. */
  contacts(): Contact[] {
    const memory = this.#memory;
    memory.check(memory.exports.contacts_take(this.address));
    const count = memory.value(0);
    const contacts = Array.from({ length: count }, (_, i) => {
      memory.exports.contact_at(i);
      return {
        a: this.#side(0),
        b: this.#side(9),
        position: memory.vector(18),
        normal: memory.vector(21),
        impulse: memory.value(24),
        friction: memory.value(25),
        restitution: memory.value(26),
      };
    });
    memory.exports.contacts_release();
    return contacts;
  }

  /** What is worth knowing before stepping by dt [s], each with its cure. States do not change. */
  check(dt = 1 / 60): Finding[] {
    const memory = this.#memory;
    memory.check(memory.exports.world_check(this.address, dt));
    return Array.from({ length: memory.value(0) }, (_, i) => {
      memory.exports.finding_at(this.address, i);
      const [kind, text, deformable, other, collider, body, attachment, vertex, count, value, wanted] =
        memory.numbers(0, 11) as [number, number, number, number, number, number, number, number, number, number, number];
      return {
        kind: memory.text(kind) as FindingKind,
        text: memory.text(text),
        deformable: deformable ? this.deformableOf(deformable) : null,
        other: other ? this.deformableOf(other) : null,
        collider: collider ? this.#colliderOf(collider) : null,
        rigid_body: this.rigidBodies.find(({ id }) => id === body) ?? null,
        attachment: this.attachments.find(({ id }) => id === attachment) ?? null,
        vertex, count, value, wanted,
      };
    });
  }

  #side(first: number): ContactSide {
    const memory = this.#memory;
    const [deformable, collider, count] = memory.vector(first);
    return {
      deformable: deformable ? this.deformableOf(deformable) : null,
      collider: collider ? this.#colliderOf(collider) : null,
      vertices: memory.numbers(first + 3, count),
      weights: memory.numbers(first + 6, count),
    };
  }

  /** Takes hold of cloth softly, with a limit of force: a mouse, a finger, a claw. */
  grab(def: GrabDef | RayHit): Grab {
    return new Grab(def);
  }

  /* ---- place ----------------------------------------------------------------------------------- */

  /** The point that positions are relative to inside of the world [m]. */
  get origin(): Vector {
    this.#exports.world_origin(this.address);
    return this.#memory.vector(0);
  }

  /** Puts it at the whole metres nearest to a point; nothing else moves. */
  setOrigin(origin: VectorLike): void {
    this.#memory.put(...vectorOf(origin));
    this.#memory.check(this.#exports.world_set_origin(this.address));
  }

  /** Moves everything by `offset` [m], for a host that moves its own origin. */
  shift(offset: VectorLike): void {
    this.#memory.put(...vectorOf(offset));
    this.#memory.check(this.#exports.world_shift(this.address));
  }

  /** Moves objects from one frame to another at once: what was at `from` will be at `to`. */
  teleport(def: {
    from?: PoseLike;
    to?: PoseLike;
    keepVelocities?: boolean;
    everything?: boolean;
    deformables?: readonly Deformable[];
    colliders?: readonly Collider[];
  }): void {
    const memory = this.#memory;
    const { deformables = [], colliders = [], everything = false, keepVelocities = true } = given(def, "the teleport's definition");
    memory.scratch((scratch) => {
      const ids = scratch.integers([...deformables, ...colliders].map((object) => object.id), "objects");
      memory.put(...poseOf(def.from), ...poseOf(def.to));
      memory.check(
        memory.exports.world_teleport(
          this.address,
          ids,
          deformables.length,
          colliders.length,
          Number(everything),
          Number(keepVelocities),
        ),
      );
    });
  }
}

function writeSettings(engine: Engine, values: Partial<Settings>): void {
  for (const [name, value] of Object.entries(given(values, "the list of values")))
    if (value !== undefined) engine.properties.write(engine.properties.has("contact", name) ? "contact" : "settings", name, value);
}

function createFrom(def: WorldDef, engine: Engine): number {
  const { memory, properties } = engine;
  const { order, threads, gust_length, gust_seed, ...settings } = def;
  memory.exports.definitions_reset();
  properties.writeAll("world", { order, threads, gust_length, gust_seed });
  writeSettings(engine, settings);
  return memory.made(memory.exports.world_create(memory.name("auto")));
}
