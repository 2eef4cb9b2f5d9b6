// Changes of values by a person, as edits of the session.
import type { SceneSession } from "../engine/session.ts";
import { expand } from "../state/paths.ts";
import type { Sides } from "../state/sides.ts";

export interface ChangeHost {
  readonly session: SceneSession;
  readonly sides: Sides;
  say: (text: string) => void;
  fail: (kind: string, text: string) => void;
  /** Values are others now. */
  changed: () => void;
  pause: () => void;
}

export class Changes {
  constructor(private host: ChangeHost) {}

  /** Values by their short paths, as one edit: all that they stand for are set, or none. */
  set(values: Record<string, unknown>, label = ""): void {
    const { session } = this.host, { text } = session.source;
    const all = new Map(Object.entries(values).flatMap(([path, value]) => expand(path, text).map((one): [string, unknown] => [one, value])));
    try { session.set(all, label); } catch (error) { this.host.fail("value", (error as Error).message); }
    this.host.changed();
  }

  /** A becomes B, or B becomes A; time continues. */
  swapSides(): void {
    const { session, sides } = this.host, side = sides.other;
    sides.store();
    const done = session.switchTo(side, sides.valuesOf(side) ?? session.overrides);
    this.host.changed();
    if (done) this.host.say(`Values ${side}.`);
  }

  /** Frees all pins of the user, as one edit. */
  unpinAll(): void {
    const { session } = this.host, { pins } = session;
    let label = "free pins";
    for (const deformable of new Set(pins.map((one) => one.deformable))) {
      session.core.act({ kind: "unpin", indices: [deformable], vertices: [...new Set(pins.filter((one) => one.deformable === deformable).flatMap((one) => one.particles))] }, label);
      label = "";
    }
    if (pins.length > 0) this.host.say(pins.length === 1 ? "Freed." : `${pins.length} pins are free.`);
    this.host.changed();
  }

  undo(): void { this.travel(() => this.host.session.core.undo()); }
  redo(): void { this.travel(() => this.host.session.core.redo()); }

  /** The session goes to the frame of the edit. */
  private travel(act: () => void): void {
    this.host.sides.store();
    this.host.pause();
    act();
    this.host.changed();
  }
}
