// One run that a person has hold of: a scene, what was changed in it, a log of all that hands did, and time in both directions.
//
// The log is the truth: it has every event (a pin, a cut, a ball, a value, where a hand is) with the frame before whose step it
// acted. Going to a frame means: read the nearest earlier snapshot, and step there with the log. So the past is found again to the
// bit, also that in which a hand had hold, although no snapshot can be read across it.
import { Mesh, PliantError, Scene, type Attachment, type Collider, type Deformable, type Engine, type Grab, type World } from "pliant";
import { add, scale, type V3 } from "../base/math.ts";
import type { Source } from "./library.ts";
import { resolve, type Overrides } from "../state/paths.ts";
import { Snapshots, type Structure } from "./snapshots.ts";

export interface Pin { id: number; deformable: number; particles: number[]; shift: V3 }
export interface Ball { frame: number; from: V3; velocity: V3; radius: number }

export type Event =
  | { kind: "set"; path: string; value: unknown }
  | { kind: "remake"; overrides: [string, unknown][] }
  | { kind: "pin"; pin: Pin }
  | { kind: "unpin"; id: number }
  | { kind: "move"; id: number; shift: V3 }
  | { kind: "cut"; deformable: number; point: V3; normal: V3; reach: number }
  | { kind: "ball"; ball: Ball }
  | { kind: "grab"; id: number; deformable: number; vertex: number; radius: number; strength: number; target: V3 }
  | { kind: "hand"; id: number; target: V3 }
  | { kind: "release"; id: number };

interface Hold { grab: Grab; target: V3; holds: boolean; deformable: number; vertex: number }
interface HeldPin extends Pin { attachment: Attachment }

export const BALLS = 4, BALL_FRAMES = 180;
const FAR: V3 = [0, -500, 0];

export class Session {
  readonly engine: Engine;
  source: Source;
  overrides: Overrides;
  scene!: Scene;
  world!: World;
  frame = 0;
  /** The furthest frame that was reached. */
  end = 0;
  cuts = 0;
  pins: HeldPin[] = [];
  holds = new Map<number, Hold>();
  /** Time of the last step [ms]. */
  stepTime = 0;
  /** Why the last step failed, until something is changed. */
  trouble: string | null = null;
  /** Called when there is another world, or other faces. */
  onRebuild: () => void = () => undefined;

  private log = new Map<number, Event[]>();
  private balls: Ball[] = [];
  private pool: Collider[] = [];
  private builtFrom: Overrides = new Map();
  private live = new Map<string, unknown>();
  private base = new Map<string, unknown>();
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

  get deformables(): readonly Deformable[] { return this.world.deformables; }
  get fps(): number { return this.scene.framesPerSecond; }
  /** Whether the command line gets to this state with the scene and the overrides alone. */
  get repeatable(): boolean {
    for (const [frame, events] of this.log) if (frame < this.frame && events.some((event) => event.kind !== "set" || frame > 0)) return false;
    return this.holds.size === 0 && this.remakes === 0;
  }
  get firstKept(): number { return this.snapshots.first; }
  get keptFrames(): number[] { return this.snapshots.frames; }
  get keptBytes(): number { return this.snapshots.bytes; }
  get activeBalls(): Ball[] { return this.balls.filter((ball) => this.frame - ball.frame < BALL_FRAMES); }
  ballPosition(ball: Ball): V3 { return flight(ball, this.frame - ball.frame, this.fps, this.ground); }
  get ground(): number | null { return this.scene.view.ground ? this.scene.view.ground_height : null; }
  newId(): number { return this.nextId++; }

  dispose(): void {
    this.world.dispose();
    this.scene.dispose();
  }

  /* ---- making the world ------------------------------------------------------------------------------------- */

  private load(overrides: Overrides): Scene {
    const text = resolve(this.source.text, overrides, this.engine.descriptors);
    return Scene.load(text, { files: this.source.files, path: this.source.id === "file" ? this.source.title : `${this.source.id}.json` }, this.engine);
  }

  /** The world at its start. What there was is kept when the scene is refused. */
  private build(overrides: Overrides): void {
    const scene = this.load(overrides);
    let world: World;
    try { world = scene.createWorld(); } catch (error) { scene.dispose(); throw error; }
    if (this.world) this.dispose();
    this.scene = scene;
    this.world = world;
    this.builtFrom = new Map(overrides);
    this.holds.clear();
    this.pins = [];
    this.cuts = 0;
    this.live.clear();
    this.base.clear();
    this.balls = [];
    this.pool = Array.from({ length: BALLS }, (_, i) =>
      world.createCollider({ shape: "sphere", radius: 0.1, friction: 0.2, pose: { position: [FAR[0] + i, FAR[1], FAR[2]] } }));
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

  /** Another model or generator while it runs: a world is made anew and goes on from where the old one is. */
  private remake(overrides: Overrides): void {
    const states = this.deformables.map((one) => ({ positions: one.copyPositions(), velocities: packed(one.velocities, one.stride, one.vertexCount) }));
    const pins = this.pins.map(({ attachment: _, ...pin }) => pin), balls = this.balls;
    this.build(overrides);
    this.scene.seek(this.world, this.frame);
    this.deformables.forEach((one, i) => {
      if (states[i]?.positions.length !== 3 * one.vertexCount) return;
      one.setPositions(states[i].positions);
      one.setVelocities(states[i].velocities);
    });
    for (const pin of pins) this.hold(pin);
    this.balls = balls;
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
    for (const path of this.base.keys()) {
      if (!this.has(path)) continue;
      const value = this.overrides.has(path) ? this.overrides.get(path) : this.base.get(path);
      if (JSON.stringify(this.read(path)) !== JSON.stringify(value)) this.act({ kind: "set", path, value });
    }
  }

  /** A value of the scene. `how` is the descriptor's `change`. */
  set(path: string, value: unknown, how: "live" | "remake" | "restart"): void {
    const next = new Map(this.overrides);
    if (value === undefined) next.delete(path);
    else next.set(path, value);
    this.setAll(next, how, path);
  }

  setAll(next: Overrides, how: "live" | "remake" | "restart", path?: string): void {
    if (how === "restart") { this.reset(next); return; }
    if (how === "remake") this.act({ kind: "remake", overrides: [...next] });
    else if (path !== undefined) this.act({ kind: "set", path, value: next.has(path) ? next.get(path) : this.baseOf(path) });
    this.overrides = next;
  }

  private baseOf(path: string): unknown {
    return this.base.has(path) ? this.base.get(path) : this.read(path);
  }

  private apply(event: Event): void {
    const actions: { [K in Event["kind"]]: (e: Extract<Event, { kind: K }>) => void } = {
      set: (e) => {
        if (!this.base.has(e.path)) this.base.set(e.path, this.read(e.path));
        this.write(e.path, e.value);
        this.live.set(e.path, e.value);
      },
      remake: (e) => this.remake(new Map(e.overrides)),
      pin: (e) => this.hold(e.pin),
      unpin: (e) => {
        this.pins.find((pin) => pin.id === e.id)?.attachment.dispose();
        this.pins = this.pins.filter((pin) => pin.id !== e.id);
      },
      move: (e) => {
        const pin = this.pins.find((one) => one.id === e.id);
        if (!pin) return;
        pin.shift = e.shift;
        pin.attachment.setPose({ position: e.shift });
      },
      cut: (e) => {
        this.deformables[e.deformable].cut({ point: e.point, normal: e.normal, reach: e.reach });
        this.cuts++;
        this.onRebuild();
      },
      ball: (e) => {
        const collider = this.pool[this.balls.length % BALLS];
        collider.set({ radius: e.ball.radius });
        collider.teleport({ position: e.ball.from });
        this.balls.push(e.ball);
      },
      grab: (e) => {
        const grab = this.world.grab({ deformable: this.deformables[e.deformable], vertex: e.vertex, radius: e.radius, strength: e.strength });
        this.holds.set(e.id, { grab, target: e.target, holds: true, deformable: e.deformable, vertex: e.vertex });
      },
      hand: (e) => { const hold = this.holds.get(e.id); if (hold) hold.target = e.target; },
      release: (e) => { const hold = this.holds.get(e.id); if (hold) hold.holds = false; },
    };
    (actions[event.kind] as (e: Event) => void)(event);
  }

  private hold(pin: Pin): void {
    const attachment = this.deformables[pin.deformable].createAttachment({ particles: pin.particles, pose: { position: pin.shift } });
    this.pins.push({ ...pin, attachment });
  }

  /* ---- time ------------------------------------------------------------------------------------------------- */

  /** One frame on, with what the log has for it. False when the step failed; the state is then as before. */
  step(): boolean {
    const replays = this.frame < this.end;
    if (replays) for (const event of this.log.get(this.frame) ?? []) this.apply(event);
    const dt = 1 / this.fps, start = performance.now();
    for (const [id, hold] of this.holds) {
      hold.grab.update(hold.target, dt, hold.holds);
      if (!hold.grab.active) this.holds.delete(id);
    }
    this.moveBalls();
    try { this.scene.step(this.world, this.frame); } catch (error) {
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

  private moveBalls(): void {
    this.balls.forEach((ball, i) => {
      const age = this.frame + 1 - ball.frame;
      if (i < this.balls.length - BALLS || age < 1 || age > BALL_FRAMES) return;
      const collider = this.pool[i % BALLS];
      if (age === BALL_FRAMES) collider.teleport({ position: [FAR[0] + (i % BALLS), FAR[1], FAR[2]] });
      else collider.setPose({ position: flight(ball, age, this.fps, this.ground) });
    });
  }

  private structure(): Structure {
    const pins = this.pins.map(({ attachment: _, ...pin }) => pin);
    const key = `${this.remakes}|${pins.map((pin) => `${pin.id}:${pin.deformable}:${pin.particles.length}`).join()}|${this.cuts}`;
    return { key, pins, cuts: this.cuts, remakes: this.remakes, balls: [...this.balls], live: new Map(this.live), overrides: new Map(this.builtFrom) };
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
      const base = new Map(this.base);
      this.build(structure.overrides);
      for (const [path, value] of base) this.base.set(path, value);
      this.scene.seek(this.world, frame);
      for (const pin of structure.pins) this.hold(pin);
      this.remakes = structure.remakes;
    }
    this.world.restore(bytes);
    for (const [path, value] of this.base) {
      if (!this.has(path)) continue;
      this.write(path, structure.live.get(path) ?? value);
      if (structure.live.has(path)) this.live.set(path, structure.live.get(path));
      else this.live.delete(path);
    }
    this.cuts = structure.cuts;
    this.balls = [...structure.balls];
    this.frame = frame;
    this.trouble = null;
    this.onRebuild();
  }

  hash(): string { return this.world.hash(); }

  /** A live property by its path, whose names stand for the numbers that the package takes. */
  read(path: string): unknown { return this.world.read(this.numbered(path)); }
  /** Whether the world has it now: another model has other parameters. */
  private has(path: string): boolean {
    try { this.read(path); return true; } catch { return false; }
  }
  private write(path: string, value: unknown): void { this.world.write(this.numbered(path), value); }
  private numbered(path: string): string {
    const match = path.match(/^deformables\.([^.[]+)(?:\.constraints\.([^.[]+))?\.(\w+)$/);
    if (!match) return path;
    const d = this.deformables.findIndex((one, i) => one.name === match[1] || String(i) === match[1]);
    const set = match[2] === undefined ? -1 : (this.deformables[d]?.constraintSets.findIndex((one) => one.name === match[2]) ?? -1);
    return match[2] === undefined ? `deformables[${d}].${match[3]}` : `deformables[${d}].constraints[${set}].${match[3]}`;
  }
}

/** Floats of each particle without the gaps between them. */
function packed(view: Float32Array, stride: number, count: number): Float32Array {
  const out = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) for (let k = 0; k < 3; k++) out[3 * i + k] = view[stride * i + k];
  return out;
}

/** Where a thrown ball is: a flight with some drag that bounces on the ground. It is a collider without mass. */
export function flight(ball: Ball, age: number, fps: number, ground: number | null): V3 {
  const dt = 1 / fps;
  let p = ball.from, v = ball.velocity;
  for (let i = 0; i < age; i++) {
    v = scale([v[0], v[1] - 9.81 * dt, v[2]], 0.995);
    p = add(p, scale(v, dt));
    if (ground !== null && p[1] < ground + ball.radius && v[1] < 0) {
      p = [p[0], ground + ball.radius, p[2]];
      v = [v[0] * 0.9, -v[1] * 0.5, v[2] * 0.9];
    }
  }
  return p;
}

/** A scene around a mesh that a reader brings: it falls on a ball, or stands on the ground when it is closed. */
export function sceneOfMesh(engine: Engine, name: string, data: Uint8Array): { source: Source; vertices: number } {
  const mesh = Mesh.read(data, name, { policy: "repair", weld: true }, engine);
  const { bounds_min: low, bounds_max: high, closed, vertex_count: vertices, triangle_count: triangles } = mesh.report;
  mesh.dispose();
  if (triangles < 2) throw new Error(`${name} has ${vertices} points and ${triangles} triangles: nothing here can bend. Give a surface of two triangles or more.`);
  if (triangles > 200000) throw new Error(`${name} has ${triangles} triangles; the page takes 200 000. The command line takes it: pliant run.`);
  const size = Math.max(...low.map((x, i) => high[i] - x));
  const factor = 1.2 / size, lift = -low[1] * factor + (closed ? 0.02 : 0.75);
  const constraints: object[] = [{ type: "distance", name: "stretch" }, { type: closed ? "dihedral" : "isometric", name: "bend", rigidity: 1e-4 }];
  if (closed) constraints.push({ type: "volume", pressure: 1 });
  const scene = {
    pliant: 1, title: name, frames: 600, settings: { substeps: 15, air_density: 1.2, damping: 0.01 },
    deformables: [{ name: "mesh", mesh: { file: name, scale: factor, weld: true, repair: true }, pose: { position: [0, lift, 0] }, density: 0.2, constraints }],
    colliders: [{ shape: "plane", friction: 0.5 }, ...(closed ? [] : [{ shape: "sphere", radius: 0.3, pose: { position: [0, 0.4, 0] } }])],
    view: { eye: [1.6, 1.2, 2.8], target: [0, 0.5, 0], field_of_view: 30 },
  };
  return { source: { id: "file", title: name, text: JSON.stringify(scene, null, 2), files: { [name]: data }, surface: "cloth" }, vertices };
}
