// Two sets of values over one scene, A and B: one of them runs, the other waits.
import type { Overrides } from "./paths.ts";

export type Side = "A" | "B";

export class Sides {
  /** The one that runs. */
  side: Side = "A";
  /** Values of the one that waits; null until there are two. */
  private waiting: Overrides | null = null;

  get isTwo(): boolean { return this.waiting !== null; }
  /** Values of B, of which `now` run; null while both are one. */
  valuesOfB(now: ReadonlyMap<string, unknown>): Overrides | null { return this.side === "B" ? new Map(now) : this.waiting && new Map(this.waiting); }
  valuesOfA(now: ReadonlyMap<string, unknown>): Overrides { return this.side === "A" ? new Map(now) : new Map(this.waiting!); }

  /** From a link: which one runs, and the values of the other. */
  set(side: Side, waiting: Overrides | null): void {
    this.side = side;
    this.waiting = waiting && new Map(waiting);
  }

  /** The other one runs; returns its values. The first time it has the same. */
  swap(now: ReadonlyMap<string, unknown>): Overrides {
    const next = this.waiting ?? new Map(now);
    this.waiting = new Map(now);
    this.side = this.side === "A" ? "B" : "A";
    return new Map(next);
  }

  /** How many values differ. */
  differences(now: ReadonlyMap<string, unknown>): number {
    if (!this.waiting) return 0;
    return [...new Set([...now.keys(), ...this.waiting.keys()])].filter((path) => JSON.stringify(now.get(path)) !== JSON.stringify(this.waiting!.get(path))).length;
  }
}
