// Reflection and the signed forms: a height cannot tell in from out; a bowl turned inside out shows which models can.
import { Mesh, World, evaluateConstraint, type ConstraintTypeName } from "pliant";
import { h, s } from "../base/dom.ts";
import { short } from "../base/text.ts";
import { verdicts } from "./claims.ts";
import { signedHeight } from "./code/by-hand.js";
import byHand from "./code/by-hand.js?text";
import { randoms, shapeDistance } from "./measures.ts";
import { bodyOf, FRAME, MADDER, panel, paperBody, release, turnable, UNDYED, type Made } from "./paper.ts";
import { button, choice, code, cut, row, slider, type Figure } from "./parts.ts";

/* ---- one triple ----------------------------------------------------------------------------------------------- */

const RISE = 0.45, RING = 6;
const number = (x: number): string => short(Math.abs(x) < 1e-6 ? 0 : x);
/** A cap of seven points: the tip, and a ring around it; three triples cross at the tip. */
function cap(): Mesh {
  const ring = Array.from({ length: RING }, (_, i) => [Math.cos((i * Math.PI) / 3), 0, -Math.sin((i * Math.PI) / 3)]);
  return new Mesh({ positions: [0, RISE, 0, ...ring.flat()], faces: ring.flatMap((_, i) => [0, 1 + i, 1 + ((i + 1) % RING)]) });
}

/** The library's C of a cap whose tip is at that height: the largest of its three triples. */
function capResidual(type: ConstraintTypeName): { at: (tip: number) => number; dispose: () => void } {
  const mesh = cap(), world = new World({ gravity: [0, 0, 0] }), body = world.createDeformable({ mesh }), set = body.createConstraintSet({ type, parameters: { compliance: 1e30 } });
  // A step, in which so soft a constraint moves nothing, gives the signed form the normals of this shape.
  return { at: (tip) => { body.setPositions([0, tip, 0]); world.step(FRAME); return set.residual().max; }, dispose: () => release({ world, mesh }) };
}

function tipFigure(): { element: HTMLElement; dispose: () => void } {
  const drawing = s("svg", { viewBox: "0 0 360 190", class: "drawing", role: "img", "aria-label": "A point over its two neighbours, and its mirror image below them" }), table = h("table", { class: "rows", "data-testid": "learn-mirror-table" });
  const unsigned = capResidual("triangle"), signed = capResidual("triangle_signed"), side = 130, scale = 130, at = (y: number): number => 95 - scale * y;
  const draw = (tip: number): void => {
    const positions = [-1, 0, 0, 1, 0, 0, 0, tip, 0], rest = [-1, 0, 0, 1, 0, 0, 0, RISE, 0], C = evaluateConstraint({ type: "triangle", restPositions: rest, positions })?.values[0] ?? NaN;
    const by = signedHeight([-1, 0, 0], [1, 0, 0], [0, tip, 0], [0, 1, 0], (2 / 3) * RISE), fold = (y: number, name: string): SVGElement => s("polyline", { points: `${180 - side},95 180,${at(y)} ${180 + side},95`, class: name });
    drawing.replaceChildren(fold(RISE, "rest-shape"), fold(-RISE, "rest-shape mirrored"), s("text", { x: 190, y: at(RISE) - 8, class: "note" }, "at rest"), s("text", { x: 190, y: at(-RISE) + 18, class: "note" }, "its mirror image"), fold(tip, "fold-line"),
      ...[[180 - side, 95, "b₀"], [180 + side, 95, "b₁"], [180, at(tip), "v"]].map(([x, y, letters]) => s("g", { class: "knob still" }, s("circle", { cx: x, cy: y, r: 12 }), s("text", { x, y: Number(y) + 5 }, letters))));
    table.replaceChildren(h("tbody", null, row("unsigned: C = |v − c| − h₀", number(C)), row("signed: C = ±|v − c| − s₀", number(by)), row("the library, triangle on a cap of seven points: |C|", number(unsigned.at(tip))), row("the library, triangle_signed on it: |C|", number(signed.at(tip)))));
  };
  const control = slider("learn-mirror-tip", "Tip, from out to in", -RISE, RISE, -RISE, (x) => short(x, 2), draw);
  draw(-RISE);
  return { element: h("div", null, drawing, control, table), dispose: () => { unsigned.dispose(); signed.dispose(); } };
}

/* ---- bowls ---------------------------------------------------------------------------------------------------- */

const MODELS: { type: ConstraintTypeName; name: string }[] = [{ type: "triangle", name: "As printed" }, { type: "triangle_signed", name: "Signed height" }, { type: "triangle_area", name: "Signed area" }, { type: "triangle_linear", name: "Linear form" }];
const POINTS = 13, END = 400, NOISE = 0.004;

/** A bowl of 13 x 13 points that is open upwards; `jitter` moves the inner ones within the square, in cells. */
function bowl(jitter: number): Mesh {
  const grid = Mesh.grid({ columns: POINTS, rows: POINTS, pattern: "alternating" }), random = randoms(3), { positions: p, triangles, vertex_boundary: border } = grid.topology, round = Math.fround;
  const positions = Array.from({ length: p.length / 3 }, (_, i) => {
    const reach = border[i] ? 0 : jitter / (POINTS - 1), x = round(p[3 * i] + round(reach * random())), z = round(p[3 * i + 2] + round(reach * random()));
    return [x, round(round(0.8) * round(round(x * x) + round(z * z))), z];
  });
  const mesh = new Mesh({ positions: positions.flat(), faces: Int32Array.from(triangles) });
  grid.dispose();
  return mesh;
}

interface Bowl extends Made { mirrored: number; frame: number }
function turned(type: ConstraintTypeName, jitter: number): Bowl {
  const mesh = bowl(jitter), random = randoms(5), rest = mesh.topology.positions, positions = Float32Array.from(rest, (x, i) => Math.fround((i % 3 === 1 ? -1 : 1) * x) + Math.fround(NOISE * random()));
  const mirrored = shapeDistance(rest, positions);
  return { ...paperBody({ mesh, type, positions, settings: { damping: 3.1 } }), mirrored, frame: 0 };
}

export async function mirror(): Promise<Figure> {
  const claims = await verdicts("kelager-reflection", ["A complete reflection is an equilibrium of triangle", "So does triangle bending with a sign on its height", "So does triangle bending with a special case", "So does triangle bending as a linear form"],
    [undefined, "With a sign on its height, as the paper proposes, triangle bending comes back from it.", "So it does with the sign of its area.", "So it does as a linear form."]);
  const views = MODELS.map(({ name }) => panel(name, `A bowl turned inside out, ${name.toLowerCase()}`)), reading = h("table", { class: "rows", "data-testid": "learn-mirror-bowls" });
  const tip = tipFigure();
  let jitter = 0, bowls: Bowl[] = [], wait = 0;
  for (const { solid } of views) solid.eye = { yaw: 30, pitch: 24, scale: 100, middle: [0, 0, 0] };
  views.forEach((view, i) => turnable(view, views.filter((_, k) => k !== i).map(({ solid }) => solid)));
  const start = (): void => { bowls.forEach(release); bowls = MODELS.map(({ type }) => turned(type, jitter)); wait = 1; };
  start();
  const away = ({ rest, body, mirrored }: Bowl): number => shapeDistance(rest, body.copyPositions()) / mirrored;
  const choose = choice("learn-mirror", "Triangles of the bowl", [["regular", "Regular triangles"], ["irregular", "Irregular triangles"]], "regular", (value) => { jitter = value === "irregular" ? 0.3 : 0; start(); });
  return {
    element: h("div", null, tip.element, h("div", { class: "four" }, ...views.map(({ element }) => element)), choose, h("div", { class: "controls" }, button("learn-mirror-again", "Turn inside out again", start)), reading, claims.element, code(["By hand", cut(byHand, "signedHeight")])),
    caption: "Above, the tip lies in the mirror image of its rest shape: C is 0 there without a sign. Below, four bowls are released inside out; one that comes back may turn as a whole.",
    step: (seconds) => {
      wait -= seconds;
      if (wait > 0 || bowls[0].frame >= END) return;
      for (const one of bowls) { one.world.step(FRAME); one.frame++; }
      if (bowls[0].frame % 10) return;
      reading.replaceChildren(h("tbody", null, ...bowls.map((one, i) => row(MODELS[i].name, `${short(100 * away(one), 2)} % of the distance left`))));
      claims.show(jitter === 0 && bowls[0].frame >= END ? bowls.map(away) : [null, null, null, null]);
    },
    tick: () => bowls.forEach(({ body, edges }, i) => {
      const { solid } = views[i], { minimum, maximum } = body.bounds;
      solid.eye.middle = minimum.map((x, k) => (x + maximum[k]) / 2) as [number, number, number];
      solid.eye.scale = Math.min(solid.canvas.clientWidth / 1.7, solid.canvas.clientHeight / 1.45);
      solid.draw([bodyOf(body, UNDYED, MADDER, { edges })]);
    }),
    dispose: () => { tip.dispose(); bowls.forEach(release); },
  };
}
