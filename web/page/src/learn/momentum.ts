// Momentum, conserved or not: two inflated balls at rest in empty space.
import { Mesh, World, type Deformable } from "pliant";
import { h } from "../base/dom.ts";
import { short } from "../base/text.ts";
import { Flat } from "../draw/flat.ts";
import { button, type Figure } from "./parts.ts";

const RADIUS = 0.35, PRESSURE = 2.2, DENSITY = 0.1;

/** A ball blown up to 2.2 times its volume against its edges and its bending, as in `pliant-lab experiment momentum`. */
function ball(keeps: boolean): { world: World; cloth: Deformable; mesh: Mesh } {
  const world = new World({ gravity: [0, 0, 0], substeps: 10, damping: 3.1, keep_momentum: keeps });
  const mesh = Mesh.sphere({ subdivisions: 2, radius: RADIUS });
  const cloth = world.createDeformable({ mesh, density: DENSITY, stretch: "swept" });
  cloth.createConstraintSet({ type: "distance", parameters: { compliance: 1e-4 } });
  cloth.createConstraintSet({ type: "volume", parameters: { pressure: PRESSURE } });
  cloth.createConstraintSet({ type: "isometric", parameters: { compliance: 1 } });
  return { world, cloth, mesh };
}

/** Angular momentum over the moment of inertia of a thin sphere of this volume [rad/s]. */
const spin = (cloth: Deformable): number =>
  Math.hypot(...cloth.statistics().angular_momentum) / ((2 / 3) * DENSITY * 4 * Math.PI * RADIUS ** 2 * (RADIUS * Math.cbrt(PRESSURE)) ** 2);

export function momentum(): Figure {
  const names = ["As printed", "Kept"], table = h("table", { class: "rows", "data-testid": "learn-momentum-table" });
  const canvases = names.map((name) => h("canvas", { class: "flat", role: "img", "aria-label": `${name}: an inflated ball in empty space` }));
  const flats = canvases.map((canvas) => { const flat = new Flat(canvas); flat.eye = { yaw: 20, pitch: 18, scale: 200, middle: [0, 0, 0] }; return flat; });
  let runs = [ball(false), ball(true)], frames = 0;
  const again = button("learn-momentum-again", "Again, from rest", () => { for (const { world, mesh } of runs) { world.dispose(); mesh.dispose(); } runs = [ball(false), ball(true)]; frames = 0; });
  /** Stripes from pole to pole, by the faces at rest, so that a turn is seen. */
  const stripe = (mesh: Mesh, face: number): string | null => {
    const { positions, triangles } = mesh.topology, [x, z] = [0, 2].map((k) => [0, 1, 2].reduce((sum, c) => sum + positions[3 * triangles[3 * face + c] + k], 0));
    return Math.floor(((Math.atan2(z, x) / Math.PI + 1) / 2) * 8) % 2 === 0 ? "rgb(181,71,60)" : null;
  };
  const stripes = Array.from({ length: runs[0].mesh.topology.triangles.length / 3 }, (_, face) => stripe(runs[0].mesh, face));
  const write = (): void => table.replaceChildren(h("thead", null, h("tr", null, ...["Algorithm 1", "spin", "momentum", "after"].map((one) => h("th", { scope: "col" }, one)))), h("tbody", null, ...runs.map(({ cloth }, i) => h("tr", null,
    h("th", { scope: "row" }, names[i]), h("td", { class: "figure" }, `${short(spin(cloth), 2)} rad/s`), h("td", { class: "figure" }, `${short(Math.hypot(...cloth.statistics().momentum), 2)} kg m/s`), h("td", { class: "figure" }, `${(frames / 60).toFixed(0)} s`)))));
  return {
    element: h("div", null, h("div", { class: "four" }, ...names.map((name, i) => h("div", null, h("strong", null, name), canvases[i]))), h("div", { class: "controls" }, again), table),
    caption: "Both balls start at rest, and nothing touches them. Only the treatment of the corrections differs.",
    tick: () => {
      runs.forEach(({ world, cloth }, i) => {
        world.step(1 / 60);
        flats[i].clear();
        flats[i].eye.scale = Math.min(canvases[i].clientWidth, canvases[i].clientHeight) / 1.15;
        flats[i].mesh(cloth.positions, cloth.stride, cloth.triangles, cloth.vertexCount, { front: [227, 201, 168], back: [181, 71, 60], values: (face) => stripes[face] });
      });
      if (frames++ % 15 === 0) write();
    },
  };
}
