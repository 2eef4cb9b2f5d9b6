// The few calls of the WebAssembly System Interface that the C library makes: a clock, and lines for the log.

/** Errno of a call that does nothing. */
const BAD_DESCRIPTOR = 8;

/** The imports of a .wasm built against wasi-libc; `memory` is asked once it exists. */
export function wasiImports(memory: () => WebAssembly.Memory, log: (line: string) => void): WebAssembly.ModuleImports {
  const decoder = new TextDecoder();
  let line = "";

  /** Gathers text until a line is whole. */
  function write(text: string): void {
    const lines = (line + text).split("\n");
    line = lines.pop() ?? "";
    lines.forEach((whole) => log(whole));
  }

  return {
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
    fd_close: () => BAD_DESCRIPTOR,
    fd_seek: () => BAD_DESCRIPTOR,
    fd_read: () => BAD_DESCRIPTOR,
    fd_fdstat_get: () => BAD_DESCRIPTOR,
    proc_exit(code: number): never {
      throw new Error(`the library has ended with status ${code}`);
    },
  };
}
