// The library's memory as JavaScript sees it: numbers, texts, arrays and records.
import { PliantError, type Status } from "./errors.js";
import type { WasmExports } from "./generated/exports.js";

const OK = 0;

/** Exports that name the fields of a record. */
type RecordNames = "statistics_fields" | "deformable_statistics_fields" | "mesh_report_fields" | "scene_look_fields" | "scene_view_fields" | "session_fields";

/** Names and lengths of a record's fields: "time stretch momentum:3". */
type Field = { name: string; length: number };

/** Memory that is given back at the end of a call. */
export class Scratch {
  readonly #taken: number[] = [];

  constructor(readonly memory: Memory) {}

  /** Bytes without content. */
  bytes(size: number): number {
    const address = this.memory.take(size);
    this.#taken.push(address);
    return address;
  }

  /** A text ended by a zero; 0 for none. */
  text(text: string | null | undefined): number {
    if (text === null || text === undefined) return 0;
    const bytes = new TextEncoder().encode(text);
    const address = this.bytes(bytes.length + 1);
    const to = new Uint8Array(this.memory.buffer, address, bytes.length + 1);
    to.set(bytes);
    to[bytes.length] = 0;
    return address;
  }

  /** Bytes, or a text as UTF-8; address and size. */
  content(content: Uint8Array | ArrayBuffer | string): [address: number, size: number] {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
    const address = this.bytes(bytes.length);
    new Uint8Array(this.memory.buffer, address, bytes.length).set(bytes);
    return [address, bytes.length];
  }

  floats(values: ArrayLike<number>): number {
    const address = this.bytes(4 * values.length);
    new Float32Array(this.memory.buffer, address, values.length).set(values);
    return address;
  }

  doubles(values: ArrayLike<number>): number {
    const address = this.bytes(8 * values.length);
    new Float64Array(this.memory.buffer, address, values.length).set(values);
    return address;
  }

  /** Whole numbers; `name` is for the message when one is not. */
  integers(values: ArrayLike<number>, name: string): number {
    if (!ArrayBuffer.isView(values))
      for (let i = 0; i < values.length; i++)
        if (!Number.isInteger(values[i]))
          throw new PliantError("invalid argument", `${name}[${i}] is ${values[i]}; it must be a whole number`);
    const address = this.bytes(4 * values.length);
    new Int32Array(this.memory.buffer, address, values.length).set(values);
    return address;
  }

  release(): void {
    this.#taken.forEach((address) => this.memory.give(address));
  }
}

export class Memory {
  readonly exports: WasmExports;
  readonly #raw: WasmExports;
  readonly #fields = new Map<string, Field[]>();
  readonly #names = new Map<string, number>();
  #values: Float64Array;
  #broken: unknown = null;

  constructor(exports: WasmExports) {
    this.#raw = exports;
    this.exports = this.#guarded(exports);
    this.#values = this.#valuesNow();
  }

  /** Calls that trap leave the library in a state that nobody knows: no call is made after that. */
  #guarded(exports: WasmExports): WasmExports {
    const guarded: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(exports)) {
      guarded[name] = typeof value !== "function" ? value : (...values: number[]) => this.#call(value, values);
    }
    return guarded as unknown as WasmExports;
  }

  #call(call: (...values: number[]) => number, values: number[]): number {
    if (this.#broken)
      throw new PliantError("internal", "the library has failed before; load it anew", [], { cause: this.#broken });
    try {
      return call(...values);
    } catch (error) {
      this.#broken = error;
      throw new PliantError("internal", `the library failed: ${String(error)}`, [], { cause: error });
    }
  }

  get buffer(): ArrayBuffer {
    return this.#raw.memory.buffer;
  }

  #valuesNow(): Float64Array {
    return new Float64Array(this.buffer, this.#raw.values(), this.#raw.values_count());
  }

  /** The numbers that go between; a view made anew when memory has grown. */
  get values(): Float64Array {
    if (this.#values.buffer !== this.buffer) this.#values = this.#valuesNow();
    return this.#values;
  }

  value(index: number): number {
    return this.values[index] as number;
  }

  /** `count` numbers from `first` on. */
  numbers(first: number, count: number): number[] {
    return Array.from(this.values.subarray(first, first + count));
  }

  vector(first: number): [number, number, number] {
    return this.numbers(first, 3) as [number, number, number];
  }

  put(...values: number[]): void {
    this.values.set(values);
  }

  take(size: number): number {
    const address = this.exports.memory_take(size);
    if (address === 0) throw new PliantError("out of memory", `out of memory: ${size} bytes were asked for`);
    return address;
  }

  give(address: number): void {
    this.exports.memory_give(address);
  }

  /** Calls with memory that is given back at the end. */
  scratch<T>(call: (scratch: Scratch) => T): T {
    const scratch = new Scratch(this);
    try {
      return call(scratch);
    } finally {
      if (!this.#broken) scratch.release();
    }
  }

  text(address: number): string {
    if (address === 0) return "";
    const bytes = new Uint8Array(this.buffer, address);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  }

  /** The address of a name, which stays for as long as the library does. */
  name(name: string): number {
    let address = this.#names.get(name);
    if (address === undefined) {
      const bytes = new TextEncoder().encode(name);
      address = this.take(bytes.length + 1);
      const to = new Uint8Array(this.buffer, address, bytes.length + 1);
      to.set(bytes);
      to[bytes.length] = 0;
      this.#names.set(name, address);
    }
    return address;
  }

  /** The error that the last call left, as an exception. */
  error(status: number): PliantError {
    const name = this.text(this.exports.status_name(status)) as Status;
    return new PliantError(name, this.text(this.exports.error_message()));
  }

  /** Throws unless the status of a call is that of success. */
  check(status: number): void {
    if (status !== OK) throw this.error(status);
  }

  /** The result of a call that gives 0 when it fails. */
  made(result: number): number {
    if (result === 0) throw this.error(this.exports.error_status());
    return result;
  }

  /** The record whose values the last call has left; `fields` is the export that names them. */
  record(fields: RecordNames): Record<string, unknown> {
    const record: Record<string, unknown> = {};
    let at = 0;
    for (const { name, length } of this.#fieldsOf(fields)) {
      record[name] = length === 1 ? this.value(at) : this.numbers(at, length);
      at += length;
    }
    return record;
  }

  #fieldsOf(fields: RecordNames): Field[] {
    let known = this.#fields.get(fields);
    if (!known) {
      known = this.text(this.exports[fields]())
        .trim()
        .split(" ")
        .map((text) => {
          const [name, length] = text.split(":");
          return { name: name as string, length: length ? Number(length) : 1 };
        });
      this.#fields.set(fields, known);
    }
    return known;
  }
}
