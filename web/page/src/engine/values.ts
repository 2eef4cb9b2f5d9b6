// Values of a world by the paths of its scene, and what they were before hands changed them.
import type { World } from "pliant";

const PATH = /^deformables\.([^.[]+)(?:\.(constraints)\.([^.[]+)|\.(plate|tearing))?\.(\w+)$/;

export class LiveValues {
  /** Values set since the world was made, and what each was before. */
  private live = new Map<string, unknown>();
  private base = new Map<string, unknown>();

  /** Counts changes, for those who follow. */
  revision = 0;

  constructor(private world: World) {}

  /** A property by its path, whose names stand for the numbers that the package takes. */
  read(path: string): unknown { return this.world.read(this.numbered(path)); }
  /** Whether the world has it now: another model has other parameters. */
  has(path: string): boolean {
    try { this.read(path); return true; } catch { return false; }
  }
  set(path: string, value: unknown): void {
    if (!this.base.has(path)) this.base.set(path, this.read(path));
    this.world.write(this.numbered(path), value);
    this.live.set(path, value);
    this.revision++;
  }
  /** What it was before it was changed. */
  before(path: string): unknown { return this.base.has(path) ? this.base.get(path) : this.read(path); }

  /** Paths that were changed, with what they were before. */
  get changed(): [string, unknown][] { return [...this.base]; }
  get now(): Map<string, unknown> { return new Map(this.live); }

  /** Knows what values were before in a world that this one takes over from. */
  inherit(changed: [string, unknown][]): void { for (const [path, value] of changed) this.base.set(path, value); }

  /** Goes back to the values of a time; all others go back to what they were before they were changed. */
  restore(then: ReadonlyMap<string, unknown>): void {
    this.revision++;
    for (const [path, before] of this.base) {
      if (!this.has(path)) continue;
      this.world.write(this.numbered(path), then.get(path) ?? before);
      if (then.has(path)) this.live.set(path, then.get(path));
      else this.live.delete(path);
    }
  }

  private numbered(path: string): string {
    const match = path.match(PATH);
    if (!match) return path;
    const [, name, constraints, set, inner, property] = match, { deformables } = this.world;
    const d = deformables.findIndex((one, i) => one.name === name || String(i) === name), owner = `deformables[${d}]`;
    if (inner) return `${owner}.${inner}.${property}`;
    if (!constraints) return `${owner}.${property}`;
    const at = deformables[d]?.constraintSets.findIndex((one) => one.name === set) ?? -1;
    // A plate bends in place of the set that is called so (state/paths.ts).
    return at < 0 && set === "bend" ? `${owner}.plate.${property}` : `${owner}.constraints[${at}].${property}`;
  }
}
