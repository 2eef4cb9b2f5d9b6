// A second run of the same state on the graphics card, beside the CPU's, and how far they are apart. Loaded when it is asked for.
import { createGpuSimulation, describeWorld, isGpuAvailable, openGpu, type GpuSimulation } from "pliant-gpu";
import type { World } from "pliant";

export interface Availability { available: boolean; sentence: string }
export const availability = async (): Promise<Availability> => isGpuAvailable();

export class GpuTwin {
  /** Positions as the card has them, 3 numbers a particle, of the frame `frame`. */
  readonly positions: Float32Array;
  frame = 0;
  /** Largest distance of a particle from where the CPU has it at the same frame [m]; null before the first reading. */
  difference: number | null = null;
  /** Why it ended: the card was lost, or refused. */
  failure: string | null = null;
  private reading = false;

  private constructor(private simulation: GpuSimulation, readonly leftOut: string[], private device: GPUDevice) {
    this.positions = new Float32Array(3 * simulation.particleCount);
    void device.lost.then((why) => { this.failure ??= `The graphics card is gone (${why.message || why.reason}); the CPU goes on.`; });
  }

  /** Takes over the state of a world. Throws a sentence where it cannot. */
  static async start(world: World): Promise<GpuTwin> {
    const { description, leftOut } = describeWorld(world as never), device = await openGpu();
    try { return new GpuTwin(await createGpuSimulation(device, description), leftOut, device); } catch (error) { device.destroy(); throw error; }
  }

  get milliseconds(): number | null { return this.simulation.milliseconds; }
  get count(): number { return this.simulation.particleCount; }

  /** One step, and a reading where none is under way; `cpu` are the CPU's positions after the same step. */
  step(dt: number, cpu: Float32Array, stride: number): void {
    if (this.failure) return;
    try { this.simulation.step(dt); } catch (error) { this.failure = (error as Error).message; return; }
    this.frame++;
    if (this.reading) return;
    this.reading = true;
    const before = cpu.slice();
    void this.simulation.readPositions().then((now) => {
      this.positions.set(now);
      let most = 0;
      for (let i = 0; i < this.count; i++) most = Math.max(most, Math.hypot(now[3 * i] - before[stride * i], now[3 * i + 1] - before[stride * i + 1], now[3 * i + 2] - before[stride * i + 2]));
      this.difference = most;
    }, (error: Error) => { this.failure ??= error.message; }).finally(() => { this.reading = false; });
  }

  dispose(): void {
    this.failure ??= "";
    this.simulation.release();
    this.device.destroy();
  }
}
