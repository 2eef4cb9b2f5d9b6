// Where Node finds the .wasm: in the package, as a file.
import { readFile } from "node:fs/promises";

export { wasmFiles } from "./platform-browser.js";

export async function readWasm(url: URL | string): Promise<BufferSource | Response> {
  const text = String(url);
  return text.startsWith("http:") || text.startsWith("https:") ? fetch(text) : readFile(new URL(text));
}
