// Two triangles, their neighbours, and pairs on a mesh.
import { Mesh } from "pliant";
import { h, s } from "../base/dom.ts";
import { Flat } from "../draw/flat.ts";
import { edgeRows, findTriNeighbors, getTriPairIds, sortRows, type Row } from "./code/by-hand.js";
import byHand from "./code/by-hand.js?text";
import { neighborsOf, pairsOf } from "./code/steps.js";
import stepsC from "./code/steps.c?text";
import stepsJs from "./code/steps.js?text";
import { button, choice, code, cut, meshOpener, slider, type Figure } from "./parts.ts";

const PAIR = [1, 2, 0, 0, 3, 1];

/** Two triangles folded by an angle: vertices 0 and 1 on the shared edge, 2 and 3 the tips. */
function folded(angle: number): number[][] {
  const c = Math.cos(angle / 2), z = Math.sin(angle / 2);
  return [[0, 0, -0.6], [0, 0, 0.6], [-c, z, 0], [c, z, 0]];
}

export function hinge(): Figure {
  const canvas = h("canvas", { class: "flat", role: "img", "aria-label": "Two triangles that fold about the edge they share; all five edges keep their length, the distance of the tips does not." });
  const flat = new Flat(canvas), reading = h("p", { class: "reading" });
  let angle = 0.3, auto = true, phase = 0;
  const control = slider("learn-edges-fold", "Fold", 0, 3, 0.3, (x) => `${Math.round((x * 180) / Math.PI)}°`, (x) => { angle = x; auto = false; });
  flat.eye = { yaw: 20, pitch: 22, scale: 150, middle: [0, 0.3, 0] };
  const draw = (): void => {
    const context = flat.clear(), p = folded(angle), style = getComputedStyle(canvas), colour = (name: string): string => style.getPropertyValue(name);
    flat.eye.scale = Math.min(canvas.clientWidth / 2.6, canvas.clientHeight / 2.2);
    flat.mesh(p.flat(), 3, [0, 1, 2, 1, 0, 3], 4, { front: [227, 201, 168], back: [181, 71, 60] });
    const at = p.map(([x, y, z]) => flat.project(x, y, z));
    const line = (a: number, b: number, ink: string, width: number, dash: number[] = []): void => {
      context.strokeStyle = ink; context.lineWidth = width; context.setLineDash(dash);
      context.beginPath(); context.moveTo(at[a][0], at[a][1]); context.lineTo(at[b][0], at[b][1]); context.stroke(); context.setLineDash([]);
    };
    for (const [a, b] of [[0, 1], [1, 2], [2, 0], [0, 3], [3, 1]]) line(a, b, colour("--good"), 3);
    line(2, 3, colour("--error"), 2, [6, 5]);
    context.fillStyle = colour("--text");
    context.font = "600 15px system-ui";
    at.forEach(([x, y], i) => context.fillText(String(i), x + 8, y - 6));
    const span = (a: number, b: number): string => Math.hypot(...p[a].map((x, k) => p[b][k] - x)).toFixed(3);
    reading.textContent = `Edges: ${[[0, 1], [1, 2], [2, 0], [0, 3], [3, 1]].map(([a, b]) => span(a, b)).join(", ")}, as at rest. Tips: ${span(2, 3)} apart, at rest 2.000.`;
  };
  return {
    element: h("div", null, canvas, control, reading), caption: "The green edges keep their length while the pair folds. Only the dashed line between the tips gets shorter.",
    tick: (seconds) => { if (auto) { phase += seconds; angle = 1.4 - 1.35 * Math.cos(phase); } draw(); },
  };
}

/* ---- neighbours --------------------------------------------------------------------------------------------- */

interface Step { rows: Row[]; mark: number[]; neighbors: (number | null)[]; text: string }

/** All states of the walk, in order. */
export function walk(triangles: number[], skip: number): Step[] {
  const rows = edgeRows(triangles), sorted = sortRows(rows), neighbors: (number | null)[] = triangles.map(() => null), steps: Step[] = [];
  const note = (list: Row[], mark: number[], text: string): void => { steps.push({ rows: list, mark, neighbors: [...neighbors], text }); };
  note(rows, [], "Each edge as a row: lower vertex, higher vertex, number of the edge.");
  note(sorted, [], "Sorted by both vertices: the two rows of a shared edge are adjacent.");
  neighbors.fill(-1);
  for (let i = 0; i + 1 < sorted.length;) {
    const [a, b, e] = sorted[i], [c, d, f] = sorted[i + 1], same = a === c && b === d;
    if (same) { neighbors[e] = f; neighbors[f] = e; }
    note(sorted, [i, i + 1], same ? `Rows ${i} and ${i + 1} are the same edge: ${e} and ${f} are neighbours. Advance by two.` : `Rows ${i} and ${i + 1} differ: edge ${e} is a border so far. Advance by ${skip}.`);
    i += same ? 2 : skip;
  }
  note(sorted, [], `Done: ${neighbors.join(" ")}`);
  return steps;
}

function stepper(id: string, count: () => number, show: (i: number) => void): { element: HTMLElement; go: (i: number) => void; touched: () => boolean } {
  let now = 0, touched = false;
  const text = h("output", { "aria-live": "polite" });
  const go = (i: number): void => { now = Math.max(0, Math.min(count() - 1, i)); text.textContent = `step ${now + 1} of ${count()}`; show(now); };
  const element = h("div", { class: "stepper" }, button(`${id}-back`, "Back", () => { touched = true; go(now - 1); }), text, button(`${id}-next`, "Next", () => { touched = true; go(now + 1 >= count() ? 0 : now + 1); }));
  return { element, go: (i) => { if (i < 0) go((now + 1) % count()); else go(i); }, touched: () => touched };
}

export function neighbors(): Figure {
  let triangles = [...PAIR], steps = walk(triangles, 1), waited = 0;
  const table = h("table", { class: "rows" }), result = h("p", { class: "array", "data-testid": "learn-neighbors-array" }), said = h("p", { class: "reading" }), drawing = h("div");
  const show = (i: number): void => {
    const step = steps[i];
    table.replaceChildren(h("thead", null, h("tr", null, ...["p0", "p1", "edge"].map((one) => h("th", { scope: "col", class: "figure" }, one)))), h("tbody", null, ...step.rows.map((row, k) => h("tr", { class: step.mark.includes(k) ? "marked" : "" }, ...row.map((x) => h("td", { class: "figure" }, String(x)))))));
    result.textContent = `neighbors: ${step.neighbors.map((x) => (x === null ? "·" : String(x).replace("-", "−"))).join(" ")}`;
    said.textContent = step.text;
    drawing.replaceChildren(pairDrawing(triangles, step.mark.map((k) => step.rows[k][2])));
  };
  const control = stepper("learn-neighbors", () => steps.length, show);
  const flip = button("learn-neighbors-flip", "Flip a triangle", () => { triangles = triangles[4] === 3 ? [1, 2, 0, 0, 1, 3] : [...PAIR]; steps = walk(triangles, 1); control.go(0); });
  control.go(0);
  return {
    element: h("div", null, drawing, h("div", { class: "two" }, table, h("div", null, result, said)), h("div", { class: "controls" }, control.element, flip), code(["By hand", cut(byHand, "edgeRows", "sortRows", "findTriNeighbors")], ["JavaScript", cut(stepsJs, "neighborsOf")], ["C", cut(stepsC, "neighbors_of")])),
    caption: "Six rows are sorted, and the two rows that are equal name each other.",
    tick: (seconds) => { waited += seconds; if (!control.touched() && waited > 1.8) { waited = 0; control.go(-1); } },
  };
}

function pairDrawing(triangles: number[], marked: number[]): SVGSVGElement {
  const at = [[150, 150], [150, 20], [40, 85], [260, 85]], ends = triangles.map((a, e) => [a, triangles[e - (e % 3) + ((e + 1) % 3)]]);
  return s("svg", { viewBox: "0 0 300 175", class: "drawing", role: "img", "aria-label": `Triangles ${triangles.slice(0, 3).join(" ")} and ${triangles.slice(3).join(" ")} with their edges numbered` },
    ...[0, 3].map((t) => s("polygon", { points: triangles.slice(t, t + 3).map((v) => at[v].join()).join(" "), class: "face" })),
    ...ends.map(([a, b], e) => s("line", { x1: at[a][0], y1: at[a][1], x2: at[b][0], y2: at[b][1], class: marked.includes(e) ? "edge marked" : "edge" })),
    ...ends.map(([a, b], e) => {
      const t = 3 * Math.floor(e / 3), middle = [0, 1].map((k) => (at[triangles[t]][k] + at[triangles[t + 1]][k] + at[triangles[t + 2]][k]) / 3), m = [0, 1].map((k) => 0.7 * ((at[a][k] + at[b][k]) / 2) + 0.3 * middle[k]);
      return s("text", { x: m[0], y: m[1] + 5, class: marked.includes(e) ? "edge-number marked" : "edge-number" }, String(e));
    }),
    ...at.map(([x, y], v) => s("g", null, s("circle", { cx: x, cy: y, r: 10, class: "vertex" }), s("text", { x, y: y + 4.5, class: "vertex-number" }, String(v)))));
}

/** Triangles of an alternating grid of n x n points, by the library. */
function grid(n: number): { triangles: Int32Array; mesh: Mesh } {
  const mesh = Mesh.grid({ columns: n, rows: n });
  return { triangles: Int32Array.from(mesh.topology.triangles), mesh };
}
const shared = (list: ArrayLike<number>): number => Array.from(list).filter((x) => x >= 0).length / 2;

export function bug(): Figure {
  const table = h("table", { class: "rows", "data-testid": "learn-bug-table" });
  const rows = [2, 3, 5, 10, 40].map((n) => {
    const { triangles, mesh } = grid(n), count = mesh.hingeCount;
    mesh.dispose();
    return { n, count, one: shared(findTriNeighbors(triangles, 1)), two: shared(findTriNeighbors(triangles, 2)) };
  });
  table.replaceChildren(h("thead", null, h("tr", null, ...["points", "shared edges", "found advancing by one", "by two"].map((one, i) => h("th", { scope: "col", class: i > 0 && "figure wraps" }, one)))),
    h("tbody", null, ...rows.map(({ n, count, one, two }) => h("tr", null, h("td", null, `${n} × ${n}`), h("td", { class: "figure" }, count), h("td", { class: "figure" }, one), h("td", { class: two < count ? "figure wrong" : "figure" }, two)))));
  const { triangles, mesh } = grid(3);
  mesh.dispose();
  let skip = 2, steps = walk([...triangles], skip), waited = 0;
  const list = h("ol", { class: "sorted" }), said = h("p", { class: "reading" });
  const control = stepper("learn-bug", () => steps.length, (i) => {
    list.replaceChildren(...steps[i].rows.map((row, k) => h("li", { class: steps[i].mark.includes(k) ? "marked" : "" }, row.join(" "))));
    said.textContent = steps[i].text;
  });
  const choose = choice("learn-bug", "Where rows differ", [["2", "advance by two"], ["1", "advance by one"]], "2", (value) => { skip = Number(value); steps = walk([...triangles], skip); control.go(2); });
  control.go(2);
  return { element: h("div", null, table, choose, list, said, control.element, code(["By hand", cut(byHand, "findTriNeighbors")], ["JavaScript", cut(stepsJs, "neighborsOf")], ["C", cut(stepsC, "neighbors_of")])), caption: "The walk over 3 × 3 points. With steps of two it passes over the rows that are equal.", tick: (seconds) => { waited += seconds; if (!control.touched() && waited > 0.9) { waited = 0; control.go(-1); } } };
}

export function pairs(): Figure {
  const canvas = h("canvas", { class: "flat", role: "img", "aria-label": "A mesh whose pairs of triangles light up one after the other" }), flat = new Flat(canvas), said = h("p", { class: "reading", "data-testid": "learn-pairs-reading" });
  let triangles: Int32Array = new Int32Array(), positions: Float32Array = new Float32Array(), ids: Int32Array = new Int32Array(), faces = new Map<string, number[]>(), now = 0, size = 1, turning = 20;
  const take = (mesh: Mesh, name: string): void => {
    triangles = Int32Array.from(mesh.topology.triangles);
    positions = Float32Array.from(mesh.topology.positions);
    const ours = findTriNeighbors(triangles), theirs = neighborsOf(triangles, mesh.vertexCount), mine = getTriPairIds(triangles, ours), library = pairsOf(triangles, mesh.vertexCount);
    ids = mine;
    const differ = ours.filter((x, i) => x !== theirs[i]).length, pairsDiffer = samePairs(mine, library);
    const { bounds_min: low, bounds_max: high } = mesh.report;
    size = Math.hypot(...low.map((x, k) => high[k] - x));
    flat.eye.middle = low.map((x, k) => (x + high[k]) / 2) as [number, number, number];
    faces = new Map();
    for (let t = 0; t < triangles.length; t += 3) for (let k = 0; k < 3; k++) { const key = [triangles[t + k], triangles[t + ((k + 1) % 3)]].sort((a, b) => a - b).join(); faces.set(key, [...(faces.get(key) ?? []), t / 3]); }
    said.textContent = `${name}: ${mesh.vertexCount} vertices, ${triangles.length / 3} triangles, ${ids.length / 4} pairs; the library finds ${mesh.hingeCount} hinges. Neighbours that differ between by hand and library: ${differ}; pairs: ${pairsDiffer}.`;
    now = 0;
    mesh.dispose();
  };
  take(Mesh.grid({ columns: 5, rows: 7, width: 0.8, depth: 1.2 }), "A swatch");
  const opener = meshOpener("learn-pairs", canvas, take, (text) => { said.textContent = text; });
  const draw = (): void => {
    flat.clear();
    flat.eye = { ...flat.eye, yaw: turning, pitch: 38, scale: Math.min(canvas.clientWidth, canvas.clientHeight * 1.3) / (1.15 * size) };
    const at = 4 * Math.floor(now), lit = new Set(faces.get([ids[at], ids[at + 1]].sort((a, b) => a - b).join()) ?? []), ink = getComputedStyle(canvas);
    flat.mesh(positions, 3, triangles, positions.length / 3, { front: [217, 205, 184], back: [190, 172, 140], lines: ink.getPropertyValue("--edge"), values: (t) => (lit.has(t) ? ink.getPropertyValue("--accent") : null) });
  };
  return {
    element: h("div", null, canvas, said, h("div", { class: "controls" }, opener), code(["By hand", cut(byHand, "getTriPairIds")], ["JavaScript", cut(stepsJs, "neighborsOf", "pairsOf")], ["C", cut(stepsC, "neighbors_of", "pairs_of")])),
    caption: "Two triangles light up at a time: the four points of a hinge, on your mesh as on two triangles.",
    tick: (seconds) => { now = (now + seconds * Math.max(3, ids.length / 160)) % Math.max(1, ids.length / 4); turning += 6 * seconds; draw(); },
  };
}

/** Pairs that are in one list and not in the other, whatever their order. */
function samePairs(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const key = (list: ArrayLike<number>, i: number): string => [[list[i], list[i + 1]], [list[i + 2], list[i + 3]]].map((two) => two.sort((x, y) => x - y).join()).join("|");
  const keys = (list: ArrayLike<number>): Set<string> => new Set(Array.from({ length: list.length / 4 }, (_, i) => key(list, 4 * i)));
  const left = keys(a), right = keys(b);
  return [...left].filter((x) => !right.has(x)).length + [...right].filter((x) => !left.has(x)).length;
}
