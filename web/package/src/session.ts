// Sessions: a scene under the user's tools, with time in both directions, undo and redo (session/session.h).
import type { Attachment } from "./attachment.js";
import type { Deformable } from "./deformable.js";
import { Resource } from "./disposable.js";
import { needScenes, type Engine } from "./engine.js";
import { PliantError } from "./errors.js";
import type { Memory } from "./memory.js";
import type { Scene } from "./scene.js";
import { vectorOf, type Vector, type VectorLike } from "./vectors.js";
import { World } from "./world.js";

export type SessionKind =
  | "grab" | "pull" | "release" | "pin" | "unpin" | "cut" | "ball" | "blow" | "calm" | "pump" | "take" | "move" | "drop" | "set" | "paint"
  | "side" | "scene";

/** Parameters are in the order of the table in session/session.h. */
export interface SessionEvent {
  kind: SessionKind;
  indices?: readonly number[];
  numbers?: readonly number[];
  value?: number;
  name?: string;
  vertices?: ArrayLike<number>;
  values?: ArrayLike<number>;
}

/** The tools, in their order. */
export type SessionTool = "grab" | "pin" | "brush" | "cut" | "ball" | "blow" | "pump" | "move";

export interface SessionState {
  frame: number;
  /** The first and the last frame that can be reached without new steps. */
  first: number;
  last: number;
  /** Events of the log, and those that have acted. */
  events: number;
  acted: number;
  edits: number;
  undone: number;
  /** Stored states, and their bytes. */
  moments: number;
  bytes: number;
  /** Number of changes that are no step: other worlds, restored states, cuts. */
  breaks: number;
  failed: boolean;
  /** The variant of the scene: 0, then one for each changeScene(). */
  scene: number;
  /** The active set of values. */
  side: "A" | "B";
  balls: number;
  /** Speed of the gust of the blow tool [m/s]. */
  gust: number;
  messages: number;
  /** The last message is an error, which stays until it is closed. */
  stays: boolean;
}

/** A ray from the eye, the middle of the picture, and the time; directions are unit vectors. */
export interface SessionPointer {
  eye: VectorLike;
  ray: VectorLike;
  ahead: VectorLike;
  seconds: number;
}

/** The nearest deformable on a ray that no collider hides. */
export interface SessionHit {
  deformable: Deformable;
  /** The nearest vertex of the hit triangle. */
  vertex: number;
  distance: number;
  position: Vector;
}

/** A grab of one pointer. */
export interface SessionHand {
  /** The pointer, 0 to 3. */
  hand: number;
  /** False while the pull fades. */
  holds: boolean;
  deformable: Deformable;
  vertex: number;
  /** Largest force [N], and the distance at which it is reached [m]. */
  limit: number;
  reach: number;
  target: Vector;
  /** Force at the start of the next step [N]. */
  force: Vector;
}

export interface SessionBrush {
  /** Index in sessionQuantities(). */
  quantity: number;
  /** Fraction of the difference to the target value that one sample applies. */
  strength: number;
  /** Target value of the quantity. */
  value: number;
}

export interface SessionOptions {
  /** Memory of stored states [bytes]. Default 64 MB. */
  budget?: number;
  /** A state is stored every so many frames. Default 4. */
  interval?: number;
}

const TOOLS: readonly SessionTool[] = ["grab", "pin", "brush", "cut", "ball", "blow", "pump", "move"];
const HANDS = 4;

/** The tools with their names and summaries; `free` ones also work beside cloth. */
export function sessionTools(engine: Engine): { id: SessionTool; name: string; summary: string; free: boolean; hasRadius: boolean }[] {
  const { memory } = engine;
  return TOOLS.map((id, i) => {
    const name = memory.text(memory.exports.session_tool_name(i));
    const [free, hasRadius] = memory.numbers(0, 2).map(Boolean) as [boolean, boolean];
    return { id, name, summary: memory.text(memory.exports.session_tool_summary(i)), free, hasRadius };
  });
}

/** The quantities that the brush paints; `isValue` is false for pins. */
export function sessionQuantities(engine: Engine): { name: string; legend: string; summary: string; isValue: boolean }[] {
  const { memory } = engine, list = [];
  for (let i = 0, legend = ""; (legend = memory.text(memory.exports.session_quantity(i))) !== ""; i++) {
    const isValue = memory.value(0) !== 0;
    list.push({ name: memory.text(memory.exports.session_quantity_name(i)), legend, summary: memory.text(memory.exports.session_quantity_summary(i)), isValue });
  }
  return list;
}

function openSession(scene: Scene, options: SessionOptions): number {
  const { memory } = scene.engine;
  const calls = needScenes(scene.engine);
  const { address } = scene;
  scene.disown();
  return memory.made(calls.session_open(address, options.budget ?? 64e6, options.interval ?? 4));
}

export class Session extends Resource {
  readonly engine: Engine;
  readonly #memory: Memory;
  readonly #kinds = new Map<string, number>();
  #world: World | null = null;
  #state!: SessionState;
  /** Called when there is another world, another state that no step led to, or other faces. */
  onRebuild: () => void = () => undefined;
  /** Called with each message; an error stays until it is closed. */
  onMessage: (text: string, isError: boolean) => void = () => undefined;

  /** Takes over a scene, which is of use for as long as the session is. */
  constructor(scene: Scene, options: SessionOptions = {}) {
    super(openSession(scene, options), (session) => scene.engine.memory.exports.session_destroy(session));
    this.engine = scene.engine;
    this.#memory = scene.engine.memory;
    for (let kind = 0, name = ""; (name = this.#memory.text(this.#calls.session_kind_name(kind))) !== ""; kind++) this.#kinds.set(name, kind);
    this.#state = this.#read();
  }

  get #calls() {
    return this.#memory.exports;
  }

  override dispose(): void {
    this.#world?.dispose();
    super.dispose();
  }

  /** The world as it is now; another object after the session has made its world again. */
  get world(): World {
    const address = this.#memory.made(this.#calls.session_world(this.address));
    if (this.#world?.disposed === false && this.#world.address === address) return this.#world;
    this.#world?.dispose();
    this.#world = new World(address, this.engine);
    this.#world.disown();
    return this.#world;
  }

  #read(): SessionState {
    this.#calls.session_state(this.address);
    const state = this.#memory.record("session_fields");
    return {
      ...state, failed: state["failed"] !== 0, stays: state["stays"] !== 0, side: state["side"] === 0 ? "A" : "B",
    } as unknown as SessionState;
  }
  get state(): SessionState {
    return this.#state;
  }
  /** The last message; empty for none. */
  get message(): string {
    return this.#memory.text(this.#calls.session_message(this.address));
  }

  /** After each call that may step or rebuild. */
  #after<T>(result: T): T {
    const before = this.#state;
    const world = this.#world;
    const now = (this.#state = this.#read());
    this.world.reportChanges();
    if (now.breaks !== before.breaks || (world !== null && world !== this.#world)) this.onRebuild();
    if (now.messages !== before.messages) this.onMessage(this.message, now.stays);
    return result;
  }

  /** Computes the next frame. False if it failed; the message says why. */
  step(): boolean {
    return this.#after(this.#calls.session_step(this.address) !== 0);
  }
  /** Goes towards a frame for at most so many steps. */
  goTo(frame: number, steps = 0x7fffffff): void {
    this.#after(this.#calls.session_go(this.address, frame, steps));
  }
  /** Opens at a later frame with the state that a run of the scene has there. */
  adopt(frame: number, snapshot: Uint8Array): boolean {
    return this.#memory.scratch((scratch) => this.#after(this.#calls.session_adopt(this.address, frame, ...scratch.content(snapshot)) !== 0));
  }
  /** Starts again at the first frame with the current values and paint. */
  restart(): void {
    this.#after(this.#calls.session_restart(this.address));
  }

  /** Acts, and writes the event to the log. A label begins an edit. False if it is rejected; the message says why. */
  act(event: SessionEvent, label = ""): boolean {
    const kind = this.#kinds.get(event.kind);
    if (kind === undefined) throw new PliantError("invalid argument", `there is no event '${event.kind}'`);
    return this.#memory.scratch((scratch) => {
      const text = scratch.text(label);
      const name = scratch.text(event.name ?? "");
      const vertices = event.vertices ? scratch.integers(event.vertices, "vertices") : 0;
      const values = event.values ? scratch.floats(event.values) : 0;
      const numbers = Array.from({ length: 12 }, (_, i) => (i < 4 ? event.indices?.[i] : event.numbers?.[i - 4]) ?? 0);
      this.#memory.put(...numbers, event.value ?? 0);
      return this.#after(this.#calls.session_act(this.address, kind, text, name, vertices, values, event.vertices?.length ?? 0) !== 0);
    });
  }
  undo(): void {
    this.#after(this.#calls.session_undo(this.address));
  }
  redo(): void {
    this.#after(this.#calls.session_redo(this.address));
  }
  /** Makes the world again from another variant of the scene, which the session takes over. An empty label continues the last edit. */
  changeScene(scene: Scene, label: string): boolean {
    const { address } = scene;
    scene.disown();
    return this.#memory.scratch((scratch) => this.#after(this.#calls.session_change_scene(this.address, address, scratch.text(label)) !== 0));
  }
  /**
   * Sets a value by its path (session/controls.h), as an edit. An empty label continues the last edit; with `continues`, so does the
   * label of that edit.
   */
  set(path: string, value: number, label = path, continues = false): boolean {
    return this.#memory.scratch((scratch) => {
      const [at, text] = [scratch.text(path), scratch.text(label)];
      return this.#after(this.#calls.session_set(this.address, at, value, text, Number(continues)) !== 0);
    });
  }
  swapValues(side: "A" | "B"): void {
    this.#after(this.#calls.session_swap_values(this.address, side === "A" ? 0 : 1));
  }

  /** The log as text (session/log.h). */
  get log(): string {
    const text = this.#memory.made(this.#calls.session_log_write(this.address));
    const log = this.#memory.text(text);
    this.#calls.text_release(text);
    return log;
  }
  /** Replaces the log, and goes to the start. */
  readLog(text: string): void {
    this.#memory.check(this.#memory.scratch((scratch) => this.#after(this.#calls.session_log_read(this.address, scratch.text(text)))));
  }

  /** Events of a kind that have acted. */
  count(kind: SessionKind): number {
    return this.#calls.session_count(this.address, this.#kinds.get(kind) ?? -1);
  }
  /** Whether a run of the scene with other values gives this state: only values were set, before the first step. */
  get isPlain(): boolean {
    return this.#calls.session_is_plain(this.address) !== 0;
  }
  /** Attachments that pin vertices for the user. */
  get pins(): Attachment[] {
    const count = this.#calls.session_pins(this.address, 0, 0);
    if (count === 0) return [];
    const ids = this.#memory.scratch((scratch) => {
      const list = scratch.bytes(4 * count);
      this.#calls.session_pins(this.address, list, count);
      return new Set(new Uint32Array(this.#memory.buffer, list, count).slice());
    });
    return this.world.attachments.filter(({ id }) => ids.has(id));
  }
  get hasPressure(): boolean {
    return this.#calls.session_has_pressure(this.address) !== 0;
  }

  #point({ eye, ray, ahead, seconds }: SessionPointer): void {
    this.#memory.put(...vectorOf(eye), ...vectorOf(ray), ...vectorOf(ahead), seconds);
  }
  /** Presses a pointer, 0 to 3. False if the tool does nothing there. */
  press(hand: number, tool: SessionTool, pointer: SessionPointer, secondary = false): boolean {
    this.#point(pointer);
    return this.#after(this.#calls.session_press(this.address, hand, TOOLS.indexOf(tool), Number(secondary)) !== 0);
  }
  drag(hand: number, pointer: SessionPointer): void {
    this.#point(pointer);
    this.#after(this.#calls.session_drag(this.address, hand));
  }
  release(hand: number, pointer: SessionPointer): void {
    this.#point(pointer);
    this.#after(this.#calls.session_release(this.address, hand));
  }
  releaseAll(): void {
    this.#after(this.#calls.session_release_all(this.address));
  }
  /** Moves the target of a grab away from the eye by a factor. */
  push(hand: number, pointer: SessionPointer, factor: number): void {
    this.#point(pointer);
    this.#after(this.#calls.session_push(this.address, hand, factor));
  }
  pick(pointer: SessionPointer): SessionHit | null {
    this.#point(pointer);
    if (!this.#calls.session_pick(this.address)) return null;
    const [id, vertex, distance] = this.#memory.vector(0);
    return { deformable: this.world.deformableOf(id), vertex, distance, position: this.#memory.vector(3) };
  }
  /** The radius of a tool [m], and its change by a factor. */
  radius(tool: SessionTool, deformable: Deformable): number {
    return this.#calls.session_radius(this.address, TOOLS.indexOf(tool), deformable.id);
  }
  widen(tool: SessionTool, factor: number): void {
    this.#calls.session_widen(this.address, TOOLS.indexOf(tool), factor);
  }
  get brush(): SessionBrush {
    this.#calls.session_brush(this.address);
    const [quantity, strength, value] = this.#memory.vector(0);
    return { quantity, strength, value };
  }
  /** Changes the brush; each quantity has its own target value. */
  setBrush({ quantity, ...rest }: Partial<SessionBrush>): void {
    if (quantity !== undefined) this.#calls.session_choose_quantity(this.address, quantity);
    const { strength, value } = { ...this.brush, ...rest };
    this.#calls.session_set_brush(this.address, strength, value);
  }

  /** Grabs, the fading ones included. */
  get hands(): SessionHand[] {
    const list: SessionHand[] = [];
    for (let hand = 0; hand < HANDS; hand++) {
      if (!this.#calls.session_hand(this.address, hand)) continue;
      const [holds, id, vertex, limit, reach] = this.#memory.numbers(0, 5) as [number, number, number, number, number];
      const [target, force] = [this.#memory.vector(5), this.#memory.vector(8)];
      list.push({ hand, holds: holds !== 0, deformable: this.world.deformableOf(id), vertex, limit, reach, target, force });
    }
    return list;
  }
  /** Grabs a vertex, moves the target of the grab, and ends it. */
  grab(hand: number, deformable: Deformable, vertex: number): boolean {
    return this.#after(this.#calls.session_grab(this.address, hand, deformable.id, vertex) !== 0);
  }
  pull(hand: number, target: VectorLike): void {
    this.#memory.put(...vectorOf(target));
    this.#after(this.#calls.session_pull(this.address, hand));
  }
  letGo(hand: number): void {
    this.#after(this.#calls.session_let_go(this.address, hand));
  }
  /** Pins or frees a vertex and its neighbours, or the vertices within the radius of the tool. */
  pin(deformable: Deformable, vertex: number): boolean {
    return this.#after(this.#calls.session_pin(this.address, deformable.id, vertex) !== 0);
  }
  unpin(deformable: Deformable, vertex: number): boolean {
    return this.#after(this.#calls.session_unpin(this.address, deformable.id, vertex) !== 0);
  }
}
