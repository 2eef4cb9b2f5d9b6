// Makes worlds of scenes through the package's calls, in the order and with the roundings of io/scene: so that a run in the page has
// the hash of `pliant run`. It covers what a page can hold: grids, spheres, tubes, plants and files as meshes, all settings, sets,
// attachments and colliders with motion, keyframes. Rigid bodies are the command line's.
import { Mesh, World, type Attachment, type Collider, type ConstraintTypeName, type Engine, type Pose, type Rotation, type Vector } from "pliant";
import type { Json } from "../state/paths.ts";
import { readMesh } from "./meshes.ts";

const f = Math.fround;
const vector = (value: Json, initial: Vector): Vector => (Array.isArray(value) ? [f(value[0]), f(value[1]), f(value[2])] : initial);
const UP: Vector = [0, 1, 0], NONE: Vector = [0, 0, 0];

function product(a: Rotation, b: Rotation): Rotation {
  const [ax, ay, az, aw] = a, [bx, by, bz, bw] = b, m = (x: number, y: number): number => f(x * y);
  return [
    f(f(f(m(aw, bx) + m(ax, bw)) + m(ay, bz)) - m(az, by)), f(f(f(m(aw, by) - m(ax, bz)) + m(ay, bw)) + m(az, bx)),
    f(f(f(m(aw, bz) + m(ax, by)) - m(ay, bx)) + m(az, bw)), f(f(f(m(aw, bw) - m(ax, bx)) - m(ay, by)) - m(az, bz)),
  ];
}
function rotate(q: Rotation, v: Vector): Vector {
  const p = product(product(q, [v[0], v[1], v[2], 0]), [-q[0], -q[1], -q[2], q[3]]);
  return [p[0], p[1], p[2]];
}
function rotation(axis: Vector, degrees: number): Rotation {
  const length = Math.sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  if (!(length > 0)) return [0, 0, 0, 1];
  const half = degrees * 0.00872664625997164788, s = Math.sin(half) / length;
  return [f(axis[0] * s), f(axis[1] * s), f(axis[2] * s), f(Math.cos(half))];
}
const poseOf = (json: Json): Pose => ({ position: vector(json?.position, NONE), rotation: rotation(vector(json?.axis, UP), json?.angle ?? 0) });

function moved(start: Pose, centre: Vector, shift: Vector, by: Rotation): Pose {
  const swung = rotate(by, start.position.map((x, k) => f(x - centre[k])) as Vector);
  return { position: swung.map((x, k) => f(f(centre[k] + x) + shift[k])) as Vector, rotation: product(by, start.rotation) };
}
const between = (a: Vector, b: Vector, t: number): Vector => a.map((x, k) => f(x + f(f(b[k] - x) * t))) as Vector;

function keyed(keys: Json[], start: Pose, centre: Vector, time: number): Pose {
  let next = 0;
  while (next < keys.length && (keys[next].time ?? 0) < time) next++;
  const b = keys[Math.min(next, keys.length - 1)], a = next > 0 ? keys[next - 1] : b;
  const t = b.time > a.time && time > a.time ? Math.min(1, (time - a.time) / (b.time - a.time)) : next > 0 ? 1 : 0;
  const angle = (a.angle ?? 0) + ((b.angle ?? 0) - (a.angle ?? 0)) * t;
  return moved(start, centre, between(vector(a.position, NONE), vector(b.position, NONE), f(t)), rotation(between(vector(a.axis, UP), vector(b.axis, UP), f(t)), angle));
}
function motionAt(motion: Json, start: Pose, own: Vector, time: number): Pose {
  if (!motion) return start;
  const keys: Json[] = motion.keyframes ?? [], centre = vector(motion.centre, own), last = keys.at(-1)?.time ?? 0;
  const at = motion.loop && last > 0 ? time % last : time;
  if (keys.length > 0) return keyed(keys, start, centre, at);
  const moving = Math.max(0, Math.min(at, motion.stop ?? Infinity) - (motion.start ?? 0)), v = vector(motion.velocity, NONE);
  return moved(start, centre, v.map((x) => f(x * moving)) as Vector, rotation(vector(motion.axis, UP), ((motion.angular_speed ?? 0) * moving) % 360));
}

interface Held { json: Json; deformable: number; particles: number[]; centre: Vector; until: number }
interface Look { front: Vector; back: Vector; flat: boolean }
export interface View { fitted: boolean; eye: Vector; target: Vector; field_of_view: number; ground: boolean; ground_height: number }

/** Keys of objects that are not properties. */
const OTHER = new Set(["name", "mesh", "pose", "constraints", "attachments", "tearing", "stretch_limit", "look", "motion", "colour", "visible", "flat", "animation", "body", "type", "generator", "particles", "box", "all", "corners", "row", "column", "until"]);
const properties = (json: Json): Record<string, unknown> => Object.fromEntries(Object.entries(json ?? {}).filter(([key]) => !OTHER.has(key)));

export class PageScene {
  private meshes = new Map<Json, Mesh>();
  private held: Held[] = [];
  private attachments: (Attachment | null)[] = [];
  private colliders: Collider[] = [];

  private constructor(private root: Json, private engine: Engine, private files: Record<string, Uint8Array>) {}

  static load(text: string, { files, path }: { files: Record<string, Uint8Array>; path: string }, engine: Engine): PageScene {
    let root: Json;
    try { root = JSON.parse(text); } catch (error) { throw new Error(`${path}: ${place(text, (error as Error).message)}`); }
    if (root?.pliant !== 1 || !Array.isArray(root.deformables)) throw new Error(`${path}: no scene: it needs "pliant": 1 and "deformables".`);
    if (root.bodies?.length) throw new Error(`${path}: rigid bodies are not in the page; the command line runs them.`);
    const scene = new PageScene(root, engine, files);
    root.deformables.forEach((one: Json, d: number) => {
      const mesh = scene.meshOf(one.mesh);
      for (const json of one.attachments ?? []) scene.held.push(scene.select(mesh, one, json, d));
    });
    return scene;
  }

  get title(): string { return this.root.title ?? ""; }
  get framesPerSecond(): number { return this.root.frames_per_second ?? 60; }
  get view(): View {
    const v = this.root.view ?? {}, plane = (this.root.colliders ?? []).find((one: Json) => one.shape === "plane");
    return { fitted: !v.eye, eye: v.eye ?? [1, 1, 3], target: v.target ?? [0, 0, 0], field_of_view: v.field_of_view ?? 30, ground: v.ground ?? Boolean(plane), ground_height: v.ground_height ?? plane?.pose?.position?.[1] ?? 0 };
  }
  look(i: number): Look {
    const look = this.root.deformables[i]?.look ?? {};
    return { front: look.front ?? [0.462, 0.063, 0.045], back: look.back ?? [0.768, 0.584, 0.392], flat: look.flat ?? false };
  }
  colliderLook(i: number): { colour: Vector; visible: boolean; flat: boolean } {
    const json = this.root.colliders?.[i] ?? {};
    return { colour: json.colour ?? [0.323, 0.366, 0.392], visible: json.visible ?? true, flat: json.flat ?? false };
  }

  private meshOf(json: Json): Mesh {
    const known = this.meshes.get(json);
    if (known) return known;
    const makers: Record<string, () => Mesh> = {
      grid: () => Mesh.grid({ columns: 40, rows: 40, ...json.grid }, this.engine), sphere: () => Mesh.sphere(json.sphere, this.engine), tube: () => Mesh.tube({ around: 32, along: 32, ...json.tube }, this.engine),
      plant: () => Mesh.plant(json.plant, this.engine),
      file: () => {
        const data = this.files[json.file];
        if (!data) throw new Error(`the scene names ${json.file}, which is not here`);
        return readMesh(data, json.file, { weld: json.weld ?? false, repair: json.repair ?? false, scale: json.scale ?? 1 }, this.engine);
      },
    };
    const kind = Object.keys(makers).find((key) => json?.[key] !== undefined);
    if (!kind) throw new Error("a mesh needs one of file, grid, sphere, tube, plant");
    const mesh = makers[kind]();
    this.meshes.set(json, mesh);
    return mesh;
  }

  private select(mesh: Mesh, deformable: Json, json: Json, index: number): Held {
    const { positions } = mesh.topology, pose = poseOf(deformable.pose), marks = new Set<number>();
    const start = (v: number): Vector => rotate(pose.rotation, [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]]).map((x, k) => f(x + pose.position[k])) as Vector;
    const low = vector(json.box?.minimum, NONE), high = vector(json.box?.maximum, NONE);
    for (let v = 0; v < mesh.vertexCount; v++) if (json.all || (json.box && start(v).every((x, k) => x >= low[k] && x <= high[k]))) marks.add(v);
    const grid = deformable.mesh.grid, tube = deformable.mesh.tube, columns = grid ? grid.columns ?? 40 : tube?.around ?? 32, rows = grid ? grid.rows ?? 40 : tube?.along ?? 32;
    const counted = (place: number, count: number): number => (place < 0 ? place + count : place);
    if (grid || tube) {
      if (json.row !== undefined) for (let i = 0; i < columns; i++) marks.add(counted(json.row, rows) * columns + i);
      if (json.column !== undefined) for (let i = 0; i < rows; i++) marks.add(i * columns + counted(json.column, columns));
      if (json.corners) for (const v of [0, columns - 1, (rows - 1) * columns, rows * columns - 1]) marks.add(v);
    }
    for (const v of json.particles ?? []) marks.add(v);
    const particles = [...marks].sort((a, b) => a - b), sum = [0, 0, 0];
    for (const v of particles) start(v).forEach((x, k) => { sum[k] += x; });
    return { json, deformable: index, particles, centre: sum.map((x) => f(x / particles.length)) as Vector, until: json.until ?? Infinity };
  }

  createWorld(): World {
    const root = this.root, world = new World({ ...(root.order ? { order: root.order } : {}), ...(root.up === "z" ? { gravity: [0, 0, -9.81] } : {}), ...root.settings, ...root.contact }, this.engine);
    root.deformables.forEach((json: Json, i: number) => {
      const one = world.createDeformable({ ...properties(json), mesh: this.meshOf(json.mesh), name: json.name ?? String(i), pose: poseOf(json.pose), ...(json.tearing ? { tearing: json.tearing } : {}), ...(json.stretch_limit ? { stretch_limit: json.stretch_limit } : {}) });
      for (const set of json.constraints ?? [])
        one.createConstraintSet({ type: set.type as ConstraintTypeName, ...(set.name ? { name: set.name } : {}), ...(set.generator ? { generator: set.generator } : {}), ...(set.particles ? { particles: set.particles } : {}), parameters: properties(set) });
    });
    this.attachments = this.held.map((one) => world.deformables[one.deformable].createAttachment({ ...properties(one.json), particles: one.particles, pose: { position: one.centre } }));
    this.colliders = (root.colliders ?? []).map((json: Json) => {
      const start = poseOf(json.pose);
      return world.createCollider({ ...properties(json), ...(json.mesh ? { mesh: this.meshOf(json.mesh) } : {}), pose: motionAt(json.motion, start, start.position, 0) });
    });
    return world;
  }

  step(world: World, frame: number): void {
    const rate = this.framesPerSecond, now = frame / rate, then = (frame + 1) / rate;
    this.release(now);
    for (const one of this.root.keyframes ?? []) world.write(one.path, valueAt(one.keys, now));
    this.held.forEach((one, k) => { this.attachments[k]?.setPose(motionAt(one.json.motion, { position: one.centre, rotation: [0, 0, 0, 1] }, one.centre, then)); });
    (this.root.colliders ?? []).forEach((json: Json, i: number) => {
      if (!json.motion) return;
      const start = poseOf(json.pose);
      this.colliders[i].setPose(motionAt(json.motion, start, start.position, then));
    });
    world.step(1 / rate);
  }

  private release(now: number): void {
    this.held.forEach((one, k) => { if (one.until <= now) { this.attachments[k]?.dispose(); this.attachments[k] = null; } });
  }
  /** Before a snapshot of `frame` is restored. */
  seek(_world: World, frame: number): void { if (frame > 0) this.release((frame - 1) / this.framesPerSecond); }

  dispose(): void {
    for (const mesh of this.meshes.values()) mesh.dispose();
    this.meshes.clear();
  }
}

function valueAt(keys: [number, number | number[]][], time: number): unknown {
  let next = 0;
  while (next < keys.length && keys[next][0] < time) next++;
  const b = keys[Math.min(next, keys.length - 1)], a = next > 0 ? keys[next - 1] : b, t = b[0] > a[0] ? (time - a[0]) / (b[0] - a[0]) : 1;
  const mix = (x: number, y: number): number => x + (y - x) * Math.min(1, Math.max(0, t));
  return Array.isArray(a[1]) ? a[1].map((x, k) => mix(x, (b[1] as number[])[k])) : mix(a[1], b[1] as number);
}

/** Line and column of a fault in JSON, where the browser says the position. */
function place(text: string, message: string): string {
  const at = Number(message.match(/position (\d+)/)?.[1] ?? NaN);
  if (!Number.isFinite(at)) return message;
  const before = text.slice(0, at).split("\n");
  return `line ${before.length}, column ${before.at(-1)!.length + 1}: ${message}`;
}
