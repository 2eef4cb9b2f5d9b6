// Scenes: JSON texts that describe a whole simulation (docs/scene-format.md), with the files that they name.
import { Resource } from "./disposable.js";
import { engineOr, needScenes, type Engine } from "./engine.js";
import { PliantError, type Diagnostic } from "./errors.js";
import type { MeasureName } from "./generated/properties.js";
import type { Memory, Scratch } from "./memory.js";
import { Mesh } from "./mesh.js";
import type { Vector } from "./vectors.js";
import { World } from "./world.js";

export interface SceneOptions {
  /** Files that the scene names, by the names it has for them. */
  files?: Record<string, Uint8Array | ArrayBuffer | string>;
  /** Meshes that the scene uses as "mesh": {"name": ...}. */
  meshes?: Record<string, Mesh>;
  /** "path=value" as of `--set`, or an object of paths and values. */
  overrides?: readonly string[] | Record<string, unknown>;
  /** Name of the scene in messages. */
  path?: string;
}

/** How the scene wants to be seen, with defaults filled in. Lengths [m], angles [degrees], colours linear 0..1. */
export interface SceneView {
  /** The camera is not given: fit it to the objects. */
  fitted: boolean;
  /** Direction from which a fitted camera looks: to the right of the front, and above the horizon. */
  azimuth: number;
  elevation: number;
  eye: Vector;
  target: Vector;
  up: Vector;
  field_of_view: number;
  width: number;
  height: number;
  ground: boolean;
  ground_height: number;
  wireframe: boolean;
  measure: MeasureName | null;
  measure_minimum: number;
  measure_maximum: number;
  background: Vector;
}

/** How a deformable is drawn. Lengths [m], colours linear 0..1. */
export interface SceneLook {
  front: Vector;
  back: Vector;
  flat: boolean;
  /** 0 none, 1 squares, 2 stripes; `pattern_size` is the width of one. */
  pattern: number;
  pattern_size: number;
  sheen: number;
  gloss: number;
  /** Fraction of the light from behind that is transmitted. */
  transmission: number;
  thickness: number;
  /** Width of the hem along the border; 0 for none. */
  hem: number;
  hem_colour: Vector;
}

const FLAGS = ["fitted", "ground", "wireframe"] as const;

function overrideTexts(overrides: SceneOptions["overrides"]): readonly string[] {
  if (!overrides) return [];
  if (Array.isArray(overrides)) return overrides as string[];
  return Object.entries(overrides).map(([path, value]) => `${path}=${JSON.stringify(value)}`);
}

function readDiagnostics(memory: Memory): Diagnostic[] {
  return Array.from({ length: memory.exports.scene_diagnostic_count() }, (_, i) => {
    memory.exports.scene_diagnostic_at(i);
    const [line, column, warning, path, text] = memory.numbers(0, 5) as [number, number, number, number, number];
    return { line, column, warning: warning !== 0, path: memory.text(path), text: memory.text(text) };
  });
}

/** Hands files, meshes and overrides over for the next scene. */
function prepare(engine: Engine, scratch: Scratch, options: SceneOptions): void {
  const { memory } = engine;
  memory.exports.scene_begin();
  for (const [name, content] of Object.entries(options.files ?? {}))
    memory.check(memory.exports.scene_add_file(scratch.text(name), ...scratch.content(content)));
  for (const [name, mesh] of Object.entries(options.meshes ?? {}))
    memory.check(memory.exports.scene_add_mesh(scratch.text(name), mesh.address));
  for (const text of overrideTexts(options.overrides))
    memory.check(memory.exports.scene_add_override(scratch.text(text)));
}

/** A scene that was read and checked. */
export class Scene extends Resource {
  readonly engine: Engine;
  /** Warnings. */
  readonly diagnostics: readonly Diagnostic[];
  readonly #meshes = new Map<number, Mesh | null>();

  private constructor(address: number, engine: Engine, diagnostics: readonly Diagnostic[]) {
    super(address, (scene) => engine.memory.exports.scene_destroy(scene));
    this.engine = engine;
    this.diagnostics = diagnostics;
  }

  /** Reads and checks a scene, a JSON text or what one has parsed to. Throws a PliantError with all findings. */
  static load(text: string | object, options: SceneOptions = {}, engine?: Engine): Scene {
    const on = engineOr(engine);
    const calls = needScenes(on);
    return on.memory.scratch((scratch) => {
      const path = scratch.text(options.path ?? "scene.json");
      const [content, size] = scratch.content(typeof text === "string" ? text : JSON.stringify(text));
      prepare(on, scratch, options);
      const address = calls.scene_load(path, content, size);
      const diagnostics = readDiagnostics(on.memory);
      if (address === 0) {
        const error = on.memory.error(calls.error_status());
        throw new PliantError(error.status, error.message, diagnostics);
      }
      return new Scene(address, on, diagnostics);
    });
  }

  get #memory(): Memory {
    return this.engine.memory;
  }

  get title(): string {
    return this.#memory.text(this.#memory.exports.scene_title(this.address));
  }
  get frameCount(): number {
    return this.#memory.exports.scene_frame_count(this.address);
  }
  get framesPerSecond(): number {
    return this.#memory.exports.scene_frames_per_second(this.address);
  }

  /** Hash of its content with settings and meshes, 16 hexadecimal digits. */
  get hash(): string {
    this.#memory.exports.scene_hash(this.address);
    return this.#memory
      .numbers(0, 2)
      .map((half) => half.toString(16).padStart(8, "0"))
      .join("");
  }

  get view(): SceneView {
    this.#memory.exports.scene_view(this.address);
    const view = this.#memory.record("scene_view_fields");
    for (const flag of FLAGS) view[flag] = view[flag] !== 0;
    view["measure"] = this.engine.names.measures[view["measure"] as number] ?? null;
    return view as unknown as SceneView;
  }

  /** How deformable i is drawn. */
  look(deformable: number): SceneLook {
    this.#memory.exports.scene_look(this.address, deformable);
    const look = this.#memory.record("scene_look_fields");
    look["flat"] = look["flat"] !== 0;
    return look as unknown as SceneLook;
  }

  /** Colour of collider i, linear 0..1, and whether it is drawn. */
  colliderLook(collider: number): { colour: Vector; visible: boolean; flat: boolean } {
    this.#memory.exports.scene_collider_look(this.address, collider);
    return { colour: this.#memory.vector(0), visible: this.#memory.value(3) !== 0, flat: this.#memory.value(4) !== 0 };
  }

  /** The mesh of deformable i, with the attributes of its file. */
  mesh(deformable: number): Mesh | null {
    let mesh = this.#meshes.get(deformable);
    if (mesh === undefined) {
      const { exports } = this.#memory;
      const address = exports.scene_mesh(this.address, deformable);
      const attributes = exports.scene_mesh_attributes(this.address, deformable);
      mesh = address ? Mesh.withAttributes(this.engine, address, attributes) : null;
      this.#meshes.set(deformable, mesh);
    }
    return mesh;
  }

  /** The world at its start. It may outlive the scene. */
  createWorld(def: { threads?: number; cooked?: Uint8Array } = {}): World {
    const { exports } = this.#memory;
    return this.#memory.scratch((scratch) => {
      const [cooked, size] = def.cooked ? scratch.content(def.cooked) : [0, 0];
      const address = exports.scene_create_world(this.address, def.threads ?? 0, cooked, size);
      return new World(this.#memory.made(address), this.engine);
    });
  }

  /** Sets poses and keyframes for the step from `frame` to `frame` + 1, and steps. */
  step(world: World, frame: number): void {
    const status = this.#memory.exports.scene_step(this.address, world.address, frame);
    world.reportChanges();
    this.#memory.check(status);
  }

  /** Before a snapshot of `frame` is restored: lets go of what the scene has released by then. */
  seek(world: World, frame: number): void {
    this.#memory.check(this.#memory.exports.scene_seek(this.address, world.address, frame));
  }
}
