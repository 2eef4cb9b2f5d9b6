// Two lists of values of one run, A and B: the session has the active one, and the other one waits.
import type { SceneSession } from "../engine/session.ts";
import type { Overrides } from "./paths.ts";

export type Side = "A" | "B";

export class Sides {
  private lists: Partial<Record<Side, Overrides>> = {};

  constructor(private session: () => SceneSession) {}

  /** The active one, which undo and time change too. */
  get side(): Side { return this.session().core.state.side; }
  get other(): Side { return this.side === "A" ? "B" : "A"; }
  get isTwo(): boolean { return this.lists[this.other] !== undefined; }
  /** Values of a side; null for B while there is one list. */
  valuesOf(side: Side): Overrides | null { return side === this.side ? this.session().overrides : this.lists[side] ?? null; }

  /** Takes the list that waits; null for none. */
  wait(values: Overrides | null): void {
    this.lists = {};
    if (values) this.lists[this.other] = new Map(values);
  }

  /** Stores the active values, before another side becomes active. */
  store(): void { this.lists[this.side] = this.session().overrides; }

  /** The number of values that differ. */
  get differences(): number {
    const now = this.session().overrides, then = this.lists[this.other];
    if (!then) return 0;
    return [...new Set([...now.keys(), ...then.keys()])].filter((path) => JSON.stringify(now.get(path)) !== JSON.stringify(then.get(path))).length;
  }
}
