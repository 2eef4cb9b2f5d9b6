// The constraint and its gradient, XPBD and PBD, and colours.
import { h, s } from "../base/dom.ts";
import { short } from "../base/text.ts";
import { chainStretch, colourEdges, project } from "./code/by-hand.js";
import byHand from "./code/by-hand.js?text";
import byHandC from "./code/by-hand.c?text";
import { square, tipConstraint } from "./code/steps.js";
import stepsC from "./code/steps.c?text";
import stepsJs from "./code/steps.js?text";
import { button, code, cut, movable, row, slider, type Figure } from "./parts.ts";

const D = 200;

export function gradient(): Figure {
  const tips = [{ x: 75, y: 95 }, { x: 285, y: 70 }], w = [1, 1], middle = { x: 180, y: 160 };
  let compliance = 0;
  const drawing = s("svg", { viewBox: "0 0 360 220", class: "drawing pair", role: "img", "aria-label": "Two tips, the rest length between them, and their corrections as arrows" });
  const reading = h("table", { class: "rows" });
  const arrow = (x: number, y: number, dx: number, dy: number, name: string, label: string): SVGElement => {
    const l = Math.hypot(dx, dy) || 1, u = [dx / l, dy / l];
    return s("g", { class: name }, s("line", { x1: x, y1: y, x2: x + dx, y2: y + dy }), s("path", { d: `M${x + dx} ${y + dy}l${-9 * u[0] + 5 * u[1]} ${-9 * u[1] - 5 * u[0]}M${x + dx} ${y + dy}l${-9 * u[0] - 5 * u[1]} ${-9 * u[1] + 5 * u[0]}` }), s("text", { x: x + dx + 12 * u[0] - 6, y: y + dy + 12 * u[1] - 4 }, label));
  };
  /** How far C and n by hand are from the library's, at these tips. */
  const apart = ({ C, n }: { C: number; n: number[] }): number => {
    const [a, b] = tips, theirs = tipConstraint([-D / 2, 0, 0, D / 2, 0, 0], [a.x, a.y, 0, b.x, b.y, 0]);
    return Math.max(Math.abs(theirs.C - C), ...n.map((x, k) => Math.abs(theirs.gradients[3 + k] - x)));
  };
  const draw = (): void => {
    const [a, b] = tips, r = project([a.x, a.y, 0], [b.x, b.y, 0], w[0], w[1], D, compliance, 1), to = [{ x: a.x + r.dx2[0], y: a.y + r.dx2[1] }, { x: b.x + r.dx3[0], y: b.y + r.dx3[1] }];
    const handle = (i: number): SVGElement => knob(i, `learn-gradient-tip-${i + 2}`, String(i + 2), `Tip ${i + 2}`, w[i] === 0 ? 14 : 11 - 3 * Math.log10(w[i] || 1));
    const share = w[0] + w[1] > 0 ? w[0] / (w[0] + w[1]) : 0.5, pin = { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share };
    drawing.replaceChildren(
      s("polygon", { points: `${a.x},${a.y} ${middle.x},${middle.y} ${b.x},${b.y}`, class: "fold" }), s("circle", { cx: middle.x, cy: middle.y, r: 5, class: "spine" }),
      s("line", { x1: pin.x - r.n[0] * D * share, y1: pin.y - r.n[1] * D * share, x2: pin.x + r.n[0] * D * (1 - share), y2: pin.y + r.n[1] * D * (1 - share), class: "ruler" }),
      ...to.map(({ x, y }) => s("circle", { cx: x, cy: y, r: 11, class: "ghost" })),
      arrow(a.x, a.y - 26, -45 * r.n[0], -45 * r.n[1], "grad", "−n"), arrow(b.x, b.y - 26, 45 * r.n[0], 45 * r.n[1], "grad", "n"),
      arrow(a.x, a.y, r.dx2[0], r.dx2[1], "move", ""), arrow(b.x, b.y, r.dx3[0], r.dx3[1], "move", ""), handle(0), handle(1));
    const left = Math.hypot(...r.dx2), right = Math.hypot(...r.dx3);
    reading.replaceChildren(h("tbody", null, row("C = |x₃ − x₂| − d", short(r.C)), row("λ", short(r.lambda)), row("Δx₂, Δx₃", `${short(left)}, ${short(right)}`), row("momentum of both", short(Math.abs((w[0] ? left / w[0] : 0) - (w[1] ? right / w[1] : 0)) < 1e-9 || w[0] * w[1] === 0 ? 0 : left / w[0] - right / w[1])), row("right : left", left > 0 ? short(right / left) : "–"), row("by hand, from the library's C and ∇C", `${short(apart(r), 2)} apart`)));
    if (Math.abs(right - 3 * left) < 0.02 * right && right > 1) reading.append(h("caption", null, "Three times as far: the left tip is three times as heavy."));
  };
  const knob = movable(drawing, 360, 220, tips, draw);
  draw();
  const weights = [[1, "1"], [1 / 3, "1/3, heavy"], [0, "0, fixed"]] as const;
  const choose = (i: number): HTMLElement => {
    const select = h("select", { class: "field", "data-testid": `learn-gradient-w${i + 2}`, "aria-label": `Inverse mass of tip ${i + 2}` }, ...weights.map(([value, label]) => h("option", { value }, `w${i + 2} = ${label}`)));
    select.addEventListener("change", () => { w[i] = Number(select.value); draw(); });
    return select;
  };
  return {
    element: h("div", null, drawing, h("div", { class: "controls" }, choose(0), choose(1)), slider("learn-gradient-compliance", "Compliance / Δt²", 0, 5, 0, (x) => short(x, 2), (x) => { compliance = x; draw(); }), reading,
      code(["By hand", cut(byHand, "project")], ["JavaScript", cut(stepsJs, "tipConstraint")], ["C", cut(stepsC, "tip_constraint")])),
    caption: "Thin arrows are the gradient, bold arrows the correction, and rings the corrected tips. The bar between them has the rest length d.",
  };
}

/* ---- XPBD against PBD --------------------------------------------------------------------------------------- */

type Method = "xpbd" | "pbd";
/** What the plot is over: how often something is done, what is measured then, and by what code. */
interface Sweep { label: string; axis: string; measure: string; counts: number[]; run: (method: Method, count: number) => number; digits: number }

/** How far a square of cloth hangs below its two corners after it has come to rest [mm]. */
function hang(method: Method, substeps: number, iterations: number): number {
  const { world, cloth, mesh } = square(method, substeps, iterations);
  for (let frame = 0; frame < 150; frame++) world.step(1 / 60);
  const low = -1000 * cloth.bounds.minimum[1];
  world.dispose();
  mesh.dispose();
  return low;
}

const SWEEPS: Record<string, Sweep> = {
  iterations: { label: "Iterations, by hand", axis: "iterations a step", measure: "stretch [%]", counts: [5, 10, 20, 50, 100], run: chainStretch, digits: 1 },
  substeps: { label: "Substeps, by the library", axis: "substeps a frame", measure: "sag [mm]", counts: [1, 2, 4, 8, 16, 32], run: (method, count) => hang(method, count, 2), digits: 0 },
};
const METHODS: Method[] = ["xpbd", "pbd"];

/** A line for each method over how often it was done. */
function plotOf({ axis, measure, counts }: Sweep, results: Record<Method, (number | null)[]>): SVGElement[] {
  const known = METHODS.flatMap((name) => results[name]).filter((x): x is number => x !== null), most = Math.max(1, ...known) * 1.1, least = Math.min(...known, most) * 0.85;
  const px = (i: number): number => 50 + (i * 330) / (counts.length - 1), py = (y: number): number => 195 - ((y - least) / (most - least || 1)) * 175;
  const line = (name: Method): SVGElement[] => {
    const places = results[name].flatMap((y, i) => (y === null ? [] : [{ x: px(i), y: py(y) }])), second = places[1];
    return [s("polyline", { points: places.map(({ x, y }) => `${x},${y}`).join(" "), class: `line ${name}` }), ...places.map(({ x, y }) => s("circle", { cx: x, cy: y, r: 4, class: `dot ${name}` })),
      ...(second ? [s("text", { x: second.x + 6, y: second.y - 10, class: `label ${name}` }, name.toUpperCase())] : [])];
  };
  return [s("line", { x1: 45, y1: 200, x2: 390, y2: 200, class: "axis" }), ...counts.map((n, i) => s("text", { x: px(i), y: 218, class: "tick" }, String(n))),
    s("text", { x: 12, y: 16, class: "tick start" }, measure), s("text", { x: 388, y: 240, class: "tick end" }, axis), ...METHODS.flatMap(line)];
}

export function xpbd(): Figure {
  const plot = s("svg", { viewBox: "0 0 400 246", class: "drawing", role: "img", "aria-label": "What comes out by how often it is done, for both methods" }), table = h("table", { class: "rows", "data-testid": "learn-xpbd-table" });
  let sweep = SWEEPS.iterations, results: Record<Method, (number | null)[]>, todo: [Method, number][] = [], seen = false;
  const draw = (): void => {
    plot.replaceChildren(...plotOf(sweep, results));
    table.replaceChildren(h("thead", null, h("tr", null, h("th", { scope: "col" }, sweep.axis), ...sweep.counts.map((n) => h("th", { scope: "col", class: "figure" }, String(n))))),
      h("tbody", null, ...METHODS.map((name) => h("tr", null, h("th", { scope: "row" }, `${name.toUpperCase()}, ${sweep.measure}`), ...results[name].map((y) => h("td", { class: "figure" }, y === null ? "…" : y.toFixed(sweep.digits)))))));
  };
  const start = (): void => {
    results = { xpbd: sweep.counts.map(() => null), pbd: sweep.counts.map(() => null) };
    todo = sweep.counts.flatMap((_, i) => METHODS.map((name): [Method, number] => [name, i]));
    draw();
  };
  const choices = Object.entries(SWEEPS).map(([id, one]) => {
    const made = button(`learn-xpbd-${id}`, one.label, () => { sweep = one; choices.forEach((other) => other.setAttribute("aria-pressed", String(other === made))); start(); });
    made.setAttribute("aria-pressed", String(one === sweep));
    return made;
  });
  start();
  return {
    element: h("div", null, h("div", { class: "controls pressed" }, ...choices), plot, table, code(["By hand", cut(byHand, "project", "chainStretch")], ["JavaScript", cut(stepsJs, "square")], ["C", cut(stepsC, "square")])),
    caption: "Each dot is a run to rest, computed while you read. With a compliance all dots agree; with a stiffness each number gives another result.",
    tick: () => {
      if (!seen) { seen = true; return; }
      const next = todo.shift();
      if (!next) return;
      results[next[0]][next[1]] = sweep.run(next[0], sweep.counts[next[1]]);
      draw();
    },
  };
}

/* ---- colours ------------------------------------------------------------------------------------------------ */

const SIDE = 8;

export function parallel(): Figure {
  const edges: [number, number][] = [];
  for (let j = 0; j < SIDE; j++) for (let i = 0; i < SIDE; i++) { if (i + 1 < SIDE) edges.push([i + SIDE * j, i + 1 + SIDE * j]); if (j + 1 < SIDE) edges.push([i + SIDE * j, i + SIDE * (j + 1)]); }
  const colours = colourEdges(edges), count = Math.max(...colours) + 1, rest = 1;
  let p: number[][] = [], v: number[][] = [], cheat = false, pass = 0, clock = 0, broken = 0;
  const restart = (): void => { p = Array.from({ length: SIDE * SIDE }, (_, i) => [i % SIDE, -Math.floor(i / SIDE), 0]); v = p.map(() => [0, 0, 0]); broken = 0; };
  restart();
  const drawing = s("svg", { viewBox: "-1 -1 11 11.5", class: "drawing net", role: "img", "aria-label": "A net whose edges have colours" }), said = h("p", { class: "reading", "data-testid": "learn-parallel-reading" });
  const weight = (i: number): number => (i === 0 || i === SIDE - 1 ? 0 : 1);
  const step = (dt: number): void => {
    const before = p.map((x) => [...x]);
    p.forEach((x, i) => { if (weight(i)) { v[i][1] -= 9.81 * dt; for (let k = 0; k < 2; k++) x[k] += dt * v[i][k]; } });
    const order = cheat ? [edges.map((_, e) => e)] : Array.from({ length: count }, (_, c) => edges.map((_e, e) => e).filter((e) => colours[e] === c));
    for (let sweep = 0; sweep < 4; sweep++) for (const group of order) {
      // All of a group read the positions from before it, as a graphics card does.
      const read = p.map((x) => [...x]);
      for (const e of group) {
        const [a, b] = edges[e], wa = weight(a), wb = weight(b);
        if (wa + wb === 0) continue;
        const r = project(read[a], read[b], wa, wb, rest, 0, dt);
        for (let k = 0; k < 2; k++) { p[a][k] += r.dx2[k]; p[b][k] += r.dx3[k]; }
      }
    }
    p.forEach((x, i) => { for (let k = 0; k < 2; k++) v[i][k] = ((x[k] - before[i][k]) / dt) * 0.995; });
    const worst = Math.max(...edges.map(([a, b]) => Math.abs(Math.hypot(p[a][0] - p[b][0], p[a][1] - p[b][1]) - 1)));
    if (!(worst < 30)) { broken = 1.2; p = before; v = v.map(() => [0, 0, 0]); }
    said.textContent = broken > 0 ? "The net flew apart, and starts again." : `${edges.length} edges, ${cheat ? "all at once" : `${count} colours, one after the other`}; worst stretch now ${(100 * worst).toFixed(1)} %.`;
  };
  const draw = (): void => {
    const ink = ["#b5473c", "#0b6a75", "#d19a3a", "#6a4c93", "#5a8fd0", "#5d8a3f"];
    drawing.replaceChildren(...edges.map(([a, b], e) => s("line", { x1: p[a][0] + 1, y1: -p[a][1], x2: p[b][0] + 1, y2: -p[b][1], stroke: ink[colours[e] % ink.length], "stroke-width": !cheat && colours[e] === pass ? 0.22 : 0.09, "stroke-opacity": cheat || colours[e] === pass ? 1 : 0.55 })), ...[0, SIDE - 1].map((i) => s("circle", { cx: p[i][0] + 1, cy: -p[i][1], r: 0.22, class: "vertex" })));
  };
  const toggle = button("learn-parallel-cheat", "Cheat: all at once", () => { cheat = !cheat; toggle.textContent = cheat ? "Colour by colour" : "Cheat: all at once"; restart(); });
  return {
    element: h("div", null, drawing, said, h("div", { class: "controls" }, toggle), code(["JavaScript", cut(byHand, "colourEdges")], ["C", cut(byHandC, "colour_edges")], ["WGSL", "@compute @workgroup_size(64)\nfn project(@builtin(global_invocation_id) id: vec3u) {\n  if (id.x >= pass_.count) { return; }\n  let c = constraints[pass_.first + id.x];\n  let v = x[c.b].xyz - x[c.a].xyz;\n  let wa = x[c.a].w; let wb = x[c.b].w;\n  let l = length(v);\n  let s = (l - c.rest) / (l * (wa + wb + c.alpha));\n  x[c.a] += vec4f(wa * s * v, 0);   // no other invocation of this pass has a or b\n  x[c.b] -= vec4f(wb * s * v, 0);\n}"])),
    caption: "Bold edges are the pass that runs now. No two of them share a vertex.",
    tick: (seconds) => {
      clock += seconds;
      if (clock > 0.5) { clock = 0; pass = (pass + 1) % count; }
      if (broken > 0) { broken -= seconds; if (broken <= 0) restart(); } else for (let i = 0; i < 4; i++) step(1 / 240);
      draw();
    },
  };
}
