// A soft hand on the graphics card: the law of include/pliant/grab.h. It reads nothing back, so that it costs no wait.
import { bind, type BindingKind, dispatch, filledBuffer, storageBuffer, uniformBuffer } from "./buffers.js";
import type { GpuSettings, Triple } from "./description.js";
import { demand } from "./errors.js";
import { passBlocks, type ParticleBuffers, PROJECTION_BINDINGS, type Sweep } from "./projector.js";
import type { Hold } from "./shape.js";
import { coefficientsOf, type Pace } from "./tables.js";
import { FRAME_BYTES, HAND_BYTES } from "./wgsl/hand.js";
import { SUBSTEP_BYTES } from "./wgsl/particles.js";
import { PASS_BYTES } from "./wgsl/update.js";

const f = Math.fround;

/** Under PBD a hand has a stiffness and no force. */
const STIFFNESS = 0.2;

/** Bindings of the kernels take and lead, and of the pull. */
export const HAND_BINDINGS: readonly BindingKind[] = ["uniform", "read", "read", "read", "write", "write"];
export const PULL_BINDINGS: readonly BindingKind[] = [...PROJECTION_BINDINGS, "dynamic", "read"];

export interface HandPipelines {
  take: GPUComputePipeline;
  lead: GPUComputePipeline;
  pull: GPUComputePipeline;
}

/** What a page holds in its hand. */
export interface GpuGrab {
  readonly particleCount: number;
  /** Most force [N]. */
  readonly limit: number;
  readonly reach: number;
  /** Share of the limit that it has now, 0..1. */
  readonly share: number;
  /** False once it has let go. */
  readonly active: boolean;
  /** Before each step of `dt` [s]: moves the hand to `target` [m]; with `holds` false the grab fades within its ramp. */
  update(target: Triple, dt: number, holds?: boolean): void;
  /** Ends at once. */
  release(): void;
}

export class Hand implements GpuGrab {
  readonly particleCount: number;
  readonly limit: number;
  readonly reach: number;
  share: number;
  active = true;
  private readonly ramp: number;
  private readonly numbers: GPUBuffer;
  private readonly passes: GPUBuffer;
  private readonly owned: GPUBuffer[];
  private readonly leading: GPUBindGroup;
  private readonly pulling: GPUBindGroup;
  /** The share of the force that acts in the next step; 0 before the first update. */
  private acting = 0;

  constructor(
    private readonly device: GPUDevice,
    private readonly pipelines: HandPipelines,
    hold: Hold,
    ramp: number,
    buffers: ParticleBuffers,
    substeps: GPUBuffer,
  ) {
    const count = (this.particleCount = hold.particles.length);
    this.limit = hold.limit;
    this.reach = hold.reach;
    this.share = this.ramp = f(1 / ramp);
    this.numbers = uniformBuffer(device, "a hand", HAND_BYTES);
    this.passes = uniformBuffer(device, "passes of a hand", 512);
    const members = filledBuffer(device, "particles of a hand", hold.particles);
    const locals = storageBuffer(device, "places in a hand", 12 * count);
    const frame = storageBuffer(device, "the frame of a hand", FRAME_BYTES);
    const multipliers = storageBuffer(device, "multipliers of a hand", 12 * count);
    this.owned = [this.numbers, this.passes, members, locals, frame, multipliers];
    const { particles, starts, lost, velocities } = buffers;
    this.leading = bind(device, pipelines.take.getBindGroupLayout(0), [this.numbers, particles, velocities, members, locals, frame]);
    const pulled = [particles, starts, lost, members, locals, multipliers];
    const layout = pipelines.pull.getBindGroupLayout(0);
    this.pulling = bind(device, layout, [[this.passes, PASS_BYTES], ...pulled, [substeps, SUBSTEP_BYTES], frame]);
    this.run(pipelines.take, [0, 0, 0], 0);
  }

  private run(kernel: GPUComputePipeline, target: Triple, dt: number): void {
    const numbers = new Float32Array([...target, dt, this.reach, 0, 0, 0]);
    new Uint32Array(numbers.buffer)[5] = this.particleCount;
    this.device.queue.writeBuffer(this.numbers, 0, numbers);
    const encoder = this.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(kernel);
    pass.setBindGroup(0, this.leading);
    pass.dispatchWorkgroups(1);
    pass.end();
    this.device.queue.submit([encoder.finish()]);
  }

  update(target: Triple, dt: number, holds = true): void {
    if (!this.active) return;
    const isFine = target.length === 3 && target.every(Number.isFinite) && dt > 0 && Number.isFinite(dt);
    demand(isFine, `grab: the target must be finite, and the step ${dt} positive [s]`);
    if (!holds && this.share <= this.ramp) {
      this.release();
      return;
    }
    this.acting = this.share;
    this.run(this.pipelines.lead, target, f(dt));
    this.share = holds ? Math.min(f(this.share + this.ramp), 1) : f(this.share - this.ramp);
  }

  /** Takes over the coefficients of the next step. */
  tune(settings: GpuSettings, pace: Pace): void {
    const force = f(this.limit * Math.max(this.acting || this.share, f(1e-3)));
    const compliance = (this.particleCount * this.reach) / force;
    const c = coefficientsOf({ compliance, stiffness: STIFFNESS }, "attachment", settings, pace);
    const words = { own: [0, 0] as [number, number], keepsLost: pace.keepsLost, isScaled: false, zeroRest: 0 };
    this.device.queue.writeBuffer(this.passes, 0, passBlocks([0, this.particleCount], this.particleCount, c, words));
  }

  /** Its pull in one sweep of a substep, whose block begins at `substep` bytes. */
  encode(pass: GPUComputePassEncoder, sweep: Sweep, substep: number): void {
    pass.setPipeline(this.pipelines.pull);
    pass.setBindGroup(0, this.pulling, [sweep.first ? 256 : 0, substep]);
    dispatch(pass, this.device, this.particleCount);
  }

  release(): void {
    if (this.active) for (const buffer of this.owned) buffer.destroy();
    this.active = false;
  }
}
