// Time in both directions over one run: a log of all that hands did, and snapshots.
//
// The log is the truth: it has every event (a pin, a cut, a ball, a value, where a hand is) with the frame before whose step it
// acted. Going to a frame means: read the nearest earlier snapshot, and step there with the log. So the past is found again to the
// bit, also that in which a hand had hold, although no snapshot can be read across it.
import { PliantError, type Deformable, type Engine, type Scene, type World } from "pliant";
import type { V3 } from "../base/math.ts";
import { changeOf, type Overrides } from "../state/paths.ts";
import type { Ball, Event } from "./events.ts";
import type { Source } from "./library.ts";
import { Run, type Hold } from "./run.ts";
import { Snapshots, type Structure } from "./snapshots.ts";

type Change = "live" | "remake" | "restart";

export class Session {
  readonly engine: Engine;
  source: Source;
  overrides: Overrides;
  /** The world as it is, with what hands have in it; another one after a reset, another model, or a way back. */
  run!: Run;
  frame = 0;
  /** The furthest frame that was reached. */
  end = 0;
  /** Counts what breaks the way from frame to frame: other worlds, ways back, cuts. */
  breaks = 0;
  /** Time of the last step [ms]. */
  stepTime = 0;
  /** Why the last step failed, until something is changed. */
  trouble: string | null = null;
  /** Called when there is another world, or other faces. */
  onRebuild: () => void = () => undefined;

  private log = new Map<number, Event[]>();
  private snapshots = new Snapshots();
  private remakes = 0;
  private lastRemakes = 0;
  private nextId = 1;

  constructor(engine: Engine, source: Source, overrides: Overrides = new Map()) {
    this.engine = engine;
    this.source = source;
    this.overrides = new Map(overrides);
    this.build(this.overrides);
    this.keep();
  }

  get world(): World { return this.run.world; }
  get scene(): Scene { return this.run.scene; }
  get pins(): Run["pins"] { return this.run.pins; }
  get holds(): Map<number, Hold> { return this.run.holds; }
  get cuts(): number { return this.run.cuts; }
  get deformables(): readonly Deformable[] { return this.run.deformables; }
  get ground(): number | null { return this.run.ground; }
  get fps(): number { return this.scene.framesPerSecond; }
  get activeBalls(): Ball[] { return this.run.balls.active(this.frame); }
  ballPosition(ball: Ball): V3 { return this.run.balls.position(ball, this.frame); }
  hash(): string { return this.world.hash(); }
  /** A live property by its path. */
  read(path: string): unknown { return this.run.values.read(path); }
  /** Whether the command line gets to this state with the scene and the overrides alone. */
  get repeatable(): boolean {
    for (const [frame, events] of this.log) if (frame < this.frame && events.some((event) => event.kind !== "set" || frame > 0)) return false;
    return this.holds.size === 0 && this.remakes === 0;
  }
  get firstKept(): number { return this.snapshots.first; }
  get keptFrames(): number[] { return this.snapshots.frames; }
  get keptBytes(): number { return this.snapshots.bytes; }
  newId(): number { return this.nextId++; }
  dispose(): void { this.run.dispose(); }

  /* ---- worlds ----------------------------------------------------------------------------------------------- */

  /** The world at its start. What there was is kept when the scene is refused. */
  private build(overrides: Overrides): void {
    const run = new Run(this.engine, this.source, overrides), before = this.run as Run | undefined;
    this.run = run;
    this.breaks++;
    before?.dispose();
  }

  /** Starts again with the values as they are, or with those given; pins, cuts and the log go. */
  reset(overrides: Overrides = this.overrides): void {
    const next = new Map(overrides);
    this.build(next);
    this.overrides = next;
    this.frame = this.end = this.remakes = this.lastRemakes = 0;
    this.log.clear();
    this.snapshots.clear();
    this.trouble = null;
    this.keep();
    this.onRebuild();
  }

  /** Another scene. The old one stays when the new one is refused. */
  open(source: Source, overrides: Overrides = new Map()): void {
    const old = this.source;
    this.source = source;
    try { this.reset(overrides); } catch (error) { this.source = old; throw error; }
  }

  /** Opens at a later frame with the state that a run of the scene has there. */
  adopt(frame: number, state: Uint8Array): void {
    this.scene.seek(this.world, frame);
    this.world.restore(state);
    this.frame = this.end = frame;
    this.breaks++;
    this.keep();
  }

  /** Another model or generator while it runs: a world is made anew and goes on from where the old one is. */
  private remake(overrides: Overrides): void {
    const next = new Run(this.engine, this.source, overrides), before = this.run;
    next.takeOver(before, this.frame);
    this.run = next;
    before.dispose();
    this.breaks++;
    this.remakes++;
    this.lastRemakes = this.remakes;
    this.onRebuild();
  }

  /* ---- events ----------------------------------------------------------------------------------------------- */

  /** Does it now, and writes it down. What lay ahead, if time was turned back, is gone then. */
  act(event: Event): void {
    if (this.frame < this.end) this.forgetFuture();
    this.apply(event);
    const events = this.log.get(this.frame);
    if (events) events.push(event);
    else this.log.set(this.frame, [event]);
    this.trouble = null;
  }

  private apply(event: Event): void {
    if (event.kind === "remake") { this.remake(new Map(event.overrides)); return; }
    this.run.apply(event);
    if (event.kind !== "cut") return;
    this.breaks++;
    this.onRebuild();
  }

  /** Takes back a cut: time goes to the frame where it was made, and goes on from there. */
  undoCut(frame: number): void {
    const kept = (this.log.get(frame) ?? []).filter((event) => event.kind !== "cut");
    const from = this.snapshots.before(frame);
    this.restore(from.frame, from.bytes, from.structure);
    while (this.frame < frame) if (!this.step()) break;
    this.forgetFuture();
    for (const event of kept) this.act(event);
  }

  /** Time goes another way from here on, with the knobs as they stand. */
  private forgetFuture(): void {
    for (const frame of [...this.log.keys()]) if (frame >= this.frame) this.log.delete(frame);
    this.snapshots.forgetAfter(this.frame);
    this.end = this.frame;
    for (const [id, hold] of this.holds) if (hold.holds) this.act({ kind: "release", id });
    if (this.remakes !== this.lastRemakes) this.act({ kind: "remake", overrides: [...this.overrides] });
    for (const [path, before] of this.run.values.changed) {
      if (!this.run.values.has(path)) continue;
      const value = this.overrides.has(path) ? this.overrides.get(path) : before;
      if (JSON.stringify(this.read(path)) !== JSON.stringify(value)) this.act({ kind: "set", path, value });
    }
  }

  /* ---- values ----------------------------------------------------------------------------------------------- */

  /** A value of the scene; undefined gives it back to the scene. `how` is the descriptor's `change`. */
  set(path: string, value: unknown, how: Change): void {
    const next = new Map(this.overrides);
    if (value === undefined) next.delete(path);
    else next.set(path, value);
    if (how === "restart") { this.reset(next); return; }
    if (how === "remake") this.act({ kind: "remake", overrides: [...next] });
    else this.act({ kind: "set", path, value: next.has(path) ? value : this.run.values.before(path) });
    this.overrides = next;
  }

  /** All values at once: the shape stays, unless one of those that differ needs a start. */
  switchTo(next: Overrides): void {
    const differ = [...new Set([...this.overrides.keys(), ...next.keys()])].filter((path) => JSON.stringify(this.overrides.get(path)) !== JSON.stringify(next.get(path)));
    // What the world was made with is known to the scene alone, so going back to the scene's value needs another world.
    const hows = differ.map((path) => (!next.has(path) && this.run.overrides.has(path) ? "remake" : changeOf(this.engine.descriptors, path)));
    if (hows.includes("restart")) this.reset(next);
    else if (hows.includes("remake")) {
      this.act({ kind: "remake", overrides: [...next] });
      this.overrides = new Map(next);
    } else for (const path of differ) this.set(path, next.get(path), "live");
  }

  /* ---- time ------------------------------------------------------------------------------------------------- */

  /** One frame on, with what the log has for it. False when the step failed; the state is then as before. */
  step(): boolean {
    const replays = this.frame < this.end;
    if (replays) for (const event of this.log.get(this.frame) ?? []) this.apply(event);
    const start = performance.now();
    try { this.run.step(this.frame); } catch (error) {
      if (!(error instanceof PliantError)) throw error;
      this.trouble = error.message;
      return false;
    }
    this.stepTime = performance.now() - start;
    this.frame++;
    this.end = Math.max(this.end, this.frame);
    if (this.frame % 4 === 0) this.keep();
    if (replays && this.frame === this.end) for (const event of this.log.get(this.frame) ?? []) this.apply(event);
    return true;
  }

  private structure(): Structure {
    const { pinList: pins, cuts, balls, values, overrides } = this.run;
    const key = `${this.remakes}|${pins.map((pin) => `${pin.id}:${pin.deformable}:${pin.particles.length}`).join()}|${cuts}`;
    return { key, pins, cuts, remakes: this.remakes, balls: [...balls.thrown], live: values.now, overrides };
  }

  private keep(): void {
    if (this.holds.size > 0) return;
    this.snapshots.add(this.frame, this.end, this.world.snapshot(), this.structure());
  }

  /** Goes to a frame, at most `limit` milliseconds long; returns the frame where it is. */
  goTo(frame: number, limit = Infinity): number {
    const goal = Math.max(0, Math.min(frame, this.end)), start = performance.now();
    const from = this.snapshots.before(goal);
    const here = this.frame <= goal && this.frame >= from.frame;
    if (!here) this.restore(from.frame, from.bytes, from.structure);
    if (!here && this.frame === this.end) for (const event of this.log.get(this.frame) ?? []) this.apply(event);
    while (this.frame < goal && performance.now() - start < limit) if (!this.step()) break;
    return this.frame;
  }

  private restore(frame: number, bytes: Uint8Array, structure: Structure): void {
    if (structure.key !== this.structure().key || this.holds.size > 0) {
      const { changed } = this.run.values;
      this.build(structure.overrides);
      this.run.values.inherit(changed);
      this.scene.seek(this.world, frame);
      for (const pin of structure.pins) this.run.hold(pin);
      this.run.balls.adopt(structure.balls, frame);
      this.remakes = structure.remakes;
    }
    this.world.restore(bytes);
    this.run.values.restore(structure.live);
    this.run.cuts = structure.cuts;
    this.run.balls.thrown = [...structure.balls];
    this.frame = frame;
    this.breaks++;
    this.trouble = null;
    this.onRebuild();
  }
}
