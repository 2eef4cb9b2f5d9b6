// Values of properties: from what callers write to the numbers of the library, and back. The rows say the kind.
import { PliantError } from "./errors.js";
import type { Memory } from "./memory.js";
import type { Names, PropertyName } from "./names.js";
import { vectorOf, type VectorLike } from "./vectors.js";

const ALL_LAYERS = 0xffffffff;
const LAYER_COUNT = 32;

function refuse(row: PropertyName, value: unknown, expected: string): never {
  const shown = typeof value === "string" ? `'${value}'` : String(value);
  throw new PliantError("invalid argument", `${row.name} is ${shown}; it must be ${expected}`);
}

function layerBit(row: PropertyName, layer: unknown): number {
  if (!Number.isInteger(layer) || (layer as number) < 0 || (layer as number) >= LAYER_COUNT)
    refuse(row, layer, "the number of a layer, 0 to 31");
  return 2 ** (layer as number);
}

function choiceIndex(row: PropertyName, value: unknown): number {
  const index = row.choices.indexOf(value as string);
  return index >= 0 ? index : refuse(row, value, `one of ${row.choices.join(", ")}`);
}

/** The numbers of a value: three of a vector, else one. */
export function numbersOf(row: PropertyName, value: unknown): [number, number, number] {
  switch (row.kind) {
    case "number":
    case "integer":
      return typeof value === "number" ? [value, 0, 0] : refuse(row, value, "a number");
    case "boolean":
      return typeof value === "boolean" ? [Number(value), 0, 0] : refuse(row, value, "true or false");
    case "choice":
      return [choiceIndex(row, value), 0, 0];
    case "vector":
      return typeof value === "object" && value ? vectorOf(value as VectorLike) : refuse(row, value, "three numbers");
    case "layer":
      return [layerBit(row, value), 0, 0];
    case "layers":
      if (value === null) return [ALL_LAYERS, 0, 0];
      if (!Array.isArray(value)) refuse(row, value, "a list of layers, or null for all");
      return [(value as unknown[]).reduce<number>((mask, layer) => mask + layerBit(row, layer), 0), 0, 0];
  }
}

const SHORTEST_DIGITS = 6;
const FLOAT_DIGITS = 9;

/** A number as it was written: 0.2 for what a float has as 0.20000000298. Numbers in double stay as they are. */
function asWritten(number: number): number {
  if (Math.fround(number) !== number) return number;
  for (let digits = SHORTEST_DIGITS; digits < FLOAT_DIGITS; digits++) {
    const short = Number(number.toPrecision(digits));
    if (Math.fround(short) === number) return short;
  }
  return number;
}

/** The value of three numbers. */
export function valueOf(row: PropertyName, numbers: ArrayLike<number>): unknown {
  const first = numbers[0] as number;
  switch (row.kind) {
    case "boolean":
      return first !== 0;
    case "choice":
      return row.choices[first];
    case "vector":
      return Array.from(numbers).slice(0, 3).map(asWritten);
    case "layer":
      return Math.floor(Math.log2(first));
    case "layers":
      return Array.from({ length: LAYER_COUNT }, (_, layer) => layer).filter((layer) => (first / 2 ** layer) % 2 >= 1);
    default:
      return asWritten(first);
  }
}

/** Layers as the bits of a mask. */
export function layerMask(layers: readonly number[] | undefined): number {
  return layers ? layers.reduce((mask, layer) => (mask | (1 << layer)) >>> 0, 0) : ALL_LAYERS;
}

/** Makes properties of the tables attributes of an object: `world.gravity = [0, 0, 0]`. What it has of that name stays. */
export function addAttributes(
  object: object,
  names: Iterable<string>,
  read: (name: string) => unknown,
  set: (values: Record<string, unknown>) => void,
): void {
  for (const name of names)
    if (!(name in object))
      // Frozen, since writing into a copy would change nothing in silence.
      Object.defineProperty(object, name, { get: () => Object.freeze(read(name)), set: (value) => set({ [name]: value }) });
}

/** Groups of properties in the definitions that the library has beside a call (bindings/wasm/definitions.c). */
export class Properties {
  readonly #memory: Memory;
  readonly #groups = new Map<string, { index: number; rows: Map<string, { index: number; row: PropertyName }> }>();
  readonly #types = new Map<string, Map<string, PropertyName>>();

  constructor(memory: Memory, names: Names) {
    this.#memory = memory;
    names.groups.forEach((group, index) => {
      const rows = new Map(group.properties.map((row, at) => [row.name, { index: at, row }]));
      this.#groups.set(group.id, { index, rows });
    });
    for (const type of names.types)
      this.#types.set(type.name, new Map(type.parameters.map((row) => [row.name, row])));
  }

  /** Names of a group. */
  names(group: string): string[] {
    return [...(this.#groups.get(group)?.rows.keys() ?? [])];
  }

  /** Whether a group has the property. */
  has(group: string, name: string): boolean {
    return this.names(group).includes(name);
  }

  #row(group: string, name: string): { group: number; index: number; row: PropertyName } {
    const found = this.#groups.get(group);
    const row = found?.rows.get(name);
    if (!found || !row) {
      throw new PliantError("not found", `'${name}' is no property of ${group}; there are ${this.names(group).join(", ")}`);
    }
    return { group: found.index, ...row };
  }

  write(group: string, name: string, value: unknown): void {
    const at = this.#row(group, name);
    this.#memory.check(this.#memory.exports.property_write(at.group, at.index, ...numbersOf(at.row, value)));
  }

  /** Writes all of `values` that are given. */
  writeAll(group: string, values: object | undefined): void {
    for (const [name, value] of Object.entries(values ?? {})) if (value !== undefined) this.write(group, name, value);
  }

  read(group: string, name: string): unknown {
    const at = this.#row(group, name);
    this.#memory.check(this.#memory.exports.property_read(at.group, at.index));
    return valueOf(at.row, this.#memory.values);
  }

  readAll(group: string): Record<string, unknown> {
    return Object.fromEntries(this.names(group).map((name) => [name, this.read(group, name)]));
  }

  /** Names of a constraint type's parameters; none of a type that is not of the tables. */
  parameterNames(type: string): string[] {
    return [...(this.#types.get(type)?.keys() ?? [])];
  }

  /** The row of a constraint type's parameter; types and parameters that are not known are for the library to refuse. */
  parameter(type: string, name: string): PropertyName | undefined {
    return this.#types.get(type)?.get(name);
  }

  /** The number of a parameter's value. */
  parameterNumber(type: string, name: string, value: unknown): number {
    const row = this.parameter(type, name);
    return row ? numbersOf(row, value)[0] : Number(value);
  }
}
