// The few calls of the WebAssembly System Interface that the C library makes: a clock, and lines for the log.

/** Errno of a call that does nothing. */
const BAD_DESCRIPTOR = 8;

/**
 * The imports that a .wasm built against wasi-libc asks for; `memory` is asked once it exists. There are no files: calls that
 * are not named here find none.
 */
export function wasiImports(
  module: WebAssembly.Module,
  memory: () => WebAssembly.Memory,
  log: (line: string) => void,
): WebAssembly.ModuleImports {
  const decoder = new TextDecoder();
  let line = "";

  /** Gathers text until a line is whole. */
  function write(text: string): void {
    const lines = (line + text).split("\n");
    line = lines.pop() ?? "";
    lines.forEach((whole) => log(whole));
  }

  const known: WebAssembly.ModuleImports = {
    clock_time_get(_clock: number, _precision: bigint, result: number): number {
      const nanoseconds = BigInt(Math.round(performance.now() * 1e6));
      new DataView(memory().buffer).setBigUint64(result, nanoseconds, true);
      return 0;
    },
    fd_write(descriptor: number, vectors: number, count: number, result: number): number {
      if (descriptor !== 1 && descriptor !== 2) return BAD_DESCRIPTOR;
      const view = new DataView(memory().buffer);
      let written = 0;
      for (let i = 0; i < count; i++) {
        const address = view.getUint32(vectors + 8 * i, true);
        const length = view.getUint32(vectors + 8 * i + 4, true);
        // Decoders refuse shared memory, so the bytes are copied.
        write(decoder.decode(new Uint8Array(view.buffer, address, length).slice()));
        written += length;
      }
      view.setUint32(result, written, true);
      return 0;
    },
    sched_yield: () => 0,
    proc_exit(code: number): never {
      throw new Error(`the library has ended with status ${code}`);
    },
  };
  const asked = WebAssembly.Module.imports(module).filter((item) => item.module === "wasi_snapshot_preview1");
  return Object.fromEntries(asked.map(({ name }) => [name, known[name] ?? (() => BAD_DESCRIPTOR)]));
}
