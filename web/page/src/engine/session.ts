// A scene of the page under the tools: the library's session, with the values that were changed by their paths, as the page shares them.
import { Scene, Session, type Attachment, type Deformable, type Engine, type SessionTool, type World } from "pliant";
import type { Side } from "../state/sides.ts";
import { addressOf, changeOf, isKeyed, resolve, rowOf, type Overrides } from "../state/paths.ts";
import type { Source } from "./library.ts";

/** The user's pin: its deformable by number, and its vertices. */
export interface Pin { deformable: number; particles: number[] }
/** A variant of the scene: its text has these values. */
interface Variant { scene: Scene; overrides: Overrides }

const BUDGET = matchMedia("(max-width: 700px)").matches ? 24e6 : 64e6;
const WITH_RADIUS: SessionTool[] = ["grab", "pin", "brush"];
/** Changes of the same values within this time are one edit [ms]. */
const PAUSE = 800;

export class SceneSession {
  /** The library's session; another one after a restart. */
  core!: Session;
  source!: Source;
  /** Time of the last step [ms]. */
  stepTime = 0;
  /** Counts the values that were set. */
  revision = 0;
  /** Called when there is another world, or other faces. */
  onRebuild: () => void = () => undefined;
  onMessage: (text: string, isError: boolean) => void = () => undefined;
  private variants: Variant[] = [];
  /** Values that were set, by path and by the text of the value that the world then had. */
  private given = new Map<string, Map<string, unknown>>();
  /** Texts of the values that a variant started with, by its number and the path. */
  private own = new Map<string, string>();
  private last = { label: "", time: 0 };
  private known: { key: string; pins: Pin[] } = { key: "", pins: [] };

  constructor(readonly engine: Engine, source: Source, overrides: Overrides = new Map(), side: Side = "A") { this.open(source, overrides, side); }

  get world(): World { return this.core.world; }
  get scene(): Scene { return this.variants[this.core.state.scene].scene; }
  get deformables(): readonly Deformable[] { return this.world.deformables; }
  get ground(): number | null { const { view } = this.scene; return view.ground ? view.ground_height : null; }
  get fps(): number { return this.scene.framesPerSecond; }
  get frame(): number { return this.core.state.frame; }
  get end(): number { return this.core.state.last; }
  get isCut(): boolean { return this.core.count("cut") > 0; }
  hash(): string { return this.world.hash(); }
  dispose(): void { this.core.dispose(); }

  /** Whether the command line gets to this state with the scene and the overrides alone. */
  get repeatable(): boolean { return this.core.isPlain; }

  get pins(): Pin[] {
    const { breaks, acted, frame } = this.core.state, key = `${breaks} ${acted} ${frame}`, { deformables } = this;
    if (this.known.key !== key) this.known = { key, pins: this.core.pins.map((one: Attachment) => ({ deformable: deformables.indexOf(one.deformable), particles: [...one.particles] })) };
    return this.known.pins;
  }

  /* ---- scenes ----------------------------------------------------------------------------------------------- */

  private load(source: Source, overrides: Overrides): Scene {
    return Scene.load(resolve(source.text, overrides, this.engine.descriptors), { files: source.files, path: source.file }, this.engine);
  }

  /** Opens a scene at its start. The old session stays when the scene is refused. */
  open(source: Source, overrides: Overrides = new Map(), side: Side = "A"): void {
    const scene = this.load(source, overrides), core = new Session(scene, { budget: BUDGET }), before = this.core as Session | undefined;
    this.core = core;
    this.source = source;
    this.variants = [{ scene, overrides: new Map(overrides) }];
    this.given.clear();
    this.own.clear();
    this.known.key = this.last.label = "";
    this.revision++;
    if (before) {
      // The radius of a tool is the user's, not the scene's.
      for (const tool of WITH_RADIUS) core.widen(tool, before.radius(tool, before.world.deformables[0]) / core.radius(tool, core.world.deformables[0]));
      before.dispose();
    }
    if (side === "B") core.act({ kind: "side", indices: [1] });
    core.onRebuild = () => this.onRebuild();
    core.onMessage = (text, isError) => this.onMessage(text, isError);
    this.onRebuild();
  }

  /** Starts again with the values as they are, or with those given; all else is discarded. */
  reset(overrides: Overrides = this.overrides): void { this.open(this.source, overrides, this.core.state.side); }

  /* ---- values ----------------------------------------------------------------------------------------------- */

  /** The owner of a path in the world: as the package numbers it, and as the session names it. A plate bends in place of the set "bend". */
  private places(path: string): { numbered: string; named: string } {
    const { deformable, set, group, name } = addressOf(path), { deformables } = this;
    if (deformable === null) return { numbered: path, named: path };
    const d = deformables.findIndex((one, i) => one.name === deformable || String(i) === deformable), owner = `deformables[${d}]`, one = deformables[d] as Deformable | undefined;
    if (set === null) return { numbered: group ? `${owner}.${group}.${name}` : `${owner}.${name}`, named: `${one?.name ?? deformable}.${name}` };
    const sets = one?.constraintSets ?? [], at = sets.findIndex((other, i) => other.name === set || String(i) === set);
    if (at < 0 && set === "bend") return { numbered: `${owner}.plate.${name}`, named: `${one?.name ?? deformable}.${name}` };
    return { numbered: `${owner}.constraints[${at}].${name}`, named: `${one?.name ?? deformable}/${sets[at]?.name ?? set}.${name}` };
  }

  /** A value of the world by its path. */
  read(path: string): unknown { return this.world.read(this.places(path).numbered); }
  private text(path: string): string | undefined {
    try { return JSON.stringify(this.read(path)); } catch { return undefined; }
  }

  /** Values that replace the scene's own: those of the variant's text, and those set since that the world has now, as they were given. */
  get overrides(): Overrides {
    const { scene } = this.core.state, now = new Map(this.variants[scene].overrides);
    for (const [path, values] of this.given) {
      const text = this.text(path);
      if (text !== undefined && values.has(text)) now.set(path, values.get(text));
    }
    return now;
  }

  /**
   * Sets values as one edit, by default under the name of the first; null is no edit. Undefined gives a value back to the scene. Returns
   * false, with the session's message, if one is refused; none is set then.
   */
  set(values: Overrides, label: string | null = ""): boolean {
    const next = this.overrides, { descriptors } = this.engine, made = this.variants[this.core.state.scene].overrides;
    for (const [path, value] of values) { if (value === undefined) next.delete(path); else next.set(path, value); }
    // The world does not have what the scene itself says where its text was overridden, and keyframes would write over a value.
    const hows = [...values].map(([path, value]) => ((value === undefined ? made.has(path) : !made.has(path) && isKeyed(this.source.text, path)) ? "remake" : changeOf(descriptors, path)));
    this.revision++;
    if (hows.includes("restart")) { this.reset(next); return true; }
    if (hows.includes("remake")) return this.remake(next, label === "" ? [...values.keys()][0] : label ?? "");
    return this.setLive(values, label);
  }

  private remake(overrides: Overrides, label: string): boolean {
    const scene = this.load(this.source, overrides);
    this.variants[this.variants.length] = { scene, overrides };
    if (this.core.changeScene(scene, label)) return true;
    this.variants.pop();
    return false;
  }

  private setLive(values: Overrides, label: string | null): boolean {
    const { scene } = this.core.state, list = [...values].filter(([path]) => this.text(path) !== undefined), now = performance.now();
    let text = label === "" ? (list.length > 0 ? this.places(list[0][0]).named : "") : label ?? "";
    const continues = text !== "" && text === this.last.label && now - this.last.time < PAUSE;
    this.last = { label: text, time: now };
    for (const [path, value] of list) {
      const key = `${scene} ${path}`, { named } = this.places(path), own = this.own.get(key) ?? this.text(path)!;
      this.own.set(key, own);
      const numbers = this.numbers(path, value === undefined ? JSON.parse(own) : value), isVector = numbers.length > 1;
      for (const [k, number] of numbers.entries()) {
        if (!this.core.set(isVector ? `${named}.${"xyz"[k]}` : named, number, text, continues)) {
          const { message } = this.core;
          if (text === "" && label !== null) { this.core.undo(); this.onMessage(message, true); }
          return false;
        }
        text = "";
      }
      if (value === undefined) this.given.get(path)?.delete(own);
      else this.given.set(path, (this.given.get(path) ?? new Map<string, unknown>()).set(this.text(path)!, value));
    }
    return true;
  }

  /** Makes the other list of values active, as one edit: `next` are its values. */
  switchTo(side: Side, next: Overrides): boolean {
    const now = this.overrides, paths = [...new Set([...now.keys(), ...next.keys()])].filter((path) => JSON.stringify(now.get(path)) !== JSON.stringify(next.get(path)));
    const undo = (text: string): void => { this.core.undo(); this.onMessage(text, true); };
    this.core.act({ kind: "side", indices: [side === "A" ? 0 : 1] }, `values ${side}`);
    try {
      const done = this.set(new Map(paths.map((path) => [path, next.get(path)])), null), { message } = this.core;
      if (!done) undo(message);
      return done;
    } catch (error) { undo((error as Error).message); return false; }
  }

  private numbers(path: string, value: unknown): number[] {
    if (Array.isArray(value)) return value as number[];
    if (typeof value === "string") return [rowOf(this.engine.descriptors, path)?.choices?.findIndex((one) => one.name === value) ?? -1];
    return [value === null ? Infinity : Number(value)];
  }

  /* ---- time ------------------------------------------------------------------------------------------------- */

  /** One frame on. False when the step failed; the session's message says why. */
  step(): boolean {
    const start = performance.now(), done = this.core.step();
    this.stepTime = performance.now() - start;
    return done;
  }

  /** Goes to a frame that is known, with so many steps at most; returns whether it is there. */
  goTo(frame: number, steps?: number): boolean {
    const { first, last } = this.core.state, goal = Math.max(first, Math.min(frame, last));
    this.core.goTo(goal, steps);
    return this.frame === goal;
  }
}
