// Sessions: a scene under the user's tools, with time in both directions, undo and redo (session/session.h).
import { Resource } from "./disposable.js";
import { needScenes, type Engine } from "./engine.js";
import { PliantError } from "./errors.js";
import type { Memory } from "./memory.js";
import type { Scene } from "./scene.js";
import { vectorOf, type VectorLike } from "./vectors.js";
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
  events: number;
  edits: number;
  undone: number;
  /** Stored states, and their bytes. */
  moments: number;
  bytes: number;
  /** Number of changes that are no step: other worlds, restored states, cuts. */
  breaks: number;
  failed: boolean;
  /** The active set of values. */
  side: "A" | "B";
  balls: number;
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

export interface SessionOptions {
  /** Memory of stored states [bytes]. Default 64 MB. */
  budget?: number;
  /** A state is stored every so many frames. Default 4. */
  interval?: number;
}

const TOOLS: readonly SessionTool[] = ["grab", "pin", "brush", "cut", "ball", "blow", "pump", "move"];

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
  #breaks = 0;
  /** Called when there is another world. */
  onRebuild: () => void = () => undefined;

  /** Takes over a scene, which is of use for as long as the session is. */
  constructor(scene: Scene, options: SessionOptions = {}) {
    super(openSession(scene, options), (session) => scene.engine.memory.exports.session_destroy(session));
    this.engine = scene.engine;
    this.#memory = scene.engine.memory;
    for (let kind = 0, name = ""; (name = this.#memory.text(this.#calls.session_kind_name(kind))) !== ""; kind++) this.#kinds.set(name, kind);
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

  get state(): SessionState {
    this.#calls.session_state(this.address);
    const state = this.#memory.record("session_fields");
    return {
      ...state, failed: state["failed"] !== 0, stays: state["stays"] !== 0, side: state["side"] === 0 ? "A" : "B",
    } as unknown as SessionState;
  }
  /** The last message; empty for none. */
  get message(): string {
    return this.#memory.text(this.#calls.session_message(this.address));
  }

  /** After each call that may step or rebuild. */
  #after<T>(result: T): T {
    const { breaks } = this.state;
    const world = this.#world;
    this.world.reportChanges();
    if (breaks !== this.#breaks || (world !== null && world !== this.#world)) {
      this.#breaks = breaks;
      this.onRebuild();
    }
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
  /** Makes the world again from another variant of the scene, which the session takes over. */
  changeScene(scene: Scene, label: string): boolean {
    const { address } = scene;
    scene.disown();
    return this.#memory.scratch((scratch) => this.#after(this.#calls.session_change_scene(this.address, address, scratch.text(label)) !== 0));
  }
  /** Sets a value by its path (session/controls.h). */
  set(path: string, value: number): boolean {
    return this.#memory.scratch((scratch) => this.#after(this.#calls.session_set(this.address, scratch.text(path), value) !== 0));
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
}
