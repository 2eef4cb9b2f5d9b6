// Loading: one instance of the library with its memory.
import { readWasm, wasmFiles } from "./platform.js";
import type { Descriptors } from "./descriptors.js";
import { PliantError } from "./errors.js";
import type { WasmExports } from "./exports.js";
import { Memory } from "./memory.js";
import { Properties } from "./properties.js";
import { wasiImports } from "./wasi.js";

export interface LoadOptions {
  /** "auto" (the default) takes the SIMD build where the browser has 128-bit vectors, else the scalar one. The same bits. */
  simd?: "auto" | "wasm" | "scalar";
  /** True takes the build that reads scenes and mesh files; it is larger by a sixth. */
  scenes?: boolean;
  /** Bytes of the .wasm, or where it is. By default it is in the package, where bundlers find it. */
  wasm?: BufferSource | WebAssembly.Module | URL | string | Response | Promise<Response>;
  /** Takes lines that the library logs; by default they go to console.warn. */
  log?: (line: string) => void;
}

/** One instance of the library with its memory. */
export class Engine {
  /** For the classes of this package. */
  readonly memory: Memory;
  readonly properties: Properties;
  /** Rows of everything that can be set: docs/descriptors.md. Treat it as read-only. */
  readonly descriptors: Descriptors;
  /** Version of the library, such as "0.1.0". */
  readonly version: string;
  /** Back end in use. */
  readonly simd: "wasm" | "scalar";

  constructor(exports: WasmExports) {
    this.memory = new Memory(exports);
    const { memory } = this;
    const text = memory.exports.descriptors_json();
    if (text === 0) throw new PliantError("out of memory", "out of memory for the descriptors");
    this.descriptors = JSON.parse(memory.text(text)) as Descriptors;
    memory.exports.text_release(text);
    this.properties = new Properties(memory, this.descriptors);
    this.version = memory.text(memory.exports.version());
    this.simd = memory.exports.simd_available(memory.name("wasm")) ? "wasm" : "scalar";
  }

  /** Whether this build reads scenes and mesh files. */
  get hasScenes(): boolean {
    return "scene_load" in this.memory.exports;
  }

  /** The JSON Schema of scenes. */
  sceneSchema(): unknown {
    const { memory } = this;
    const text = needScenes(this).scene_schema();
    if (text === 0) throw new PliantError("out of memory", "out of memory for the schema");
    const schema: unknown = JSON.parse(memory.text(text));
    memory.exports.text_release(text);
    return schema;
  }

  /** Bytes of WebAssembly memory; it grows and does not shrink. */
  get memoryBytes(): number {
    return this.memory.buffer.byteLength;
  }
}

/** The calls of an engine that reads scenes and mesh files. */
export function needScenes(engine: Engine): WasmExports {
  if (!engine.hasScenes)
    throw new PliantError("unsupported", "this build reads no scenes and mesh files: load({ scenes: true })");
  return engine.memory.exports;
}

/** A module of one function that adds vectors; browsers without 128-bit vectors refuse it. */
const VECTOR_MODULE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/** Whether the machine that runs this has 128-bit vectors in WebAssembly. */
export function hasVectors(): boolean {
  return WebAssembly.validate(VECTOR_MODULE);
}

async function moduleOf(source: NonNullable<LoadOptions["wasm"]>): Promise<WebAssembly.Module> {
  let from: unknown = await source;
  if (from instanceof WebAssembly.Module) return from;
  if (typeof from === "string" || from instanceof URL) from = await readWasm(from);
  if (!(from instanceof Response)) return WebAssembly.compile(from as BufferSource);
  if (!from.ok) throw new PliantError("file error", `${from.url}: the server answers ${from.status}`);
  // Servers that do not know the type of .wasm are common; the bytes are the same.
  return from.headers.get("Content-Type")?.startsWith("application/wasm")
    ? WebAssembly.compileStreaming(from)
    : WebAssembly.compile(await from.arrayBuffer());
}

async function makeEngine(options: LoadOptions): Promise<Engine> {
  const wanted = options.simd ?? "auto";
  const simd = wanted === "auto" ? (hasVectors() ? "wasm" : "scalar") : wanted;
  const module = await moduleOf(options.wasm ?? wasmFiles[simd][options.scenes ? "scenes" : "core"]());
  let memory: WebAssembly.Memory;
  const log = options.log ?? ((line: string) => console.warn(line));
  const instance = await WebAssembly.instantiate(module, {
    wasi_snapshot_preview1: wasiImports(module, () => memory, log),
  });
  const exports = instance.exports as unknown as WasmExports & { _initialize(): void };
  memory = exports.memory;
  exports._initialize();
  return new Engine(exports);
}

const engines = new Map<string, Promise<Engine>>();
let standard: Engine | null = null;

/**
 * Loads the library. The first engine becomes the default one, which every constructor takes that is given none. A second
 * call with the same options gives the same engine.
 */
export async function load(options: LoadOptions = {}): Promise<Engine> {
  const key = options.wasm || options.log ? null : `${options.simd ?? "auto"} ${options.scenes ?? false}`;
  let engine = key === null ? undefined : engines.get(key);
  if (!engine) {
    engine = makeEngine(options);
    if (key !== null) {
      engines.set(key, engine);
      engine.catch(() => engines.delete(key));
    }
  }
  const loaded = await engine;
  standard ??= loaded;
  return loaded;
}

/** The engine that is given, or the default one. */
export function engineOr(engine: Engine | undefined): Engine {
  const found = engine ?? standard;
  if (!found) throw new PliantError("not found", "the library is not loaded: await load() before the first call");
  return found;
}
