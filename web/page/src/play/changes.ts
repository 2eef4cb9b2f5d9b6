// Changes of values by a person, with undo and redo.
import type { PropertyRow } from "pliant";
import type { Session } from "../engine/session.ts";
import type { History } from "../state/history.ts";
import { expand } from "../state/paths.ts";
import type { Sides } from "../state/sides.ts";

export interface ChangeHost {
  readonly session: Session;
  readonly history: History;
  readonly sides: Sides;
  say: (text: string) => void;
  fail: (kind: string, text: string) => void;
  /** Values are others now. */
  changed: () => void;
}

export class Changes {
  constructor(private host: ChangeHost) {}

  /** One value, by its short path: all that it stands for are set, or none where one is refused. */
  set(path: string, value: unknown, row: Pick<PropertyRow, "label" | "change">): void {
    const { session, history } = this.host, paths = expand(path, session.source.text), before = new Map(paths.map((one) => [one, session.overrides.get(one)]));
    const put = (values: Map<string, unknown>): void => {
      for (const [one, next] of values) session.set(one, next, row.change);
      this.host.changed();
    };
    const after = new Map(paths.map((one) => [one, value]));
    try { put(after); } catch (error) {
      this.host.fail("value", (error as Error).message);
      for (const [one, old] of before) { if (old === undefined) session.overrides.delete(one); else session.overrides.set(one, old); }
      this.host.changed();
      return;
    }
    history.add({ label: row.label, key: path, undo: () => put(before), redo: () => put(after) });
  }

  /** Several values as one step, such as a material's. */
  setMany(values: Record<string, number>, label: string): void {
    const { session, history } = this.host, before = new Map(session.overrides);
    const apply = (): void => {
      for (const [path, value] of Object.entries(values))
        for (const one of expand(path, session.source.text)) { try { session.set(one, value, "live"); } catch { /* Of another type, which has no such value. */ } }
      this.host.changed();
    };
    const undo = (): void => {
      for (const path of session.overrides.keys()) if (session.overrides.get(path) !== before.get(path)) session.set(path, before.get(path), "live");
      this.host.changed();
    };
    apply();
    history.add({ label, redo: apply, undo });
    this.host.say(`${label}: density, rigidity and friction of such a material.`);
  }

  /** A becomes B, or B becomes A; time goes on. */
  swapSides(): void {
    const { session, sides } = this.host;
    try { session.switchTo(sides.swap(session.overrides)); } catch (error) {
      sides.swap(session.overrides);
      this.host.fail("value", (error as Error).message);
      return;
    }
    this.host.changed();
    this.host.say(`Values ${sides.side}.`);
  }

  /** Frees all pins that hands have made, as one step. */
  unpinAll(): void {
    const { session, history } = this.host, pins = session.run.pinList;
    if (pins.length === 0) return;
    const free = (): void => { for (const pin of session.run.pinList) session.act({ kind: "unpin", id: pin.id }); };
    free();
    history.add({ label: "Free all pins", redo: free, undo: () => { for (const pin of pins) session.act({ kind: "pin", pin: { ...pin, shift: [0, 0, 0] } }); } });
    this.host.say(pins.length === 1 ? "Freed." : `${pins.length} pins are free.`);
    this.host.changed();
  }

  undo(): void {
    const label = this.host.history.undo();
    this.host.say(label ? `Undone: ${label}.` : "Nothing to undo.");
    this.host.changed();
  }

  redo(): void {
    const label = this.host.history.redo();
    this.host.say(label ? `Redone: ${label}.` : "Nothing to redo.");
    this.host.changed();
  }
}
