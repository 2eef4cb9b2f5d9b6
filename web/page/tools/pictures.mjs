// Makes the pictures of the gallery and the landing's still from the built site, and two for the README:
//
//     node tools/pictures.mjs            writes pictures/*.jpg and docs/pictures/page-*.png
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { advance, open, root, visit } from "../tests/site.mjs";

const folder = join(dirname(fileURLToPath(import.meta.url)), "../pictures");
mkdirSync(folder, { recursive: true });
const LIVE = [["walker", 132], ["drape", 70], ["flag", 150], ["swatch", 60], ["bunny", 40], ["balloon", 40], ["plant", 80], ["towel", 140], ["sheet", 60]];
const wanted = process.argv.slice(2), site = await open();
const draw = (page) => page.evaluate(() => { const p = window.pliant.page; p.stage.update(); p.stage.draw(p.region); return window.pliant.frames(1); });
for (const [scene, count] of LIVE.filter(([name]) => wanted.length === 0 || wanted.includes(name))) {
  const page = await visit(site, `play/?quality=high&clock=manual#1;${scene}`, { width: 640, height: 480 });
  await advance(page, count);
  await page.evaluate(() => {
    const p = window.pliant.page;
    for (const one of document.querySelectorAll(".tools, .panel, .time, .head, .toast")) one.style.display = "none";
    document.querySelector("#play").style.cssText = "height:360px;min-height:0;grid-template-rows:1fr";
    p.cover = () => undefined;
    p.stage.rig.covered = { left: 0, right: 0, bottom: 0, top: 0 };
  });
  await page.setViewportSize({ width: 640, height: 360 });
  await page.waitForTimeout(300);
  await page.evaluate(() => { window.pliant.page.stage.fit(window.pliant.page.region); });
  await draw(page);
  await page.screenshot({ path: join(folder, `${scene}.jpg`), type: "jpeg", quality: 82 });
  await page.context().close();
  console.log(scene);
}
for (const [path, name, width, height] of [["?quality=high&clock=manual", "page-landing", 1080, 640], ["compare/?quality=high&clock=manual", "page-compare", 1280, 700]]) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const page = await visit(site, path, { width, height });
  await advance(page, 110);
  await page.evaluate(() => { window.pliant.page.dirty = true; return window.pliant.frames(12); });
  await page.screenshot({ path: join(root, "docs/pictures", `${name}.png`) });
  await page.context().close();
  console.log(name);
}
await site.close();
