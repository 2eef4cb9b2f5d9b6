// A static server for tests: folders under names, on a free port of this machine.
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";

const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};

/** Serves { name: folder }, with further headers; `/` is an empty page. Gives its address and a function that ends it. */
export async function serve(folders, headers = {}) {
  const server = createServer((request, response) => {
    Object.entries(headers).forEach(([name, value]) => response.setHeader(name, value));
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    if (path === sep) {
      response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><title>test</title>");
      return;
    }
    if (path === `${sep}favicon.ico`) {
      response.writeHead(204).end();
      return;
    }
    const [, name, ...rest] = path.split(sep);
    const file = folders[name] && join(folders[name], ...rest);
    if (!file || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}
