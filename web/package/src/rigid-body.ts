// Proxies of the rigid bodies of another engine, for coupling both ways: docs/embedding.md.
import { WorldObject } from "./disposable.js";
import { PliantError } from "./errors.js";
import { poseOf, vectorOf, type Pose, type PoseLike, type Rotation, type Vector, type VectorLike } from "./vectors.js";
import type { World } from "./world.js";

/** How a body moves, in the world's frame. */
export interface RigidState {
  pose: Pose;
  /** Of the centre of mass [m/s]. */
  velocity: Vector;
  /** [rad/s] */
  angular_velocity: Vector;
  /** External acceleration that the host integrates itself, such as gravity [m/s2]. */
  acceleration: Vector;
}

/** The same as callers give it; what is missing is 0. */
export interface RigidStateLike {
  pose?: PoseLike;
  velocity?: VectorLike;
  angular_velocity?: VectorLike;
  acceleration?: VectorLike;
}

export interface RigidBodyDef extends RigidStateLike {
  name?: string;
  /** In the body's frame [m]. */
  centre_of_mass?: VectorLike;
  /** [1/kg], at least 0; 0: nothing moves it but its velocities. 1 by default. */
  inverse_mass?: number;
  /** About the centre of mass: xx yy zz xy xz yz [1/(kg m2)]. The identity by default. */
  inverse_inertia?: ArrayLike<number>;
  /** Scales inverse mass and inertia in contacts, at least 0; 1 by default. */
  mass_scale?: number;
}

/** What deformables have done to a body since it was last asked. */
export interface RigidChange {
  /** To add to the velocity of the centre of mass [m/s]. */
  velocity: Vector;
  /** To add to the angular velocity [rad/s]. */
  angular_velocity: Vector;
  /** [N s] */
  impulse: Vector;
  /** About the centre of mass [N m s]. */
  angular_impulse: Vector;
}

const NONE = [0, 0, 0];
const IDENTITY = [1, 1, 1, 0, 0, 0];

function numbersOf(state: RigidStateLike): number[] {
  const vectors = [state.velocity, state.angular_velocity, state.acceleration];
  return [...poseOf(state.pose), ...vectors.flatMap((vector) => vectorOf(vector ?? NONE))];
}

function massOf(inverseMass: number, inverseInertia: ArrayLike<number>): number[] {
  if (inverseInertia.length !== 6)
    throw new PliantError("invalid argument", `inverse_inertia has ${inverseInertia.length} numbers; it must have 6`);
  return [inverseMass, ...Array.from(inverseInertia)];
}

/** The library's proxy for a definition; its number in the world. */
export function makeRigidBody(world: World, def: RigidBodyDef): number {
  const { memory } = world.engine;
  const mass = massOf(def.inverse_mass ?? 1, def.inverse_inertia ?? IDENTITY);
  return memory.scratch((scratch) => {
    const name = scratch.text(def.name);
    memory.put(...numbersOf(def), ...vectorOf(def.centre_of_mass ?? NONE), ...mass, def.mass_scale ?? 1);
    return memory.made(memory.exports.rigid_body_create(world.address, name));
  });
}

/** A rigid body of the page's own engine: colliders and attachments that name it act on both sides. */
export class RigidBody extends WorldObject {
  /** For this package; World.createRigidBody makes one. */
  constructor(
    readonly world: World,
    id: number,
  ) {
    super(id);
  }

  /** Its colliders and attachments go with it. */
  protected destroy(): void {
    this.#memory.check(this.#memory.exports.rigid_body_destroy(this.world.address, this.id));
    this.world.forgetGone();
  }

  get #memory() {
    return this.world.engine.memory;
  }
  get #key(): [number, number] {
    if (this.disposed) throw new PliantError("not found", "the RigidBody was disposed of");
    return [this.world.address, this.id];
  }

  get name(): string {
    return this.#memory.text(this.#memory.exports.rigid_body_name(...this.#key));
  }

  /** Where it is now, with its velocities. */
  get state(): RigidState {
    const memory = this.#memory;
    memory.check(memory.exports.rigid_body_state(...this.#key));
    return {
      pose: { position: memory.vector(0), rotation: memory.numbers(3, 4) as Rotation },
      velocity: memory.vector(7),
      angular_velocity: memory.vector(10),
      acceleration: memory.vector(13),
    };
  }

  /**
   * What the body does now. Velocities count at once; another pose is reached at constant velocity over the next step, or
   * at once with `teleport`.
   */
  setState(state: RigidStateLike, options: { teleport?: boolean } = {}): void {
    const key = this.#key;
    this.#memory.put(...numbersOf(state));
    this.#memory.check(this.#memory.exports.rigid_body_set_state(...key, Number(options.teleport ?? false)));
  }

  setMass(inverseMass: number, inverseInertia: ArrayLike<number>): void {
    const key = this.#key;
    this.#memory.put(...massOf(inverseMass, inverseInertia));
    this.#memory.check(this.#memory.exports.rigid_body_set_mass(...key));
  }

  /** What deformables have done to it since this was last asked; add it to the host's velocities. */
  takeChange(): RigidChange {
    const memory = this.#memory;
    memory.check(memory.exports.rigid_body_take_change(...this.#key));
    return {
      velocity: memory.vector(0),
      angular_velocity: memory.vector(3),
      impulse: memory.vector(6),
      angular_impulse: memory.vector(9),
    };
  }
}
