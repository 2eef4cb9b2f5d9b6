// Where a browser or a worker finds the .wasm. Bundlers see the addresses and copy the files.
export const wasmFiles = {
  wasm: {
    core: () => new URL("../wasm/pliant.wasm", import.meta.url),
    scenes: () => new URL("../wasm/pliant-scenes.wasm", import.meta.url),
  },
  scalar: {
    core: () => new URL("../wasm/pliant-scalar.wasm", import.meta.url),
    scenes: () => new URL("../wasm/pliant-scenes-scalar.wasm", import.meta.url),
  },
};

export async function readWasm(url: URL | string): Promise<BufferSource | Response> {
  return fetch(url);
}
