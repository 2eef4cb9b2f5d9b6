// A constraint set on the graphics card: its arrays, level by level, and one dispatch for each level of a sweep.
import { bind, type BindingKind, dispatch, filledBuffer, storageBuffer, uniformBuffer } from "./buffers.js";
import type { GpuConstraintSet } from "./description.js";
import type { Levels } from "./levels.js";
import type { Coefficients } from "./tables.js";
import type { GpuTypeRow } from "./types/type_row.js";
import { FLAG, PASS_BYTES } from "./wgsl/update.js";

const BLOCK = 256; // Dynamic offsets are multiples of it.

/** Bindings of wgsl/update.ts. */
export const PROJECTION_BINDINGS: readonly BindingKind[] = ["dynamic", "write", "read", "write", "read", "read", "write"];

export interface ParticleBuffers {
  particles: GPUBuffer;
  starts: GPUBuffer;
  lost: GPUBuffer;
  velocities: GPUBuffer;
}

/** Which sweep of a substep this is. */
export interface Sweep {
  first: boolean;
  backward: boolean;
}

/** What a set's passes are told beside their coefficients. */
export interface PassWords {
  own: [number, number];
  keepsLost: boolean;
  isScaled: boolean;
  zeroRest: number;
}

/** Writes the blocks Pass of all levels, for sweeps with multipliers from before and for first ones. */
export function passBlocks(offsets: ArrayLike<number>, total: number, c: Coefficients, words: PassWords): ArrayBuffer {
  const levels = offsets.length - 1;
  const bytes = new ArrayBuffer(2 * levels * BLOCK);
  for (let i = 0; i < 2 * levels; i++) {
    const whole = new Uint32Array(bytes, i * BLOCK, PASS_BYTES / 4);
    const real = new Float32Array(bytes, i * BLOCK, PASS_BYTES / 4);
    const level = i >> 1;
    let flags = words.zeroRest * FLAG.zeroRest;
    if (i & 1 || !c.keepsMultipliers) flags |= FLAG.first;
    if (c.keepsMultipliers) flags |= FLAG.keepsLambda;
    if (words.keepsLost) flags |= FLAG.keepsLost;
    if (words.isScaled && c.inverseRigidity > 0) flags |= FLAG.scaled;
    whole.set([offsets[level]!, offsets[level + 1]! - offsets[level]!, total, flags]);
    real.set([c.compliance, c.inverseRigidity, c.damping, c.stiffness], 4);
    whole[8] = c.sense;
    real.set([...words.own, 1], 9);
  }
  return bytes;
}

/** Bit j: rest value j is 0 in every constraint. */
function zeroRestOf(rest: ArrayLike<number>, restCount: number): number {
  let bits = rest.length > 0 ? (1 << restCount) - 1 : 0;
  for (let i = 0; i < rest.length; i++) if (Math.fround(rest[i]!) !== 0) bits &= ~(1 << i % restCount);
  return bits;
}

/** The numbers of each constraint in the order of the levels, the k-th of all side by side. */
function transposed<T extends Float32Array | Uint32Array>(from: ArrayLike<number>, stride: number, order: Uint32Array, to: T): T {
  for (let i = 0; i < order.length; i++) for (let k = 0; k < stride; k++) to[k * order.length + i] = from[order[i]! * stride + k]!;
  return to;
}

export class Projector {
  readonly constraintCount: number;
  readonly levelCount: number;
  private readonly zeroRest: number;
  private readonly isScaled: boolean;
  private readonly uniforms: GPUBuffer;
  private readonly owned: GPUBuffer[];
  private readonly group: GPUBindGroup;

  constructor(
    private readonly device: GPUDevice,
    readonly row: GpuTypeRow,
    private readonly pipeline: GPUComputePipeline,
    set: GpuConstraintSet,
    private readonly levels: Levels,
    buffers: ParticleBuffers,
  ) {
    const count = (this.constraintCount = levels.order.length);
    this.levelCount = levels.offsets.length - 1;
    this.zeroRest = zeroRestOf(set.rest, row.restCount);
    this.isScaled = set.scales !== undefined;
    const numbers = new Float32Array(count * (row.restCount + (set.scales ? 1 : 0)));
    transposed(set.rest, row.restCount, levels.order, numbers);
    if (set.scales) transposed(set.scales, 1, levels.order, numbers.subarray(count * row.restCount));
    const members = transposed(set.particles, row.cardinality, levels.order, new Uint32Array(count * row.cardinality));
    this.uniforms = uniformBuffer(device, `passes of ${set.type}`, 2 * this.levelCount * BLOCK);
    const arrays = [
      filledBuffer(device, `particles of ${set.type} constraints`, members),
      filledBuffer(device, `rest values of ${set.type} constraints`, numbers),
      storageBuffer(device, `multipliers of ${set.type} constraints`, 4 * count * row.dimension),
    ];
    this.owned = [this.uniforms, ...arrays];
    const { particles, starts, lost } = buffers;
    this.group = bind(device, pipeline.getBindGroupLayout(0), [[this.uniforms, PASS_BYTES], particles, starts, lost, ...arrays]);
  }

  /** Takes over coefficients from the next sweep on. */
  tune(coefficients: Coefficients, own: [number, number], keepsLost: boolean): void {
    const words = { own, keepsLost, isScaled: this.isScaled, zeroRest: this.zeroRest };
    const blocks = passBlocks(this.levels.offsets, this.constraintCount, coefficients, words);
    this.device.queue.writeBuffer(this.uniforms, 0, blocks);
  }

  /** One sweep: level after level, or from the last to the first. */
  encode(pass: GPUComputePassEncoder, sweep: Sweep): void {
    const { offsets } = this.levels;
    pass.setPipeline(this.pipeline);
    for (let i = 0; i < this.levelCount; i++) {
      const level = sweep.backward ? this.levelCount - 1 - i : i;
      pass.setBindGroup(0, this.group, [BLOCK * (2 * level + (sweep.first ? 1 : 0))]);
      dispatch(pass, this.device, offsets[level + 1]! - offsets[level]!);
    }
  }

  release(): void {
    for (const buffer of this.owned) buffer.destroy();
  }
}
