// The playground: each control does what it says to the state of the simulation.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { advance, folder, frames, open, project, root, state, visit } from "./site.mjs";

let site;
before(async () => { site = await open(); });
after(async () => { await site.close(); });

const play = (scene, more = {}) => visit(site, `play/?clock=manual#1;${scene}`, more);
/** Without warnings, but for the advice of a check that `advice` matches. */
async function clean(page, advice) {
  assert.deepEqual(page.faults.filter((text) => !advice?.test(text)), []);
  await page.context().close();
}
const set = (page, id, value) => page.locator(`[data-testid="${id}-field"]`).evaluate((field, text) => { field.value = text; field.dispatchEvent(new Event("change")); }, String(value));
async function openPart(page, id) { await page.locator(`details[data-part="${id}"]`).evaluate((part) => { part.open = true; }); }
const kinetic = async (page) => (await state(page)).statistics.kinetic;
/** Presses on a vertex and moves; the hand stays down. */
async function pull(page, vertex, dx, dy) {
  const at = await project(page, vertex);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + dx / 2, at.y + dy / 2);
  await page.mouse.move(at.x + dx, at.y + dy);
}
/** The vertex of the flag that is nearest to a place in its grid. */
const MIDDLE = 22 * 44 + 22, LOW = 40 * 44 + 22;

test("a grab pulls within its limit, and releases", async () => {
  const page = await play("flag");
  await advance(page, 30);
  const before = await page.evaluate((v) => window.pliant.position(v), MIDDLE);
  await pull(page, MIDDLE, 0, 120);
  assert.equal((await state(page)).grabs.length, 1);
  await advance(page, 40);
  const held = await state(page), now = await page.evaluate((v) => window.pliant.position(v), MIDDLE);
  assert.ok(Math.hypot(...now.map((x, k) => x - before[k])) > 0.03, `moved ${Math.hypot(...now.map((x, k) => x - before[k]))}`);
  assert.ok(held.grabs[0].pull <= held.grabs[0].limit * 1.001 && held.grabs[0].pull > 0);
  assert.ok(held.statistics.stretch < 0.1);
  await page.mouse.up();
  await advance(page, 10);
  assert.equal((await state(page)).grabs.length, 0);
  await clean(page);
});

test("beside the cloth the same drag turns the camera", async () => {
  const page = await play("flag"), yaw = (await state(page)).camera.yaw;
  await page.mouse.move(120, 600);
  await page.mouse.down();
  await page.mouse.move(520, 610);
  await page.mouse.up();
  const after = await state(page);
  assert.equal(after.grabs.length, 0);
  assert.ok(Math.abs(after.camera.yaw - yaw) > 120);
  await clean(page);
});

test("a pin holds to the bit; a press frees it; undo brings it back; a brush pins what it goes over", async () => {
  const page = await play("flag");
  await page.getByTestId("tool-pin").click();
  const at = await project(page, LOW);
  await page.mouse.click(at.x, at.y);
  assert.equal((await state(page)).pins, 1);
  const held = await page.evaluate(() => window.pliant.page.session.pins[0].particles);
  const before = await page.evaluate((v) => window.pliant.position(v), held[0]);
  await advance(page, 60);
  assert.deepEqual(await page.evaluate((v) => window.pliant.position(v), held[0]), before);
  const pin = await project(page, held[0]);
  await page.mouse.click(pin.x, pin.y);
  assert.equal((await state(page)).pins, 0);
  await page.keyboard.press("Control+z");
  assert.equal((await state(page)).pins, 1);
  await page.getByTestId("tool-brush").click();
  const stroke = async (from, to) => {
    const [a, b] = [await project(page, from), await project(page, to)];
    await page.mouse.move(a.x, a.y);
    await page.mouse.down();
    await page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2);
    await page.mouse.move(b.x, b.y);
    await page.mouse.up();
  };
  const row = 20 * 44, painted = () => page.evaluate(() => new Set(window.pliant.page.session.pins.flatMap((one) => one.particles)).size);
  await stroke(row + 8, row + 36);
  assert.equal((await state(page)).pins, 2);
  assert.ok((await painted()) > 60 && (await painted()) < 600, `${await painted()} are held`);
  const middle = await page.evaluate((v) => window.pliant.position(v), row + 22);
  await advance(page, 10);
  assert.deepEqual(await page.evaluate((v) => window.pliant.position(v), row + 22), middle);
  const many = await painted();
  await page.keyboard.down("Shift");
  await stroke(row + 8, row + 16);
  await page.keyboard.up("Shift");
  assert.ok((await painted()) < many - 10 && (await painted()) > many / 3, `${await painted()} of ${many} are held`);
  await page.getByTestId("unpin").click();
  assert.equal((await state(page)).pins, 0);
  await clean(page);
});

test("a stroke cuts; undo mends; and time goes back over the cut to the same bits", async () => {
  const page = await play("flag");
  await advance(page, 20);
  const before = await state(page), at = [20 * 44 + 6, 20 * 44 + 38];
  await page.getByTestId("tool-cut").click();
  const [a, b] = [await project(page, at[0]), await project(page, at[1])];
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  for (let i = 1; i <= 6; i++) await page.mouse.move(a.x + ((b.x - a.x) * i) / 6, a.y + ((b.y - a.y) * i) / 6);
  await page.mouse.up();
  const cut = await state(page);
  assert.equal(cut.cuts, 1);
  assert.ok(cut.statistics.particles > before.statistics.particles + 3);
  await advance(page, 24);
  const later = await state(page);
  await page.evaluate(() => window.pliant.goTo(12));
  assert.equal((await state(page)).cuts, 0);
  await page.evaluate(() => window.pliant.goTo(44));
  assert.equal((await state(page)).hash, later.hash);
  await page.keyboard.press("Control+z");
  const mended = await state(page);
  assert.equal(mended.cuts, 0);
  assert.equal(mended.statistics.particles, before.statistics.particles);
  assert.equal(mended.hash, before.hash);
  await clean(page);
});

test("a ball flies and leaves; wind blows and stops", async () => {
  const page = await play("flag");
  await page.getByTestId("tool-ball").click();
  const at = await project(page, MIDDLE);
  await page.mouse.click(at.x, at.y);
  assert.equal((await state(page)).balls, 1);
  await advance(page, 185);
  assert.equal((await state(page)).balls, 0);
  await page.getByTestId("tool-blow").click();
  const wind = async () => (await state(page)).gust, calm = await kinetic(page);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await advance(page, 10);
  assert.ok((await wind()) > 2);
  assert.ok((await kinetic(page)) > 1.5 * calm, `${calm} J, then ${await kinetic(page)} J`);
  await page.mouse.up();
  await advance(page, 10);
  assert.ok((await wind()) < 1e-6);
  await clean(page);
});

test("a balloon is pumped up, and only closed surfaces have a pump", async () => {
  const flag = await play("flag");
  assert.equal(await flag.getByTestId("tool-pump").count(), 0);
  await clean(flag);
  const page = await play("balloon"), pressure = () => page.evaluate(() => window.pliant.value("deformables.balloon.constraints.volume.pressure")), start = await pressure();
  await page.getByTestId("tool-pump").click();
  await page.mouse.move(470, 360);
  await page.mouse.down();
  await advance(page, 30);
  await page.mouse.up();
  assert.ok((await pressure()) > start + 0.1);
  await clean(page);
});

test("time: pause, step, back, speed, start over", async () => {
  const page = await visit(site, "play/#1;swatch");
  await frames(page, 20);
  await page.getByTestId("time-pause").click();
  const stopped = await state(page);
  assert.equal(stopped.playing, false);
  assert.ok(stopped.frame > 0);
  const hashes = [];
  for (let i = 0; i < 12; i++) { await page.getByTestId("time-step").click(); hashes.push((await state(page)).hash); }
  assert.equal((await state(page)).frame, stopped.frame + 12);
  for (let i = 0; i < 10; i++) await page.getByTestId("time-back").click();
  const back = await state(page);
  assert.equal(back.frame, stopped.frame + 2);
  assert.equal(back.hash, hashes[1]);
  await page.getByTestId("stage").focus();
  await page.keyboard.press("ArrowRight");
  assert.equal((await state(page)).hash, hashes[2]);
  await page.getByTestId("time-scrub").fill("0");
  assert.equal((await state(page)).frame, 0);
  await page.getByTestId("time-speed").selectOption("0.25");
  assert.equal((await state(page)).speed, 0.25);
  await page.getByTestId("time-reset").click();
  assert.deepEqual([(await state(page)).frame, (await state(page)).end], [0, 0]);
  await clean(page);
});

test("time goes back over a pull to the same bits", async () => {
  const page = await play("flag");
  await advance(page, 10);
  await pull(page, MIDDLE, 60, 40);
  await advance(page, 30);
  await page.mouse.up();
  await advance(page, 21);
  const end = await state(page);
  await page.evaluate(() => window.pliant.goTo(25));
  const held = await state(page);
  assert.equal(held.grabs.length, 1);
  await page.evaluate(() => window.pliant.goTo(3));
  await page.evaluate(() => window.pliant.goTo(61));
  assert.equal((await state(page)).hash, end.hash);
  await clean(page);
});

test("panels set what they say, and undo takes it back", async () => {
  const page = await play("flag"), value = (path) => page.evaluate((p) => window.pliant.value(p), path), bend = "deformables.cloth.constraints.bend";
  await set(page, "param-bend-rigidity", 0.002);
  assert.ok(Math.abs((await value(`${bend}.rigidity`)) - 0.002) < 1e-9);
  await set(page, "param-settings-substeps", 25);
  assert.equal(await value("settings.substeps"), 25);
  await set(page, "param-settings-iterations", 3);
  assert.equal(await value("settings.iterations"), 3);
  for (const part of ["air", "solver"]) await openPart(page, part);
  await page.getByTestId("param-settings-wind").focus();
  await page.getByTestId("param-settings-wind").evaluate((slider) => { slider.value = "8"; slider.dispatchEvent(new Event("input")); });
  assert.ok(Math.abs(Math.hypot(...(await value("settings.wind"))) - 8) < 0.01);
  const calm = await kinetic(page);
  await advance(page, 20);
  assert.ok((await kinetic(page)) > 3 * calm + 0.005);
  const gusty = await kinetic(page);
  await page.getByTestId("param-settings-wind").evaluate((slider) => { slider.value = "0"; slider.dispatchEvent(new Event("input")); });
  await advance(page, 90);
  assert.ok((await kinetic(page)) < 0.5 * gusty, `${gusty} J, then ${await kinetic(page)} J`);
  await page.getByTestId("param-material").getByText("Leather").click();
  assert.ok(Math.abs((await value(`${bend}.rigidity`)) - 5e-3 / (1 - 0.3 ** 2)) < 1e-8); // The rigidity of a plate of leather, which values show with six digits.
  await page.getByTestId("undo").click();
  assert.ok(Math.abs((await value(`${bend}.rigidity`)) - 0.002) < 1e-9);
  await page.getByTestId("side-b").click();
  await set(page, "param-bend-rigidity", 0.01);
  assert.match(await page.getByTestId("side-reading").textContent(), /1 differs/);
  await page.getByTestId("stage").focus();
  await page.keyboard.press("x");
  assert.deepEqual([(await state(page)).side, Math.round(1e6 * (await value(`${bend}.rigidity`)))], ["A", 2000]);
  await page.keyboard.press("x");
  assert.deepEqual([(await state(page)).side, Math.round(1e6 * (await value(`${bend}.rigidity`)))], ["B", 10000]);
  assert.match(await page.evaluate(() => window.pliant.link()), /;~bend\.rigidity=0\.01;.*;run=B;/);
  await page.getByTestId("param-settings-method").getByText("PBD", { exact: true }).click();
  assert.equal(await value("settings.method"), "pbd");
  assert.ok(await page.getByTestId("param-bend-stiffness").isVisible());
  assert.ok(!(await page.getByTestId("param-bend-rigidity").isVisible()));
  await clean(page);
});

test("another model keeps the shape and shows its own parameters", async () => {
  const page = await play("flag");
  await advance(page, 30);
  const before = await page.evaluate((v) => window.pliant.position(v), LOW);
  await page.getByTestId("param-bend-type").selectOption("triangle");
  assert.deepEqual(await page.evaluate((v) => window.pliant.position(v), LOW), before);
  assert.ok(await page.getByTestId("param-bend-kappa").isVisible());
  await page.getByTestId("param-bend-kappa").focus();
  assert.match(await page.locator("#panel-help").textContent(), /height|rest/i);
  await page.getByTestId("param-bend-type").selectOption("plate");
  await set(page, "param-bend-rigidity", 0.003);
  assert.ok(Math.abs((await page.evaluate(() => window.pliant.value("deformables.cloth.plate.rigidity"))) - 0.003) < 1e-9);
  assert.ok(JSON.parse(await page.evaluate(() => window.pliant.scene())).deformables[0].plate.rigidity === 0.003);
  await page.getByTestId("param-bend-type").selectOption("stick");
  assert.equal(await page.getByTestId("param-bend-rigidity").count(), 0);
  await advance(page, 5);
  const end = await state(page);
  await page.evaluate(() => window.pliant.goTo(20));
  assert.notDeepEqual(await page.evaluate((v) => window.pliant.position(v), LOW), before);
  await page.evaluate(() => window.pliant.goTo(35));
  assert.equal((await state(page)).hash, end.hash);
  assert.equal((await state(page)).message, null);
  await clean(page);
});

test("raising kappa lets the bunny slump", async () => {
  const page = await play("bunny"), tall = () => page.evaluate(() => window.pliant.page.session.deformables[0].bounds.maximum[1]);
  await advance(page, 60);
  const before = await tall();
  await page.getByTestId("param-bend-kappa").focus();
  assert.match(await page.locator("#panel-help").textContent(), /Kappa.*height/i);
  await set(page, "param-bend-kappa", 0.12);
  await advance(page, 120);
  assert.ok((await tall()) < 0.9 * before, `${before} to ${await tall()}`);
  await clean(page);
});

test("colours have a legend with numbers; wires are drawn", async () => {
  const page = await play("drape");
  await advance(page, 20);
  for (const name of ["stretch", "curvature", "speed", "bending", "residual"]) {
    await page.getByTestId("view-measure").selectOption(name);
    await frames(page, 8);
    assert.equal((await state(page)).measure, name);
    assert.match(await page.getByTestId("legend").textContent(), /\d/);
  }
  assert.match(await page.getByTestId("legend").textContent(), /Residual.*\d % of an edge.*any type/);
  await page.getByTestId("view-measure").selectOption("stretch");
  assert.match(await page.getByTestId("legend").textContent(), /≤ 0 %\d/, "stretch begins at 0");
  assert.equal(await page.evaluate(() => window.pliant.page.stage.range[0]), 0);
  const font = (selector) => page.locator(selector).first().evaluate((one) => getComputedStyle(one).fontFamily);
  assert.equal(await font(".legend .ends span"), await font("body"));
  await page.getByTestId("view-wireframe").check();
  await frames(page, 2);
  // Stiffer, until it hardly folds.
  const curved = () => page.evaluate(() => { const all = window.pliant.page.session.deformables[0].measure("curvature"); return all.reduce((sum, x) => sum + Math.abs(x), 0) / all.length; });
  await advance(page, 100);
  const limp = await curved();
  await set(page, "param-bend-rigidity", 0.01);
  await advance(page, 60);
  assert.ok((await curved()) < 0.8 * limp, `mean curvature ${limp} to ${await curved()}`);
  await clean(page);
});

test("the circle of a tool is on the surface, before and while pressing; [ ] and Ctrl + wheel change it", async () => {
  const page = await play("flag"), ring = async () => { await frames(page, 2); return (await state(page)).ring; };
  await advance(page, 20);
  const at = await project(page, MIDDLE);
  await page.mouse.move(at.x, at.y);
  const over = await ring(), place = await page.evaluate((v) => window.pliant.position(v), MIDDLE);
  assert.ok(Math.abs(over.radius - 0.04 * 1.2 * Math.SQRT2) < 0.02 && over.outer > over.radius, JSON.stringify(over));
  assert.ok(Math.hypot(...over.point.map((x, k) => x - place[k])) < 0.02, `${over.point} is beside ${place}`);
  // It is drawn: the picture differs from one without it.
  const drawn = () => page.evaluate(() => {
    const { stage, region, canvas } = window.pliant.page, picture = () => { stage.draw(region); return canvas.toDataURL(); }, kept = stage.ring, withRing = picture();
    stage.ring = null;
    const without = picture();
    stage.ring = kept;
    return withRing !== without;
  });
  assert.ok(await drawn());
  await page.mouse.down();
  await page.mouse.move(at.x + 40, at.y + 60);
  await advance(page, 10);
  const held = await ring();
  assert.deepEqual(held.point, await page.evaluate(() => window.pliant.position(window.pliant.page.session.core.hands[0].vertex)));
  await page.mouse.up();
  await page.mouse.move(at.x, at.y);
  await page.keyboard.press("]");
  assert.ok(Math.abs((await ring()).radius / over.radius - 1.25) < 0.01);
  const { camera } = await state(page);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, 200);
  await page.keyboard.up("Control");
  assert.ok((await ring()).radius < 1.1 * over.radius);
  assert.deepEqual((await state(page)).camera, camera);
  await page.mouse.wheel(0, -200);
  await frames(page, 2);
  assert.ok((await state(page)).camera.distance < camera.distance);
  const held2 = async () => page.evaluate(() => window.pliant.page.session.pins[0].particles.length);
  await page.keyboard.press("p");
  for (let i = 0; i < 4; i++) await page.keyboard.press("]");
  const low = await project(page, LOW);
  await page.mouse.click(low.x, low.y);
  const wide = await held2();
  await page.mouse.click(low.x, low.y);
  assert.equal((await state(page)).pins, 0, "a press on a pin frees it");
  for (let i = 0; i < 8; i++) await page.keyboard.press("[");
  await page.mouse.click(low.x, low.y);
  assert.ok((await held2()) < wide, `${await held2()} and ${wide} particles`);
  for (let i = 0; i < 2; i++) { await page.keyboard.press("Escape"); }
  await page.keyboard.press("v");
  await page.mouse.move(low.x, low.y);
  assert.equal(await ring(), null);
  await clean(page);
});

test("the mouse: Alt + left and middle orbit also over cloth, right pans, a double click beside it frames everything", async () => {
  const page = await play("flag"), camera = async () => (await state(page)).camera;
  await advance(page, 10);
  const at = await project(page, MIDDLE), start = await camera();
  const drag = async (button, dx) => { await page.mouse.move(at.x, at.y); await page.mouse.down({ button }); await page.mouse.move(at.x + dx, at.y); await page.mouse.up({ button }); };
  await page.keyboard.down("Alt");
  await drag("left", 100);
  await page.keyboard.up("Alt");
  const alt = await camera();
  assert.ok(Math.abs(alt.yaw - start.yaw) > 30 && (await state(page)).grabs.length === 0);
  await drag("middle", 100);
  const middle = await camera();
  assert.ok(Math.abs(middle.yaw - alt.yaw) > 30);
  await drag("right", 80);
  const right = await camera();
  assert.ok(Math.abs(right.yaw - middle.yaw) < 1e-9 && Math.hypot(...right.target.map((x, k) => x - middle.target[k])) > 0.05);
  await page.mouse.dblclick(110, 560);
  const framed = await camera();
  assert.ok(Math.abs(framed.yaw - right.yaw) < 1e-9, "the direction stays");
  await page.keyboard.press("Home");
  const home = await camera();
  assert.deepEqual([home.yaw, home.pitch, home.distance], [start.yaw, start.pitch, start.distance]);
  await page.keyboard.press("f");
  assert.ok((await camera()).distance !== home.distance);
  await clean(page);
});

test("the key map: one table for keys, dialog and tooltips; Esc goes one step at a time", async () => {
  const page = await play("flag"), tool = async () => (await state(page)).tool;
  for (const [key, id] of Object.entries({ p: "pin", n: "brush", c: "cut", b: "ball", v: "blow", g: "grab" })) { await page.keyboard.press(key); assert.equal(await tool(), id); }
  await page.keyboard.press("u");
  assert.equal(await tool(), "grab", "only closed surfaces have a pump");
  await page.keyboard.press("w");
  assert.ok((await state(page)).wireframe && (await page.getByTestId("view-wireframe").isChecked()));
  await page.keyboard.press("m");
  const first = (await state(page)).measure;
  await page.keyboard.press("m");
  await page.keyboard.press("Shift+M");
  assert.equal((await state(page)).measure, first);
  await page.keyboard.press(".");
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press(",");
  assert.equal((await state(page)).frame, 10);
  await page.keyboard.press("+");
  assert.equal((await state(page)).speed, 2);
  await page.keyboard.press("-");
  for (const [id, key] of [["tool-pin", "(P)"], ["time-step", "(Right"], ["time-reset", "(Backspace)"], ["undo", "(Ctrl+Z)"], ["help", "(?)"]]) assert.ok((await page.getByTestId(id).getAttribute("title")).includes(key), id);
  assert.equal(await page.getByTestId("tool-brush").textContent(), "Brush");
  await page.keyboard.press("F1");
  const rows = await page.locator("dialog[open] .keys div").allTextContents();
  for (const words of ["Frame everything", "Camera of the scene", "Learn (tutorial)", "Describe what is there", "Values A and B side by side"]) assert.ok(rows.some((row) => row.includes(words)), words);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("dialog[open]").count(), 0);
  // Keys act while a button has the focus, and not in fields.
  await page.getByTestId("tool-cut").click();
  await page.keyboard.press("g");
  assert.equal(await tool(), "grab");
  await page.getByTestId("param-bend-rigidity-field").focus();
  await page.keyboard.press("c");
  assert.equal(await tool(), "grab");
  await page.getByTestId("tool-cut").click();
  await page.getByTestId("stage").focus();
  await page.keyboard.press("Enter");
  assert.ok((await state(page)).message);
  await page.keyboard.press("Escape");
  assert.ok((await state(page)).message && !(await page.evaluate(() => window.pliant.page.keyboard.active)));
  await page.keyboard.press("Escape");
  assert.deepEqual([(await state(page)).message, await tool()], [null, "cut"]);
  await page.keyboard.press("Escape");
  assert.equal(await tool(), "grab");
  // A and B side by side, each with its own values.
  await page.keyboard.press("x");
  await set(page, "param-bend-rigidity", 0.01);
  await page.getByTestId("stage").focus();
  await page.keyboard.press("Shift+X");
  await page.waitForFunction(() => window.pliant?.state?.().cells?.length === 2);
  const rigidities = await page.evaluate(() => window.pliant.page.columns.map((one) => one.session.read("deformables.cloth.constraints.bend.rigidity")));
  assert.ok(Math.abs(rigidities[1] - 0.01) < 1e-6 && rigidities[0] < 0.001, String(rigidities));
  await page.keyboard.press("l");
  await page.waitForFunction(() => document.documentElement.dataset.ready === "learn");
  await page.context().close();
});

test("a grab while time is paused offers to play; messages go by themselves, but not under the pointer", async () => {
  const page = await visit(site, "play/#1;swatch"), at = async () => project(page, 15 * 11 + 5);
  await page.getByTestId("time-pause").click();
  const place = await at();
  await page.mouse.move(place.x, place.y);
  await page.mouse.down();
  const offer = page.getByTestId("message-paused");
  assert.match(await offer.textContent(), /Time is paused/);
  await page.mouse.up();
  await page.getByTestId("message-paused-act").click();
  assert.equal((await state(page)).playing, true);
  await page.evaluate(() => window.pliant.page.say("Short."));
  const toast = page.getByTestId("message-info"), box = await toast.boundingBox(), stage = await page.getByTestId("stage").boundingBox();
  assert.ok(box.y > stage.y + 0.6 * stage.height, "messages are below the cloth");
  await page.mouse.move(box.x + box.width / 3, box.y + box.height / 2);
  await page.waitForTimeout(3400);
  assert.ok(await toast.isVisible(), "it stays under the pointer");
  await page.mouse.move(300, 100);
  await toast.waitFor({ state: "detached", timeout: 4500 });
  const times = await page.evaluate(async () => { // Longer texts stay longer.
    const { messages } = window.pliant.page, asked = [], real = window.setTimeout;
    window.setTimeout = (act, time) => { asked.push(time); return real(act, time); };
    for (const text of ["Short.", "A sentence of some length, which takes a while to read to its end."]) messages.say(text);
    window.setTimeout = real;
    return asked.filter((time) => time > 2000);
  });
  assert.ok(times.length === 2 && times[1] > times[0] + 3000, String(times));
  await clean(page);
});

test("the panel: the library's parts in their order, material first, and an explanation of each control in sight", async () => {
  const page = await visit(site, "play/?clock=manual#1;flag", { width: 1280, height: 720 });
  const { parts, labels } = await page.evaluate(() => ({ parts: [...document.querySelectorAll(".panel-body > details")].map((one) => one.dataset.part), labels: window.pliant.page.engine.descriptors.panel.map((one) => one.id) }));
  assert.deepEqual(parts.filter((one) => one !== "view"), labels.filter((one) => parts.includes(one)));
  assert.deepEqual([parts[0], parts[1], parts.at(-1)], ["bending", "view", "more"]);
  assert.ok((await page.getByTestId("param-material").boundingBox()).y < (await page.getByTestId("param-bend-type").boundingBox()).y);
  assert.deepEqual(await page.locator(".panel-body > details[open]").evaluateAll((all) => all.map((one) => one.dataset.part)), ["bending", "view"]);
  await page.evaluate(() => { for (const part of document.querySelectorAll("details")) part.open = true; });
  const help = page.locator("#panel-help"), ids = await page.locator(".panel-body [data-testid^=param-][type=range], .panel-body select, .panel-head button:visible, .panel-body .chip").evaluateAll((all) => all.map((one) => one.dataset.testid ?? one.dataset.value));
  assert.ok(ids.length > 25, String(ids));
  for (const id of ids.filter((_, i) => i % 3 === 0)) {
    await help.evaluate((one) => { one.textContent = ""; });
    const control = page.locator(`[data-testid="${id}"], .chip[data-value="${id}"]`).first();
    if (await control.isHidden()) continue;
    await control.hover();
    assert.ok((await help.textContent()).length > 10, `${id} is not explained`);
    const { clipped, foot } = await help.evaluate((one) => ({ clipped: one.scrollHeight > one.clientHeight + 1, foot: one.getBoundingClientRect().bottom }));
    assert.ok(!clipped && foot <= 720 - 55, `${id}: its explanation is cut`);
  }
  await page.getByTestId("param-bend-rigidity").hover();
  assert.match(await help.textContent(), /Rigidity \[N m\].*The slider covers 1e-7 to .* N m; type others/);
  await set(page, "param-bend-rigidity", 5);
  assert.equal(await page.evaluate(() => window.pliant.value("deformables.cloth.constraints.bend.rigidity")), 5, "a typed value goes beyond the slider");
  await page.getByTestId("param-material").getByText("Denim").click();
  assert.equal(await page.locator(".chip[data-value=denim]").getAttribute("aria-pressed"), "true");
  await clean(page);
});

test("pins are heads of 6 pixels on the side that is seen; a cut has a border", async () => {
  const page = await play("flag");
  await advance(page, 20);
  await page.keyboard.press("p");
  const at = await project(page, LOW);
  await page.mouse.click(at.x, at.y);
  await frames(page, 2);
  const radius = await page.evaluate(() => {
    const { stage, region } = window.pliant.page, e = stage.pins.instanceMatrix.array, middle = [e[12], e[13], e[14]], r = Math.hypot(e[0], e[1], e[2]);
    const right = stage.rig.camera.matrixWorld.elements, a = stage.project(middle, region), b = stage.project(middle.map((x, k) => x + r * right[k]), region);
    return stage.pins.count === 1 ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  });
  assert.ok(radius >= 5.9, `${radius} pixels`);
  const border = () => page.evaluate(() => { const { border } = window.pliant.page.stage.surfaces[0]; return border.visible ? border.geometry.index.count / 2 : 0; });
  assert.equal(await border(), 0);
  await page.evaluate(() => { const { session } = window.pliant.page; session.core.act({ kind: "cut", indices: [0], numbers: [...window.pliant.position(22 * 44 + 22), 0, 1, 0, 0.3] }); });
  assert.ok((await border()) > 4 * 43 * 2, `${await border()} edges`);
  await clean(page);
});

test("a mesh of yours: bending and material as for any cloth, and the scene file carries it", async () => {
  const page = await play("flag"), grid = Array.from({ length: 81 }, (_, i) => `v ${i % 9} 0 ${Math.floor(i / 9)}`).join("\n") + "\n" + Array.from({ length: 64 }, (_, i) => { const a = (i % 8) + 9 * Math.floor(i / 8) + 1; return `f ${a} ${a + 9} ${a + 10} ${a + 1}`; }).join("\n");
  await page.locator(".panel").evaluate((panel, text) => { // Dropped beside the stage.
    const data = new DataTransfer();
    data.items.add(new File([text], "mine.obj"));
    panel.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, grid);
  await page.waitForFunction(() => window.pliant.state().statistics.particles === 81);
  assert.match((await state(page)).message.text, /It is simulated as cloth.*"Mesh is" changes that/);
  assert.equal(await page.getByTestId("param-bend-type").inputValue(), "plate");
  await page.getByTestId("param-material").getByText("Denim").click();
  const plate = await page.evaluate(() => window.pliant.value("deformables.mesh.plate.rigidity"));
  await page.getByTestId("param-bend-type").selectOption("dihedral");
  assert.ok(Math.abs((await page.evaluate(() => window.pliant.value("deformables.mesh.constraints.bend.rigidity"))) / plate - 1) < 1e-4);
  await advance(page, 5);
  await page.keyboard.press("p");
  const at = await project(page, 4 * 9 + 4);
  await page.mouse.click(at.x, at.y);
  await page.getByTestId("share-link").click();
  assert.match(await page.getByTestId("message-share").textContent(), /cannot contain your mesh/);
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByTestId("message-share-act").click()]), path = await file.path();
  assert.equal(file.suggestedFilename(), "mine.pliant.json");
  const other = await play("swatch");
  await other.getByTestId("file-open").setInputFiles({ name: "mine.pliant.json", mimeType: "application/json", buffer: readFileSync(path) });
  await other.waitForFunction(() => window.pliant.state().statistics.particles === 81);
  await advance(other, 3);
  assert.ok(Math.abs((await other.evaluate(() => window.pliant.value("deformables.mesh.constraints.bend.rigidity"))) / plate - 1) < 1e-4);
  await clean(page, /mesh: the effective rigidity is/);
  await clean(other, /mesh: the effective rigidity is/);
});

test("on a phone the stage has two thirds of the screen, and nothing covers the cloth", async () => {
  const page = await play("flag", { width: 390, height: 844, touch: true });
  await advance(page, 40);
  await frames(page, 2);
  const { stage, panel, tools, low, high } = await page.evaluate(() => {
    const box = (selector) => document.querySelector(selector).getBoundingClientRect().toJSON(), all = Array.from({ length: 1936 }, (_, i) => window.pliant.project(i));
    return { stage: box("canvas.stage"), panel: box(".panel"), tools: box(".tools"), low: [Math.min(...all.map((p) => p.x)), Math.min(...all.map((p) => p.y))], high: [Math.max(...all.map((p) => p.x)), Math.max(...all.map((p) => p.y))] };
  });
  assert.ok(stage.height >= 0.665 * 844, `${stage.height} pixels`);
  assert.ok(panel.top >= stage.bottom, "the sheet is below the stage");
  assert.ok(low[0] >= 0 && low[1] >= stage.top && high[0] <= 390 && high[1] <= tools.top, `${low} to ${high}, tools at ${tools.top}`);
  assert.ok((high[0] - low[0]) > 0.55 * 390, "the cloth fills the width");
  await page.getByTestId("param-material").getByText("Silk").click();
  assert.equal(await page.locator(".chip[data-value=silk]").getAttribute("aria-pressed"), "true");
  await clean(page);
});

/** Drops a file on the stage, as from a folder beside the window. */
const drop = (page, name, text) => page.getByTestId("stage").evaluate((stage, [file, content]) => {
  const data = new DataTransfer();
  data.items.add(new File([content], file));
  for (const type of ["dragover", "drop"]) stage.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
}, [name, text]);

/** A sheet of 3 x 3 points as glTF with its buffer inside. */
function sheetGltf() {
  const positions = Float32Array.from({ length: 27 }, (_, i) => { const v = Math.floor(i / 3); return [v % 3, 0, Math.floor(v / 3)][i % 3]; });
  const faces = Uint16Array.from([0, 1, 3, 4].flatMap((a) => [a, a + 3, a + 4, a, a + 4, a + 1])), bytes = Buffer.concat([Buffer.from(positions.buffer), Buffer.from(faces.buffer)]);
  return {
    asset: { version: "2.0" }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0 }], meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 9, type: "VEC3", min: [0, 0, 0], max: [2, 0, 2] }, { bufferView: 1, componentType: 5123, count: faces.length, type: "SCALAR" }],
    bufferViews: [{ buffer: 0, byteLength: 108 }, { buffer: 0, byteOffset: 108, byteLength: 2 * faces.length }],
    buffers: [{ byteLength: bytes.length, uri: `data:application/octet-stream;base64,${bytes.toString("base64")}` }],
  };
}

test("a mesh is opened or dropped, and a bad one says line and column while the old scene goes on", async () => {
  const page = await play("flag");
  const grid = Array.from({ length: 25 }, (_, i) => `v ${i % 5} 0 ${Math.floor(i / 5)}`).join("\n") + "\n" + Array.from({ length: 16 }, (_, i) => { const a = (i % 4) + 5 * Math.floor(i / 4) + 1; return `f ${a} ${a + 5} ${a + 6} ${a + 1}`; }).join("\n");
  await page.getByTestId("file-open").setInputFiles({ name: "mine.obj", mimeType: "text/plain", buffer: Buffer.from(grid) });
  await page.waitForFunction(() => window.pliant.state().statistics.particles === 25);
  await advance(page, 20);
  await drop(page, "sheet.gltf", JSON.stringify(sheetGltf()));
  await page.waitForFunction(() => window.pliant.state().statistics.particles === 9);
  await advance(page, 5);
  await drop(page, "mine.obj", grid);
  await page.waitForFunction(() => window.pliant.state().statistics.particles === 25);
  await page.getByTestId("file-open").setInputFiles({ name: "broken.obj", mimeType: "text/plain", buffer: Buffer.from("v 0 0 0\nv 1 0 0\nv 0 1 zero\nf 1 2 3\n") });
  const message = page.getByTestId("message-file");
  await message.waitFor();
  assert.match(await message.textContent(), /broken\.obj:3:/);
  const { frame } = await state(page);
  await advance(page, 3);
  assert.deepEqual([(await state(page)).statistics.particles, (await state(page)).frame], [25, frame + 3]);
  for (const [name, text, word] of [["points.obj", "v 0 0 0\nv 1 0 0\n", /points\.obj.*no faces/i], ["face.obj", "v 0 0 0\nf 1 2 3\n", /face\.obj.*outside/], ["bad.json", "{ no }", /bad\.json:1:4/]]) {
    await page.getByTestId("file-open").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
    await page.waitForFunction((source) => new RegExp(source, "i").test(window.pliant.state().message?.text ?? ""), word.source);
  }
  await clean(page, /mesh: the effective rigidity is/); // Their cells are coarse.
});

test("a mesh is simulated as what its shape says, and the menu changes it", async () => {
  const page = await play("flag");
  // A bowl of 12 x 4 faces, open at its top.
  const rings = [1, 2, 3, 4].map((k) => Array.from({ length: 12 }, (_, i) => `v ${Math.sin(k * Math.PI / 8) * Math.cos(i * Math.PI / 6)} ${1 - Math.cos(k * Math.PI / 8)} ${Math.sin(k * Math.PI / 8) * Math.sin(i * Math.PI / 6)}`));
  const faces = [0, 1, 2].flatMap((k) => Array.from({ length: 12 }, (_, i) => { const a = 2 + 12 * k + i, b = 2 + 12 * k + (i + 1) % 12; return `f ${a} ${a + 12} ${b + 12} ${b}`; }));
  const bowl = ["v 0 0 0", ...rings.flat(), ...Array.from({ length: 12 }, (_, i) => `f 1 ${2 + i} ${2 + (i + 1) % 12}`), ...faces].join("\n");
  await drop(page, "bowl.obj", bowl);
  await page.waitForFunction(() => window.pliant.state().statistics.particles === 49);
  assert.match((await state(page)).message.text, /simulated as a shell/);
  await advance(page, 60);
  await page.getByTestId("mesh-kind").selectOption("cloth");
  await page.waitForFunction(() => /simulated as cloth/.test(window.pliant.state().message?.text ?? ""));
  await page.getByTestId("mesh-kind").selectOption("balloon");
  await page.waitForFunction(() => /a balloon needs a closed surface/.test(window.pliant.state().message?.text ?? ""));
  assert.equal(await page.getByTestId("mesh-kind").inputValue(), "cloth");
  await clean(page, /mesh: the effective rigidity is/); // Their cells are coarse.
});

test("a link carries values, camera and pins: the same hash after 60 frames", async () => {
  const page = await play("flag");
  await set(page, "param-bend-rigidity", 0.0003);
  await set(page, "param-settings-substeps", 12);
  await page.getByTestId("tool-pin").click();
  const at = await project(page, LOW);
  await page.mouse.click(at.x, at.y);
  await page.mouse.move(120, 600);
  await page.mouse.down();
  await page.mouse.move(180, 600);
  await page.mouse.up();
  await page.getByTestId("side-b").click();
  await set(page, "param-settings-iterations", 2);
  await page.getByTestId("share-link").click();
  await page.waitForFunction(() => /Link copied/.test(window.pliant.state().message?.text ?? "")); // The clipboard is written asynchronously.
  const address = await page.evaluate(() => window.pliant.link());
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), address);
  await advance(page, 60);
  const first = await state(page);
  const other = await visit(site, `play/?clock=manual${new URL(address).hash}`);
  await advance(other, 60);
  const second = await state(other);
  assert.deepEqual([second.overrides, second.side], [first.overrides, "B"]);
  await other.keyboard.press("x");
  assert.equal(await other.evaluate(() => window.pliant.value("settings.iterations")), 1);
  assert.equal(second.hash, first.hash);
  for (const key of ["yaw", "pitch", "distance"]) assert.ok(Math.abs(second.camera[key] - first.camera[key]) < 1e-3);
  await clean(page);
  await clean(other);
});

test("a link that is not understood is said and kept", async () => {
  const page = await visit(site, "play/?clock=manual#1;flag;what;bend.nothing=3;settings.substeps=7;settings.iterations=%zz");
  await page.waitForFunction(() => window.pliant.state().message !== null);
  assert.match((await state(page)).message.text, /what|%zz|nothing/);
  await advance(page, 2);
  await clean(page);
});

test("the hash is the command line's, and the copied scene runs to the same", async (t) => {
  const binary = process.env.PLIANT ?? `${root}/build/release/pliant`;
  if (!existsSync(binary)) { t.skip(`${binary} is not built`); return; }
  const hashOf = (file, count) => JSON.parse(execFileSync(binary, ["run", file, "-n", String(count), "-o", "/tmp/pliant-page-run", "-f", "pc2", "--json"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })).hash;
  const page = await play("plant"); // Not the first of the list: whoever selects the scene that is open cannot see when it has been loaded again.
  for (const scene of ["walker", "drape", "flag", "swatch", "bunny", "balloon", "plant", "towel", "shipped-first", "shipped-kappa-live"]) {
    await page.getByTestId("scene").selectOption(scene);
    await page.waitForFunction((id) => window.pliant.state().scene === id, scene);
    await advance(page, 20);
    const { hash, repeatable } = await state(page);
    assert.ok(repeatable);
    assert.equal(hash, hashOf(`${folder}/scenes/${scene.replace("shipped-", "shipped/")}.json`, 20), scene);
    if (scene === "flag") await commandAgrees(page, binary);
  }
  await clean(page);
});

/** The command that is copied, with values that were changed at the start, prints the hash that stands in the bar. */
async function commandAgrees(page, binary) {
  await page.getByTestId("time-reset").click();
  await set(page, "param-bend-rigidity", 0.0007);
  await set(page, "param-settings-substeps", 9);
  await page.waitForTimeout(2100); // A second press within two seconds would take the values away.
  await page.getByTestId("time-reset").click();
  await advance(page, 15);
  await frames(page, 12);
  await page.getByTestId("copy-scene").click();
  await page.locator("dialog [data-tab=command]").click();
  const words = (await page.locator("dialog pre").textContent()).split(" ").slice(1);
  assert.equal(words.filter((word) => word === "--set").length, 3, words.join(" "));
  const out = execFileSync(binary, [words[0], `${folder}/scenes/${words[1]}`, ...words.slice(2), "-o", "/tmp/pliant-page-run", "-f", "pc2", "--json"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  assert.equal(await page.getByTestId("run-hash").getAttribute("data-hash"), JSON.parse(out).hash);
  await page.locator("dialog").getByText("Close").click();
}

test("by keyboard alone: grab, pull, release; describe; keys; no trap", async () => {
  const page = await play("flag");
  await page.getByTestId("stage").focus();
  await page.keyboard.press("Enter");
  for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
  assert.equal((await state(page)).grabs.length, 1);
  const target = (await state(page)).grabs[0].target;
  for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowRight");
  await advance(page, 10);
  assert.ok(Math.hypot(...(await state(page)).grabs[0].target.map((x, k) => x - target[k])) > 0.09);
  await page.keyboard.press("Enter");
  await advance(page, 10);
  assert.equal((await state(page)).grabs.length, 0);
  await page.keyboard.press("p");
  await page.keyboard.press("Enter");
  assert.equal((await state(page)).pins, 1);
  await page.keyboard.press("Control+z");
  assert.equal((await state(page)).pins, 0);
  await page.keyboard.press("Escape");
  await page.keyboard.press("i");
  assert.match((await state(page)).message.text, /particles, lowest point .* centimetres/);
  await page.keyboard.press("c");
  assert.equal((await state(page)).tool, "cut");
  await page.keyboard.press("?");
  assert.ok(await page.locator("dialog[open]").isVisible());
  await page.keyboard.press("Escape");
  const slider = page.getByTestId("param-bend-rigidity"), before = await page.evaluate(() => window.pliant.value("deformables.cloth.constraints.bend.rigidity"));
  await slider.focus();
  await page.keyboard.press("PageUp");
  assert.ok((await page.evaluate(() => window.pliant.value("deformables.cloth.constraints.bend.rigidity"))) > 2 * before);
  assert.match(await slider.getAttribute("aria-valuetext"), /newton metre/);
  const seen = new Set();
  await page.locator("body").evaluate(() => document.activeElement?.blur());
  for (let i = 0; i < 60; i++) { await page.keyboard.press("Tab"); seen.add(await page.evaluate(() => document.activeElement?.getAttribute("data-testid") ?? document.activeElement?.tagName)); }
  for (const id of ["stage", "tool-grab", "time-pause", "param-bend-rigidity", "run-hash"]) assert.ok(seen.has(id), `${id} is not reached by Tab`);
  await clean(page);
});

test("a finger pulls, two fingers zoom", async () => {
  const page = await play("flag", { width: 390, height: 844, touch: true });
  await advance(page, 10);
  const client = await page.context().newCDPSession(page), at = await project(page, MIDDLE), touch = (type, points) => client.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  await touch("touchStart", [{ x: at.x, y: at.y, id: 1 }]);
  await touch("touchMove", [{ x: at.x + 30, y: at.y + 40, id: 1 }]);
  await advance(page, 5);
  assert.equal((await state(page)).grabs.length, 1);
  await touch("touchEnd", []);
  await advance(page, 10);
  assert.equal((await state(page)).grabs.length, 0);
  const before = (await state(page)).camera.distance;
  await touch("touchStart", [{ x: 30, y: 400, id: 1 }]);
  await touch("touchStart", [{ x: 30, y: 400, id: 1 }, { x: 60, y: 440, id: 2 }]);
  await touch("touchMove", [{ x: 20, y: 360, id: 1 }, { x: 120, y: 470, id: 2 }]);
  await touch("touchEnd", []);
  assert.ok((await state(page)).camera.distance < before);
  await clean(page);
});
