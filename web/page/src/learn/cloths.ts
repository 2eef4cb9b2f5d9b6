// Swatches of the library: bending on and off, what models cost, and the reader's own code.
import type { ConstraintTypeName, Deformable, World } from "pliant";
import * as pliant from "pliant";
import { h } from "../base/dom.ts";
import { Least } from "../base/math.ts";
import { milliseconds, short } from "../base/text.ts";
import { Flat } from "../draw/flat.ts";
import clothC from "./code/cloth.c?text";
import clothJs from "./code/cloth.js?text";
import { swatch } from "./code/steps.js";
import stepsC from "./code/steps.c?text";
import stepsJs from "./code/steps.js?text";
import { button, code, cut, type Figure } from "./parts.ts";

const MADDER: [number, number, number] = [181, 71, 60], UNDYED: [number, number, number] = [227, 201, 168], LINEN: [number, number, number] = [217, 205, 184];

const listing = (): HTMLElement => code(["JavaScript", cut(stepsJs, "swatch")], ["C", cut(stepsC, "bend_by", "hold", "swatch")]);
const drop = (cloth: Deformable): number => -cloth.bounds.minimum[1];

export function fold(slots: Record<string, HTMLElement>): Figure {
  const { world, cloth } = swatch("isometric", { rigidity: 0.001 }, 60), set = world.findConstraintSet("bend")!;
  const canvas = h("canvas", { class: "flat", role: "img", "aria-label": "A strip of cloth clamped at one end, with and without bending stiffness" }), flat = new Flat(canvas), reading = h("p", { class: "reading", "data-testid": "learn-fold-reading" });
  let rigidity = 0.001, on = true, clock = 0, auto = true;
  const apply = (): void => { world.write("deformables[0].constraints[1].rigidity", on ? rigidity : 1e-8); };
  const number = h("input", { type: "number", class: "drag", step: "any", min: 1e-8, max: 1, value: rigidity, "data-testid": "learn-fold-rigidity", "aria-label": "Rigidity in newton metre" });
  const give = (value: number): void => { rigidity = Math.min(0.1, Math.max(1e-7, value)); auto = false; on = true; number.value = String(Number(rigidity.toPrecision(2))); apply(); };
  number.addEventListener("change", () => give(Number(number.value) || 0.001));
  number.addEventListener("keydown", (event) => { const by = { ArrowUp: 1, ArrowDown: -1 }[event.key]; if (by) { event.preventDefault(); give(rigidity * 10 ** (by / 10)); } });
  number.addEventListener("pointerdown", (event) => {
    const x = event.clientX, from = rigidity;
    const move = (e: PointerEvent): void => { if (Math.abs(e.clientX - x) > 3) give(from * 10 ** ((e.clientX - x) / 60)); };
    const up = (): void => { removeEventListener("pointermove", move); removeEventListener("pointerup", up); };
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
  });
  slots.rigidity?.append(number, " N m");
  apply();
  flat.eye = { yaw: 62, pitch: 14, scale: 900, middle: [0, -0.12, -0.08] };
  return {
    element: h("div", null, canvas, reading, listing()), caption: "The free end falls and rises. The clamp and the lengths of the edges do not change.",
    tick: (seconds) => {
      clock += seconds;
      if (auto && clock > 3) { clock = 0; on = !on; apply(); }
      world.step(1 / 60);
      flat.clear();
      flat.eye.scale = Math.min(canvas.clientWidth / 0.42, canvas.clientHeight / 0.42);
      flat.mesh(cloth.positions, cloth.stride, cloth.triangles, cloth.vertexCount, { front: MADDER, back: UNDYED });
      reading.textContent = `${on ? `Rigidity ${short(rigidity, 2)} N m` : "Without rigidity"}: the end hangs ${(100 * drop(cloth)).toFixed(1)} cm below the clamp; edges differ by ${(100 * cloth.statistics().stretch_rms).toFixed(2)} % from their length. ${set.constraintCount} hinges.`;
    },
  };
}

/* ---- what models cost ---------------------------------------------------------------------------------------- */

const MODELS: { type: ConstraintTypeName; label: string; parameters: Record<string, number>; ink: string }[] = [
  { type: "opposite_distance", label: "Opposite distance", parameters: { compliance: 0.002 }, ink: "opposite" },
  { type: "isometric", label: "Isometric", parameters: { rigidity: 0.001 }, ink: "isometric" },
  { type: "dihedral", label: "Dihedral", parameters: { rigidity: 0.001 }, ink: "dihedral" },
  { type: "triangle", label: "Triangle", parameters: { rigidity: 0.001 }, ink: "triangle" },
];

/** Mean distance of the free vertices from the best line of each column of the swatch: how bent it is, in millimetres. */
function bentness(cloth: Deformable): number {
  let sum = 0, n = 0;
  for (let row = 1; row < 30; row++) for (let i = 0; i < 11; i++) {
    const at = (r: number, k: number): number => cloth.positions[cloth.stride * (r * 11 + i) + k];
    sum += Math.hypot(...[0, 1, 2].map((k) => at(row - 1, k) - 2 * at(row, k) + at(row + 1, k)));
    n++;
  }
  return (1000 * sum) / n;
}

export function cost(): Figure {
  const runs = MODELS.map((model) => ({ ...model, ...swatch(model.type, model.parameters, 60), ms: 0, least: new Least(), canvas: h("canvas", { class: "flat small", role: "img", "aria-label": model.label }) }));
  const flats = runs.map((one) => { const flat = new Flat(one.canvas); flat.eye = { yaw: 62, pitch: 14, scale: 400, middle: [0, -0.12, -0.08] }; return flat; });
  const table = h("table", { class: "rows", "data-testid": "learn-cost-table" });
  let pictures = 0, flatting = 0;
  const write = (): void => table.replaceChildren(h("thead", null, h("tr", null, ...["model", "drop", "stretch", "a frame", "over opposite", "second difference"].map((one) => h("th", { scope: "col" }, one)))), h("tbody", null, ...runs.map((one) => h("tr", null,
    h("th", { scope: "row", style: `color:var(--${one.ink})` }, one.label), h("td", { class: "figure" }, `${(1000 * drop(one.cloth)).toFixed(0)} mm`), h("td", { class: "figure" }, `${(100 * one.cloth.statistics().stretch_rms).toFixed(2)} %`), h("td", { class: "figure" }, milliseconds(one.ms)), h("td", { class: "figure" }, `${(one.ms / (runs[0].ms || 1)).toFixed(1)} ×`), h("td", { class: "figure" }, `${bentness(one.cloth).toFixed(2)} mm`)))));
  const pull = button("learn-cost-pull", "Pull all four", () => { for (const { cloth } of runs) for (let i = 30 * 11; i < 31 * 11; i++) cloth.addForce(i, [0, 0.35, 0.1]); flatting = 20; });
  return {
    element: h("div", null, h("div", { class: "four" }, ...runs.map((one) => h("div", { style: `border-top:3px solid var(--${one.ink})` }, h("strong", null, one.label), one.canvas))), h("div", { class: "controls" }, pull, h("a", { class: "button", href: "../compare/" }, "The same, large")), table, listing()),
    caption: "The rigidity is the same where a model has one; opposite distance has only a compliance, in another unit. Times are the least of the last two seconds.",
    tick: () => {
      pictures++;
      runs.forEach((one, i) => {
        if (flatting > 0) for (let k = 30 * 11; k < 31 * 11; k++) one.cloth.addForce(k, [0, 0.004, 0]);
        const start = performance.now();
        one.world.step(1 / 60);
        one.ms = one.least.add(performance.now() - start);
        flats[i].clear();
        flats[i].eye.scale = Math.min(one.canvas.clientWidth / 0.34, one.canvas.clientHeight / 0.4);
        flats[i].mesh(one.cloth.positions, one.cloth.stride, one.cloth.triangles, one.cloth.vertexCount, { front: LINEN, back: [176, 141, 98] });
      });
      flatting--;
      if (pictures % 15 === 1) write();
    },
  };
}

/* ---- the reader's own ---------------------------------------------------------------------------------------- */

export const TEN = `const world = new World({ substeps: 15, air_density: 1.2, wind: [0.5, 0, 1.5] });
const mesh = Mesh.grid({ columns: 24, rows: 24, width: 1, depth: 1 });
const cloth = world.createDeformable({ mesh, density: 0.2 });
cloth.createConstraintSet({ type: "distance" });
cloth.createConstraintSet({ type: "isometric", parameters: { rigidity: 1e-4 } });
cloth.createAttachment({ particles: [0, 23] });
world.createCollider({ shape: "sphere", radius: 0.2, pose: { position: [0, -0.5, 0.1] } });
return { world, cloth };   // the figure steps it: world.step(1 / 60)`;

export function yours(): Figure {
  const area = h("textarea", { class: "code", rows: 9, spellcheck: "false", "aria-label": "Code that makes a cloth", "data-testid": "learn-yours-code" }), said = h("p", { class: "reading", role: "status", "data-testid": "learn-yours-reading" });
  area.value = TEN;
  const canvas = h("canvas", { class: "flat", role: "img", "aria-label": "What your code makes" }), flat = new Flat(canvas);
  flat.eye = { yaw: 25, pitch: 14, scale: 200, middle: [0, -0.45, 0.2] };
  let made: { world: World; cloth: Deformable } | null = null, frame = 0, failed = false;
  const run = (): void => {
    try {
      // The reader's own code, on the reader's own machine: it gets the package's names and returns what it made.
      const names = Object.keys(pliant), make = new Function(...names, `"use strict";${area.value}`) as (...args: unknown[]) => { world: World; cloth: Deformable };
      const next = make(...names.map((name) => (pliant as Record<string, unknown>)[name]));
      if (!next?.world || !next.cloth) throw new Error("the code must end with: return { world, cloth };");
      made?.world.dispose();
      made = next;
      frame = 0;
      failed = false;
    } catch (error) {
      // What ran before continues; the message stays until the next run.
      failed = true;
      said.textContent = (error as Error).message;
    }
  };
  run();
  return {
    element: h("div", null, canvas, said, area, h("div", { class: "controls" }, button("learn-yours-run", "Run", run)), code(["JavaScript", clothJs], ["C", clothC])),
    caption: "The picture shows what the ten lines make.",
    tick: () => {
      if (!made) return;
      try { made.world.step(1 / 60); } catch (error) { said.textContent = (error as Error).message; made = null; return; }
      frame++;
      flat.clear();
      flat.eye.scale = Math.min(canvas.clientWidth, canvas.clientHeight) / 1.35;
      flat.mesh(made.cloth.positions, made.cloth.stride, made.cloth.triangles, made.cloth.vertexCount, { front: MADDER, back: UNDYED });
      if (frame % 10 === 0 && !failed) said.textContent = `Frame ${frame}, hash ${made.world.hash()}.`;
    },
  };
}
