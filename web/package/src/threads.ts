// Workers that share the loops of a step: each runs the same module over the same memory (bindings/wasm/threads.c). Their script is
// made here, so that no bundler has to find it.
import { PliantError } from "./errors.js";

/** Pages of 64 KiB; the limits are those that the module was linked with (cmake/web.cmake). */
const PAGES = { initial: 256, maximum: 16384 };
/** Bytes of a worker's stack. */
const STACK = 512 * 1024;
/** Bytes to which stacks and thread-local variables are aligned. */
const ALIGNMENT = 64;
/** The most threads of an engine. */
const MOST = 64;

/** What the module with threads exports beside the others. */
export interface ThreadExports {
  /** Items that workers have done so far. */
  readonly threads_helped: () => number;
  readonly __tls_size: WebAssembly.Global<"i32">;
  readonly threads_set: (count: number) => void;
}

/** A worker of a browser or of Node, as far as it is used here. */
interface Thread {
  start(task: object): Promise<void>;
  end(): void;
}

/** Whether memory can be shared here, and if not why. */
export function whyNoThreads(): string | null {
  if (typeof SharedArrayBuffer === "undefined" || (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated === false)
    return (
      "the page is not isolated: its server must send the headers Cross-Origin-Opener-Policy: same-origin and " +
      "Cross-Origin-Embedder-Policy: require-corp"
    );
  if (!isNode() && typeof Worker === "undefined") return "no workers can be made here";
  return null;
}

/** The number that was asked for, checked. */
export function checkedThreads(count: number): number {
  if (!Number.isInteger(count) || count < 1 || count > MOST)
    throw new PliantError("invalid argument", `threads is ${count}; it must be a whole number, 1 to ${MOST}`);
  return count;
}

export function sharedMemory(): WebAssembly.Memory {
  return new WebAssembly.Memory({ ...PAGES, shared: true });
}

const isNode = (): boolean => typeof (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node === "string";

/** What a worker does; `post` and the event differ between browsers and Node. It never returns from thread_run. */
const SCRIPT = `async ({ module, memory, number, stack, tls, origin }, post) => {
  const clock_time_get = (clock, precision, result) => {
    const now = performance.timeOrigin - origin + performance.now();
    new DataView(memory.buffer).setBigUint64(result, BigInt(Math.round(now * 1e6)), true);
    return 0;
  };
  const functions = WebAssembly.Module.imports(module).filter((item) => item.kind === "function");
  const calls = Object.fromEntries(functions.map(({ name }) => [name, () => 8]));
  const instance = await WebAssembly.instantiate(module, {
    env: { memory },
    pliant: calls, // Only the thread that steps calls them.
    wasi_snapshot_preview1: { ...calls, clock_time_get },
  });
  const { __stack_pointer, __wasm_init_tls, thread_run, thread_failed } = instance.exports;
  __stack_pointer.value = stack;
  __wasm_init_tls(tls);
  post("runs");
  try {
    thread_run(number);
  } catch (error) {
    thread_failed();
    throw error;
  }
}`;

function browserThread(): Thread {
  const text = `onmessage = (event) => (${SCRIPT})(event.data, (word) => postMessage(word));`;
  const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const worker = new Worker(url);
  return {
    start: (task) =>
      new Promise((resolve, reject) => {
        const free = (): void => URL.revokeObjectURL(url);
        worker.onmessage = () => (free(), resolve());
        worker.onerror = (event) => {
          free();
          reject(new Error(event.message || "the worker was refused; a Content-Security-Policy must allow worker-src blob:"));
        };
        worker.postMessage(task);
      }),
    end: () => worker.terminate(),
  };
}

/** Bundlers for browsers must not look for Node's modules: they do not see a name in a variable. */
const NODE_WORKERS = "node:worker_threads";

interface NodeWorker {
  once(event: "message" | "error", listener: (value: unknown) => void): void;
  postMessage(value: unknown): void;
  terminate(): void;
  unref(): void;
}

async function nodeThread(): Promise<Thread> {
  const { Worker } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ NODE_WORKERS)) as {
    Worker: new (text: string, options: { eval: true; execArgv: string[] }) => NodeWorker;
  };
  const text = `const { parentPort } = require("node:worker_threads");
    parentPort.once("message", (task) => (${SCRIPT})(task, (word) => parentPort.postMessage(word)));`;
  const worker = new Worker(text, { eval: true, execArgv: [] }); // Options such as --input-type would change what the text is.
  return {
    start: (task) =>
      new Promise((resolve, reject) => {
        worker.once("message", () => {
          worker.unref(); // A program ends although its workers wait.
          resolve();
        });
        worker.once("error", reject);
        worker.postMessage(task);
      }),
    end: () => worker.terminate(),
  };
}

const rounded = (size: number): number => Math.ceil(size / ALIGNMENT) * ALIGNMENT;

/** Starts `count` workers beside the calling thread; gives a function that ends them. */
export async function startThreads(
  count: number,
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
  exports: ThreadExports,
  take: (size: number) => number,
): Promise<() => void> {
  const variables = rounded(exports.__tls_size.value);
  const threads: Thread[] = [];
  const endAll = (): void => threads.forEach((thread) => thread.end());
  try {
    const starts: Promise<void>[] = [];
    for (let number = 0; number < count; number++) {
      const thread = isNode() ? await nodeThread() : browserThread();
      threads.push(thread);
      const tls = rounded(take(variables + STACK + 2 * ALIGNMENT));
      const stack = tls + variables + STACK;
      starts.push(thread.start({ module, memory, number, stack, tls, origin: performance.timeOrigin }));
    }
    await Promise.all(starts);
  } catch (error) {
    endAll();
    throw error;
  }
  exports.threads_set(count);
  return endAll;
}
