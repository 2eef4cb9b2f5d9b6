// What acts on velocities before a prediction: gravity in halves around the air, and the world's damping.
import { bind, bindingLayout, type BindingKind, dispatch, filledBuffer, pipeline, storageBuffer, uniformBuffer } from "./buffers.js";
import type { GpuSettings } from "./description.js";
import type { ParticleBuffers } from "./projector.js";
import type { Pace } from "./tables.js";
import * as air from "./wgsl/air.js";

const f = Math.fround;

const LAYOUTS = {
  face: ["uniform", "read", "read", "write"],
  accelerate: ["uniform", "read", "write", "read", "read"],
  gather: ["uniform", "read", "read", "write"],
  fit: ["uniform", "read", "read", "write"],
  approach: ["uniform", "read", "write", "read"],
} as const satisfies Record<string, readonly BindingKind[]>;
type Stage = keyof typeof LAYOUTS;
const CODES: Record<Stage, string> = { face: air.FACES, accelerate: air.ACCELERATE, gather: air.GATHER, fit: air.FIT, approach: air.APPROACH };

export type ForcePipelines = Record<Stage, GPUComputePipeline>;

export async function makeForcePipelines(device: GPUDevice): Promise<ForcePipelines> {
  const stages = Object.keys(LAYOUTS) as Stage[];
  const made = await Promise.all(stages.map((stage) => pipeline(device, CODES[stage], bindingLayout(device, LAYOUTS[stage]), stage)));
  return Object.fromEntries(stages.map((stage, i) => [stage, made[i]!])) as ForcePipelines;
}

/** Where each particle's triangles begin, and behind those their numbers in order. */
function ringsOf(triangles: ArrayLike<number>, count: number): Uint32Array {
  const rings = new Uint32Array(count + 1 + triangles.length);
  for (let i = 0; i < triangles.length; i++) rings[triangles[i]! + 1]!++;
  rings[0] = count + 1;
  for (let i = 0; i < count; i++) rings[i + 1]! += rings[i]!;
  const places = rings.slice(0, count);
  for (let i = 0; i < triangles.length; i++) rings[places[triangles[i]!]!++] = Math.floor(i / 3);
  return rings;
}

export const isWindy = (settings: GpuSettings): boolean => settings.air_density > 0;
export const isDamped = (settings: GpuSettings): boolean => settings.damping > 0;
/** Whether velocities are changed by kernels of their own, and predictions add no gravity. */
export const actsBefore = (settings: GpuSettings): boolean => isWindy(settings) || isDamped(settings);

// 1 - exp(-rate time), by the series of src/particles/damping.c, which has the same bits everywhere.
function dampingShare(rate: number, time: number): number {
  const halvings = 10, terms = 8, exponent = (rate * time) / 2 ** halvings;
  if (rate * time > 64) return 1;
  let share = 0;
  for (let k = terms; k > 0; k--) share = (exponent / k) * (1 - share);
  for (let k = 0; k < halvings; k++) share *= 2 - share;
  return share;
}

/** The numbers of the kernels, rounded to float where the library rounds them. */
export interface ForceNumbers {
  change: [number, number, number];
  perMass: number;
  wind: [number, number, number];
  friction: number;
  share: number;
}

export function forceNumbers(settings: GpuSettings, pace: Pace): ForceNumbers {
  const step = isWindy(settings) ? f(0.5 * pace.step) : pace.step;
  return {
    change: settings.gravity.map((g) => f(f(g) * step)) as [number, number, number],
    perMass: f(f(pace.step * f(settings.air_density)) / 6),
    wind: settings.wind.map(f) as [number, number, number],
    friction: f(settings.air_friction),
    share: f(dampingShare(f(settings.damping), pace.step)),
  };
}

export class Forces {
  private readonly rows: number;
  private readonly triangleCount: number;
  private readonly numbers: GPUBuffer;
  private readonly owned: GPUBuffer[];
  private readonly groups: Record<Stage, GPUBindGroup>;
  private settings: GpuSettings | null = null;
  private isPinned = false;

  constructor(
    private readonly device: GPUDevice,
    private readonly pipelines: ForcePipelines,
    triangles: ArrayLike<number>,
    private readonly count: number,
    buffers: ParticleBuffers,
  ) {
    this.triangleCount = triangles.length / 3;
    this.rows = Math.max(1, Math.min(air.SUM_ROWS, Math.ceil(count / 256)));
    this.numbers = uniformBuffer(device, "forces", air.FORCES_BYTES);
    const corners = filledBuffer(device, "corners of triangles", Uint32Array.from(triangles));
    const rings = filledBuffer(device, "triangles around particles", ringsOf(triangles, count));
    const faces = storageBuffer(device, "areas and normals of triangles", 16 * this.triangleCount);
    const sums = storageBuffer(device, "sums over particles", air.SUM_BYTES * this.rows);
    const motion = storageBuffer(device, "the rigid motion", air.MOTION_BYTES);
    this.owned = [this.numbers, corners, rings, faces, sums, motion];
    const { particles, velocities } = buffers;
    const group = (stage: Stage, ...others: GPUBuffer[]): GPUBindGroup =>
      bind(device, pipelines[stage].getBindGroupLayout(0), [this.numbers, particles, ...others]);
    this.groups = {
      face: group("face", corners, faces),
      accelerate: group("accelerate", velocities, faces, rings),
      gather: group("gather", velocities, sums),
      fit: group("fit", sums, motion),
      approach: group("approach", velocities, motion),
    };
  }

  /** Takes over what acts in the next steps. */
  tune(settings: GpuSettings, pace: Pace): void {
    this.settings = settings;
    const numbers = forceNumbers(settings, pace);
    const real = new Float32Array(air.FORCES_BYTES / 4);
    const whole = new Uint32Array(real.buffer);
    real.set([...numbers.change, numbers.perMass, ...numbers.wind, numbers.friction]);
    whole.set([this.count, this.triangleCount, Number(isWindy(settings))], 8);
    real[11] = numbers.share;
    whole.set([this.rows, Number(this.isPinned)], 12);
    this.device.queue.writeBuffer(this.numbers, 0, real);
  }

  private run(pass: GPUComputePassEncoder, stage: Stage, count: number): void {
    pass.setPipeline(this.pipelines[stage]);
    pass.setBindGroup(0, this.groups[stage]);
    dispatch(pass, this.device, count);
  }

  /** Before the prediction of a substep. What is pinned is damped before its forces, which constraints balance at rest. */
  encode(pass: GPUComputePassEncoder, isPinned: boolean): void {
    const { settings } = this;
    if (!settings || !actsBefore(settings)) return;
    if (isPinned !== this.isPinned) this.device.queue.writeBuffer(this.numbers, 52, Uint32Array.of(Number(isPinned)));
    this.isPinned = isPinned;
    if (isPinned) this.damp(pass, settings);
    if (isWindy(settings)) this.run(pass, "face", this.triangleCount);
    this.run(pass, "accelerate", this.count);
    if (!isPinned) this.damp(pass, settings);
  }

  private damp(pass: GPUComputePassEncoder, settings: GpuSettings): void {
    if (!isDamped(settings)) return;
    this.run(pass, "gather", 64 * this.rows);
    this.run(pass, "fit", 1);
    this.run(pass, "approach", this.count);
  }

  /** Dispatches of a substep. */
  get dispatchCount(): number {
    const { settings } = this;
    if (!settings || !actsBefore(settings)) return 0;
    return 1 + (isWindy(settings) ? 1 : 0) + (isDamped(settings) ? 3 : 0);
  }

  release(): void {
    for (const buffer of this.owned) buffer.destroy();
  }
}
