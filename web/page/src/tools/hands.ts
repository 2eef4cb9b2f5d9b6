// Pointers on a stage: the tool acts on a surface, a drag beside it orbits; two fingers orbit, pan and zoom.
import type { RayHit } from "pliant";
import { clamp, triple, type V3 } from "../base/math.ts";
import type { Aim } from "../draw/camera.ts";
import type { Region, Ring, Stage } from "../draw/stage.ts";
import type { Session } from "../engine/session.ts";
import { toolById, type Bench, type Tool, type Touch } from "./tools.ts";

export interface Cell { stage: Stage; session: Session; region: Region }
export interface Host {
  canvas: HTMLCanvasElement;
  cells: () => Cell[];
  bench: (cell: Cell) => Bench;
  tool: () => string;
  /** Something other than time moved: draw again. */
  redraw: () => void;
  /** A tool is pressed. */
  pressed?: (tool: Tool) => void;
  /** Factor on the radius of tools. */
  radius?: () => number;
  /** Ctrl and the wheel: the radius of the tool by a factor. */
  resize?: (factor: number) => void;
  /** A finger flicks to the left (-1) or the right (1) beside every surface. */
  flick?: (direction: number) => void;
}
interface Finger { id: number; x: number; y: number; x0: number; y0: number; since: number; aim: Aim; cell: Cell; mode: "tool" | "orbit" | "pan"; touch?: Touch; tool?: Tool }

const SLOP = 5, FLICK = { pixels: 50, milliseconds: 350 };

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

  /** Before each step: what tools do while they are held. */
  hold(): void {
    for (const finger of this.fingers.values()) if (finger.touch) finger.tool?.hold?.(finger.touch);
  }

  private cellAt(x: number, y: number): Cell | undefined {
    return this.host.cells().find(({ region: r }) => x >= r.x && x < r.x + r.width && y >= r.y && y < r.y + r.height);
  }

  private place(event: MouseEvent): { x: number; y: number } {
    const box = this.host.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private ray(cell: Cell, x: number, y: number): { eye: V3; direction: V3 } {
    const { region: r, stage } = cell;
    stage.rig.place(r.width, r.height);
    const { origin, direction } = stage.rig.ray((2 * (x - r.x)) / r.width - 1, 1 - (2 * (y - r.y)) / r.height);
    return { eye: [origin.x, origin.y, origin.z], direction: [direction.x, direction.y, direction.z] };
  }

  private down(event: PointerEvent): void {
    const { x, y } = this.place(event), cell = this.cellAt(x, y);
    if (!cell) return;
    this.host.canvas.setPointerCapture(event.pointerId);
    const { eye, direction } = this.ray(cell, x, y), tool = toolById(event.ctrlKey ? "grab" : this.host.tool());
    const hit: RayHit | null = cell.session.world.ray(eye, direction);
    const surface = hit && !behindCollider(cell.session, eye, direction, hit.distance) ? hit : null;
    const usable = (surface !== null || tool.anywhere === true) && !event.altKey && event.button === 0, others = [...this.fingers.values()];
    // Beside every surface, tools that work anywhere leave the second finger to the camera.
    const mode: Finger["mode"] = event.button === 2 || (event.button === 1 && event.shiftKey) ? "pan" : usable && !(others.length > 0 && surface === null) ? "tool" : "orbit";
    const finger: Finger = { id: event.pointerId, x, y, x0: x, y0: y, since: performance.now(), aim: stageAim(cell), cell, mode };
    if (mode === "tool") {
      finger.tool = tool;
      finger.touch = {
        id: event.pointerId, bench: this.host.bench(cell), eye, direction, hit: surface, deformable: surface ? Math.max(0, cell.session.deformables.indexOf(surface.deformable)) : 0,
        since: performance.now(), x: x - cell.region.x, y: y - cell.region.y, moved: false, secondary: event.shiftKey, data: { region: cell.region },
      };
      tool.down(finger.touch);
      this.host.pressed?.(tool);
    }
    this.fingers.set(event.pointerId, finger);
    this.host.redraw();
  }

  private move(event: PointerEvent): void {
    const finger = this.fingers.get(event.pointerId);
    if (event.pointerType === "mouse") this.mouse = this.place(event);
    if (!finger) { this.hover(event); return; }
    const { x, y } = this.place(event), dx = x - finger.x, dy = y - finger.y, { stage, region } = finger.cell;
    const free = [...this.fingers.values()].filter((one) => one.mode !== "tool");
    if (finger.mode === "tool" && finger.touch) {
      Object.assign(finger.touch, this.ray(finger.cell, x, y), { x: x - region.x, y: y - region.y });
      finger.touch.moved ||= Math.hypot(x - finger.x0, y - finger.y0) > SLOP;
      finger.tool?.move?.(finger.touch);
    } else if (free.length >= 2) this.pinch(finger, free.find((one) => one !== finger)!, x, y);
    else if (finger.mode === "pan") stage.rig.pan(dx, dy, region.height);
    else stage.rig.orbit(dx, dy);
    finger.x = x;
    finger.y = y;
    this.host.redraw();
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
    if (finger.touch) finger.tool?.up(finger.touch);
    else if (event.pointerType === "touch") this.flicked(finger);
    this.host.redraw();
  }

  /** A fast stroke across, where it means something; the camera returns to its place then. */
  private flicked({ x, x0, y, y0, since, aim, cell }: Finger): void {
    const { flick } = this.host;
    if (!flick || this.fingers.size > 0 || performance.now() - since > FLICK.milliseconds || Math.abs(x - x0) < Math.max(FLICK.pixels, 2 * Math.abs(y - y0))) return;
    cell.stage.rig.set(aim);
    flick(Math.sign(x - x0));
  }

  /** Releases everything. */
  release(): void {
    for (const finger of [...this.fingers.values()]) {
      this.fingers.delete(finger.id);
      if (finger.touch) finger.tool?.up(finger.touch);
    }
  }

  private hover(event: PointerEvent): void {
    if (event.pointerType !== "mouse") return;
    const { x, y } = this.place(event), cell = this.cellAt(x, y);
    if (!cell) return;
    const { eye, direction } = this.ray(cell, x, y), over = cell.session.world.ray(eye, direction) !== null;
    this.host.canvas.style.cursor = over ? (this.host.tool() === "grab" ? "grab" : "crosshair") : "default";
    if (toolById(this.host.tool()).radius) this.host.redraw();
  }

  /** The circle in which the tool acts: around the grabbed vertex, else on the surface under the pointer. */
  ring(): (Ring & { cell: Cell }) | null {
    const finger = [...this.fingers.values()].find((one) => one.tool?.radius), tool = finger?.tool ?? toolById(this.host.tool());
    const at = finger ?? (this.fingers.size === 0 ? this.mouse : null), cell = finger?.cell ?? (at ? this.cellAt(at.x, at.y) : undefined);
    if (!tool.radius || !at || !cell) return null;
    const { session } = cell, factor = this.host.radius?.() ?? 1, sized = (deformable: number): Pick<Ring, "deformable" | "radius" | "outer"> =>
      ({ deformable, radius: tool.radius!(session, deformable, factor), outer: tool.outer?.(session, deformable) ?? 0 });
    const grabbed = finger?.touch?.data.ids ? finger.touch : null;
    if (grabbed) return { cell, vertex: grabbed.hit!.vertex, point: null, ...sized(grabbed.deformable) };
    const { eye, direction } = this.ray(cell, at.x, at.y), hit = session.world.ray(eye, direction);
    if (!hit || behindCollider(session, eye, direction, hit.distance)) return null;
    return { cell, vertex: hit.vertex, point: triple(hit.position), ...sized(Math.max(0, session.deformables.indexOf(hit.deformable))) };
  }

  private wheel(event: WheelEvent): void {
    const { x, y } = this.place(event), cell = this.cellAt(x, y);
    if (!cell) return;
    const notches = -event.deltaY / (event.deltaMode === 1 ? 3 : 100), held = [...this.fingers.values()].find((one) => one.tool?.wheel);
    event.preventDefault();
    if (event.ctrlKey && ctrl) this.host.resize?.(1.12 ** notches);
    else if (held?.touch) held.tool!.wheel!(held.touch, notches);
    else {
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
    const { eye, direction } = this.ray(cell, x, y), hit = cell.session.world.ray(eye, direction);
    if (hit) cell.stage.rig.set({ target: triple(hit.position) });
    else cell.stage.frame(cell.region);
    this.host.redraw();
  }
}

const stageAim = ({ stage }: Cell): Aim => ({ ...stage.rig.aim });

function behindCollider(session: Session, eye: V3, direction: V3, distance: number): boolean {
  const hit = session.world.rayCollider(eye, direction, distance);
  return hit !== null && hit.distance < distance - 0.02;
}
