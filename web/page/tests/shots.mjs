// Pictures of all pages at three sizes, light and dark, to be looked at: node tests/shots.mjs [FOLDER] [NAME...]
//
// A name is a page, as below, or one picture, such as play-phone-dark.
import { mkdirSync } from "node:fs";
import { advance, open, visit } from "./site.mjs";

const [folder = "/tmp/shots", ...names] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
// PLIANT_QUALITY=high draws in full where the browser draws by software, which takes half a minute a picture.
const ready = "() => window.pliant || document.documentElement.dataset.ready", still = `?quality=${process.env.PLIANT_QUALITY ?? "plain"}&clock=manual`;
const SIZES = { wide: { width: 1440, height: 900 }, small: { width: 1024, height: 700 }, phone: { width: 390, height: 844, touch: true } };
const PAGES = [
  { name: "landing", path: still, frames: 2 }, { name: "play", path: `play/${still}#1;flag`, frames: 90 }, { name: "residual", path: `play/${still}#1;drape;c=residual`, frames: 70 },
  { name: "bunny", path: `play/${still}#1;bunny`, frames: 40 }, { name: "models", path: `play/${still}#1;shipped-models`, frames: 40 },
  { name: "compare", path: `compare/${still}`, frames: 60 }, { name: "learn", path: "learn/", wait: 1500, full: true }, { name: "gallery", path: "gallery/", wait: 800, full: true },
  { name: "install", path: "install/", wait: 200, full: true },
];

async function shoot(site, page, name, more) {
  const tab = await visit(site, page.path, { ...more, ready });
  if (page.frames) { await advance(tab, page.frames); await tab.evaluate(() => { const p = window.pliant.page; if ("dirty" in p) p.dirty = true; return window.pliant.frames(3); }); }
  if (page.full) { const tall = await tab.evaluate(() => document.documentElement.scrollHeight); for (let y = 0; y < tall; y += 500) { await tab.evaluate((at) => scrollTo(0, at), y); await tab.waitForTimeout(400); } }
  await tab.waitForTimeout(page.wait ?? 500);
  await tab.screenshot({ path: `${folder}/${name}.png`, fullPage: page.full ?? false });
  console.log(name, tab.faults.length ? tab.faults.slice(0, 4) : "clean");
  await tab.context().close();
}

const site = await open();
for (const page of PAGES) for (const [size, box] of Object.entries(SIZES)) for (const scheme of ["light", "dark"]) {
  const name = `${page.name}-${size}${scheme === "dark" ? "-dark" : ""}`;
  if (names.length > 0 && !names.includes(page.name) && !names.includes(name)) continue;
  try { await shoot(site, page, name, { ...box, scheme }); } catch (error) { console.log(name, String(error).slice(0, 300)); }
}
await site.close();
