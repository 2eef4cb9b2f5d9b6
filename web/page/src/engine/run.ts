// A world made from a scene, with what hands have in it: pins, pulls, cuts, balls, values. It knows no time but the frame it is told.
import { Scene, type Attachment, type Deformable, type Engine, type Grab, type World } from "pliant";
import type { V3 } from "../base/math.ts";
import { resolve, type Overrides } from "../state/paths.ts";
import { ThrownBalls } from "./balls.ts";
import type { Event, Pin } from "./events.ts";
import type { Source } from "./library.ts";
import { LiveValues } from "./values.ts";

export interface Hold { grab: Grab; target: V3; holds: boolean; deformable: number; vertex: number; radius: number; strength: number }
interface HeldPin extends Pin { attachment: Attachment }
/** What is done to a world as it is; another model needs another world. */
export type Deed = Exclude<Event, { kind: "remake" }>;

export class Run {
  readonly scene: Scene;
  readonly world: World;
  readonly balls: ThrownBalls;
  readonly values: LiveValues;
  readonly overrides: Overrides;
  readonly holds = new Map<number, Hold>();
  pins: HeldPin[] = [];
  cuts = 0;

  /** Throws the library's message for a scene that it refuses. */
  constructor(engine: Engine, source: Source, overrides: Overrides) {
    const text = resolve(source.text, overrides, engine.descriptors), { files, file: path } = source;
    this.scene = Scene.load(text, { files, path }, engine);
    try { this.world = this.scene.createWorld(); } catch (error) { this.scene.dispose(); throw error; }
    this.overrides = new Map(overrides);
    this.values = new LiveValues(this.world);
    this.balls = new ThrownBalls(this.world, this.scene.framesPerSecond, this.ground);
  }

  get deformables(): readonly Deformable[] { return this.world.deformables; }
  get ground(): number | null {
    const { view } = this.scene;
    return view.ground ? view.ground_height : null;
  }
  get pinList(): Pin[] { return this.pins.map(({ attachment: _, ...pin }) => pin); }

  dispose(): void {
    this.world.dispose();
    this.scene.dispose();
  }

  apply(event: Deed): void {
    const deeds: { [K in Deed["kind"]]: (e: Extract<Deed, { kind: K }>) => void } = {
      set: (e) => this.values.set(e.path, e.value),
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
      },
      ball: (e) => this.balls.throw(e.ball),
      grab: (e) => {
        const { deformable, vertex, radius, strength, target } = e, grab = this.world.grab({ deformable: this.deformables[deformable], vertex, radius, strength });
        this.holds.set(e.id, { grab, target, holds: true, deformable, vertex, radius, strength });
      },
      hand: (e) => { const hold = this.holds.get(e.id); if (hold) hold.target = e.target; },
      release: (e) => { const hold = this.holds.get(e.id); if (hold) hold.holds = false; },
    };
    (deeds[event.kind] as (e: Deed) => void)(event);
  }

  hold(pin: Pin): void {
    const attachment = this.deformables[pin.deformable].createAttachment({ particles: pin.particles, pose: { position: pin.shift } });
    this.pins.push({ ...pin, attachment });
  }

  /** The step from `frame` to the next. Throws what the library says when it fails; the state is then as before. */
  step(frame: number): void {
    const dt = 1 / this.scene.framesPerSecond;
    for (const [id, hold] of this.holds) {
      hold.grab.update(hold.target, dt, hold.holds);
      if (!hold.grab.active) this.holds.delete(id);
    }
    this.balls.move(frame);
    this.scene.step(this.world, frame);
  }

  /** Goes on from where another run of the same scene is, as far as both have the same particles; pins and balls come along. */
  takeOver(from: Run, frame: number): void {
    this.scene.seek(this.world, frame);
    this.deformables.forEach((one, i) => {
      const other = from.deformables[i];
      if (other?.vertexCount !== one.vertexCount) return;
      one.setPositions(other.copyPositions());
      one.setVelocities(packed(other.velocities, other.stride, other.vertexCount));
    });
    for (const pin of from.pinList) this.hold(pin);
    this.balls.adopt(from.balls.thrown, frame);
  }
}

/** Floats of each particle without the gaps between them. */
export function packed(view: Float32Array, stride: number, count: number): Float32Array {
  const out = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) for (let k = 0; k < 3; k++) out[3 * i + k] = view[stride * i + k];
  return out;
}
