// Loading: one instance of the library with its memory.
import { readWasm, wasmFiles } from "./platform.js";
import { Callbacks } from "./callbacks.js";
import type { Descriptors } from "./descriptors.js";
import { PliantError } from "./errors.js";
import type { WasmExports } from "./generated/exports.js";
import { Memory } from "./memory.js";
import { namesOf, type Names } from "./names.js";
import { numberImports } from "./numbers.js";
import { Properties } from "./properties.js";
import { checkedThreads, sharedMemory, startThreads, whyNoThreads, type ThreadExports } from "./threads.js";
import { wasiImports } from "./wasi.js";

export interface LoadOptions {
  /** "auto" (the default) takes the SIMD build where the browser has 128-bit vectors, else the scalar one. The same bits. */
  simd?: "auto" | "wasm" | "scalar";
  /** True takes the build that reads scenes and mesh files; it is larger by a sixth. */
  scenes?: boolean;
  /** True takes the smaller build with the constraint types distance, isometric, dihedral, tether and attachment alone. */
  slim?: boolean;
  /**
   * Threads that worlds may use, the calling one included; 1 by default. More need memory that workers can share: Node, or
   * a page that is isolated. Elsewhere there is one, and `engine.whyOneThread` says why. Not with `scenes` or `slim`.
   */
  threads?: number;
  /** Bytes of the .wasm, or where it is. By default it is in the package, where bundlers find it. */
  wasm?: BufferSource | WebAssembly.Module | URL | string | Response | Promise<Response>;
  /** Takes lines that the library logs; by default they go to console.warn. */
  log?: (line: string) => void;
}

/** Threads of an engine. */
interface Threads {
  count: number;
  whyOne: string | null;
  end(): void;
}
const ONE_THREAD: Threads = { count: 1, whyOne: null, end() {} };

/** One instance of the library with its memory. */
export class Engine {
  /** For the classes of this package. */
  readonly memory: Memory;
  readonly properties: Properties;
  readonly callbacks: Callbacks;
  /** Names of everything that can be set. Treat it as read-only. */
  readonly names: Names;
  /** Version of the library, such as "0.1.0". */
  readonly version: string;
  /** Back end in use. */
  readonly simd: "wasm" | "scalar";
  /** Threads that worlds may use: new World({ threads }). */
  readonly threads: number;
  /** Why there is one thread although more were asked for; null where there are as many as were asked for. */
  readonly whyOneThread: string | null;
  readonly #endThreads: () => void;
  #descriptors: Descriptors | undefined;

  /** For this package; load() makes one. */
  constructor(exports: WasmExports, callbacks: (memory: Memory) => Callbacks, threads: Threads = ONE_THREAD) {
    this.memory = new Memory(exports);
    this.callbacks = callbacks(this.memory);
    this.threads = threads.count;
    this.whyOneThread = threads.whyOne;
    this.#endThreads = threads.end;
    const { memory } = this;
    this.names = namesOf(memory);
    this.properties = new Properties(memory, this.names);
    this.version = memory.text(memory.exports.version());
    this.simd = memory.exports.simd_available(memory.name("wasm")) ? "wasm" : "scalar";
  }

  /** Whether this build reads scenes and mesh files. */
  get hasScenes(): boolean {
    return "scene_load" in this.memory.exports;
  }

  /**
   * Rows of everything that can be set, with labels, sentences, units and ranges (docs/descriptors.md), from the build that
   * reads scenes; other builds have `import { descriptors } from "pliant/descriptors"`. Treat it as read-only.
   */
  get descriptors(): Descriptors {
    if (!this.hasScenes)
      throw new PliantError("unsupported", 'this build has no texts: import { descriptors } from "pliant/descriptors"');
    this.#descriptors ??= this.#json("descriptors_json") as Descriptors;
    return this.#descriptors;
  }

  /** The JSON Schema of scenes. */
  sceneSchema(): unknown {
    return this.#json("scene_schema");
  }

  #json(call: "descriptors_json" | "scene_schema"): unknown {
    const text = needScenes(this)[call]();
    if (text === 0) throw new PliantError("out of memory", `out of memory for ${call}`);
    const found: unknown = JSON.parse(this.memory.text(text));
    this.memory.exports.text_release(text);
    return found;
  }

  /** Ends the workers of an engine with threads. Its worlds go on with the calling thread, to the same bits. */
  endThreads(): void {
    this.#endThreads();
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

function kindOf(options: LoadOptions, threads: number): "core" | "scenes" | "slim" | "threads" {
  const kinds = [options.scenes && "scenes", options.slim && "slim", threads > 1 && "threads"].filter(Boolean);
  if (kinds.length > 1)
    throw new PliantError("unsupported", `no build has ${kinds.join(" and ")} together: load two engines, or one of them`);
  return (kinds[0] || "core") as "core" | "scenes" | "slim" | "threads";
}

/** Workers where the module is that with threads; the module that a caller gives may be another. */
async function threadsOf(
  count: number,
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
  exports: WasmExports & ThreadExports,
): Promise<Threads> {
  try {
    return { count, whyOne: null, end: await startThreads(count - 1, module, memory, exports, exports.memory_take) };
  } catch (error) {
    return { ...ONE_THREAD, whyOne: `a worker did not start: ${error instanceof Error ? error.message : String(error)}` };
  }
}

async function makeEngine(options: LoadOptions): Promise<Engine> {
  const wanted = options.simd ?? "auto";
  const simd = wanted === "auto" ? (hasVectors() ? "wasm" : "scalar") : wanted;
  const asked = checkedThreads(options.threads ?? 1);
  const kind = kindOf(options, asked);
  const whyNot = asked === 1 ? null : simd === "scalar" ? "the scalar build has no threads" : whyNoThreads();
  const module = await moduleOf(options.wasm ?? wasmFiles[simd][kind === "threads" && whyNot ? "core" : kind]());
  const shares = WebAssembly.Module.imports(module).some((item) => item.kind === "memory");
  if (shares && whyNot) throw new PliantError("unsupported", `this .wasm is the one with threads: ${whyNot}`);
  const shared = shares ? sharedMemory() : null;
  let memory: WebAssembly.Memory;
  const log = options.log ?? ((line: string) => console.warn(line));
  let engineMemory: Memory;
  const callbacks = new Callbacks(() => engineMemory);
  const withMemory = (made: Memory): Callbacks => ((engineMemory = made), callbacks);
  const instance = await WebAssembly.instantiate(module, {
    pliant: { ...callbacks.imports, ...numberImports(() => memory) },
    wasi_snapshot_preview1: wasiImports(module, () => memory, log),
    ...(shared ? { env: { memory: shared } } : {}),
  });
  const exports = { ...instance.exports, ...(shared ? { memory: shared } : {}) } as unknown as WasmExports &
    ThreadExports & { _initialize(): void };
  memory = exports.memory;
  exports._initialize();
  if (asked === 1) return new Engine(exports, withMemory);
  const none = whyNot ?? (shares ? null : "this .wasm has no threads");
  const threads = none ? { ...ONE_THREAD, whyOne: none } : await threadsOf(asked, module, memory, exports);
  return new Engine(exports, withMemory, threads);
}

const engines = new Map<string, Promise<Engine>>();
let standard: Engine | null = null;

/**
 * Loads the library. The first engine becomes the default one, which every constructor takes that is given none. A second
 * call with the same options gives the same engine.
 */
export async function load(options: LoadOptions = {}): Promise<Engine> {
  const { simd = "auto", scenes = false, slim = false, threads = 1 } = options;
  const key = options.wasm || options.log ? null : `${simd} ${scenes} ${slim} ${threads}`;
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
  if (!(found instanceof Engine))
    throw new PliantError("invalid argument", `the engine is ${String(found)}; definitions are one object, such as { columns: 40, rows: 40 }`);
  return found;
}
