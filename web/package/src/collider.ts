// Colliders: shapes and meshes that deformables do not enter, still or animated.
import { WorldObject } from "./disposable.js";
import { given, PliantError } from "./errors.js";
import type { ColliderProperties } from "./generated/properties.js";
import { copyVectors } from "./geometry.js";
import { Mesh } from "./mesh.js";
import type { RigidBody } from "./rigid-body.js";
import type { VertexSource } from "./callbacks.js";
import { addAttributes } from "./properties.js";
import { poseOf, vectorOf, type Pose, type PoseLike, type Rotation, type Vector, type VectorLike } from "./vectors.js";
import type { World } from "./world.js";

export interface ColliderDef extends Partial<ColliderProperties> {
  /** Of the shapes "hull" and "mesh". */
  mesh?: Mesh;
  pose?: PoseLike;
  /** The rigid body that carries it; the pose is in the frame of that body. */
  body?: RigidBody;
  /** Where a mesh's vertices are to start with, 3 numbers each, in the collider's frame. */
  positions?: ArrayLike<number>;
}

/** The library's collider for a definition; its number in the world. */
export function makeCollider(world: World, def: ColliderDef): number {
  const { memory, properties } = world.engine;
  const { mesh, pose, positions, body, ...rest } = given(def, "the collider's definition");
  memory.exports.definitions_reset();
  properties.writeAll("collider", rest);
  return memory.scratch((scratch) => {
    const start = positions ? scratch.floats(positions) : 0;
    memory.put(...poseOf(pose));
    return memory.made(memory.exports.collider_create(world.address, mesh?.address ?? 0, start, body?.id ?? 0));
  });
}

/** Properties are attributes: `ball.friction = 0`. */
export interface Collider extends ColliderProperties {}

/** A shape that deformables do not enter. */
export class Collider extends WorldObject {
  #source = 0;

  /** For this package; World.createCollider makes one. */
  constructor(
    readonly world: World,
    id: number,
  ) {
    super(id);
    const names = world.engine.properties.names("collider");
    addAttributes(this, names, (name) => this.properties[name as keyof ColliderProperties], (values) => this.set(values));
  }

  protected destroy(): void {
    this.#memory.check(this.#memory.exports.collider_destroy(this.world.address, this.id));
  }

  get #memory() {
    return this.world.engine.memory;
  }
  get #key(): [number, number] {
    if (this.disposed) throw new PliantError("not found", "the Collider was disposed of");
    return [this.world.address, this.id];
  }

  get properties(): ColliderProperties {
    this.#memory.check(this.#memory.exports.collider_load(...this.#key));
    return this.world.engine.properties.readAll("collider") as unknown as ColliderProperties;
  }

  /** Changes some, from the next step on; refuses values out of range and leaves all as they were. */
  set(values: Partial<ColliderProperties> & { mesh?: Mesh; positions?: ArrayLike<number> }): void {
    const memory = this.#memory;
    const key = this.#key;
    const { mesh, positions, ...rest } = values;
    memory.check(memory.exports.collider_load(...key));
    this.world.engine.properties.writeAll("collider", rest);
    memory.scratch((scratch) => {
      const start = positions ? scratch.floats(positions) : 0;
      memory.check(memory.exports.collider_store(...key, mesh?.address ?? 0, start));
    });
  }

  /** Where it is now. */
  get pose(): Pose {
    this.#memory.check(this.#memory.exports.collider_pose(...this.#key));
    return { position: this.#memory.vector(0), rotation: this.#memory.numbers(3, 4) as Rotation };
  }

  /** Where it is at the end of the next step; it moves there and carries what it touches. */
  setPose(pose: PoseLike): void {
    this.#memory.put(...poseOf(pose));
    this.#memory.check(this.#memory.exports.collider_set_pose(...this.#key));
  }

  /** Puts it elsewhere at once. */
  teleport(pose: PoseLike): void {
    this.#memory.put(...poseOf(pose));
    this.#memory.check(this.#memory.exports.collider_teleport(...this.#key));
  }

  #place(call: "collider_set_vertices" | "collider_teleport_vertices", positions: ArrayLike<number>): void {
    const memory = this.#memory;
    const key = this.#key;
    memory.scratch((scratch) =>
      memory.check(memory.exports[call](...key, scratch.floats(positions), positions.length / 3)),
    );
  }

  /** Vertices of a mesh at the end of the next step, 3 numbers each, in the collider's frame: an animated character. */
  setVertices(positions: ArrayLike<number>): void {
    this.#place("collider_set_vertices", positions);
  }

  /** Puts them in their places at once. */
  teleportVertices(positions: ArrayLike<number>): void {
    this.#place("collider_teleport_vertices", positions);
  }

  /** Asks `source` at the start of each step for a mesh's vertices at its end; null ends the animation. */
  setSource(source: VertexSource | null): void {
    const { callbacks } = this.world.engine;
    const key = this.#key;
    this.#memory.exports.collider_vertices(...key);
    const number = source ? callbacks.add({ source, count: this.#memory.value(1) }) : 0;
    const status = this.#memory.exports.collider_set_source(...key, number);
    callbacks.remove(status === 0 ? this.#source : number);
    if (status === 0) this.#source = number;
    this.#memory.check(status);
  }

  /** Triangles of the shapes "mesh" and "hull"; null for others. Dispose of it after use. */
  get mesh(): Mesh | null {
    const address = this.#memory.exports.collider_mesh(...this.#key);
    return address ? new Mesh(address, this.world.engine) : null;
  }

  /** Vertices of a mesh or hull now, packed, in the collider's frame; empty for other shapes. */
  copyVertices(target?: Float32Array): Float32Array {
    const memory = this.#memory;
    memory.exports.collider_vertices(...this.#key);
    const [address, count, stride] = memory.vector(0);
    const to = target ?? new Float32Array(3 * count);
    if (count)
      copyVectors(new Float32Array(memory.buffer, address, (stride / 4) * count), stride / 4, to, count, null);
    return to;
  }

  /** Where a ray first meets it, within `reach` [m]; null when it does not. */
  ray(origin: VectorLike, direction: VectorLike, reach = Infinity): { distance: number; normal: Vector } | null {
    this.#memory.put(...vectorOf(origin), ...vectorOf(direction));
    // The library wants a finite reach.
    const met = this.#memory.exports.collider_ray(...this.#key, Math.min(reach, 1e30));
    return met ? { distance: this.#memory.value(0), normal: this.#memory.vector(1) } : null;
  }
}
