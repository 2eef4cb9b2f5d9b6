// The same in Debian's Chromium, headless, on its software adapter: bits against the twin, the positions as a vertex buffer of a
// renderer, and a sentence where WebGPU is not to be had.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join, normalize } from "node:path";
import { test } from "node:test";
import { type Browser, chromium, type Page } from "playwright-core";

const ROOT = new URL("../../dist/", import.meta.url).pathname;
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

async function serve(): Promise<Server> {
  const server = createServer(async (request, response) => {
    const path = normalize(request.url ?? "/");
    if (path === "/") return response.setHeader("Content-Type", "text/html").end("<!doctype html><title>Pliant</title>");
    if (path === "/favicon.ico") return response.writeHead(204).end();
    const file = await readFile(join(ROOT, path)).catch(() => null);
    if (!file) return response.writeHead(404).end();
    return response.setHeader("Content-Type", "text/javascript").end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

async function open(browser: Browser, server: Server): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return { page, complaints };
}

/** Runs in the page: two steps of a sheet over a ball on both, then one picture of its particles. */
async function simulateInPage(): Promise<{ sentence: string; isSoftware: boolean; different: number; largest: number; lit: number; ms: number | null }> {
  const [gpu, { Twin }, { makeSheet }, { compare }] = (await Promise.all(
    ["/src/index.js", "/test/twin/twin.js", "/test/support/sheet.js", "/test/support/compare.js"].map((path) => import(path)),
  )) as [typeof import("../src/index.js"), typeof import("./twin/twin.js"), typeof import("./support/sheet.js"), typeof import("./support/compare.js")];
  const { sentence, isSoftware } = await gpu.isGpuAvailable();
  const device = await gpu.openGpu();
  const colliders = [{ shape: "sphere", radius: 0.2, position: [0, -0.21, 0] }] as const;
  const description = makeSheet({ pins: [0], noise: 0.2, sets: [["distance"], ["dihedral", { compliance: 1e-4 }]], settings: { substeps: 4 }, rest: { colliders } });
  const twin = new Twin(description);
  const simulation = await gpu.createGpuSimulation(device, description);
  for (let i = 0; i < 2; i++) {
    simulation.step(1 / 60);
    twin.step(1 / 60);
  }
  const { different } = compare(await simulation.readPositions(), twin.x, twin.count);
  const { distance: largest } = await simulation.largestDifference(twin.x);

  const code = `@vertex fn place(@location(0) x: vec4f) -> @builtin(position) vec4f { return vec4f(1.8 * x.xz, 0.5, 1.0); }
    @fragment fn colour() -> @location(0) vec4f { return vec4f(1.0); }`;
  const module = device.createShaderModule({ code });
  const attributes = [{ shaderLocation: 0, offset: 0, format: "float32x4" as const }];
  const pipeline = device.createRenderPipeline({
    layout: "auto",
    vertex: { module, buffers: [{ arrayStride: 4 * simulation.stride, attributes }] },
    fragment: { module, targets: [{ format: "rgba8unorm" }] },
    primitive: { topology: "point-list" },
  });
  const size = 64;
  const usage = GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC;
  const texture = device.createTexture({ size: [size, size], format: "rgba8unorm", usage });
  const read = device.createBuffer({ size: 256 * size, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginRenderPass({ colorAttachments: [{ view: texture.createView(), loadOp: "clear", storeOp: "store" }] });
  pass.setPipeline(pipeline);
  pass.setVertexBuffer(0, simulation.positionBuffer);
  pass.draw(simulation.particleCount);
  pass.end();
  encoder.copyTextureToBuffer({ texture }, { buffer: read, bytesPerRow: 256 }, [size, size]);
  device.queue.submit([encoder.finish()]);
  await read.mapAsync(GPUMapMode.READ);
  const lit = new Uint8Array(read.getMappedRange()).filter((value, i) => i % 4 === 0 && value === 255).length;
  await simulation.finish();
  const ms = simulation.milliseconds;
  simulation.release();
  device.destroy();
  return { sentence, isSoftware, different, largest, lit, ms };
}

async function askInPage(): Promise<string> {
  const { isGpuAvailable } = (await import(`${location.origin}/src/index.js`)) as typeof import("../src/index.js");
  return (await isGpuAvailable()).sentence;
}

const skip = existsSync(CHROMIUM) ? false : `${CHROMIUM} is missing`;

test("in Chromium on the software adapter", { skip }, async () => {
  const server = await serve();
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--enable-unsafe-webgpu"] });
  try {
    const { page, complaints } = await open(browser, server);
    const found = await page.evaluate(simulateInPage);
    console.log(`Chromium ${browser.version()}: ${JSON.stringify(found)}`);
    assert.match(found.sentence, /^WebGPU is there, in software: /);
    assert.deepEqual([found.different, found.largest], [0, 0]);
    assert.ok(found.lit > 1500, `${found.lit} pixels of the sheet are lit`);
    assert.deepEqual(complaints, []);
  } finally {
    await browser.close();
    server.close();
  }
});

test("in Chromium without WebGPU", { skip }, async () => {
  const server = await serve();
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  try {
    const { page, complaints } = await open(browser, server);
    assert.match(await page.evaluate(askInPage), /^No WebGPU here: the browser has it, but no graphics card that it trusts; the CPU does it\.$/);
    // Chromium itself says that it found no adapter.
    assert.deepEqual(complaints.filter((text) => !/adapter/i.test(text)), []);
  } finally {
    await browser.close();
    server.close();
  }
});
