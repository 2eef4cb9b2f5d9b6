// A second run of the same state on the graphics card, beside the CPU's, and how far they are apart. Loaded when it is asked for.
//
// After each step of the CPU the card is told what that step was done with (pins, colliders, hands, values), and does it too. What
// breaks the way from frame to frame (another model, a cut, a jump in time) begins it anew from where the CPU is.
import { collidersOf, createGpuSimulation, describeWorld, findDifferences, isGpuAvailable, openGpu, parametersOf, settingsOf, type GpuCollider, type GpuDescription, type GpuGrab, type GpuSimulation, type WorldDifference, type WorldLike } from "pliant-webgpu";
import type { Collider, Deformable } from "pliant";
import { triple, type V3 } from "../base/math.ts";
import type { SceneSession } from "./session.ts";

export interface Availability { available: boolean; sentence: string }
export const availability = async (): Promise<Availability> => isGpuAvailable();

const worldOf = (session: SceneSession): WorldLike => session.world as unknown as WorldLike;
/** Floats of each particle without the gaps between them. */
function packed(view: Float32Array, stride: number, count: number): Float32Array {
  const out = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) for (let k = 0; k < 3; k++) out[3 * i + k] = view[stride * i + k];
  return out;
}

/** How the GPU differs from the world of a session. */
export const differencesOf = (session: SceneSession): WorldDifference[] => findDifferences(worldOf(session), session.world.engine.descriptors);

/** Counts the pipelines that a device is asked for, and those that it has compiled. */
function countPipelines(device: GPUDevice, progress: (compiled: number, all: number) => void): void {
  const make = device.createComputePipelineAsync.bind(device);
  let compiled = 0, all = 0;
  device.createComputePipelineAsync = async (descriptor) => {
    progress(compiled, ++all);
    const made = await make(descriptor);
    progress(++compiled, all);
    return made;
  };
}

interface Followed { collider: Collider; gpu: GpuCollider; position: V3; rotation: number[]; radius: number }

/** A simulation on the card that goes with a session, from one break to the next. */
class Follower {
  private before: Float32Array;
  private held: Float32Array;
  private colliders: Followed[];
  private massless: number[];
  private grabs = new Map<number, { grab: GpuGrab; vertex: number }>();
  private revision: number;
  readonly breaks: number;
  frame: number;

  constructor(readonly simulation: GpuSimulation, description: GpuDescription, private session: SceneSession) {
    const one = this.cloth;
    this.before = one.copyPositions();
    this.held = one.copyInverseMasses();
    this.massless = [...description.inverseMasses as Float32Array].flatMap((w, i) => (w === 0 ? [i] : []));
    this.colliders = this.findColliders();
    this.revision = session.revision;
    this.breaks = session.core.state.breaks;
    this.frame = session.frame;
    simulation.write(this.before, packed(one.velocities, one.stride, one.vertexCount));
    this.held.forEach((w, i) => { if (w === 0) simulation.pin(i); });
    simulation.setColliders(this.colliders.map((item) => item.gpu));
  }

  private get cloth(): Deformable { return this.session.deformables[0]; }
  private findColliders(): Followed[] {
    const world = worldOf(this.session);
    return collidersOf(world, world.deformables[0]).map(({ collider, gpu }) => {
      const one = collider as unknown as Collider, { position, rotation } = one.pose;
      return { collider: one, gpu, position: [position[0], position[1], position[2]], rotation: [...rotation], radius: gpu.radius ?? 0 };
    });
  }

  /** Whether the session is one step ahead on the same way. What was held from the start has no mass on the card, so that it cannot be freed. */
  get isBehind(): boolean {
    if (this.session.core.state.breaks !== this.breaks || this.session.frame !== this.frame + 1) return false;
    const now = this.cloth.copyInverseMasses();
    return this.massless.every((i) => now[i] === 0);
  }
  get hands(): number { return this.grabs.size; }

  /** Before a step of the CPU: events have thrown balls and hidden others, which the card's list then has where the step starts. */
  note(): void {
    const now = this.findColliders(), { colliders: before } = this;
    const jumps = now.length !== before.length || now.some((one, i) => one.radius !== before[i].radius || one.position.some((x, k) => x !== before[i].position[k]));
    if (jumps) this.simulation.setColliders(now.map((one) => ({ ...one.gpu, position: one.position })));
    this.colliders = now;
  }

  /** The step that the CPU has just done. */
  step(dt: number): void {
    this.takeValues();
    this.takePins(dt);
    this.takeColliders();
    this.takeHands(dt);
    this.simulation.step(dt);
    this.frame++;
  }

  private takeValues(): void {
    if (this.session.revision === this.revision) return;
    this.revision = this.session.revision;
    const world = worldOf(this.session);
    this.simulation.set(settingsOf(world));
    world.deformables[0].constraintSets.forEach((set, i) => this.simulation.setParameters(i, parametersOf(set)));
  }

  private takePins(dt: number): void {
    const held = this.cloth.copyInverseMasses(), now = this.cloth.copyPositions(), { before } = this;
    const place = (from: Float32Array, i: number): V3 => [from[3 * i], from[3 * i + 1], from[3 * i + 2]];
    held.forEach((w, i) => {
      if ((w === 0) !== (this.held[i] === 0)) this.simulation.pin(i, w === 0);
      if (w === 0 && [0, 1, 2].some((k) => now[3 * i + k] !== before[3 * i + k])) this.simulation.movePinned(i, place(before, i), place(now, i), dt);
    });
    this.held = held;
    this.before = now;
  }

  /** Moves the colliders to their places at the end of the step. */
  private takeColliders(): void {
    const now = this.findColliders();
    if (now.length !== this.colliders.length) this.simulation.setColliders(now.map((one) => one.gpu)); // A ball has gone.
    else now.forEach((one, i) => {
      const { position, rotation } = this.colliders[i];
      if (JSON.stringify([one.position, one.rotation]) !== JSON.stringify([position, rotation])) this.simulation.moveCollider(i, { position: one.position, rotation: one.rotation as [number, number, number, number] });
    });
    this.colliders = now;
  }

  private takeHands(dt: number): void {
    const { core } = this.session, hands = new Map(core.hands.map((one) => [one.hand, one]));
    for (const [id, { vertex, limit, reach, holds, deformable }] of hands)
      if (holds && this.grabs.get(id)?.vertex !== vertex) {
        this.grabs.get(id)?.grab.release(); // It still fades.
        this.grabs.set(id, { grab: this.simulation.grab({ vertex, radius: core.radius("grab", deformable), limit, reach }), vertex });
      }
    for (const [id, { grab }] of this.grabs) {
      const hand = hands.get(id);
      grab.update(hand ? triple(hand.target) : [0, 0, 0], dt, hand?.holds ?? false);
      if (!grab.active) this.grabs.delete(id);
    }
  }
}

export class GpuTwin {
  /** Positions as the card has them, 3 numbers a particle; null before the first reading and while it begins anew. */
  positions: Float32Array | null = null;
  /** Steps that the card has done. */
  frame = 0;
  /** Largest distance of a particle from where the CPU has it at the same frame [m]; null before the first reading. */
  difference: number | null = null;
  /** Why it ended: the card was lost, or refused. */
  failure: string | null = null;
  private follower: Follower | null = null;
  /** What the card has compiled and not yet been given a state for. */
  private fresh: { simulation: GpuSimulation; description: GpuDescription; breaks: number } | null = null;
  private beginning = false;
  private reading = false;

  private constructor(private session: SceneSession, private device: GPUDevice) {
    void device.lost.then((why) => { this.failure ??= `The graphics card is gone (${why.message || why.reason}); the CPU continues.`; });
  }

  /** Takes over the state of a session. Reports compiled pipelines. Throws a sentence where it cannot, and releases the card where `signal` gives up. */
  static async start(session: SceneSession, progress: (compiled: number, all: number) => void, signal: AbortSignal): Promise<GpuTwin> {
    const device = await openGpu();
    if (!signal.aborted) {
      progress(0, 0);
      countPipelines(device, progress);
      const twin = new GpuTwin(session, device);
      try { await twin.begin(); } catch (error) { device.destroy(); throw error; }
      if (!signal.aborted) return twin;
      twin.dispose();
    }
    device.destroy();
    throw new Error("Cancelled.");
  }

  get milliseconds(): number | null { return this.follower?.simulation.milliseconds ?? null; }
  get count(): number { return (this.follower ?? this.fresh)?.simulation.particleCount ?? 0; }
  /** Hands that hold on the card. */
  get hands(): number { return this.follower?.hands ?? 0; }

  private async begin(): Promise<void> {
    const { breaks } = this.session.core.state;
    this.beginning = true;
    this.forget();
    try {
      const { description } = describeWorld(worldOf(this.session), this.session.world.engine.descriptors), simulation = await createGpuSimulation(this.device, description);
      if (this.failure !== null) simulation.release();
      else this.fresh = { simulation, description, breaks };
    } finally { this.beginning = false; }
  }

  private get isTouched(): boolean { return this.session.core.hands.length > 0 || this.session.core.state.gust > 0; }

  /** Before each step of the CPU. */
  note(): void { if (this.follower?.frame === this.session.frame) this.follower.note(); }

  private forget(): void {
    this.follower?.simulation.release();
    this.fresh?.simulation.release();
    this.follower = this.fresh = null;
    this.positions = this.difference = null;
  }

  /** After each step of the CPU. */
  step(): void {
    if (this.failure !== null || this.beginning) return;
    if (this.fresh) { this.take(this.fresh); return; }
    if (!this.follower?.isBehind || this.session.core.state.gust > 0) {
      // A grab cannot be taken over: its reach is measured from where it began. The card has no gust.
      if (!this.isTouched) void this.begin().catch((error: Error) => { this.failure ??= error.message; });
      return;
    }
    try { this.follower.step(1 / this.session.fps); } catch (error) { this.failure = (error as Error).message; return; }
    this.frame++;
    if (!this.reading) this.read(this.follower.simulation);
  }

  /** The state after a step of the CPU is the first: what attachments hold has its place to the bit then. Grabs must have ended. */
  private take({ simulation, description, breaks }: NonNullable<GpuTwin["fresh"]>): void {
    if (this.session.core.state.breaks !== breaks) { this.forget(); return; }
    if (this.isTouched) return;
    this.fresh = null;
    this.follower = new Follower(simulation, description, this.session);
  }

  private read(simulation: GpuSimulation): void {
    const cpu = this.session.deformables[0].copyPositions();
    this.reading = true;
    void simulation.readPositions().then((now) => {
      if (this.follower?.simulation !== simulation) return;
      let most = 0;
      for (let i = 0; i < now.length; i += 3) most = Math.max(most, Math.hypot(now[i] - cpu[i], now[i + 1] - cpu[i + 1], now[i + 2] - cpu[i + 2]));
      this.positions = now;
      this.difference = most;
    }, (error: Error) => { if (this.follower?.simulation === simulation) this.failure ??= error.message; }).finally(() => { this.reading = false; });
  }

  dispose(): void {
    this.failure ??= "";
    this.forget();
    this.device.destroy();
  }
}
