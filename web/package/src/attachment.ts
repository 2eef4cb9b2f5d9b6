// Attachments: particles that follow a moving frame; and hands that hold cloth softly.
import type { Deformable } from "./deformable.js";
import { Resource, WorldObject } from "./disposable.js";
import { given, PliantError } from "./errors.js";
import type { AttachmentProperties } from "./generated/properties.js";
import type { RigidBody } from "./rigid-body.js";
import { addAttributes } from "./properties.js";
import { poseOf, vectorOf, type PoseLike, type Vector, type VectorLike } from "./vectors.js";
import type { World } from "./world.js";

export interface AttachmentDef extends Partial<AttachmentProperties> {
  /** Each at most once. */
  particles: ArrayLike<number>;
  /** The frame; each particle keeps its place in it. */
  pose?: PoseLike;
  /** The rigid body that they follow, and that they pull. */
  body?: RigidBody;
}

/** The library's attachment for a definition; its number in the world. */
export function makeAttachment(deformable: Deformable, def: AttachmentDef): number {
  const { world } = deformable;
  const { memory, properties } = world.engine;
  const { particles, pose, body, ...rest } = given(def, "the attachment's definition");
  given(particles, "the attachment's `particles`");
  memory.exports.definitions_reset();
  properties.writeAll("attachment", rest);
  return memory.scratch((scratch) => {
    const list = scratch.integers(particles, "particles");
    memory.put(...poseOf(pose));
    return memory.made(memory.exports.attachment_create(world.address, deformable.id, list, particles.length, body?.id ?? 0));
  });
}

/** Properties are attributes: `pins.compliance = 1e-4`. */
export interface Attachment extends AttachmentProperties {}

/** Particles that follow a frame, exactly or softly; destroyed with their deformable. */
export class Attachment extends WorldObject {
  /** For this package; Deformable.createAttachment makes one. */
  constructor(
    readonly world: World,
    id: number,
  ) {
    super(id);
    const names = world.engine.properties.names("attachment");
    addAttributes(this, names, (name) => this.properties[name as keyof AttachmentProperties], (values) => this.set(values));
  }

  protected destroy(): void {
    this.#memory.check(this.#memory.exports.attachment_destroy(this.world.address, this.id));
  }

  get #memory() {
    return this.world.engine.memory;
  }
  get #key(): [number, number] {
    if (this.disposed) throw new PliantError("not found", "the Attachment was disposed of");
    return [this.world.address, this.id];
  }

  get deformable(): Deformable {
    return this.world.deformableOf(this.#memory.exports.attachment_deformable(...this.#key));
  }

  /** Copies made by tears included. */
  get particles(): Int32Array {
    const memory = this.#memory;
    const key = this.#key;
    memory.check(memory.exports.attachment_particles(...key, 0, 0));
    const count = memory.value(0);
    return memory.scratch((scratch) => {
      const list = scratch.bytes(4 * count);
      memory.check(memory.exports.attachment_particles(...key, list, count));
      return new Int32Array(memory.buffer, list, count).slice();
    });
  }

  get properties(): AttachmentProperties {
    this.#memory.check(this.#memory.exports.attachment_load(...this.#key));
    return this.world.engine.properties.readAll("attachment") as unknown as AttachmentProperties;
  }

  /** Changes some; with `particles` it holds other ones, which keep their places in the frame as it is at `pose`. */
  set(values: Partial<AttachmentProperties> & { particles?: ArrayLike<number>; pose?: PoseLike }): void {
    const memory = this.#memory;
    const key = this.#key;
    const { particles, pose, ...rest } = values;
    memory.check(memory.exports.attachment_load(...key));
    this.world.engine.properties.writeAll("attachment", rest);
    memory.scratch((scratch) => {
      const list = particles ? scratch.integers(particles, "particles") : 0;
      memory.put(...poseOf(pose));
      memory.check(memory.exports.attachment_store(...key, list, particles?.length ?? 0));
    });
  }

  /** Where the frame is at the end of the next step; it moves there at constant velocity. */
  setPose(pose: PoseLike): void {
    this.#memory.put(...poseOf(pose));
    this.#memory.check(this.#memory.exports.attachment_set_pose(...this.#key));
  }

  /** Puts the frame elsewhere at once. */
  teleport(pose: PoseLike): void {
    this.#memory.put(...poseOf(pose));
    this.#memory.check(this.#memory.exports.attachment_teleport(...this.#key));
  }

  /** How far it was behind its frame at the end of the last step: particles, largest distance [m], force [N]. */
  get trackingError(): { count: number; distance: number; force: number } {
    this.#memory.check(this.#memory.exports.attachment_tracking_error(...this.#key));
    const [count, distance, force] = this.#memory.vector(0);
    return { count, distance, force };
  }
}

export interface GrabDef {
  deformable: Deformable;
  /** The middle of what is taken. */
  vertex: number;
  /** How far it reaches along edges at rest [m]; 0, the default: 4 % of the size, 2.5 edges at least. */
  radius?: number;
  /** Limit of the force over 1.5 weights. Default 1. */
  strength?: number;
  /** Distance at which the limit is reached [m]; 0, the default: 6 % of the size. */
  reach?: number;
  /** Steps in which the force comes and goes. Default 6. */
  ramp?: number;
}

/** A hand that holds cloth softly. Call update() before each step while it holds, and then until `active` is false. */
export class Grab extends Resource {
  readonly deformable: Deformable;

  /** For this package; World.grab makes one. */
  constructor(def: GrabDef) {
    const { memory } = given(given(def, "the grab's definition").deformable, "the grab's `deformable`").world.engine;
    const { radius = 0, strength = 1, reach = 0, ramp = 6 } = def;
    const world = def.deformable.world.address;
    const id = def.deformable.id;
    const address = memory.made(memory.exports.grab_begin(world, id, def.vertex, radius, strength, reach, ramp));
    super(address, (grab) => memory.give(grab));
    this.deformable = def.deformable;
  }

  /** Value `index` of what bindings/wasm/attachment.c writes. */
  #value(index: number): number {
    this.#memory.exports.grab_read(this.address);
    return this.#memory.value(index);
  }
  get #memory() {
    return this.deformable.world.engine.memory;
  }

  /** False once it has let go. */
  get active(): boolean {
    return !this.disposed && this.#value(0) !== 0;
  }
  get particleCount(): number {
    return this.#value(1);
  }
  /** Most force [N]. */
  get limit(): number {
    return this.#value(2);
  }
  get reach(): number {
    return this.#value(3);
  }
  /** Share of the limit that it has now, 0..1. */
  get share(): number {
    return this.#value(4);
  }
  /** Force of the next step at its start [N]. */
  get force(): Vector {
    this.#memory.exports.grab_read(this.address);
    return this.#memory.vector(5);
  }

  /** Leads the hand to `target` [m] before a step of `dt` [s]; with `holds` false it lets go within its ramp. */
  update(target: VectorLike, dt: number, holds = true): void {
    this.#memory.put(...vectorOf(target));
    const world = this.deformable.world.address;
    this.#memory.check(this.#memory.exports.grab_update(world, this.address, dt, Number(holds)));
  }
}
