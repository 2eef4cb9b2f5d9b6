// Table 1 of Kelager and others, measured on the reader's machine: what one projection of each bending model costs.
import { load, Mesh, type ConstraintTypeName, type Engine } from "pliant";
import { h } from "../base/dom.ts";
import { verdicts } from "./claims.ts";
import { randoms } from "./measures.ts";
import { FRAME, paperBody, release, SIDE, type Made } from "./paper.ts";
import { button, choice, type Figure } from "./parts.ts";

/** One constraint after the other as the paper's program; in the same order with SIMD (wavefronts); or by colours. */
type Way = "scalar" | "sequential" | "coloured";
interface Model { type: ConstraintTypeName; name: string; ink: string; /** Nanoseconds of a projection in the paper. */ paper?: number }
const MODELS: Model[] = [
  { type: "triangle", name: "Triangle", ink: "triangle", paper: 158 }, { type: "dihedral_printed", name: "Dihedral, as printed", ink: "dihedral", paper: 503 }, { type: "stick", name: "Stick", ink: "stick", paper: 113 },
  { type: "triangle_signed", name: "Triangle, signed", ink: "triangle" }, { type: "dihedral", name: "Dihedral, signed", ink: "dihedral" }, { type: "isometric", name: "Isometric", ink: "isometric" },
];
/** Frames of the crumpled fabric, sweeps of a step, rounds of which the least counts; milliseconds of one measurement, and of all in one picture. */
const FRAMES = 18, SWEEPS = 16, ROUNDS = 40, PIECE = 4, TICK = 12;

interface Bench { model: Model; made: Made; frames: Float32Array[]; count: number; /** Least time of all frames, with all sweeps and with one [ms]. */ least: [number, number] }

const fabric = (engine?: Engine): Mesh => Mesh.grid({ columns: SIDE, rows: SIDE, width: 1, depth: 1, pattern: "quads" }, engine);

/** The first frames of the fabric as it recovers from a crumpled state. */
function record(type: ConstraintTypeName): Float32Array[] {
  const mesh = fabric(), random = randoms(1), positions = Float32Array.from(mesh.topology.positions, (x) => x + Math.fround((0.5 / (SIDE - 1)) * random())), made = paperBody({ mesh, type, positions });
  const frames = Array.from({ length: FRAMES }, () => { const now = made.body.copyPositions(); made.world.step(FRAME); return now; });
  release(made);
  return frames;
}

/** A world of the bending constraints alone, in which all particles weigh the same. */
function bench(model: Model, way: Way, engine?: Engine): Bench {
  const made = paperBody({ mesh: fabric(engine), type: model.type, stretch: false, settings: { order: way === "coloured" ? way : "sequential" }, engine });
  made.body.setInverseMasses(new Float32Array(SIDE * SIDE).fill(1));
  return { model, made, frames: record(model.type), count: made.world.findConstraintSet("bend")!.constraintCount, least: [Infinity, Infinity] };
}

/** Steps from each frame with so many sweeps; the time of one pass [ms]. */
function pass({ made: { world, body }, frames }: Bench, sweeps: number): number {
  const still = new Float32Array(3 * SIDE * SIDE);
  world.set({ iterations: sweeps });
  world.step(FRAME);   // Plans for this number of sweeps are made here, and not timed.
  const from = performance.now();
  for (let n = 1; ; n++) {
    for (const frame of frames) { body.setPositions(frame); body.setVelocities(still); world.step(FRAME); }
    const spent = performance.now() - from;
    if (spent > PIECE) return spent / n;
  }
}

/** All measurements, in turns; each stop follows a piece of work, of which it gives the fraction done. */
function* measure(benches: Bench[]): Generator<number> {
  for (let round = 0; round < ROUNDS; round++) for (const [i, one] of benches.entries()) {
    for (const [k, sweeps] of [[0, SWEEPS], [1, 1]] as const) { one.least[k] = Math.min(one.least[k], pass(one, sweeps)); yield (round + (i + 1) / benches.length) / ROUNDS; }
  }
}

/** Nanoseconds of a projection: what fifteen more sweeps cost, so that all else of a step drops out. */
const nanoseconds = ({ least: [all, one], count }: Bench): number => (1e6 * (all - one)) / ((SWEEPS - 1) * count * FRAMES);

export async function times(): Promise<Figure> {
  const claims = await verdicts("kelager-table1", ["The fabric has as many triangle", "The fabric has as many dihedral", "The fabric has as many sticks", "In the engine it is more than a factor 3"]);
  const table = h("table", { class: "rows", "data-testid": "learn-times-table" }), bar = h("progress", { max: 1, value: 0, "aria-label": "Measured so far" }), said = h("p", { class: "reading", "data-testid": "learn-times-reading" });
  let way: Way = "scalar", scalar: Engine | null = null, benches: Bench[] = [], job: Generator<number> | null = null, todo: Model[] = [], pieces: number[] = [], shown = 0;
  const start = (): void => { benches.forEach(({ made }) => release(made)); benches = []; todo = [...MODELS]; job = null; pieces = []; bar.value = 0; said.textContent = "Measuring."; claims.show([null, null, null, null]); };
  start();
  void load({ simd: "scalar" }).then((engine) => { scalar = engine; }, (error: Error) => { said.textContent = `${error.message}. Choose another order.`; });
  const write = (): void => {
    const [triangle] = benches, ours = (one: Bench): number | null => (Number.isFinite(one.least[1]) && one.least[0] > one.least[1] ? nanoseconds(one) : null), cell = (text: string): HTMLElement => h("td", { class: "figure" }, text), base = ours(triangle);
    table.replaceChildren(h("thead", null, h("tr", null, ...["model, number", "ns, here / 2010", "2010 : here", "triangles, here / 2010"].map((one, i) => h("th", { scope: "col", class: i > 0 && "figure wraps" }, one)))), h("tbody", null, ...benches.map((one) => {
      const now = ours(one), { paper, ink, name, type } = one.model;
      return h("tr", { "data-model": type, "data-ns": now ?? "", "data-count": one.count }, h("th", { scope: "row", class: "wraps", style: `color:var(--${ink})` }, `${name}, ${one.count}`), cell(`${now === null ? "…" : now.toFixed(1)} / ${paper ?? "–"}`), cell(paper && now ? `${(paper / now).toFixed(1)} ×` : "–"), cell(`${now && base ? (now / base).toFixed(2) : "…"} / ${paper ? (paper / MODELS[0].paper!).toFixed(2) : "–"}`));
    })));
  };
  const finish = (): void => {
    const [triangle, dihedral] = benches.map(nanoseconds);
    claims.show([...benches.slice(0, 3).map(({ count }) => count), way === "scalar" ? dihedral / triangle : null]);
    said.textContent = `Done: the least of ${ROUNDS} rounds of ${FRAMES} frames. The longest piece of work took ${Math.max(...pieces).toFixed(0)} ms.`;
    table.dataset.long = String(pieces.filter((ms) => ms > 50).length / pieces.length);
  };
  const advance = (from: number): void => {
    if (way === "scalar" && !scalar) return;
    const next = todo.shift();
    if (next) {
      benches.push(bench(next, way, way === "scalar" ? scalar! : undefined));
      if (todo.length === 0) { job = measure(benches); write(); }
      return;
    }
    let done = job?.next();
    while (done?.done === false && performance.now() - from < TICK) done = job!.next();
    if (done?.done === false) { bar.value = done.value; if (performance.now() > shown + 250) { shown = performance.now(); write(); } said.textContent = `Measuring: ${Math.round(100 * done.value)} %.`; return; }
    if (job) { job = null; bar.value = 1; write(); finish(); }
  };
  return {
    element: h("div", null, bar, table, said, choice<Way>("learn-times", "Order of projection", [["scalar", "In order, scalar"], ["sequential", "In order, SIMD"], ["coloured", "By colours, SIMD"]], way, (value) => { way = value; start(); }), h("div", { class: "controls" }, button("learn-times-again", "Measure again", start)), claims.element),
    caption: "Look at the last column: how many triangles one projection costs, on your machine and in the paper. Measuring takes some seconds.",
    step: () => {
      if (todo.length === 0 && !job) return;
      const from = performance.now();
      advance(from);
      pieces.push(performance.now() - from);
    },
    dispose: () => benches.forEach(({ made }) => release(made)),
  };
}
