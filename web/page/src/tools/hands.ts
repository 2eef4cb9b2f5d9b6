// Pointers on a stage: the session's tool acts on a surface, a drag beside it orbits; two fingers orbit, pan and zoom.
import type { SessionHit, SessionPointer, SessionTool } from "pliant";
import { clamp, triple, type V3 } from "../base/math.ts";
import type { Aim } from "../draw/camera.ts";
import type { Region, Ring, Stage } from "../draw/stage.ts";
import type { SceneSession } from "../engine/session.ts";
import type { Tool } from "./tools.ts";

export interface Cell { stage: Stage; session: SceneSession; region: Region }
export interface Host {
  canvas: HTMLCanvasElement;
  cells: () => Cell[];
  tool: () => Tool;
  /** The tool of Ctrl and a press. */
  grab: Tool;
  /** Something other than time moved: draw again. */
  redraw: () => void;
  /** A tool is pressed, before it acts. */
  pressed?: (tool: Tool, cell: Cell) => void;
  /** It has acted; and its pointer moved, or was released. */
  acted?: (hand: number, cell: Cell) => void;
  /** Ctrl and the wheel: the radius of the tool by a factor. */
  resize?: (factor: number) => void;
  /** A finger flicks to the left (-1) or the right (1) beside every surface. */
  flick?: (direction: number) => void;
}
interface Finger { id: number; x: number; y: number; x0: number; y0: number; since: number; aim: Aim; cell: Cell; mode: "tool" | "orbit" | "pan"; hand: number; tool: SessionTool; stroke: V3[] }

const FLICK = { pixels: 50, milliseconds: 350 };
/** Pointers of a session; the last one is the keyboard's. */
const POINTERS = 3;
/** Reach of a grab without a pointer, over the size of the deformable (pli_grab_def). */
const REACH = 0.06;
/** Change of a grab's distance by a notch of the wheel. */
const PUSH = 1.02;

/** Whether the Ctrl key is down: browsers also set ctrlKey where two fingers pinch on a touchpad, which zooms. */
let ctrl = false;
for (const name of ["keydown", "keyup"] as const) addEventListener(name, (event) => { ctrl = event.ctrlKey; });
addEventListener("blur", () => { ctrl = false; });

export class Hands {
  private fingers = new Map<number, Finger>();
  private host: Host;
  /** Where the mouse rests on the canvas; null beside it. */
  private mouse: { x: number; y: number } | null = null;

  constructor(host: Host) {
    this.host = host;
    const { canvas } = host;
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"] as const) canvas.addEventListener(name, (event) => this.up(event));
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("dblclick", (event) => this.pivot(event));
    canvas.addEventListener("pointerleave", () => { this.mouse = null; host.redraw(); });
  }

  get busy(): boolean { return this.fingers.size > 0; }

  private cellAt(x: number, y: number): Cell | undefined {
    return this.host.cells().find(({ region: r }) => x >= r.x && x < r.x + r.width && y >= r.y && y < r.y + r.height);
  }

  private place(event: MouseEvent): { x: number; y: number } {
    const box = this.host.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private pointer(cell: Cell, x: number, y: number): SessionPointer {
    const { region: r, stage } = cell;
    stage.rig.place(r.width, r.height);
    const { origin, direction } = stage.rig.ray((2 * (x - r.x)) / r.width - 1, 1 - (2 * (y - r.y)) / r.height), e = stage.rig.camera.matrixWorld.elements;
    return { eye: [origin.x, origin.y, origin.z], ray: [direction.x, direction.y, direction.z], ahead: [-e[8], -e[9], -e[10]], seconds: performance.now() / 1000 };
  }

  /** Whether a tool can act there: on cloth, anywhere if it is free, and Move also on a collider. */
  private reaches(tool: Tool, cell: Cell, pointer: SessionPointer, hit: SessionHit | null): boolean {
    if (hit || tool.isFree || tool.id !== "move") return hit !== null || tool.isFree;
    const other = cell.session.world.rayCollider(pointer.eye, pointer.ray);
    return other !== null && other.collider.shape !== "plane";
  }

  private down(event: PointerEvent): void {
    const { x, y } = this.place(event), cell = this.cellAt(x, y);
    if (!cell) return;
    this.host.canvas.setPointerCapture(event.pointerId);
    const { core } = cell.session, pointer = this.pointer(cell, x, y), tool = event.ctrlKey ? this.host.grab : this.host.tool(), hit = core.pick(pointer);
    const used = new Set([...this.fingers.values()].map((one) => one.hand)), hand = [0, 1, 2].find((one) => !used.has(one)) ?? POINTERS;
    // Beside every surface, tools that work anywhere leave the second finger to the camera.
    const usable = this.reaches(tool, cell, pointer, hit) && !event.altKey && event.button === 0 && !(this.busy && hit === null) && hand < POINTERS;
    const isPan = event.button === 2 || (event.button === 1 && event.shiftKey);
    if (usable) this.host.pressed?.(tool, cell);
    const mode: Finger["mode"] = isPan ? "pan" : usable && core.press(hand, tool.id, pointer, event.shiftKey) ? "tool" : "orbit";
    const finger: Finger = { id: event.pointerId, x, y, x0: x, y0: y, since: performance.now(), aim: { ...cell.stage.rig.aim }, cell, mode, hand: mode === "tool" ? hand : -1, tool: tool.id, stroke: hit ? [triple(hit.position)] : [] };
    if (mode === "tool") this.host.acted?.(hand, cell);
    this.fingers.set(event.pointerId, finger);
    this.host.redraw();
  }

  private move(event: PointerEvent): void {
    const finger = this.fingers.get(event.pointerId);
    if (event.pointerType === "mouse") this.mouse = this.place(event);
    if (!finger) { this.hover(event); return; }
    const { x, y } = this.place(event), dx = x - finger.x, dy = y - finger.y, { stage, region } = finger.cell;
    const free = [...this.fingers.values()].filter((one) => one.mode !== "tool");
    if (finger.mode === "tool") this.drag(finger, x, y);
    else if (free.length >= 2) this.pinch(finger, free.find((one) => one !== finger)!, x, y);
    else if (finger.mode === "pan") stage.rig.pan(dx, dy, region.height);
    else stage.rig.orbit(dx, dy);
    finger.x = x;
    finger.y = y;
    this.host.redraw();
  }

  private drag({ cell, hand, tool, stroke }: Finger, x: number, y: number): void {
    const pointer = this.pointer(cell, x, y), hit = tool === "cut" ? cell.session.core.pick(pointer) : null;
    cell.session.core.drag(hand, pointer);
    this.host.acted?.(hand, cell);
    if (hit) cell.stage.preview([...stroke, triple(hit.position)]);
    if (hit) stroke.push(triple(hit.position));
  }

  /** Two fingers: their distance zooms, their middle moves. */
  private pinch(finger: Finger, other: Finger, x: number, y: number): void {
    const { stage, region } = finger.cell;
    const before = Math.hypot(finger.x - other.x, finger.y - other.y), after = Math.hypot(x - other.x, y - other.y);
    if (before > 8 && after > 8) stage.rig.zoom(before / after);
    stage.rig.pan((x - finger.x) / 2, (y - finger.y) / 2, region.height);
  }

  private up(event: PointerEvent): void {
    const finger = this.fingers.get(event.pointerId);
    if (!finger) return;
    this.fingers.delete(event.pointerId);
    if (finger.mode === "tool") this.let(finger);
    else if (event.pointerType === "touch") this.flicked(finger);
    this.host.redraw();
  }

  private let({ cell, hand, x, y }: Finger): void {
    cell.stage.preview(null);
    cell.session.core.release(hand, this.pointer(cell, x, y));
    this.host.acted?.(hand, cell);
  }

  /** A fast stroke across, where it means something; the camera returns to its place then. */
  private flicked({ x, x0, y, y0, since, aim, cell }: Finger): void {
    const { flick } = this.host;
    if (!flick || this.fingers.size > 0 || performance.now() - since > FLICK.milliseconds || Math.abs(x - x0) < Math.max(FLICK.pixels, 2 * Math.abs(y - y0))) return;
    cell.stage.rig.set(aim);
    flick(Math.sign(x - x0));
  }

  /** Releases everything; nothing is pinned, thrown or cut by it. */
  release(): void {
    for (const { mode, cell, hand } of [...this.fingers.values()]) {
      if (mode !== "tool") continue;
      cell.stage.preview(null);
      cell.session.core.releaseAll();
      this.host.acted?.(hand, cell);
    }
    this.fingers.clear();
  }

  private hover(event: PointerEvent): void {
    if (event.pointerType !== "mouse") return;
    const { x, y } = this.place(event), cell = this.cellAt(x, y), tool = this.host.tool();
    if (!cell) return;
    const over = cell.session.core.pick(this.pointer(cell, x, y)) !== null;
    this.host.canvas.style.cursor = over ? (tool.id === "grab" ? "grab" : "crosshair") : "default";
    if (tool.hasRadius) this.host.redraw();
  }

  /** The circle in which the tool acts: around the grabbed vertex, else on the surface under the pointer. */
  ring(): (Ring & { cell: Cell }) | null {
    const finger = [...this.fingers.values()].find((one) => one.mode === "tool"), tool = this.host.tool(), id = finger?.tool ?? tool.id;
    const at = finger ?? (this.fingers.size === 0 ? this.mouse : null), cell = finger?.cell ?? (at ? this.cellAt(at.x, at.y) : undefined);
    if (!at || !cell || !(finger ? ["grab", "pin", "brush"].includes(id) : tool.hasRadius)) return null;
    const { session } = cell, { core } = session, held = finger && core.hands.find((one) => one.hand === finger.hand), hit = held ?? core.pick(this.pointer(cell, at.x, at.y));
    if (!hit) return null;
    const { deformable, vertex } = hit, { bounds_min: low, bounds_max: high } = deformable.mesh.report;
    const outer = id === "grab" ? held?.reach ?? REACH * Math.hypot(...low.map((from, k) => high[k] - from)) : 0;
    return { cell, deformable: session.deformables.indexOf(deformable), vertex, point: "position" in hit ? triple(hit.position) : null, radius: core.radius(id, deformable), outer };
  }

  private wheel(event: WheelEvent): void {
    const { x, y } = this.place(event), cell = this.cellAt(x, y);
    if (!cell) return;
    const notches = -event.deltaY / (event.deltaMode === 1 ? 3 : 100), held = [...this.fingers.values()].find((one) => one.mode === "tool" && one.tool === "grab");
    event.preventDefault();
    if (event.ctrlKey && ctrl) this.host.resize?.(1.12 ** notches);
    else if (held) {
      held.cell.session.core.push(held.hand, this.pointer(held.cell, held.x, held.y), PUSH ** notches);
      this.host.acted?.(held.hand, held.cell);
    } else {
      const r = cell.region;
      // A pinch on a touchpad comes in small steps.
      cell.stage.rig.zoom(1.12 ** -clamp(event.ctrlKey ? 5 * notches : notches, -5, 5), (2 * (x - r.x)) / r.width - 1, 1 - (2 * (y - r.y)) / r.height);
    }
    this.host.redraw();
  }

  /** A double click sets what the camera turns about; beside everything it frames all. */
  private pivot(event: MouseEvent): void {
    const { x, y } = this.place(event), cell = this.cellAt(x, y);
    if (!cell) return;
    const hit = cell.session.core.pick(this.pointer(cell, x, y));
    if (hit) cell.stage.rig.set({ target: triple(hit.position) });
    else cell.stage.frame(cell.region);
    this.host.redraw();
  }
}
