// Pictures of the pages, to be looked at: node tests/shots.mjs [FOLDER] [NAME...]
import { mkdirSync } from "node:fs";
import { open, visit, advance } from "./site.mjs";

const [folder = "/tmp/shots", ...names] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const ready = '() => window.pliant || document.documentElement.dataset.ready';
const SHOTS = [
  { name: "landing", path: "?quality=high&clock=manual", frames: 150 }, { name: "landing-dark", path: "?quality=high&clock=manual", scheme: "dark", frames: 150 },
  { name: "play", path: "play/?quality=high&clock=manual#1;flag", frames: 120 }, { name: "play-dark", path: "play/?quality=high&clock=manual#1;drape;c=stretch", scheme: "dark", frames: 90 },
  { name: "bunny", path: "play/?quality=high&clock=manual#1;bunny", frames: 60 }, { name: "balloon", path: "play/?quality=high&clock=manual#1;balloon", frames: 60 }, { name: "plant", path: "play/?quality=high&clock=manual#1;plant", frames: 60 },
  { name: "towel", path: "play/?quality=high&clock=manual#1;towel", frames: 140 }, { name: "swatch", path: "play/?quality=high&clock=manual#1;swatch", frames: 60 },
  { name: "compare", path: "compare/?quality=high&clock=manual", frames: 90 }, { name: "compare-dark", path: "compare/?quality=high&clock=manual#1;flag", scheme: "dark", frames: 60 },
  { name: "learn", path: "learn/", wait: 4000, full: true }, { name: "learn-dark", path: "learn/", scheme: "dark", wait: 1500 },
  { name: "gallery", path: "gallery/", wait: 800 }, { name: "install", path: "install/", wait: 200 },
  { name: "phone-landing", path: "?quality=high&clock=manual", width: 390, height: 844, touch: true, frames: 150 }, { name: "phone-play", path: "play/?quality=high&clock=manual#1;flag", width: 390, height: 844, touch: true, frames: 90 },
  { name: "phone-play-dark", path: "play/?quality=high&clock=manual#1;drape", width: 390, height: 844, touch: true, scheme: "dark", frames: 90 },
  { name: "phone-compare", path: "compare/?quality=high&clock=manual", width: 390, height: 844, touch: true, frames: 60 }, { name: "phone-learn", path: "learn/", width: 390, height: 844, touch: true, wait: 1500 },
  { name: "phone-gallery", path: "gallery/", width: 390, height: 844, touch: true, wait: 500 },
];
const site = await open();
for (const shot of SHOTS.filter((one) => names.length === 0 || names.includes(one.name))) {
  try {
    const page = await visit(site, shot.path, { ...shot, ready });
    if (shot.frames) { await advance(page, shot.frames); await page.evaluate(() => { const p = window.pliant.page; if ("dirty" in p) p.dirty = true; return window.pliant.frames(3); }); }
    if (shot.full) { const tall = await page.evaluate(() => document.documentElement.scrollHeight); for (let y = 0; y < tall; y += 500) { await page.evaluate((at) => scrollTo(0, at), y); await page.waitForTimeout(500); } }
    await page.waitForTimeout(shot.wait ?? 500);
    await page.screenshot({ path: `${folder}/${shot.name}.png`, fullPage: shot.full ?? false });
    console.log(shot.name, page.faults.length ? page.faults.slice(0, 4) : "clean");
    await page.context().close();
  } catch (error) { console.log(shot.name, String(error).slice(0, 400)); }
}
await site.close();
