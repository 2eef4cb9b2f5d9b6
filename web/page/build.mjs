// Makes the site in build/site: static files that any host can serve, also from a folder below its root.
//
//     node build.mjs [--out FOLDER]
//
// Each page is a file of html/ in the shell below. The engine's .wasm, the scenes and the pictures are copied; nothing is fetched
// from elsewhere at run time.
import { build } from "esbuild";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { gzipSync } from "node:zlib";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url)), root = resolve(here, "../..");
const at = process.argv.indexOf("--out"), out = at > 0 ? resolve(process.argv[at + 1]) : join(root, "build/site");
const engine = resolve(process.env.PLIANT_PACKAGE ?? join(root, "web/package")), packageEntry = join(engine, "dist/index.js");

/** What a page fetches in any case is asked for by its head, at once and not when the script before it has run. */
const ENGINE = "wasm/pliant-scenes.wasm";
const PAGES = [
  { path: "", file: "landing", nav: null, title: "Pliant: pull it", script: "landing", early: [ENGINE, "scenes/walker.json", "scenes/walker.state", "scenes/meshes/skirt.obj", "scenes/meshes/cape.obj", "scenes/meshes/walker.glb"] },
  { path: "play", file: "play", nav: "Play", title: "Play with cloth", script: "play", early: [ENGINE] },
  { path: "compare", file: "compare", nav: "Compare", title: "Bending models side by side", script: "compare", early: [ENGINE] },
  { path: "learn", file: "learn", nav: "Learn", title: "Why does cloth bend?", script: "learn" },
  { path: "gallery", file: "gallery", nav: "Gallery", title: "Scenes and experiments", script: "gallery" },
  { path: "install", file: "install", nav: "Install", title: "Install Pliant", script: "install" },
];

const icon = (path) => `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`;
const mark = `<svg viewBox="0 0 28 28" aria-hidden="true"><path d="M3 7c5-5 9 4 14 0s6-2 8 0v13c-5-4-8 3-12 1s-6-3-10 0z" fill="#b5473c"/><path d="M3 7c5-5 9 4 14 0s6-2 8 0v5c-5-4-9 3-13 1s-6-3-9 0z" fill="#e3c9a8" opacity=".85"/></svg>`;

/** Links for what a page needs: the modules of its script, and files. */
function earlyLinks(page, modules, up) {
  const scripts = modules.map((file) => `<link rel="modulepreload" href="${up}assets/${file}">`);
  const files = (page.early ?? []).map((file) => `<link rel="preload" as="fetch" crossorigin href="${up}${file}">`);
  return [...files, ...scripts].join("\n");
}

function shell(page, modules, tarball) {
  const up = page.path ? "../" : "./", body = readFileSync(join(here, "html", `${page.file}.html`), "utf8");
  const nav = PAGES.filter((one) => one.nav).map((one) => `<a href="${up}${one.path}/"${one === page ? ' aria-current="page"' : ""}>${one.nav}</a>`).join("");
  return `<!doctype html>
<html lang="en" data-root="${up}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>${page.title}</title>
<meta name="description" content="Cloth, plants and balloons, simulated in C and running in your browser, bit for bit as on your machine.">
<meta name="theme-color" content="#f6f4f0" media="(prefers-color-scheme: light)"><meta name="theme-color" content="#14181b" media="(prefers-color-scheme: dark)">
<link rel="icon" href="${up}icon.svg" type="image/svg+xml">
<script>try{const t=localStorage.getItem("theme");if(t)document.documentElement.dataset.theme=t}catch{}</script>
<link rel="stylesheet" href="${up}assets/page.css">
${earlyLinks(page, modules, up)}
<script type="module" src="${up}assets/${page.script}.js"></script>
<body>
<a class="skip" href="#main">To the content</a>
<header class="head">
<a class="name" href="${up}">${mark}Pliant</a>
<nav aria-label="Pages">${nav}</nav>
<button class="icon menu" type="button" id="menu" aria-label="Pages" aria-expanded="false">${icon("M4 7h16 M4 12h16 M4 17h16")}</button>
<button class="icon" type="button" id="theme" data-testid="theme" aria-label="Light or dark">${icon("M12 4V2 M12 22v-2 M4 12H2 M22 12h-2 M6 6L4.5 4.5 M19.5 19.5L18 18 M6 18l-1.5 1.5 M19.5 4.5L18 6 M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z")}</button>
</header>
<main id="main">
${body.replaceAll("{up}", up).replaceAll("{tarball}", tarball)}
</main>
<div id="spoken" class="spoken" role="status" aria-live="polite"></div>
</body>
</html>
`;
}

function copyScenes() {
  mkdirSync(join(out, "scenes"), { recursive: true });
  cpSync(join(here, "scenes"), join(out, "scenes"), { recursive: true });
  cpSync(join(root, "scenes/meshes/bunny.obj"), join(out, "scenes/meshes/bunny.obj"));
}

/** Puts the state at rest of the landing's scene beside it, so that its first second does not show cloth that falls. */
async function storeRestAndSchema() {
  const work = join(out, "assets/settle.mjs");
  await build({ entryPoints: [join(here, "tools/settle.ts")], outfile: work, bundle: true, format: "esm", platform: "node", alias: { pliant: packageEntry }, logLevel: "warning" });
  const { sceneSchema, stateAtRest } = await import(pathToFileURL(work).href);
  writeFileSync(join(out, "scenes/scene.schema.json"), `${JSON.stringify(await sceneSchema(), null, 2)}\n`);
  writeFileSync(join(out, "scenes/walker.state"), await stateAtRest("walker", join(here, "scenes")));
  rmSync(work);
}

/** The npm package, which the site offers where the engine was built whole; its file name, or nothing. */
function packEngine() {
  if (!existsSync(join(engine, "wasm/pliant-threads.wasm"))) return "";
  const [{ filename }] = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", out], { cwd: engine }).toString());
  return filename;
}

/** The scenes of the repository with the files that they name, and a list of them that the gallery reads. */
function copyShipped() {
  const from = join(root, "scenes"), to = join(out, "scenes/shipped");
  mkdirSync(join(to, "meshes"), { recursive: true });
  const list = readdirSync(from).filter((file) => file.endsWith(".json")).sort().map((file) => {
    const text = readFileSync(join(from, file), "utf8"), { title, description } = JSON.parse(text), name = file.slice(0, -5);
    writeFileSync(join(to, file), text);
    for (const [, mesh] of text.matchAll(/"(meshes\/[^"]+)"/g)) cpSync(join(from, mesh), join(to, mesh));
    return { name, title, description };
  });
  writeFileSync(join(to, "list.json"), JSON.stringify(list));
  cpSync(join(root, "docs/pictures/gallery"), join(out, "pictures/shipped"), { recursive: true });
}

/** Experiments with their verdicts, as one list that the gallery and the tutorial read, and the plots and pictures of scripts/build-reports, if it has run. */
function copyExperiments() {
  const verdicts = join(root, "lab/verdicts"), reports = join(root, "build/reports/experiments"), list = [];
  for (const file of readdirSync(verdicts).sort()) {
    const name = file.replace(/\.json$/, ""), folder = join(reports, name), made = existsSync(folder) ? readdirSync(folder).sort() : [];
    const plots = made.filter((one) => one.endsWith(".svg")), pictures = made.filter((one) => one.endsWith(".png"));
    // Of long series of pictures six are enough, the first and the last among them.
    const some = pictures.length <= 6 ? pictures : Array.from({ length: 6 }, (_, i) => pictures[Math.round((i * (pictures.length - 1)) / 5)]);
    const shown = [...plots, ...some];
    mkdirSync(join(out, "experiments", name), { recursive: true });
    for (const one of shown) cpSync(join(folder, one), join(out, "experiments", name, one));
    const { title, source, holding, claims } = JSON.parse(readFileSync(join(verdicts, file), "utf8"));
    list.push({ name, title, source, holding, shown, claims: claims.map(({ claim, paper, ours, unit, holds, why, rule, limit, figure }) => ({ claim, paper, ours, unit, holds, why, rule, limit, figure })) });
  }
  writeFileSync(join(out, "experiments/list.json"), JSON.stringify(list));
}

/** import text from "./file.c?text" gives the file as a string: what is shown is what runs. */
const text = {
  name: "text",
  setup(build) {
    build.onResolve({ filter: /\?text$/ }, ({ path, resolveDir }) => ({ path: resolve(resolveDir, path.slice(0, -5)), namespace: "text" }));
    build.onLoad({ filter: /.*/, namespace: "text" }, ({ path }) => ({ contents: readFileSync(path, "utf8"), loader: "text" }));
  },
};

/** Modules that a script imports at once, directly or not. */
function modulesOf({ outputs }, script) {
  const byName = new Map(Object.entries(outputs).map(([path, one]) => [path.split("/").pop(), one])), found = new Set(), waiting = [script];
  for (let name = waiting.pop(); name; name = waiting.pop())
    for (const { path, kind } of byName.get(name)?.imports ?? []) {
      const file = path.split("/").pop();
      if (kind !== "import-statement" || found.has(file)) continue;
      found.add(file);
      waiting.push(file);
    }
  return [...found];
}

async function main() {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(join(out, "assets"), { recursive: true });
  if (!existsSync(packageEntry)) throw new Error(`${relative(root, packageEntry)} is missing: build the npm package first (make web does)`);
  const { metafile } = await build({
    metafile: true,
    entryPoints: Object.fromEntries(PAGES.map((page) => [page.script, join(here, "src/pages", `${page.script}.ts`)])),
    outdir: join(out, "assets"), bundle: true, splitting: true, format: "esm", target: ["es2022"], minify: true, legalComments: "none",
    chunkNames: "part-[hash]", alias: { pliant: packageEntry, "pliant-webgpu": join(root, "web/gpu/src/index.ts") }, logLevel: "warning", plugins: [text],
  });
  await build({ entryPoints: { page: join(here, "src/style/all.css") }, outdir: join(out, "assets"), bundle: true, minify: true, logLevel: "warning" });
  // The package looks for ../wasm from where its module is, which is assets/.
  for (const file of readdirSync(join(engine, "wasm"))) cpSync(join(engine, "wasm", file), join(out, "wasm", file));
  copyScenes();
  await storeRestAndSchema();
  cpSync(join(here, "pictures"), join(out, "pictures"), { recursive: true });
  copyShipped();
  copyExperiments();
  writeFileSync(join(out, "icon.svg"), mark.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" '));
  const tarball = packEngine();
  for (const page of PAGES) {
    mkdirSync(join(out, page.path), { recursive: true });
    writeFileSync(join(out, page.path, "index.html"), shell(page, modulesOf(metafile, `${page.script}.js`), tarball));
  }
  const files = ["assets", "wasm"].flatMap((name) => readdirSync(join(out, name)).map((file) => join(name, file)));
  const sizes = files.map((file) => [file, statSync(join(out, file)).size, gzipSync(readFileSync(join(out, file)), { level: 9 }).length]);
  for (const [file, plain, packed] of sizes) console.log(`${file.padEnd(28)} ${String(Math.round(plain / 1000)).padStart(6)} kB ${String(Math.round(packed / 1000)).padStart(6)} kB gzip`);
  console.log(`the site is in ${relative(process.cwd(), out) || out}`);
}
await main();
