// Functions of the page that the library calls in the midst of a step, by number: bindings/wasm/callbacks.c. An exception must not
// cross the library, which would be left half-way; it is kept and thrown once the call is over.
import type { Memory } from "./memory.js";

/** A constraint C(x) of the page's own: pli_constraint_type, with functions in JavaScript. Slower than the built-in types. */
export interface ConstraintTypeDef {
  /** For createConstraintSet; not that of another type of the world. */
  name: string;
  /** Particles of a constraint, 1 to 4. */
  particles: number;
  /** Values of C: 1 (the default), or 3 for a vector. */
  values?: 1 | 3;
  /** Rest values of a constraint, 0 to 6; 0 by default. */
  restValues?: number;
  /** How stencils are found where a set gives no particles, such as "edges". */
  generator?: string;
  /** When it acts: always, while C > 0, or while C < 0. */
  sense?: "equal" | "at_most" | "at_least";
  /**
   * Writes the rest values from rest positions, 3 numbers a particle; false skips a degenerate stencil. The arrays are only
   * valid during the call.
   */
  rest?(positions: Float64Array, rest: Float32Array): boolean;
  /**
   * Writes the values of C and, where they are asked for, its gradients: value by value, particle by particle, 3 numbers
   * each. It must give the same for the same, and change nothing else.
   */
  evaluate(positions: Float64Array, rest: Float32Array, values: Float64Array, gradients: Float64Array | null): void;
}

/** Three numbers a vertex at a time [s] of the world, written into `positions`; false ends the animation. */
export type VertexSource = (time: number, positions: Float32Array) => boolean;

/**
 * Velocities of the air [m/s] at points of the world [m], three numbers each, written into `velocities`, which has the world's wind;
 * `time` [s] is the middle of the step. False ends the step. It may not change the world.
 */
export type AirField = (time: number, points: Float32Array, velocities: Float32Array) => boolean;

const SENSES = ["equal", "at_most", "at_least"] as const;

/** The functions that one engine knows. */
export class Callbacks {
  readonly #known = new Map<number, unknown>();
  readonly #memory: () => Memory;
  #next = 1;
  #error: unknown = undefined;
  #failed = false;

  constructor(memory: () => Memory) {
    this.#memory = memory;
  }

  add(callback: unknown): number {
    this.#known.set(this.#next, callback);
    return this.#next++;
  }
  remove(number: number): void {
    this.#known.delete(number);
  }

  /** Throws what a callback has thrown since. */
  check(): void {
    if (!this.#failed) return;
    const error = this.#error;
    this.#failed = false;
    this.#error = undefined;
    throw error;
  }

  #call<T>(otherwise: T, call: () => T): T {
    if (this.#failed) return otherwise;
    try {
      return call();
    } catch (error) {
      this.#failed = true;
      this.#error = error;
      return otherwise;
    }
  }

  #type(number: number): ConstraintTypeDef {
    return this.#known.get(number) as ConstraintTypeDef;
  }
  #floats(address: number, count: number): Float32Array {
    return new Float32Array(this.#memory().buffer, address, count);
  }
  #doubles(address: number, count: number): Float64Array {
    return new Float64Array(this.#memory().buffer, address, count);
  }

  /** What the module imports. */
  readonly imports = {
    filter_contact: (number: number): number =>
      Number(this.#call(true, () => (this.#known.get(number) as () => boolean)())),
    move_vertices: (number: number, time: number, address: number): number =>
      Number(
        this.#call(false, () => {
          const { source, count } = this.#known.get(number) as { source: VertexSource; count: number };
          return source(time, this.#floats(address, 3 * count));
        }),
      ),
    blow_air: (number: number, time: number, points: number, velocities: number, count: number): number =>
      Number(
        this.#call(false, () => {
          const field = this.#known.get(number) as AirField;
          return field(time, this.#floats(points, 3 * count), this.#floats(velocities, 3 * count));
        }),
      ),
    rest_constraint: (number: number, positions: number, rest: number): number => {
      const type = this.#type(number);
      const from = this.#doubles(positions, 3 * type.particles);
      const to = this.#floats(rest, type.restValues ?? 0);
      return Number(this.#call(false, () => type.rest?.(from, to) ?? true));
    },
    evaluate_constraint: (number: number, positions: number, rest: number, _own: number, values: number, slopes: number): void => {
      const type = this.#type(number);
      const size = type.values ?? 1;
      const to = this.#doubles(values, size);
      const gradients = slopes ? this.#doubles(slopes, 3 * size * type.particles) : null;
      to.fill(0);
      gradients?.fill(0);
      const from = this.#doubles(positions, 3 * type.particles);
      this.#call(undefined, () => type.evaluate(from, this.#floats(rest, type.restValues ?? 0), to, gradients));
    },
  };

  /** The number of a sense in the library. */
  static sense(name: ConstraintTypeDef["sense"]): number {
    return Math.max(0, SENSES.indexOf(name ?? "equal"));
  }
}
