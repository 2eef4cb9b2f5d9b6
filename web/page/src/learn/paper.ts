// Worlds that are solved as the papers' programs do: PBD, Algorithm 1 as printed, one substep a frame, forward sweeps in order of creation.
import { Mesh, World, type ConstraintTypeName, type Deformable, type Engine, type WorldDef } from "pliant";
import { h } from "../base/dom.ts";
import { Solid, type Body } from "../draw/solid.ts";

export const FRAME = 1 / 60, SIDE = 10;
type RGB = [number, number, number];
export const CLAY: RGB = [196, 178, 146], INSIDE: RGB = [150, 84, 76], MADDER: RGB = [181, 71, 60], UNDYED: RGB = [227, 201, 168];

export interface Made { world: World; body: Deformable; mesh: Mesh; edges: Int32Array; rest: Float32Array }
export interface Paper { mesh: Mesh; type: ConstraintTypeName; parameters?: Record<string, number | string>; positions?: ArrayLike<number>; settings?: WorldDef; stretch?: boolean; engine?: Engine }

/** A body of stiff edges and one bending model of stiffness 1 and without a limit on a projection. */
export function paperBody({ mesh, type, parameters = {}, positions, settings = {}, stretch = true, engine }: Paper): Made {
  const world = new World({ order: "sequential", method: "pbd", substeps: 1, iterations: 16, sweeps: "forward", keep_momentum: false, gravity: [0, 0, 0], ...settings }, engine);
  const body = world.createDeformable({ mesh, stretch: "swept", ...(positions ? { positions } : {}) });
  if (stretch) body.createConstraintSet({ type: "distance" });
  body.createConstraintSet({ type, name: "bend", parameters: { ...(type.startsWith("dihedral") ? { change_limit: 1e6 } : {}), ...parameters } });
  return { world, body, mesh, edges: Int32Array.from(mesh.topology.edges), rest: Float32Array.from(mesh.topology.positions) };
}

export function release({ world, mesh }: { world: World; mesh: Mesh | null }): void {
  world.dispose();
  mesh?.dispose();
}

export const bodyOf = (body: Deformable, front: RGB, back: RGB, more: Partial<Body> = {}): Body =>
  ({ positions: body.positions, normals: body.normals, stride: body.stride, count: body.vertexCount, triangles: body.triangles, front, back, ...more });

/** A canvas with its painter, under a heading. */
export function panel(name: string, label: string, size = "small"): { element: HTMLElement; title: HTMLElement; solid: Solid } {
  const canvas = h("canvas", { class: `flat ${size}`, role: "img", "aria-label": label }), title = h("strong", null, name);
  return { element: h("div", null, title, canvas), title, solid: new Solid(canvas) };
}

/** Does parts of a job for some milliseconds. False when it is done. */
export function work(job: Iterator<unknown>, milliseconds: number): boolean {
  const until = performance.now() + milliseconds;
  do if (job.next().done) return false; while (performance.now() < until);
  return true;
}

const YAW = 0.5, PITCH = 0.3;
/** Lets the pointer and the arrow keys turn what a canvas shows. */
export function turnable({ solid: { canvas, eye } }: { solid: Solid }, together: Solid[] = []): void {
  const by = (yaw: number, pitch: number): void => { for (const one of [eye, ...together.map((other) => other.eye)]) { one.yaw += yaw; one.pitch = Math.max(-20, Math.min(80, one.pitch + pitch)); } };
  canvas.classList.add("turns");
  canvas.tabIndex = 0;
  canvas.setAttribute("aria-label", `${canvas.getAttribute("aria-label")}. Arrow keys turn it.`);
  canvas.addEventListener("keydown", (event) => {
    const turn = ({ ArrowLeft: [8, 0], ArrowRight: [-8, 0], ArrowUp: [0, -5], ArrowDown: [0, 5] } as Record<string, [number, number]>)[event.key];
    if (turn) { event.preventDefault(); by(...turn); }
  });
  canvas.addEventListener("pointerdown", (event) => { canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener("pointermove", (event) => { if (canvas.hasPointerCapture(event.pointerId)) by(-YAW * event.movementX, PITCH * event.movementY); });
}
