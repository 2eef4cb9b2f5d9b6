// Where the .wasm files are: beside the module, for browsers, workers and Node. Bundlers see the addresses and copy the files.
export const wasmFiles = {
  wasm: {
    core: () => new URL("../wasm/pliant.wasm", import.meta.url),
    slim: () => new URL("../wasm/pliant-slim.wasm", import.meta.url),
    threads: () => new URL("../wasm/pliant-threads.wasm", import.meta.url),
    scenes: () => new URL("../wasm/pliant-scenes.wasm", import.meta.url),
  },
  scalar: {
    core: () => new URL("../wasm/pliant-scalar.wasm", import.meta.url),
    slim: () => new URL("../wasm/pliant-scalar.wasm", import.meta.url),
    threads: () => new URL("../wasm/pliant-scalar.wasm", import.meta.url),
    scenes: () => new URL("../wasm/pliant-scenes-scalar.wasm", import.meta.url),
  },
};

/** Node fetches no files, and bundlers for browsers must not look for its modules: they do not see a name in a variable. */
const NODE_FILES = "node:fs/promises";

/** The content behind an address: of a file in Node, else of what a server answers. */
export async function readWasm(url: URL | string): Promise<BufferSource | Response> {
  if (!String(url).startsWith("file:")) return fetch(url);
  const files = (await import(/* @vite-ignore */ /* webpackIgnore: true */ NODE_FILES)) as {
    readFile(path: URL): Promise<Uint8Array<ArrayBuffer>>;
  };
  return files.readFile(new URL(url));
}
