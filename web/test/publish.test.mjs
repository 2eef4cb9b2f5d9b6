// What would be published: the tarball of `npm pack` is installed into an empty project, and run there in Node and, from a bundler,
// in a browser. The listings of its README are programs that run here.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build } from "esbuild";
import { withPage } from "./browser.mjs";
import { serve } from "./server.mjs";

const source = fileURLToPath(new URL("../package", import.meta.url));
const modules = fileURLToPath(new URL("../node_modules", import.meta.url));
// Of JavaScript and the .wasm that load() takes, and of the .wasm of load({ slim: true }) (docs/decisions/bindings.md).
const BUDGET = 348.0e3;
const SLIM_BUDGET = 300.0e3;
let project, installed, listings, page;

before(() => {
  project = mkdtempSync(join(tmpdir(), "pliant-project-"));
  const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", project], { cwd: source });
  const tarball = packed.toString().trim().split("\n").pop();
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "user", private: true, type: "module" }));
  execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", "--offline", `./${tarball}`], { cwd: project });
  // The user's own three.js is that of the tests.
  symlinkSync(join(modules, "three"), join(project, "node_modules", "three"));
  installed = join(project, "node_modules", "pliant");
  const readme = readFileSync(join(installed, "README.md"), "utf8");
  listings = [...readme.matchAll(/```js\n(.*?)```/gs)].map((match) => match[1]);
  page = readme.match(/```html\n(.*?)```/s)[1];
});

after(() => rmSync(project, { recursive: true, force: true }));

function runInNode(name, text) {
  writeFileSync(join(project, name), text);
  return execFileSync("node", [name], { cwd: project, encoding: "utf8" });
}

/** A scene, a camera and a renderer that counts its pictures, which the first listing leaves to the reader. */
const STAGE = `
const scene = new THREE.Scene(), camera = new THREE.PerspectiveCamera();
const seen = { pictures: 0, lowest: 0 };
const renderer = {
  render(scene) {
    seen.pictures++;
    const { array } = scene.children[0].geometry.attributes.position;
    for (let i = 1; i < array.length; i += 3) seen.lowest = Math.min(seen.lowest, array[i]);
  },
  setAnimationLoop(loop) { for (let i = 0; i < 30; i++) loop(); },
};
`;
const FIRST_LINE = 'import { load, Mesh, World } from "pliant";\n';
const staged = () => listings[0].replace(FIRST_LINE, FIRST_LINE + STAGE);

test("the tarball has what the package needs and no more", () => {
  const names = readdirSync(installed).sort();
  assert.deepEqual(names, ["LICENSE", "README.md", "dist", "package.json", "wasm"]);
  for (const file of ["dist/index.js", "dist/index.d.ts"]) assert.ok(existsSync(join(installed, file)), file);
  const builds = ["", "-scalar", "-scenes", "-scenes-scalar", "-slim", "-threads"].map((kind) => `pliant${kind}.wasm`);
  assert.deepEqual(readdirSync(join(installed, "wasm")).sort(), builds.sort());
  const { dependencies, version } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  assert.equal(dependencies, undefined);
  const header = readFileSync(new URL("../../include/pliant/base.h", import.meta.url), "utf8");
  assert.equal(version, header.match(/PLI_VERSION_STRING "(.*)"/)[1]);
});

test("the three.js listing has ten lines beside its imports and moves the geometry", () => {
  const body = listings[0].split("\n\n").slice(1).join("\n").trim().split("\n");
  const statements = body.filter((line) => !/^(await load|}\);)/.test(line));
  assert.ok(statements.length <= 10, `${statements.length} lines`);
  const out = runInNode("first.js", `${staged()}\nconsole.log(JSON.stringify(seen));`);
  const seen = JSON.parse(out);
  assert.equal(seen.pictures, 30);
  assert.ok(seen.lowest < -0.3, `it has fallen to ${seen.lowest}`);
});

test("the other listings of the README run", () => {
  assert.equal(listings.length, 3);
  assert.match(runInNode("second.js", listings[1]), /^[0-9a-f]{16} \S+ \d{4}\n$/);
  assert.match(runInNode("third.js", listings[2]), /^[0-9a-f]{16}\n$/);
});

/** The share of the picture that has the colour of the cloth, after a second and a half. */
async function clothShareOf(browserPage) {
  await browserPage.waitForSelector("canvas");
  await browserPage.waitForTimeout(1500);
  const picture = (await browserPage.screenshot()).toString("base64");
  return browserPage.evaluate(async (base64) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    const reddish = (i) => data[i] > 1.4 * data[i + 2];
    let cloth = 0;
    for (let i = 0; i < data.length; i += 4) cloth += reddish(i);
    return cloth / (image.width * image.height);
  }, picture);
}

test("the page of the README shows a cloth without a bundler", async () => {
  writeFileSync(join(project, "index.html"), page);
  const server = await serve({ project });
  try {
    const share = await withPage(`${server.url}project/index.html`, clothShareOf);
    assert.ok(share > 0.02 && share < 0.5, `${share} of the picture is cloth`);
  } finally {
    server.close();
  }
});

/** The program that a bundler gets: the first listing, and its hash. */
const BUNDLED = () => `
import wasm from "pliant/wasm/pliant.wasm";
${staged().replace("await load();", "await load({ wasm: new URL(wasm, import.meta.url) });")}
globalThis.result = { ...seen, hash: cloth.world.hash() };
`;

test("installed, threads and the smaller build are found", () => {
  const text = `import { load, Mesh, World } from "pliant";
    const hash = async (options) => {
      const engine = await load(options);
      const world = new World({ threads: options.threads ?? 1 }, engine);
      const cloth = world.createDeformable({ mesh: Mesh.grid({ columns: 60, rows: 60 }, engine) });
      cloth.createConstraintSet({ type: "distance" });
      cloth.createAttachment({ particles: [0] });
      for (let i = 0; i < 5; i++) world.step(1 / 60);
      return engine.threads + " " + world.hash();
    };
    console.log(await hash({}), await hash({ slim: true }), await hash({ threads: 2 }));`;
  const [one, hash, slim, same, two, shared] = runInNode("builds.js", text).trim().split(" ");
  assert.deepEqual([one, slim, two], ["1", "1", "2"]);
  assert.deepEqual([same, shared], [hash, hash]);
});

test("a bundler's output runs in a browser with the same bits", async () => {
  const here = runInNode("hash.js", `${staged()}\nconsole.log(cloth.world.hash());`).trim();
  writeFileSync(join(project, "bundled.js"), BUNDLED());
  const output = join(project, "out");
  await build({
    entryPoints: [join(project, "bundled.js")],
    bundle: true,
    format: "esm",
    minify: true,
    outdir: output,
    loader: { ".wasm": "file" },
    logLevel: "error",
  });
  const server = await serve({ out: output });
  try {
    const result = await withPage(server.url, async (page) => {
      await page.addScriptTag({ url: "/out/bundled.js", type: "module" });
      await page.waitForFunction("globalThis.result");
      return page.evaluate("globalThis.result");
    });
    assert.equal(result.pictures, 30);
    assert.equal(result.hash, here);
  } finally {
    server.close();
  }
});

test("JavaScript and .wasm together keep to the budget, compressed as every browser takes it", async () => {
  const code = await build({
    stdin: { contents: 'export * from "pliant";', resolveDir: project },
    bundle: true,
    format: "esm",
    minify: true,
    write: false,
    outdir: join(project, "size"),
    logLevel: "error",
  });
  const parts = [code.outputFiles[0].contents, readFileSync(join(installed, "wasm/pliant.wasm"))];
  const total = (compress) => parts.reduce((sum, bytes) => sum + compress(bytes).length, 0);
  const size = total(brotliCompressSync);
  console.log(`# ${size} bytes compressed by brotli, ${total((bytes) => gzipSync(bytes, { level: 9 }))} by gzip -9`);
  assert.ok(size <= BUDGET, `${size} bytes of at most ${BUDGET}`);
  const slim = brotliCompressSync(readFileSync(join(installed, "wasm/pliant-slim.wasm"))).length;
  console.log(`# ${slim} bytes of the smaller build compressed by brotli`);
  assert.ok(slim <= SLIM_BUDGET, `${slim} bytes of at most ${SLIM_BUDGET}`);
});
