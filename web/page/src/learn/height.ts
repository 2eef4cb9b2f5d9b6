// Triangle bending: one height over three points, and what kappa does to a mesh.
import { evaluateConstraint, type Deformable } from "pliant";
import { h, s } from "../base/dom.ts";
import { short } from "../base/text.ts";
import { Flat } from "../draw/flat.ts";
import { projectHeight } from "./code/by-hand.js";
import byHand from "./code/by-hand.js?text";
import { swatch } from "./code/steps.js";
import { button, choice, code, cut, movable, row, slider, type Figure, type Point } from "./parts.ts";

type Relation = "equal" | "at_most" | "at_least";

const WIDE = 360, TALL = 240;
/** b0, b1 and v at rest, in hundredths of a metre: the height of v over its neighbours is 40 then. */
const REST: [Point, Point, Point] = [{ x: 80, y: 185 }, { x: 280, y: 185 }, { x: 180, y: 125 }], H0 = 40;
const NAMES = ["b₀", "b₁", "v"], TESTS = ["b0", "b1", "v"];
const triple = (p: Point): [number, number, number] => [p.x, p.y, 0];

export function height(): Figure {
  const points = REST.map((p) => ({ ...p })), w = [1, 1, 1];
  let kappa = 0, relation: Relation = "equal", auto = true, clock = 0;
  const drawing = s("svg", { viewBox: `0 0 ${WIDE} ${TALL}`, class: "drawing pair", role: "img", "aria-label": "A point over two neighbours, its height over their common centre, and the circle that kappa allows" });
  const reading = h("table", { class: "rows", "data-testid": "learn-height-table" });
  const solve = (): ReturnType<typeof projectHeight> => projectHeight(triple(points[0]), triple(points[1]), triple(points[2]), w, H0, kappa, relation);
  /** The library's value for the same points. */
  const library = (): number => evaluateConstraint({ type: "triangle", parameters: { kappa }, restPositions: REST.flatMap(triple), positions: points.flatMap(triple) })?.values[0] ?? NaN;
  const draw = (): void => {
    const r = solve(), [a, b, v] = points, c = { x: (a.x + b.x + v.x) / 3, y: (a.y + b.y + v.y) / 3 }, wanted = H0 + kappa;
    const moved = [r.db0, r.db1, r.dv].map((d, i) => ({ x: points[i].x + d[0], y: points[i].y + d[1] }));
    drawing.replaceChildren(
      s("polygon", { points: `${a.x},${a.y} ${v.x},${v.y} ${b.x},${b.y}`, class: "fold" }),
      s("circle", { cx: c.x, cy: c.y, r: wanted, class: relation === "at_most" ? "allowed" : relation === "at_least" ? "refused" : "ring" }),
      s("line", { x1: c.x, y1: c.y, x2: v.x, y2: v.y, class: "ruler" }), s("circle", { cx: c.x, cy: c.y, r: 4, class: "spine" }), s("text", { x: c.x + 8, y: c.y + 16, class: "note" }, "c"),
      ...(r.acts ? moved.map(({ x, y }) => s("circle", { cx: x, cy: y, r: 12, class: "ghost" })) : []), ...NAMES.map((name, i) => knob(i, `learn-height-${TESTS[i]}`, name, name, 12)));
    const moment = [0, 1].map((k) => r.db0[k] / w[0] + r.db1[k] / w[1] + r.dv[k] / w[2]);
    reading.replaceChildren(h("tbody", null, row("height h = |v − c|", short(r.h)), row("h₀ + κ", short(wanted)), row("C = h − (h₀ + κ)", short(r.C)),
      row("the library's C", short(library())), row("projected", r.acts && Math.abs(r.C) > 1e-9 ? "yes" : "no"), row("Δb₀, Δb₁, Δv", [r.db0, r.db1, r.dv].map((d) => short(Math.hypot(...d))).join(", ")),
      row("sum of the momenta", short(Math.hypot(...moment) < 1e-9 ? 0 : Math.hypot(...moment)))));
  };
  const knob = movable(drawing, WIDE, TALL, points, draw);
  const choose = choice<Relation>("learn-height", "Relation of the height to its target", [["equal", "h = h₀ + κ"], ["at_most", "h ≤ h₀ + κ"], ["at_least", "h ≥ h₀ + κ"]], relation, (value) => { relation = value; draw(); });
  const project = button("learn-height-project", "Project once", () => { const r = solve(); [r.db0, r.db1, r.dv].forEach((d, i) => { points[i].x += d[0]; points[i].y += d[1]; }); draw(); });
  const again = button("learn-height-reset", "At rest", () => { points.forEach((p, i) => Object.assign(p, REST[i])); draw(); });
  draw();
  const element = h("div", null, drawing, slider("learn-height-kappa", "κ", 0, 60, 0, (x) => short(x, 2), (x) => { kappa = x; draw(); }), choose, h("div", { class: "controls" }, project, again), reading, code(["By hand", cut(byHand, "projectHeight")]));
  for (const name of ["pointerdown", "focusin"]) element.addEventListener(name, () => { auto = false; });
  return {
    element,
    caption: "The circle around the centre of all three points has the radius h₀ + κ. Drag the points: one projection puts v on the circle, or leaves it where the inequality holds.",
    // Untouched, v moves up and down, and the rings show where a projection would put the points.
    tick: (seconds) => {
      if (!auto) return;
      clock += seconds;
      points[2].y = REST[2].y + 34 * Math.sin(1.4 * clock);
      draw();
    },
  };
}

/* ---- on a mesh ----------------------------------------------------------------------------------------------- */

const EDGE = 0.01, FRACTIONS = [0, 0.05, 0.2];
const drop = (cloth: Deformable): number => -cloth.bounds.minimum[1];
/** A height of kappa over a chord of two edges is a circle of this radius: the sagitta is 1.5 times the height. */
const radius = (fraction: number): string => (fraction > 0 ? `${((100 * EDGE) / (3 * fraction)).toFixed(1)} cm` : "flat");

export function kappa(): Figure {
  const runs = [...FRACTIONS, 0.1].map((fraction) => ({ fraction, ...swatch("triangle", { relation: "at_most", kappa: fraction * EDGE }, 60), canvas: h("canvas", { class: "flat small", role: "img", "aria-label": "A strip of cloth clamped at one end" }), name: h("strong", null) }));
  const flats = runs.map(({ canvas }) => { const flat = new Flat(canvas); flat.eye = { yaw: 62, pitch: 14, scale: 400, middle: [0, -0.12, -0.08] }; return flat; }), own = runs[FRACTIONS.length];
  const table = h("table", { class: "rows", "data-testid": "learn-kappa-table" });
  let pictures = 0;
  const label = (): void => runs.forEach((one, i) => { one.name.textContent = `κ = ${short(one.fraction, 2)} edges${i === FRACTIONS.length ? ", yours" : ""}`; });
  const write = (): void => table.replaceChildren(h("thead", null, h("tr", null, ...["κ, in edges", "radius it allows", "drop"].map((one) => h("th", { scope: "col" }, one)))), h("tbody", null, ...runs.map((one) => h("tr", null,
    h("th", { scope: "row" }, short(one.fraction, 2)), h("td", { class: "figure" }, radius(one.fraction)), h("td", { class: "figure" }, `${(1000 * drop(one.cloth)).toFixed(0)} mm`)))));
  const control = slider("learn-kappa-own", "Your κ, in edges", 0, 0.4, own.fraction, (x) => short(x, 2), (x) => { own.fraction = x; own.world.write("deformables[0].constraints[1].kappa", x * EDGE); label(); });
  label();
  return {
    element: h("div", null, h("div", { class: "four" }, ...runs.map((one) => h("div", null, one.name, one.canvas))), control, table),
    caption: "Triangle bending with h ≤ h₀ + κ. No constraint resists until a height has grown by κ; then the strip bends no further.",
    tick: () => {
      runs.forEach((one, i) => {
        one.world.step(1 / 60);
        flats[i].clear();
        flats[i].eye.scale = Math.min(one.canvas.clientWidth / 0.34, one.canvas.clientHeight / 0.4);
        flats[i].mesh(one.cloth.positions, one.cloth.stride, one.cloth.triangles, one.cloth.vertexCount, { front: [181, 71, 60], back: [227, 201, 168] });
      });
      if (pictures++ % 15 === 0) write();
    },
  };
}
