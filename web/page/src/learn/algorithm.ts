// Algorithm 1 of Mueller and others, stepped line by line on two triangles that hang over a floor, beside the library's own step.
import { h, s } from "../base/dom.ts";
import { short } from "../base/text.ts";
import { makeSystem, makeWorld, step, type Stop, type System } from "./code/algorithm.js";
import text from "./code/algorithm.js?text";
import { button, code, cut, movable, slider, type Figure, type Point } from "./parts.ts";

const START: [number, number][] = [[0.2, 0.75], [0.7, 0.75], [0.32, 0.3], [0.82, 0.27]], MASSES = [1, 1, 1, 1], FIXED = 0, TRIANGLES = [0, 2, 1, 1, 2, 3], DT = 1 / 20;
const EDGES: [number, number][] = [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]];
const LINES: [number, string][] = [
  [5, "for all vertices i: vᵢ ← vᵢ + Δt wᵢ f(xᵢ)"], [6, "dampVelocities(v₁, …, v_N)"], [7, "for all vertices i: pᵢ ← xᵢ + Δt vᵢ"], [8, "for all vertices i: generateCollisionConstraints(xᵢ → pᵢ)"],
  [9, "loop solverIterations times"], [10, "  projectConstraints(C₁, …, p₁, …, p_N)"], [12, "for all vertices i: vᵢ ← (pᵢ − xᵢ) / Δt, xᵢ ← pᵢ"], [16, "velocityUpdate(v₁, …, v_N)"],
];
const MEANING: Record<number, string> = {
  4: "A step begins. The positions x and the velocities v are those of the last one.", 5: "Gravity: each free velocity changes by Δt g.", 6: "Damping would act on the velocities here; this system has none.",
  7: "The estimates p are where the points would go without constraints.", 8: "Points whose estimate lies below the floor get a collision constraint.", 12: "The velocity is what the estimate has become, over Δt; then x is p.", 16: "Points that hit the floor fast rebound at half their speed.",
};
const WIDE = 360, TALL = 300, SCALE = 290, FLOOR = 272;
const toScreen = ([x, y]: number[]): Point => ({ x: 36 + SCALE * x, y: FLOOR - SCALE * y }), toWorld = ({ x, y }: Point): [number, number] => [(x - 36) / SCALE, Math.max(0, (FLOOR - y) / SCALE)];

export function algorithm(): Figure {
  let iterations = 3, stiffness = 1, stop: Stop = { line: 4 }, run: Generator<Stop, void, void> | null = null, apart: number | null = null, waited = 0, auto = true, done = 0;
  let before: Pick<System, "x" | "v"> | null = null, system: System = makeSystem(START, MASSES, FIXED, EDGES, stiffness, iterations, DT), multipliers: { C: number; s: number }[] = [];
  const { world, body } = makeWorld(START, MASSES, FIXED, TRIANGLES, EDGES, stiffness, iterations);
  const drawing = s("svg", { viewBox: `0 0 ${WIDE} ${TALL}`, class: "drawing pair algorithm", role: "img", "aria-label": "Two triangles that hang from a fixed point over a floor, with velocities and estimates as arrows" });
  const listing = h("ol", { class: "lines" }, ...LINES.map(([n, words]) => h("li", { "data-line": n }, h("b", null, String(n)), h("code", null, words)))), said = h("p", { class: "reading", "data-testid": "learn-algorithm-reading", "aria-live": "polite" });
  const numbers = h("table", { class: "rows", "data-testid": "learn-algorithm-points" }), table = h("table", { class: "rows", "data-testid": "learn-algorithm-constraints" }), points = START.map(toScreen), pair = (v: number[]): string => v.map((x) => x.toFixed(2).replace("-0.00", "0.00").replace("-", "−")).join(", ");
  const knob = movable(drawing, WIDE, TALL, points, () => { auto = false; begin(); points.forEach((one, i) => { system.x[i] = toWorld(one); system.p[i] = [...system.x[i]]; }); draw(); });

  /** Back to the line before the step. */
  function begin(): void {
    if (run && before) { system.x = before.x; system.v = before.v; system.p = before.x.map((one) => [...one]); }
    run = null;
    stop = { line: 4 };
    multipliers = [];
    system.floor = [];
  }

  /** Gives the library the state that the step begins with, and steps it. The largest distance is that of the states afterwards. */
  function libraryStep(x: number[][], v: number[][]): void {
    world.set({ iterations });
    world.write("deformables[0].constraints[0].stiffness", stiffness);
    body.setPositions(x.flatMap(([a, b]) => [a, b, 0]));
    body.setVelocities(v.flatMap(([a, b]) => [a, b, 0]));
    world.step(DT);
  }

  function compare(): void {
    const { positions, velocities, stride } = body;
    apart = Math.max(...system.x.flatMap((one, i) => one.map((x, k) => Math.abs(x - positions[stride * i + k]))), ...system.v.flatMap((one, i) => one.map((v, k) => DT * Math.abs(v - velocities[stride * i + k]))));
    drawing.dataset.apart = String(apart);
    drawing.dataset.steps = String(++done);
  }

  function next(): void {
    if (!run) {
      Object.assign(system, { iterations, stiffness });
      before = { x: system.x.map((one) => [...one]), v: system.v.map((one) => [...one]) };
      libraryStep(before.x, before.v);
      multipliers = [];
      run = step(system);
    }
    const found = run.next();
    if (found.done) { begin(); next(); return; }
    stop = found.value;
    if (stop.constraint !== undefined) multipliers[stop.constraint] = { C: stop.C!, s: stop.s! };
    if (stop.line === 16) { compare(); run = null; }
    draw();
  }

  const arrow = (from: Point, to: Point, name: string): SVGElement => {
    const dx = to.x - from.x, dy = to.y - from.y, l = Math.hypot(dx, dy);
    if (l < 3) return s("g");
    const [ux, uy] = [dx / l, dy / l], head = Math.min(8, l / 2);
    return s("g", { class: name }, s("line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y }), s("path", { d: `M${to.x} ${to.y}l${head * (-ux + 0.6 * uy)} ${head * (-uy - 0.6 * ux)}M${to.x} ${to.y}l${head * (-ux - 0.6 * uy)} ${head * (-uy + 0.6 * ux)}` }));
  };

  function draw(): void {
    const { x, v, p, floor } = system, at = x.map(toScreen), estimates = p.map(toScreen), estimated = stop.line >= 7 && stop.line < 12;
    at.forEach((one, i) => Object.assign(points[i], one));
    drawing.replaceChildren(
      s("rect", { x: 0, y: FLOOR, width: WIDE, height: TALL - FLOOR, class: "floor" }), s("line", { x1: 0, y1: FLOOR, x2: WIDE, y2: FLOOR, class: "axis" }),
      ...EDGES.map(([a, b]) => s("line", { x1: at[a].x, y1: at[a].y, x2: at[b].x, y2: at[b].y, class: "edge" })),
      ...(estimated ? EDGES.map(([a, b], j) => s("line", { x1: estimates[a].x, y1: estimates[a].y, x2: estimates[b].x, y2: estimates[b].y, class: j === stop.constraint ? "estimate marked" : "estimate" })) : []),
      ...(stop.line < 8 || stop.line >= 12 ? at.map((one, i) => arrow(one, { x: one.x + SCALE * DT * v[i][0], y: one.y - SCALE * DT * v[i][1] }, "velocity")) : []),
      ...(estimated ? estimates.map((one, i) => s("circle", { cx: one.x, cy: one.y, r: 7, class: floor.includes(i) ? "ghost hit" : "ghost" })) : []),
      ...x.map((_, i) => knob(i, `learn-algorithm-${i}`, i === FIXED ? "▪" : String(i), i === FIXED ? `Point ${i}, fixed` : `Point ${i}`, 11)));
    for (const item of listing.children) item.classList.toggle("marked", Number((item as HTMLElement).dataset.line) === stop.line);
    numbers.replaceChildren(h("thead", null, h("tr", null, ...["point", "x", "v", "p"].map((one, i) => h("th", { scope: "col", class: i > 0 && "figure" }, one)))), h("tbody", null, ...x.map((_, i) => h("tr", null, h("th", { scope: "row" }, i === FIXED ? `${i}, fixed` : String(i)), ...[x[i], v[i], p[i]].map((one) => h("td", { class: "figure" }, pair(one)))))));
    table.replaceChildren(h("thead", null, h("tr", null, ...["constraint", "C", "multiplier s"].map((one, i) => h("th", { scope: "col", class: i > 0 && "figure" }, one)))), h("tbody", null, ...EDGES.map(([a, b], j) => {
      const one = multipliers[j];
      return h("tr", { class: j === stop.constraint && "marked" }, h("th", { scope: "row" }, `edge ${a} to ${b}`), h("td", { class: "figure" }, one ? short(one.C, 2) : "·"), h("td", { class: "figure" }, one ? short(one.s, 2) : "·"));
    })));
    said.textContent = words();
  }

  function words(): string {
    if (stop.floor !== undefined) return `Iteration ${stop.iteration}, floor at point ${stop.floor}: C = p · n = ${short(stop.C!, 2)}${stop.C! < 0 ? ", so it is put on the floor." : ", which an inequality allows."}`;
    if (stop.constraint !== undefined) return `Iteration ${stop.iteration}, edge ${EDGES[stop.constraint].join(" to ")}: C = ${short(stop.C!, 2)}. Each end moves by s w along the edge, times k′ = ${short(1 - (1 - stiffness) ** (1 / iterations), 2)}.`;
    if (stop.line === 9) return `Iteration ${stop.iteration} of ${iterations} begins.`;
    return `${MEANING[stop.line]}${stop.line === 16 && apart !== null ? ` The library's own step ends ${short(apart, 2)} m away.` : ""}`;
  }

  const finish = (): void => { auto = false; do next(); while (stop.line !== 16); };
  const reset = (): void => { begin(); system = makeSystem(START, MASSES, FIXED, EDGES, stiffness, iterations, DT); draw(); };
  draw();
  return {
    element: h("div", null, h("div", { class: "two even" }, drawing, listing), said, h("div", { class: "controls" }, button("learn-algorithm-next", "Next line", () => { auto = false; next(); }), button("learn-algorithm-step", "Next step", finish), button("learn-algorithm-reset", "Start over", reset)),
      slider("learn-algorithm-iterations", "Iterations", 1, 8, iterations, String, (value) => { auto = false; iterations = value; begin(); draw(); }, 1), slider("learn-algorithm-stiffness", "Stiffness k", 0.05, 1, stiffness, (value) => value.toFixed(2), (value) => { auto = false; stiffness = value; begin(); draw(); }),
      numbers, table, code(["By hand", cut(text, "perIteration", "step")], ["The library", cut(text, "makeWorld")])),
    caption: "The marked line has just been executed. Arrows are Δt v, dashed circles the estimates p. Drag a point: the step starts anew from there.",
    tick: (seconds) => { waited += seconds; if (auto && waited > 0.7) { waited = 0; next(); } },
  };
}
