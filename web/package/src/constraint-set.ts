// Constraint sets: constraints of one type on one deformable, tuned together.
import type { Deformable } from "./deformable.js";
import { WorldObject } from "./disposable.js";
import { engineOr, type Engine } from "./engine.js";
import { given, PliantError } from "./errors.js";
import type { ConstraintAttributeName, ConstraintParameters, ConstraintTypeName, GeneratorName, PaintedConstraintName } from "./generated/properties.js";
import { addAttributes, valueOf } from "./properties.js";
import type { World } from "./world.js";

interface ConstraintSetFields<T extends ConstraintTypeName> {
  type: T;
  /** For messages and findConstraintSet; by default that of the type. */
  name?: string;
  /** By default that of the type. */
  generator?: GeneratorName;
  /** Particles of each constraint instead of a generator, as many as the type has. */
  particles?: ArrayLike<number>;
  parameters?: Partial<ConstraintParameters[T]>;
  /** Keep the mean multipliers for at(). */
  keepLambda?: boolean;
}

/** Parameters may stand in `parameters`, or beside `type` as in scenes. */
export type ConstraintSetDef<T extends ConstraintTypeName = ConstraintTypeName> = ConstraintSetFields<T> &
  Partial<ConstraintParameters[T]>;

/** Constraint violation in the unit of C; `worst` is the index of the constraint with the largest, or -1. */
export interface Residual {
  rms: number;
  max: number;
  count: number;
  worst: number;
}

/** Adds the parameters for the next call that takes some. */
function addParameters(engine: Engine, type: string, parameters: object | undefined): void {
  const { memory, properties } = engine;
  memory.exports.parameters_clear();
  for (const [name, value] of Object.entries(parameters ?? {})) {
    if (value === undefined) continue;
    memory.check(memory.exports.parameter_add(memory.name(name), properties.parameterNumber(type, name, value)));
  }
}

/** The library's set for a definition; its number in the world. */
export function makeConstraintSet(deformable: Deformable, def: ConstraintSetDef): number {
  const { world } = deformable;
  const { memory } = world.engine;
  const { type, name, generator, particles, parameters, keepLambda, ...rest } = given(def, "the constraint set's definition");
  given(type, "the constraint set's type");
  addParameters(world.engine, type, { ...rest, ...parameters });
  const row = world.typeOf(type);
  const id = memory.scratch((scratch) =>
    memory.made(
      memory.exports.constraint_set_create(
        world.address,
        deformable.id,
        memory.name(type),
        generator ? memory.name(generator) : 0,
        scratch.text(name),
        particles ? scratch.integers(particles, "particles") : 0,
        particles ? particles.length / (row?.particles || 1) : 0,
        Number(keepLambda ?? false),
      ),
    ),
  );
  try {
    world.engine.callbacks.check(); // A type of the page's own may have thrown.
  } catch (error) {
    memory.exports.constraint_set_destroy(world.address, id);
    throw error;
  }
  return id;
}

/** A set with its parameters as attributes: `bends.rigidity = 1e-3`. */
export type MadeConstraintSet<T extends ConstraintTypeName> = ConstraintSet<T> & ConstraintParameters[T];

/** Constraints of one type on one deformable; destroyed with it. */
export class ConstraintSet<T extends ConstraintTypeName = ConstraintTypeName> extends WorldObject {
  /** For this package; Deformable.createConstraintSet makes one. */
  constructor(
    readonly world: World,
    id: number,
  ) {
    super(id);
    const names = world.engine.properties.parameterNames(this.type);
    addAttributes(this, names, (name) => this.read(name as never), (values) => this.set(values as never));
  }

  protected destroy(): void {
    this.#memory.check(this.#memory.exports.constraint_set_destroy(this.world.address, this.id));
  }

  get #memory() {
    return this.world.engine.memory;
  }
  get #key(): [number, number] {
    if (this.disposed) throw new PliantError("not found", "the ConstraintSet was disposed of");
    return [this.world.address, this.id];
  }

  /** Value `index` of what bindings/wasm/constraint_set.c writes. */
  #info(index: number): number {
    this.#memory.check(this.#memory.exports.constraint_set_info(...this.#key));
    return this.#memory.value(index);
  }

  get name(): string {
    return this.#memory.text(this.#info(0));
  }
  get type(): T {
    return this.#memory.text(this.#info(1)) as T;
  }
  /** Null for explicit lists. */
  get generator(): GeneratorName | null {
    return (this.#memory.text(this.#info(2)) || null) as GeneratorName | null;
  }
  get deformable(): Deformable {
    return this.world.deformableOf(this.#info(3));
  }
  get constraintCount(): number {
    return this.#info(4);
  }
  /** Constraints skipped because their rest state is degenerate. */
  get degenerateCount(): number {
    return this.#info(5);
  }
  /** 0 in sequential order. */
  get colourCount(): number {
    return this.#info(6);
  }

  /** A parameter by its name. */
  read<K extends keyof ConstraintParameters[T] & string>(name: K): ConstraintParameters[T][K] {
    const row = this.world.engine.properties.parameter(this.type, name);
    this.#memory.check(this.#memory.exports.constraint_set_read(...this.#key, this.#memory.name(name)));
    const values = this.#memory.numbers(0, 3);
    return (row ? valueOf(row, values) : values[0]) as ConstraintParameters[T][K];
  }

  /** Changes a parameter while the world runs. */
  write<K extends keyof ConstraintParameters[T] & string>(name: K, value: ConstraintParameters[T][K]): void {
    const number = this.world.engine.properties.parameterNumber(this.type, name, value);
    this.#memory.check(this.#memory.exports.constraint_set_write(...this.#key, this.#memory.name(name), number));
  }

  /** Changes some parameters; refuses values out of range and leaves all as they were. */
  set(values: Partial<ConstraintParameters[T]>): void {
    type Name = keyof ConstraintParameters[T] & string;
    const entries = Object.entries(values) as [Name, ConstraintParameters[T][Name]][];
    const before = entries.map(([name]) => [name, this.read(name)] as const);
    try {
      for (const [name, value] of entries) this.write(name, value);
    } catch (error) {
      for (const [name, value] of before) this.write(name, value);
      throw error;
    }
  }

  /** Gives an attribute a value for each vertex, face, triangle or constraint; null clears the values. */
  paint(
    name: PaintedConstraintName,
    values: ArrayLike<number> | null,
    element: "vertex" | "face" | "triangle" | "constraint" = "vertex",
  ): void {
    const memory = this.#memory;
    const number = ["vertex", "face", "triangle", "constraint"].indexOf(element);
    memory.scratch((scratch) => {
      const address = values ? scratch.floats(values) : 0;
      memory.check(
        memory.exports.constraint_set_paint(...this.#key, memory.name(name), number, address, values?.length ?? 0),
      );
    });
  }

  /** Values of an attribute for each constraint. */
  attribute(name: ConstraintAttributeName): Float32Array {
    const memory = this.#memory;
    const count = this.constraintCount;
    return memory.scratch((scratch) => {
      const values = scratch.bytes(4 * count);
      memory.check(memory.exports.constraint_set_attribute(...this.#key, memory.name(name), values, count));
      return new Float32Array(memory.buffer, values, count).slice();
    });
  }

  residual(): Residual {
    this.#memory.check(this.#memory.exports.constraint_set_residual(...this.#key));
    const [rms, max, count, worst] = this.#memory.numbers(0, 4) as [number, number, number, number];
    return { rms, max, count, worst };
  }

  /**
   * Particles and rest values of constraint `index`, in order of creation; the mean multipliers of the last step where the
   * set keeps them.
   */
  at(index: number, options: { lambda?: boolean } = {}): { particles: Int32Array; rest: Float32Array; lambda: Float32Array | null } {
    const memory = this.#memory;
    const dimension = this.#info(8);
    const cardinality = this.#info(10);
    // Variable types have one rest value for each particle at most, and six.
    const room = cardinality || this.deformable.vertexCount;
    const restRoom = (cardinality ? this.#info(9) : room) + 6;
    return memory.scratch((scratch) => {
      const particles = scratch.bytes(4 * room);
      const rest = scratch.bytes(4 * restRoom);
      const lambda = options.lambda ? scratch.bytes(4 * dimension) : 0;
      memory.check(memory.exports.constraint_at(...this.#key, index, particles, rest, lambda));
      const count = memory.value(0);
      const restCount = cardinality ? this.#info(9) : restRoom;
      return {
        particles: new Int32Array(memory.buffer, particles, count).slice(),
        rest: new Float32Array(memory.buffer, rest, restCount).slice(),
        lambda: lambda ? new Float32Array(memory.buffer, lambda, dimension).slice() : null,
      };
    });
  }

  /**
   * All constraints in the order of a forward sweep, for a graphics card: `order` has their indices in order of creation, the
   * others the particles, rest values and scales s (of the compliance s / B of a rigidity B) of each, one after the other. A
   * backward sweep is the opposite. Of types of fixed size.
   */
  sequence(): { order: Int32Array; particles: Int32Array; rest: Float32Array; scales: Float32Array } {
    const memory = this.#memory;
    const count = this.constraintCount;
    const cardinality = this.#info(10);
    const restCount = this.#info(9);
    return memory.scratch((scratch) => {
      const order = scratch.bytes(4 * count);
      const particles = scratch.bytes(4 * count * cardinality);
      const rest = scratch.bytes(4 * count * restCount);
      const scales = scratch.bytes(4 * count);
      memory.check(memory.exports.constraint_set_sequence(...this.#key, order, particles, rest, scales));
      return {
        order: new Int32Array(memory.buffer, order, count).slice(),
        particles: new Int32Array(memory.buffer, particles, count * cardinality).slice(),
        rest: new Float32Array(memory.buffer, rest, count * restCount).slice(),
        scales: new Float32Array(memory.buffer, scales, count).slice(),
      };
    });
  }
}

/**
 * C and its gradient of a type on one stencil of fixed size: rest values of `restPositions`, values and gradients at
 * `positions` (3 numbers a particle; gradients value by value, particle by particle). Null when the rest state is degenerate.
 */
export function evaluateConstraint<T extends ConstraintTypeName>(
  def: {
    type: T;
    restPositions: ArrayLike<number>;
    positions: ArrayLike<number>;
    parameters?: Partial<ConstraintParameters[T]>;
  },
  engine?: Engine,
): { rest: Float32Array; values: Float64Array; gradients: Float64Array } | null {
  const on = engineOr(engine);
  const { memory } = on;
  const count = def.positions.length / 3;
  if (def.restPositions.length !== def.positions.length)
    throw new PliantError("invalid argument", "restPositions must have as many numbers as positions");
  addParameters(on, def.type, def.parameters);
  return memory.scratch((scratch) => {
    const rest = scratch.doubles(def.restPositions);
    const now = scratch.doubles(def.positions);
    memory.check(memory.exports.constraint_evaluate(memory.name(def.type), rest, now, count));
    const [dimension, restCount, good] = memory.numbers(0, 3) as [number, number, number];
    if (!good) return null;
    const gradients = 3 + dimension;
    const rests = gradients + 3 * dimension * count;
    return {
      rest: Float32Array.from(memory.numbers(rests, restCount)),
      values: Float64Array.from(memory.numbers(3, dimension)),
      gradients: Float64Array.from(memory.numbers(gradients, 3 * dimension * count)),
    };
  });
}
