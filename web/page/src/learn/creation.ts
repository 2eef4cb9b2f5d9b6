// Constraint creation on a mesh: how many constraints each bending model gets, by hand and by the library.
import { Mesh, type GeneratorName } from "pliant";
import { h } from "../base/dom.ts";
import { Flat } from "../draw/flat.ts";
import * as hand from "./code/creation.js";
import byHand from "./code/creation.js?text";
import { choice, code, cut, meshOpener, type Figure } from "./parts.ts";

/** Vertices up to which the figure also counts by hand, which takes some 0.1 s for 2000. */
const BY_HAND = 20000;

interface Shape { name: string; mesh: Mesh; positions: Float32Array; triangles: Int32Array; edges: Int32Array; offsets: Int32Array; corners: Int32Array; rings: number[][]; inside: number }
interface Rule { id: string; label: string; note: string; generator: GeneratorName; count: (shape: Shape) => number }

const whole = (list: hand.Triple[]): hand.Triple[] => list.filter(([a, b]) => a !== b);
const RULES: Rule[] = [
  { id: "triples", label: "Triangle, Figure 6 corrected", note: "each straightest pair once", generator: "triples", count: ({ positions, rings }) => hand.triples(positions, rings).length },
  { id: "index", label: "Figure 6, test of indices", note: "loses pairs that hold in one direction", generator: "triples_fig6a", count: ({ positions, rings }) => hand.triplesByIndex(positions, rings).length },
  { id: "map", label: "Figure 6, map cons[]", note: "", generator: "triples_fig6b", count: ({ positions, rings }) => whole(hand.triplesByMap(positions, rings)).length },
  { id: "hinges", label: "Dihedral, isometric", note: "each interior edge", generator: "hinges", count: ({ offsets, corners }) => hand.sharedEdges(offsets, corners) },
  { id: "sticks", label: "Stick", note: "every second vertex, unconnected", generator: "second_neighbours", count: ({ positions, rings }) => hand.sticks(positions, rings) },
  { id: "rings", label: "Ring Laplacian", note: "each interior vertex", generator: "rings", count: ({ inside }) => inside },
];

/** All that is needed of a mesh, as copies: views move when memory grows. */
function shapeOf(mesh: Mesh, name: string): Shape {
  const { positions, triangles, edges, face_offsets: offsets, face_vertices: corners, vertex_boundary: border, ring_offsets: ring } = mesh.topology, copy = (list: Int32Array): Int32Array => Int32Array.from(list);
  const inside = Array.from(border).filter((one, v) => !one && ring[v + 1] > ring[v]).length;
  return { name, mesh, positions: Float32Array.from(positions), triangles: copy(triangles), edges: copy(edges), offsets: copy(offsets), corners: copy(corners), rings: hand.ringsOf(edges, mesh.vertexCount), inside };
}

export function creation(): Figure {
  const canvas = h("canvas", { class: "flat", role: "img", "aria-label": "A mesh whose triples of points light up one after the other" }), flat = new Flat(canvas), said = h("p", { class: "reading", "data-testid": "learn-creation-reading" }), table = h("table", { class: "rows", "data-testid": "learn-creation-table" });
  let shape: Shape | null = null, results: { library: number; mine: number | null }[] = [], todo: Rule[] = [], shown: hand.Triple[] = [], now = 0, turning = 20, size = 1;
  const write = (): void => table.replaceChildren(h("thead", null, h("tr", null, ...["rule", "library", "by hand"].map((one, i) => h("th", { scope: "col", class: i > 0 && "figure" }, one)))), h("tbody", null, ...RULES.map(({ id, label, note }, i) => {
    const one = results[i], refused = id === "map" && shape && shape.positions.length <= 3 * BY_HAND && one ? `refused as degenerate: ${hand.triplesByMap(shape.positions, shape.rings).filter(([a, b]) => a === b).length}` : note;
    return h("tr", { "data-rule": id }, h("th", { scope: "row", class: "wraps" }, label, h("small", null, ` ${refused}`)), h("td", { class: "figure" }, one ? one.library : "…"), h("td", { class: one && one.mine !== null && one.mine !== one.library ? "figure wrong" : "figure" }, one ? one.mine ?? "too large" : "…"));
  })));
  const take = (mesh: Mesh, name: string): void => {
    shape?.mesh.dispose();
    shape = shapeOf(mesh, name);
    results = [];
    todo = [...RULES];
    shown = [];
    const { particles } = mesh.stencils("triples");
    for (let i = 0; i + 2 < particles.length; i += 3) shown.push([particles[i], particles[i + 1], particles[i + 2]]);
    const { bounds_min: low, bounds_max: high, hinge_count: hinges, vertex_count: vertices, triangle_count: faces } = mesh.report;
    size = Math.hypot(...low.map((x, k) => high[k] - x));
    flat.eye.middle = low.map((x, k) => (x + high[k]) / 2) as [number, number, number];
    said.textContent = `${name}: ${vertices} vertices, ${shape.inside} of them interior; ${faces} triangles; ${hinges} interior edges; ${particles.length / 3} triples.`;
    now = 0;
    write();
  };
  const FABRIC = { columns: 10, rows: 10, width: 1, depth: 1 };
  const shapes: Record<string, () => Mesh> = { quads: () => Mesh.grid({ ...FABRIC, pattern: "quads" }), diagonal: () => Mesh.grid({ ...FABRIC, pattern: "diagonal" }), crossed: () => Mesh.grid({ ...FABRIC, columns: 8, rows: 8, pattern: "crossed" }), sphere: () => Mesh.sphere({ subdivisions: 3, radius: 0.6 }) };
  const names: Record<string, string> = { quads: "Fabric", diagonal: "One diagonal", crossed: "Crossed", sphere: "A sphere" };
  take(shapes.quads(), names.quads);
  const choose = choice("learn-creation", "Mesh", Object.entries(names), "quads", (id) => take(shapes[id](), names[id])), opener = meshOpener("learn-creation", canvas, take, (text) => { said.textContent = text; });
  return {
    element: h("div", null, canvas, said, choose, h("div", { class: "controls" }, opener), table, code(["Corrected", cut(byHand, "ringsOf", "straightest", "triples")], ["Test of indices", cut(byHand, "triplesByIndex")], ["Map cons[]", cut(byHand, "triplesByMap")])),
    caption: "One triple lights up at a time: a vertex, and two neighbours that lie straight across. The counts on your mesh appear below.",
    step: (seconds) => {
      now = (now + seconds * Math.max(3, shown.length / 60)) % Math.max(1, shown.length);
      turning += 6 * seconds;
      const rule = todo.shift();
      if (!rule || !shape) return;
      results.push({ library: shape.mesh.stencils(rule.generator).count, mine: shape.positions.length > 3 * BY_HAND ? null : rule.count(shape) });
      write();
    },
    tick: () => {
      if (!shape) return;
      const context = flat.clear(), ink = getComputedStyle(canvas), at = shown[Math.floor(now)];
      flat.eye = { ...flat.eye, yaw: turning, pitch: 38, scale: Math.min(canvas.clientWidth, canvas.clientHeight * 1.3) / (1.15 * size) };
      flat.mesh(shape.positions, 3, shape.triangles, shape.positions.length / 3, { front: [217, 205, 184], back: [190, 172, 140] });
      context.strokeStyle = ink.getPropertyValue("--edge");
      context.lineWidth = 0.6;
      context.beginPath();
      const place = (v: number): [number, number, number] => flat.project(shape!.positions[3 * v], shape!.positions[3 * v + 1], shape!.positions[3 * v + 2]);
      if (shape.edges.length < 12000) for (let e = 0; e < shape.edges.length; e += 2) { const [a, b] = [place(shape.edges[e]), place(shape.edges[e + 1])]; context.moveTo(a[0], a[1]); context.lineTo(b[0], b[1]); }
      context.stroke();
      if (!at) return;
      const [a, b, v] = at.map(place);
      context.strokeStyle = context.fillStyle = ink.getPropertyValue("--accent");
      context.lineWidth = 4;
      context.beginPath();
      context.moveTo(a[0], a[1]); context.lineTo(v[0], v[1]); context.lineTo(b[0], b[1]);
      context.stroke();
      for (const [x, y] of [a, b, v]) { context.beginPath(); context.arc(x, y, 5, 0, 2 * Math.PI); context.fill(); }
    },
    dispose: () => shape?.mesh.dispose(),
  };
}
