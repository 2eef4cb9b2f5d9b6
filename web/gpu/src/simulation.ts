// A simulation on the graphics card: the substep of src/step/step.c in dispatches, in the same order.
//
//     for each substep   forces     v <- air and damping (forces.ts), where there are any
//                        predict    v <- v + h g, p <- x + h v, contacts along x -> p
//                        sweeps     sets in order, or backward; hands behind them; contacts after each iteration
//                        settle     v <- v + (p - (x + h v)) / h, friction and restitution
import { bind, bindingLayout, type BindingKind, dispatch, filledBuffer, pipeline, storageBuffer, uniformBuffer } from "./buffers.js";
import { Clock } from "./clock.js";
import * as d from "./description.js";
import { DeviceGuard } from "./device.js";
import { demand, GpuError } from "./errors.js";
import { actsBefore, type ForcePipelines, Forces, makeForcePipelines } from "./forces.js";
import { type GpuGrab, Hand, HAND_BINDINGS, type HandPipelines, PULL_BINDINGS } from "./hand.js";
import { findLevels, type GpuOrder } from "./levels.js";
import { type ParticleBuffers, Projector, PROJECTION_BINDINGS, type Sweep } from "./projector.js";
import { findHold, meanEdgeOf, shapeOf, type Shape } from "./shape.js";
import * as t from "./tables.js";
import type { GpuParameters, GpuTypeRow } from "./types/type_row.js";
import { typeNamed } from "./types/type_table.js";
import { HAND, HAND_PULL } from "./wgsl/hand.js";
import * as p from "./wgsl/particles.js";
import { projectionModule } from "./wgsl/update.js";

const f = Math.fround;
const HANDS_MAX = 4;

export interface GpuOptions {
  /** "given" (the default): the description's order, with the CPU's bits where the card rounds as it does. "coloured": fewer, larger
   * dispatches in an order of its own, which is faster on large meshes. */
  order?: GpuOrder;
}

/** One stage of a substep, to run it alone. */
export type GpuStage = "forces" | "predict" | "touch" | "settle" | ({ set: number } & Sweep);

export interface GpuGrabDef {
  /** The middle of what is taken. */
  vertex: number;
  /** How far it reaches along edges at rest [m]; 0, the default: 4 % of the size. */
  radius?: number;
  /** Limit of the force over 1.5 weights of what could move at the start. Default 1. */
  strength?: number;
  /** Limit of the force itself [N] instead, as a hand of the CPU has it; 0, the default: by the strength. */
  limit?: number;
  /** Distance at which the limit is reached [m]; 0, the default: 6 % of the size. */
  reach?: number;
  /** Steps in which the force comes and goes. Default 6. */
  ramp?: number;
}

/** How far two states lie apart at the most. */
export interface Difference {
  /** [m] */
  distance: number;
  particle: number;
}

interface Pipelines {
  types: Map<string, GPUComputePipeline>;
  predict: GPUComputePipeline;
  touch: GPUComputePipeline;
  settle: GPUComputePipeline;
  hand: HandPipelines;
  forces: ForcePipelines;
}

const PARTICLE_BINDINGS: readonly BindingKind[] = ["dynamic", "write", "write", "write", "write", "write"];

async function makePipelines(device: GPUDevice, rows: readonly GpuTypeRow[]): Promise<Pipelines> {
  const projection = bindingLayout(device, PROJECTION_BINDINGS);
  const particles = bindingLayout(device, PARTICLE_BINDINGS);
  const hand = bindingLayout(device, HAND_BINDINGS);
  const pull = bindingLayout(device, PULL_BINDINGS);
  const byCode = new Map<string, Promise<GPUComputePipeline>>();
  for (const row of rows)
    if (!byCode.has(row.wgsl)) byCode.set(row.wgsl, pipeline(device, projectionModule(row, row.wgsl), projection, "project"));
  const [predict, touch, settle, take, lead, pulls, forces] = await Promise.all([
    pipeline(device, p.PARTICLES, particles, "predict"),
    pipeline(device, p.PARTICLES, particles, "touch"),
    pipeline(device, p.PARTICLES, particles, "settle"),
    pipeline(device, HAND, hand, "take"),
    pipeline(device, HAND, hand, "lead"),
    pipeline(device, HAND_PULL, pull, "project"),
    makeForcePipelines(device),
  ]);
  const types = new Map<string, GPUComputePipeline>();
  for (const row of rows) types.set(row.name, (await byCode.get(row.wgsl))!);
  return { types, predict, touch, settle, hand: { take, lead, pull: pulls }, forces };
}

/** x, y, z of each particle and a fourth number. */
function quadruples(triples: ArrayLike<number> | undefined, count: number, fourth: ArrayLike<number> | null): Float32Array {
  const all = new Float32Array(4 * count);
  for (let i = 0; i < count; i++) {
    for (let k = 0; triples && k < 3; k++) all[4 * i + k] = triples[3 * i + k]!;
    if (fourth) all[4 * i + 3] = fourth[i]!;
  }
  return all;
}

export class GpuSimulation {
  readonly device: GPUDevice;
  readonly particleCount: number;
  /** x, y, z and inverse mass of each particle, in the description's order: usable as a vertex or a storage buffer, read only. */
  readonly positionBuffer: GPUBuffer;
  /** Floats from one particle to the next in `positionBuffer`. */
  readonly stride = 4;
  /** Time simulated [s], and steps done. */
  time = 0;
  stepCount = 0;
  private settings: d.GpuSettings;
  private readonly thickness: number;
  private readonly shape: Shape;
  private readonly meanEdge: number;
  private readonly masses: Float32Array;
  private readonly held: Float32Array;
  private readonly parameters: GpuParameters[];
  private readonly buffers: ParticleBuffers;
  private readonly substeps: GPUBuffer;
  private contacts: GPUBuffer;
  private group: GPUBindGroup;
  private courses: t.Course[] = [];
  private readonly projectors: Projector[];
  private readonly forces: Forces;
  private hands: Hand[] = [];
  /** Particles that are led in the next step, and those that were in the last one. */
  private moved = new Set<number>();
  private movedBefore = new Set<number>();
  /** What the sets' passes, and the blocks of the substeps, were last written for; null where they have to be written. */
  private pace: t.Pace | null = null;
  private placed: t.Pace | null = null;
  private readonly clock: Clock;
  private readonly spare: GPUBuffer[] = [];
  private isReleased = false;

  /** Use createGpuSimulation. */
  constructor(
    device: GPUDevice,
    private readonly guard: DeviceGuard,
    private readonly pipelines: Pipelines,
    private readonly description: d.GpuDescription,
    order: GpuOrder,
  ) {
    this.device = device;
    const count = (this.particleCount = description.inverseMasses.length);
    this.settings = { ...d.DEFAULT_SETTINGS, ...description.settings };
    this.thickness = f(description.thickness ?? 0.005);
    this.shape = shapeOf(description);
    this.meanEdge = meanEdgeOf(this.shape);
    this.masses = Float32Array.from(description.inverseMasses);
    this.held = this.masses.slice();
    this.parameters = description.sets.map((set) => ({ ...set.parameters }));
    const place = quadruples(description.positions, count, description.inverseMasses);
    this.positionBuffer = filledBuffer(device, "positions", place, GPUBufferUsage.VERTEX);
    this.buffers = {
      particles: this.positionBuffer,
      starts: filledBuffer(device, "positions at the start of the substep", place),
      velocities: filledBuffer(device, "velocities", quadruples(description.velocities, count, description.inverseMasses)),
      lost: storageBuffer(device, "moves lost to rounding", 16 * count),
    };
    this.substeps = uniformBuffer(device, "substeps", 1000 * p.SUBSTEP_STRIDE);
    this.projectors = description.sets.map((set) => {
      const row = typeNamed(set.type)!;
      const levels = findLevels(set.particles, row.cardinality, count, order);
      return new Projector(device, row, pipelines.types.get(row.name)!, set, levels, this.buffers);
    });
    this.forces = new Forces(device, pipelines.forces, description.triangles ?? [], count, this.buffers);
    this.clock = new Clock(device);
    this.contacts = storageBuffer(device, "contacts", 0);
    this.group = this.bindParticles();
    this.setColliders(description.colliders ?? []);
  }

  /* ---- changes ------------------------------------------------------------------------------------------------ */

  /** Settings in effect. */
  get currentSettings(): Readonly<d.GpuSettings> {
    return this.settings;
  }

  /** Changes some settings from the next step on; refuses values out of range and leaves all as they were. */
  set(values: Partial<d.GpuSettings>): void {
    const wanted = { ...this.settings, ...values };
    d.checkSettings(wanted);
    this.settings = wanted;
    this.pace = this.placed = null;
  }

  /** Changes parameters of a set from the next step on, such as { kappa: 0.01 }. */
  setParameters(set: number, values: GpuParameters): void {
    const given = this.description.sets[set];
    demand(given !== undefined, `there is no set ${set}; sets are 0..${this.projectors.length - 1}`);
    const wanted = { ...this.parameters[set], ...values };
    d.checkParameters(wanted, given, `sets[${set}]`);
    this.parameters[set] = wanted;
    this.pace = null;
  }

  /** Other colliders from the next step on, where they are. */
  setColliders(colliders: readonly d.GpuCollider[]): void {
    demand(colliders.length <= p.COLLIDERS_MAX, `there are ${colliders.length} colliders; the GPU takes ${p.COLLIDERS_MAX}`);
    colliders.forEach((collider, i) => d.checkCollider(collider, `colliders[${i}]`));
    const bytes = p.CONTACT_BYTES * colliders.length * this.particleCount;
    if (bytes > this.contacts.size) {
      const contacts = storageBuffer(this.device, "contacts", bytes);
      this.contacts.destroy();
      this.contacts = contacts;
      this.group = this.bindParticles();
    }
    this.courses = colliders.map((collider) => ({ collider, pose: t.fullPose(collider), next: t.fullPose(collider) }));
    this.placed = null;
  }

  /** Where a collider is at the end of the next step; it moves there and carries what it touches. */
  moveCollider(index: number, pose: d.GpuPose): void {
    const course = this.courses[index];
    demand(course !== undefined, `there is no collider ${index}`);
    d.checkPose(pose, `colliders[${index}]`);
    course.next = t.fullPose(pose);
    this.placed = null;
  }

  /** Holds a particle where it is (false lets it go). */
  pin(particle: number, holds = true): void {
    this.checkParticle(particle);
    this.held[particle] = holds ? 0 : this.masses[particle]!;
    this.device.queue.writeBuffer(this.positionBuffer, 16 * particle + 12, this.held.slice(particle, particle + 1));
  }

  /** Moves a pinned particle along a straight line during the next step of `dt`; then it rests, unless it is moved again. */
  movePinned(particle: number, from: d.Triple, to: d.Triple, dt: number): void {
    this.checkParticle(particle);
    demand(this.held[particle] === 0, `particle ${particle} is not pinned; pin() pins it`);
    const velocity = from.map((x, k) => (to[k]! - x) / dt);
    this.device.queue.writeBuffer(this.positionBuffer, 16 * particle, Float32Array.of(...from, 0));
    this.device.queue.writeBuffer(this.buffers.velocities, 16 * particle, Float32Array.of(...velocity, -1));
    this.moved.add(particle);
  }

  /** Stops the particles that are no longer moved. */
  private stopPinned(): void {
    for (const particle of this.movedBefore)
      if (!this.moved.has(particle)) this.device.queue.writeBuffer(this.buffers.velocities, 16 * particle, Float32Array.of(0, 0, 0, this.masses[particle]!));
    this.movedBefore = this.moved;
    this.moved = new Set();
  }

  /** Overwrites all positions, 3 numbers a particle, and velocities, which are 0 unless given. */
  write(positions: ArrayLike<number>, velocities?: ArrayLike<number>): void {
    const n = 3 * this.particleCount;
    demand(positions.length === n && (velocities?.length ?? n) === n, `write: ${n} numbers belong there`);
    this.device.queue.writeBuffer(this.positionBuffer, 0, quadruples(positions, this.particleCount, this.held) as GPUAllowSharedBufferSource);
    const v = quadruples(velocities, this.particleCount, this.masses);
    this.device.queue.writeBuffer(this.buffers.velocities, 0, v as GPUAllowSharedBufferSource);
  }

  /** Takes hold of what is around a particle, softly and with a limit of force. */
  grab(def: GpuGrabDef): GpuGrab {
    this.guard.check();
    this.checkParticle(def.vertex);
    const { radius = 0, strength = 1, limit = 0, reach = 0, ramp = 6 } = def;
    demand(radius >= 0 && reach >= 0 && Number.isFinite(radius + reach), `grab: radius ${radius} and reach ${reach} must be finite and not negative [m]`);
    demand(limit >= 0 && Number.isFinite(limit), `grab: limit ${limit} must be finite and not negative [N]`);
    demand(strength > 0 && Number.isFinite(strength) && ramp >= 1, `grab: strength ${strength} must be positive and finite, and ramp ${ramp} at least 1`);
    this.hands = this.hands.filter((hand) => hand.active);
    demand(this.hands.length < HANDS_MAX, `grab: ${HANDS_MAX} hands hold already`);
    const hold = findHold(this.shape, { vertex: def.vertex, radius, strength, reach }, this.masses, this.held);
    if (limit > 0) hold.limit = f(limit);
    const hand = new Hand(this.device, this.pipelines.hand, hold, ramp, this.buffers, this.substeps);
    this.hands.push(hand);
    return hand;
  }

  private checkParticle(particle: number): void {
    const isOne = Number.isInteger(particle) && particle >= 0 && particle < this.particleCount;
    demand(isOne, `there is no particle ${particle}; particles are 0..${this.particleCount - 1}`);
  }

  /* ---- steps -------------------------------------------------------------------------------------------------- */

  /** Advances by dt [s] > 0. Returns at once: the card works on. What it refused of earlier steps is thrown here. */
  step(dt: number): void {
    this.begin(dt);
    this.stopPinned();
    const encoder = this.device.createCommandEncoder();
    const pass = encoder.beginComputePass(this.clock.descriptor());
    for (let i = 0; i < this.settings.substeps; i++) this.encodeSubstep(pass, i);
    pass.end();
    this.clock.submit(encoder);
    for (const course of this.courses) {
      if (course.pose !== course.next) this.placed = null;
      course.pose = course.next;
    }
    this.time += dt;
    this.stepCount++;
  }

  /** Runs one stage of a substep of a step of `dt` alone, for tests and explanations. */
  runStage(stage: GpuStage, dt: number, substep = 0): void {
    this.begin(dt);
    const encoder = this.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    if (stage === "forces") this.forces.encode(pass, this.held.includes(0));
    else if (typeof stage === "string") this.encodeParticles(pass, this.pipelines[stage], substep);
    else this.projectors[stage.set]!.encode(pass, stage);
    pass.end();
    this.device.queue.submit([encoder.finish()]);
  }

  private begin(dt: number): void {
    this.guard.check();
    demand(!this.isReleased, "the simulation was released");
    demand(dt > 0 && Number.isFinite(dt), `the step is ${dt}; it must be positive and finite [s]`);
    const pace = t.paceOf(this.settings, dt);
    if (this.pace?.step !== pace.step) this.tune(pace);
    if (this.placed?.step !== pace.step) this.place(pace);
    this.hands = this.hands.filter((hand) => hand.active);
    for (const hand of this.hands) hand.tune(this.settings, pace);
  }

  /** Writes what the sets' kernels are told. */
  private tune(pace: t.Pace): void {
    this.pace = pace;
    this.forces.tune(this.settings, pace);
    this.projectors.forEach((projector, i) => {
      const c = t.coefficientsOf(this.parameters[i]!, projector.row.name, this.settings, pace);
      projector.tune(c, projector.row.own(this.parameters[i]!), pace.keepsLost);
    });
  }

  /** Writes what the kernels over particles are told, substep by substep. */
  private place(pace: t.Pace): void {
    this.placed = pace;
    const bytes = new ArrayBuffer(this.settings.substeps * p.SUBSTEP_STRIDE);
    for (let i = 0; i < this.settings.substeps; i++) this.fillSubstep(bytes, i, pace);
    this.device.queue.writeBuffer(this.substeps, 0, bytes);
  }

  private fillSubstep(bytes: ArrayBuffer, i: number, pace: t.Pace): void {
    const real = new Float32Array(bytes, i * p.SUBSTEP_STRIDE, p.SUBSTEP_BYTES / 4);
    const whole = new Uint32Array(bytes, i * p.SUBSTEP_STRIDE, p.SUBSTEP_BYTES / 4);
    const limit = this.settings.speed_limit;
    const share = f((i + 1) / pace.substeps);
    const change = actsBefore(this.settings) ? [0, 0, 0] : pace.change;
    real.set([...change, Math.min(limit, 3e38), pace.step, pace.perSecond, share, pace.bounce]);
    whole.set([this.particleCount, this.courses.length, Number(pace.keepsLost), Number(limit < Infinity)], 8);
    this.courses.forEach((course, c) => {
      const at = 12 + 24 * c;
      const { collider } = course;
      const shape = t.moveShape(course, i, pace.substeps);
      real.set(shape.from.position, at);
      whole[at + 3] = p.KIND[collider.shape];
      real.set(shape.from.rotation, at + 4);
      real.set([...shape.to.position, collider.radius ?? 0, ...shape.to.rotation], at + 8);
      const thickness = f(this.thickness + f(collider.thickness ?? 0));
      real.set([thickness, collider.friction ?? 0.3, collider.restitution ?? 0], at + 16);
      whole[at + 19] = Number(shape.rests);
      const recovery = t.recoveryOf(thickness, this.meanEdge, pace.step);
      real.set([shape.squareOfWay, t.halfHeightOf(collider), t.reachOf(collider), recovery], at + 20);
    });
  }

  private bindParticles(): GPUBindGroup {
    const { particles, starts, velocities, lost } = this.buffers;
    const layout = this.pipelines.predict.getBindGroupLayout(0);
    return bind(this.device, layout, [[this.substeps, p.SUBSTEP_BYTES], particles, starts, velocities, lost, this.contacts]);
  }

  private encodeParticles(pass: GPUComputePassEncoder, kernel: GPUComputePipeline, substep: number): void {
    pass.setPipeline(kernel);
    pass.setBindGroup(0, this.group, [substep * p.SUBSTEP_STRIDE]);
    dispatch(pass, this.device, this.particleCount);
  }

  private encodeSweep(pass: GPUComputePassEncoder, substep: number, sweep: Sweep): void {
    const all = [...this.projectors, ...this.hands];
    if (sweep.backward) all.reverse();
    for (const each of all) each.encode(pass, sweep, substep * p.SUBSTEP_STRIDE);
  }

  private encodeSubstep(pass: GPUComputePassEncoder, substep: number): void {
    const { settings } = this;
    this.forces.encode(pass, this.held.includes(0));
    this.encodeParticles(pass, this.pipelines.predict, substep);
    for (let iteration = 0; iteration < settings.iterations; iteration++) {
      for (let k = t.sweepsBefore(settings, iteration); k < t.sweepsBefore(settings, iteration + 1); k++)
        this.encodeSweep(pass, substep, { first: k === 0, backward: t.isBackward(settings, k) });
      if (this.courses.length > 0) this.encodeParticles(pass, this.pipelines.touch, substep);
    }
    this.encodeParticles(pass, this.pipelines.settle, substep);
  }

  /* ---- what comes back ---------------------------------------------------------------------------------------- */

  /** Waits until the card has done all that it was told. */
  async finish(): Promise<void> {
    await this.guard.wait(this.device.queue.onSubmittedWorkDone());
  }

  private async read(buffer: GPUBuffer): Promise<Float32Array> {
    this.guard.check();
    demand(!this.isReleased, "the simulation was released");
    const size = 16 * this.particleCount;
    const usage = GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ;
    const staging = this.spare.pop() ?? this.device.createBuffer({ label: "what is read", size, usage });
    const encoder = this.device.createCommandEncoder();
    encoder.copyBufferToBuffer(buffer, 0, staging, 0, size);
    this.device.queue.submit([encoder.finish()]);
    await this.guard.wait(staging.mapAsync(GPUMapMode.READ));
    const all = new Float32Array(staging.getMappedRange().slice(0));
    staging.unmap();
    if (this.isReleased) staging.destroy();
    else this.spare.push(staging);
    return all;
  }

  /**
   * Positions after the steps so far, into `target`: 3 numbers a particle, such as the array of a three.js attribute, or 4 with the
   * inverse mass. Throws when one of them is not finite.
   */
  async readPositions(target: Float32Array = new Float32Array(3 * this.particleCount)): Promise<Float32Array> {
    const all = await this.read(this.positionBuffer);
    this.checkFinite(all);
    return this.copyOut(all, target);
  }

  /** Velocities, likewise [m/s]. */
  async readVelocities(target: Float32Array = new Float32Array(3 * this.particleCount)): Promise<Float32Array> {
    return this.copyOut(await this.read(this.buffers.velocities), target);
  }

  private checkFinite(all: Float32Array): void {
    for (let i = 0; i < all.length; i++)
      if (!Number.isFinite(all[i]))
        throw new GpuError(`particle ${i >> 2} is at no finite place after ${this.stepCount} steps; take more substeps, or write() positions to go on from`);
  }

  private copyOut(all: Float32Array, target: Float32Array): Float32Array {
    const stride = target.length / this.particleCount;
    demand(stride === 3 || stride === 4, `the array has ${target.length} numbers; 3 or 4 a particle belong there`);
    for (let i = 0; i < this.particleCount; i++) for (let k = 0; k < stride; k++) target[stride * i + k] = all[4 * i + k]!;
    return target;
  }

  /** How far particles are at the most from where the CPU has them: 3 numbers a particle, or 4 as in views of the library. */
  async largestDifference(cpuPositions: ArrayLike<number>): Promise<Difference> {
    const stride = cpuPositions.length / this.particleCount;
    demand(stride === 3 || stride === 4, `the CPU's positions are ${cpuPositions.length} numbers; 3 or 4 a particle belong there`);
    // The CPU's array may be a view that moves on while the card is waited for.
    const cpu = Float32Array.from(cpuPositions);
    const gpu = await this.readPositions();
    const found: Difference = { distance: 0, particle: 0 };
    for (let i = 0; i < this.particleCount; i++) {
      const away = [0, 1, 2].map((k) => gpu[3 * i + k]! - cpu[stride * i + k]!);
      const distance = Math.hypot(...away);
      if (distance > found.distance) Object.assign(found, { distance, particle: i });
    }
    return found;
  }

  /** Time that a step takes on the card [ms], of the last one that is known; null before. */
  get milliseconds(): number | null {
    return this.clock.milliseconds;
  }
  /** Whether that is by the card's own clock. */
  get hasOwnClock(): boolean {
    return this.clock.isOwn;
  }
  /** Dispatches of a substep: what a small mesh waits for. */
  get dispatchCount(): number {
    const levels = this.projectors.reduce((sum, projector) => sum + projector.levelCount, this.hands.length);
    const touches = this.courses.length > 0 ? this.settings.iterations : 0;
    return 2 + this.forces.dispatchCount + touches + levels * t.sweepCount(this.settings);
  }
  /** Constraints of all sets. */
  get constraintCount(): number {
    return this.projectors.reduce((sum, projector) => sum + projector.constraintCount, 0);
  }

  /** Frees what it holds on the card; the device stays open. */
  release(): void {
    if (this.isReleased) return;
    this.isReleased = true;
    for (const projector of this.projectors) projector.release();
    for (const hand of this.hands) hand.release();
    this.forces.release();
    for (const buffer of [...Object.values(this.buffers), this.substeps, this.contacts, ...this.spare]) buffer.destroy();
    this.clock.release();
    this.guard.release();
  }
}

/** Puts a description onto the graphics card. Throws a GpuError that says what is wrong with it, or what the card refuses. */
export async function createGpuSimulation(device: GPUDevice, description: d.GpuDescription, options: GpuOptions = {}): Promise<GpuSimulation> {
  d.checkDescription(description);
  const guard = new DeviceGuard(device);
  try {
    return await guard.attempt(async () => {
      const rows = [...new Set(description.sets.map((set) => typeNamed(set.type)!))];
      const pipelines = await makePipelines(device, rows);
      return new GpuSimulation(device, guard, pipelines, description, options.order ?? "given");
    });
  } catch (error) {
    guard.release();
    throw error;
  }
}
