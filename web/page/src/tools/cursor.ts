// The grab of the keyboard: a cursor that walks over the vertices, grabs and pulls.
import type { Deformable } from "pliant";
import { add, scale, triple, type V3 } from "../base/math.ts";
import type { SceneSession } from "../engine/session.ts";
import type { Cell } from "./hands.ts";

/** The keyboard's pointer in the session. */
const HAND = 3;

export class Cursor {
  private deformable = 0;
  private vertex = -1;

  get active(): boolean { return this.vertex >= 0; }

  holds({ core }: SceneSession): boolean { return core.hands.some((one) => one.hand === HAND && one.holds); }

  private cloth(session: SceneSession): Deformable | undefined { return session.deformables[this.deformable]; }

  point(cell: Cell): V3 | null {
    const one = this.cloth(cell.session);
    if (this.vertex < 0 || !one || this.vertex >= one.vertexCount) return null;
    const p = one.positions, k = one.stride * this.vertex;
    return [p[k], p[k + 1], p[k + 2]];
  }

  /** Enter: shows the cursor, grabs, releases; with the tool "pin" it pins. Returns words for it; empty if the session has them. */
  enter(cell: Cell, tool: string): string {
    const { session } = cell, { core } = session, one = this.cloth(session);
    if (!this.active || !one) {
      this.vertex = this.nearest(cell, cell.region.width / 2, cell.region.height / 2, () => true);
      return "A cursor is on the cloth. Arrow keys move it, Enter grabs, Escape hides it.";
    }
    if (this.holds(session)) { core.letGo(HAND); return "Released."; }
    if (tool === "pin") { core.pin(one, this.vertex); return ""; }
    return core.grab(HAND, one, this.vertex) ? "Grabbed. Arrow keys pull by two centimetres, Page Up and Page Down along the view, Enter releases." : "";
  }

  away({ core }: SceneSession): void {
    core.letGo(HAND);
    this.vertex = -1;
  }

  /** An arrow key: pulls, or walks to the nearest vertex in that direction. */
  arrow(cell: Cell, dx: number, dy: number, dz: number): void {
    const { core } = cell.session, held = core.hands.find((one) => one.hand === HAND && one.holds);
    if (held) {
      const e = cell.stage.rig.camera.matrixWorld.elements, step = 0.02 * Math.max(1, cell.stage.rig.size / 1.7);
      const along = (k: number, amount: number): V3 => scale([e[4 * k], e[4 * k + 1], e[4 * k + 2]], amount * step);
      core.pull(HAND, add(add(add(triple(held.target), along(0, dx)), along(1, dy)), along(2, -dz)));
      return;
    }
    const at = this.point(cell);
    if (!at) return;
    const here = cell.stage.project(at, cell.region);
    const next = this.nearest(cell, here.x, here.y, (x, y) => {
      const along = (x - here.x) * dx - (y - here.y) * dy, across = Math.abs((x - here.x) * dy + (y - here.y) * dx);
      return along > 4 && along > across;
    });
    if (next >= 0) this.vertex = next;
  }

  private nearest(cell: Cell, x: number, y: number, fits: (x: number, y: number) => boolean): number {
    let best = Infinity, found = -1, where = this.deformable;
    cell.session.deformables.forEach((one, d) => {
      const p = one.positions, step = Math.max(1, Math.floor(one.vertexCount / 3000));
      for (let i = 0; i < one.vertexCount; i += step) {
        const k = one.stride * i, at = cell.stage.project([p[k], p[k + 1], p[k + 2]], cell.region), far = Math.hypot(at.x - x, at.y - y);
        if (far < best && fits(at.x, at.y)) { best = far; found = i; where = d; }
      }
    });
    if (found >= 0) this.deformable = where;
    return found;
  }
}
