// Serves a folder on this machine: node serve.mjs [FOLDER] [--port N] [--isolate]. With --isolate pages may use threads.
import { createServer } from "node:http";
import { existsSync, readFileSync, statSync } from "node:fs";
import { extname, join, normalize, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const TYPES = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".wasm": "application/wasm",
  ".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg", ".obj": "text/plain", ".tgz": "application/gzip",
};

/** Files as they were sent before: packing one takes longer than sending it, and hosts do it once too. */
const sent = new Map();
function contents(path, packs) {
  const { mtimeMs } = statSync(path), key = `${path} ${packs}`, known = sent.get(key);
  if (known?.mtimeMs === mtimeMs) return known.bytes;
  const plain = readFileSync(path), bytes = packs ? gzipSync(plain) : plain;
  sent.set(key, { mtimeMs, bytes });
  return bytes;
}

/** A server on `port` (0: any free one) of 127.0.0.1. */
export function serve(folder, { port = 0, isolate = false, gzip = true } = {}) {
  const root = resolve(folder);
  const server = createServer((request, answer) => {
    let path = join(root, normalize(decodeURIComponent(new URL(request.url, "http://x").pathname)));
    if (existsSync(path) && statSync(path).isDirectory()) path = join(path, "index.html");
    if (!path.startsWith(root) || !existsSync(path)) { answer.writeHead(404).end("not here"); return; }
    const head = { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream", "Cache-Control": "no-cache" };
    if (isolate) Object.assign(head, { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" });
    const packs = gzip && /gzip/.test(request.headers["accept-encoding"] ?? "") && !/\.(png|jpg|tgz)$/.test(path);
    answer.writeHead(200, packs ? { ...head, "Content-Encoding": "gzip" } : head);
    answer.end(contents(path, packs));
  });
  return new Promise((done) => server.listen(port, "127.0.0.1", () => done(server)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const words = process.argv.slice(2), at = words.indexOf("--port");
  const folder = words.find((word, i) => !word.startsWith("--") && i !== at + 1) ?? fileURLToPath(new URL("../../build/site", import.meta.url));
  const server = await serve(folder, { port: at >= 0 ? Number(words[at + 1]) : 8000, isolate: words.includes("--isolate") });
  console.log(`http://127.0.0.1:${server.address().port}/`);
}
