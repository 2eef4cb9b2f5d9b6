// The grab of the keyboard: a cursor that walks over the vertices, grabs and pulls.
import { add, scale, type V3 } from "../base/math.ts";
import type { Cell } from "./hands.ts";
import { grabRadius, pinAt, type Bench } from "./tools.ts";

export class Cursor {
  private deformable = 0;
  private vertex = -1;
  private ids: number[] = [];
  private target: V3 = [0, 0, 0];

  get active(): boolean { return this.vertex >= 0; }
  get holding(): boolean { return this.ids.length > 0; }

  point(cell: Cell): V3 | null {
    const one = cell.session.deformables[this.deformable];
    if (this.vertex < 0 || !one || this.vertex >= one.vertexCount) return null;
    const k = one.stride * this.vertex, p = one.positions;
    return [p[k], p[k + 1], p[k + 2]];
  }

  /** Enter: shows the cursor, grabs, releases; with the tool "pin" it pins. Returns what to say; empty where that has been said. */
  enter(cell: Cell, bench: Bench, tool = "grab"): string {
    if (!this.active) {
      this.vertex = this.nearest(cell, cell.region.width / 2, cell.region.height / 2, () => true);
      return "A cursor is on the cloth. Arrow keys move it, Enter grabs, Escape hides it.";
    }
    if (this.holding) { this.letGo(bench); return "Released."; }
    if (tool === "pin") { pinAt(bench, this.deformable, this.vertex); return ""; }
    this.ids = bench.sessions.map((session) => session.newId());
    this.target = this.point(cell)!;
    bench.sessions.forEach((session, i) => session.act({ kind: "grab", id: this.ids[i], deformable: this.deformable, vertex: this.vertex, radius: grabRadius(bench, this.deformable), strength: bench.strength, target: this.target }));
    return "Grabbed. Arrow keys pull by two centimetres, Page Up and Page Down along the view, Enter releases.";
  }

  letGo(bench: Bench): void {
    bench.sessions.forEach((session, i) => { if (this.ids[i] !== undefined) session.act({ kind: "release", id: this.ids[i] }); });
    this.ids = [];
  }

  away(bench: Bench): void {
    this.letGo(bench);
    this.vertex = -1;
  }

  /** An arrow key: pulls, or walks to the nearest vertex in that direction. */
  arrow(cell: Cell, bench: Bench, dx: number, dy: number, dz: number): void {
    if (this.holding) {
      const e = cell.stage.rig.camera.matrixWorld.elements, step = 0.02 * Math.max(1, cell.stage.rig.size / 1.7);
      const along = (k: number, amount: number): V3 => scale([e[4 * k], e[4 * k + 1], e[4 * k + 2]], amount * step);
      this.target = add(add(add(this.target, along(0, dx)), along(1, dy)), along(2, -dz));
      bench.sessions.forEach((session, i) => session.act({ kind: "hand", id: this.ids[i], target: this.target }));
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
