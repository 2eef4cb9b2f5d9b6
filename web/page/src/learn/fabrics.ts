// Figures 3 and 8 of Kelager and others, on their rigid fabric of 10 x 10 points: recovery from a crumpled state, and kappa against k.
import { Mesh, type ConstraintTypeName } from "pliant";
import { h } from "../base/dom.ts";
import { short } from "../base/text.ts";
import { verdicts } from "./claims.ts";
import { flatness, quantile, randoms, shapeDistance } from "./measures.ts";
import { bodyOf, FRAME, MADDER, panel, paperBody, release, SIDE, turnable, UNDYED, work, type Made } from "./paper.ts";
import { button, row, slider, type Figure } from "./parts.ts";

const EDGES = SIDE - 1;
const fabric = (side: number): Mesh => Mesh.grid({ columns: SIDE, rows: SIDE, width: side, depth: side, pattern: "quads" });

/* ---- Figure 3 ------------------------------------------------------------------------------------------------- */

const MODELS: { type: ConstraintTypeName; name: string }[] = [{ type: "triangle", name: "Triangle" }, { type: "dihedral_printed", name: "Dihedral, as printed" }, { type: "stick", name: "Stick" }], SEEDS = 10, REST = 600, SHOWN = 17;

/** The fabric with every vertex moved at random by up to `amount` edges along each axis. */
function crumpled(type: ConstraintTypeName, amount: number, seed: number): Made {
  const mesh = fabric(1), random = randoms(seed), positions = Float32Array.from(mesh.topology.positions, (x) => x + Math.fround((amount / EDGES) * random()));
  return paperBody({ mesh, type, positions, settings: { damping: 1.2 } });
}

interface Recovery { seventeen: number[]; flat: number[] }
/** Runs the claims' fabrics: ten seeds of each model to rest. It stops after each step. */
function* recoveries(found: Recovery[]): Generator {
  for (let seed = 1; seed <= SEEDS; seed++) for (const [i, { type }] of MODELS.entries()) {
    const made = crumpled(type, 1, seed);
    try {
      for (let frame = 0; frame <= REST; frame++) {
        if (frame === SHOWN) found[i].seventeen.push(EDGES * shapeDistance(made.rest, made.body.copyPositions()));
        if (frame === REST) found[i].flat.push(EDGES * flatness(made.body.copyPositions()));
        made.world.step(FRAME);
        yield;
      }
    } finally { release(made); }
  }
}

const median = (values: number[]): number => quantile(values, 0.5), worst = (values: number[]): number => Math.max(...values);

export async function recovery(): Promise<Figure> {
  const claims = await verdicts("kelager-fig3", ["At rest the triangle fabric is flat", "After 17 frames the dihedral", "After 17 frames the stick", "At rest the dihedral", "At rest the stick"]);
  const found: Recovery[] = MODELS.map(() => ({ seventeen: [], flat: [] })), job = recoveries(found), views = MODELS.map(({ name }) => panel(name, `A crumpled fabric of ${name.toLowerCase()} constraints`, "tall"));
  const said = h("p", { class: "reading" }), table = h("table", { class: "rows", "data-testid": "learn-recovery-table" });
  let amount = 1, seed = 1, made: Made[] = [], frame = 0, clock = 0, busy = true;
  for (const { solid } of views) solid.eye = { yaw: 30, pitch: 35, scale: 100, middle: [0, 0, 0] };
  views.forEach((view, i) => turnable(view, views.filter((_, k) => k !== i).map(({ solid }) => solid)));
  const start = (): void => { made.forEach(release); made = MODELS.map(({ type }) => crumpled(type, amount, seed)); frame = 0; clock = -1; };
  start();
  const write = (): void => table.replaceChildren(h("thead", null, h("tr", null, ...["model", "distance from the rest shape", "out of plane"].map((one) => h("th", { scope: "col" }, one)))), h("tbody", null, ...made.map(({ body, rest }, i) => {
    const positions = body.copyPositions();
    return h("tr", null, h("th", { scope: "row" }, MODELS[i].name), h("td", { class: "figure" }, `${(EDGES * shapeDistance(rest, positions)).toFixed(2)} edges`), h("td", { class: "figure" }, `${(EDGES * flatness(positions)).toFixed(3)} edges`));
  })));
  const show = (): void => {
    const [triangle, dihedral, stick] = found, all = stick.flat.length === SEEDS;
    claims.show(all ? [median(triangle.flat), median(dihedral.seventeen) / median(triangle.seventeen), median(stick.seventeen) / median(triangle.seventeen), worst(dihedral.flat) / worst(triangle.flat), worst(stick.flat) / worst(triangle.flat)] : [null, null, null, null, null]);
    said.textContent = all ? `Seed ${seed}, frame ${frame}.` : `Seed ${seed}, frame ${frame}. The claims need ten seeds to rest: ${stick.flat.length} done.`;
  };
  return {
    element: h("div", null, h("div", { class: "three" }, ...views.map(({ element }) => element)), said, table, slider("learn-recovery-amount", "Moved by, edges", 0.1, 2, 1, (x) => x.toFixed(1), (x) => { amount = x; start(); }),
      h("div", { class: "controls" }, button("learn-recovery-again", "Crumple again", () => { seed++; start(); })), claims.element),
    caption: "Three copies of the same crumpled fabric are released. Frame 17 is the paper's picture, so it pauses there; then they run to rest.",
    step: (seconds) => {
      clock += seconds;
      // Twelve frames a second up to the paper's frame, a pause, then sixty.
      const wait = frame < SHOWN ? 1 / 12 : frame === SHOWN ? 1.5 : FRAME;
      if (clock >= wait && frame < REST) { clock = 0; frame++; for (const { world } of made) world.step(FRAME); if (frame <= SHOWN || frame % 15 === 0) write(); }
      if (busy) busy = work(job, 6);
      show();
    },
    tick: () => made.forEach(({ body, edges }, i) => {
      const { solid } = views[i];
      solid.eye.scale = Math.min(solid.canvas.clientWidth, solid.canvas.clientHeight) / 1.55;
      solid.draw([bodyOf(body, UNDYED, MADDER, { edges })]);
    }),
    dispose: () => { job.return(undefined); made.forEach(release); },
  };
}

/* ---- Figure 8 ------------------------------------------------------------------------------------------------- */

const WIDE = 5, SETTLED = 400, KAPPAS = [0.004, 0.01, 0.06], STIFFNESSES = [1, 0.999, 0.8], STEPS = 4;
interface Sheet extends Made { kappa: number; stiffness: number; frame: number; fixed: number[] }

/** The fabric of 5 m, fixed at the four vertices in its middle, under gravity. */
function sheet(kappa: number, stiffness: number): Sheet {
  const mesh = fabric(WIDE), made = paperBody({ mesh, type: "triangle", parameters: { relation: "at_most", kappa, stiffness }, settings: { gravity: [0, -9.81, 0] } }), middle = SIDE / 2;
  const fixed = [middle - 1, middle].flatMap((r) => [middle - 1, middle].map((c) => r * SIDE + c));
  for (const i of fixed) made.body.setInverseMasses([0], i);
  return { ...made, kappa, stiffness, frame: 0, fixed };
}

/** A step, and 7 % of the speed taken out, so that it comes to rest. */
function sink(one: Sheet): void {
  const { world, body } = one, speeds = new Float32Array(3 * body.vertexCount);
  world.step(FRAME);
  const { velocities, stride } = body;
  for (let i = 0; i < speeds.length; i++) speeds[i] = 0.93 * velocities[stride * Math.floor(i / 3) + (i % 3)];
  body.setVelocities(speeds);
  one.frame++;
}

/** How far the mean vertex hangs below the middle, over the side. */
function sag({ body }: Sheet): number {
  const positions = body.copyPositions();
  let sum = 0;
  for (let i = 1; i < positions.length; i += 3) sum -= positions[i];
  return sum / (positions.length / 3) / WIDE;
}

function graded(sheets: Sheet[]): (number | null)[] {
  if (sheets.some(({ frame }) => frame < SETTLED)) return [null, null, null, null, null];
  const [a, b, c, d, e, f] = sheets.map(sag), ofKappa = Math.log(c / a) / Math.log(KAPPAS[2] / KAPPAS[0]), ofK = Math.log(f / e) / Math.log((1 - STIFFNESSES[2]) / (1 - STIFFNESSES[1]));
  return [Math.min(b / a, c / b), c, (c - a) / (f - d), ofKappa, ofK / ofKappa];
}

export async function control(): Promise<Figure> {
  const claims = await verdicts("kelager-fig8", ["The figure's three kappas grade", "Even (c) is a bent fabric", "k gives limited control", "From panel to panel", "It grows with 1 - k"]);
  const sheets = [...KAPPAS.map((kappa) => sheet(kappa, 1)), ...STIFFNESSES.map((k) => sheet(0, k))], own = sheet(0.03, 1), all = [...sheets, own];
  const name = ({ kappa, stiffness }: Sheet): string => `κ = ${short(kappa)}, k = ${short(stiffness)}`, views = all.map((one, i) => panel(`(${"abcdef"[i]}) ${name(one)}`, `A fabric fixed in its middle, ${name(one)}`));
  const reading = h("table", { class: "rows", "data-testid": "learn-control-own" });
  views[6].solid.canvas.classList.replace("small", "large");
  for (const { solid } of views) solid.eye = { yaw: 30, pitch: 14, scale: 40, middle: [0, -0.9, 0] };
  views.forEach((view, i) => turnable(view, views.filter((_, k) => k !== i).map(({ solid }) => solid)));
  const give = (): void => { own.world.write("deformables[0].constraints[1].kappa", own.kappa); own.world.write("deformables[0].constraints[1].stiffness", own.stiffness); views[6].title.textContent = `Yours: ${name(own)}`; };
  give();
  return {
    element: h("div", null, h("div", { class: "three" }, ...views.slice(0, 6).map(({ element }) => element)), views[6].element, slider("learn-control-kappa", "κ, in m", 0, 0.12, 0.03, (x) => x.toFixed(3), (x) => { own.kappa = x; give(); }),
      slider("learn-control-stiffness", "k", 0, 1, 1, (x) => x.toFixed(3), (x) => { own.stiffness = x; give(); }), reading, claims.element),
    caption: "Above, κ = 0.004, 0.01 and 0.06 at k = 1; below, k = 1, 0.999 and 0.8 at κ = 0, as in the paper's panels. The large one is yours.",
    step: () => {
      for (const one of sheets) for (let n = 0; n < STEPS && one.frame < SETTLED; n++) sink(one);
      sink(own);
      if (own.frame % 10) return;
      claims.show(graded(sheets));
      reading.replaceChildren(h("tbody", null, ...[0, 3].map((from) => row(`mean sag of (${"abcdef"[from]}) to (${"abcdef"[from + 2]})`, sheets.slice(from, from + 3).map((one) => sag(one).toFixed(3)).join(", "))), row("yours, of the side", sag(own).toFixed(3))));
    },
    tick: () => all.forEach(({ body, edges, fixed }, i) => {
      const { solid } = views[i];
      solid.eye.scale = Math.min(solid.canvas.clientWidth / 6.4, solid.canvas.clientHeight / 4.6);
      solid.draw([bodyOf(body, UNDYED, MADDER, { edges, dots: fixed })]);
    }),
    dispose: () => all.forEach(release),
  };
}
