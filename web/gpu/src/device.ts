// The graphics card: whether there is one, how it is opened, and what becomes of its errors.
import { demand, GpuError } from "./errors.js";

/** Whether there is a graphics card to simulate on, in a sentence for the person in front of it. */
export interface GpuAvailability {
  available: boolean;
  /** "No WebGPU here: ..." or what there is. */
  sentence: string;
  /** True for an adapter that computes on the processor: it gives right results, slowly. */
  isSoftware: boolean;
  adapter: GPUAdapter | null;
}

const none = (why: string): GpuAvailability => ({
  available: false,
  sentence: `No WebGPU here: ${why}; the CPU does it.`,
  isSoftware: false,
  adapter: null,
});

/** Looks for a graphics card. Never throws. `gpu` is that of the browser unless given (Dawn in Node). */
export async function isGpuAvailable(gpu: GPU | undefined = globalThis.navigator?.gpu): Promise<GpuAvailability> {
  if (!gpu) {
    const isBare = globalThis.isSecureContext === false;
    return none(isBare ? "browsers have it on https and localhost only" : "this browser does not have it");
  }
  let adapter: GPUAdapter | null = null;
  try {
    adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
  } catch (error) {
    return none(`the browser answers "${error instanceof Error ? error.message : String(error)}"`);
  }
  if (!adapter) return none("the browser has it, but no graphics card that it trusts");
  const { vendor, architecture, description } = adapter.info;
  const name = description || [vendor, architecture].filter(Boolean).join(" ") || "an unnamed one";
  const isSoftware = adapter.info.isFallbackAdapter === true || /swiftshader|llvmpipe|software/i.test(`${name} ${architecture}`);
  const kind = isSoftware ? "WebGPU is there, in software" : "WebGPU is there";
  return { available: true, sentence: `${kind}: ${name}.`, isSoftware, adapter };
}

/** Opens the graphics card with room for large meshes and, where it has them, with clocks. Throws a GpuError where there is none. */
export async function openGpu(gpu: GPU | undefined = globalThis.navigator?.gpu): Promise<GPUDevice> {
  const { adapter, sentence } = await isGpuAvailable(gpu);
  demand(adapter !== null, sentence);
  const { maxBufferSize, maxStorageBufferBindingSize } = adapter.limits;
  const requiredFeatures: GPUFeatureName[] = adapter.features.has("timestamp-query") ? ["timestamp-query"] : [];
  try {
    return await adapter.requestDevice({ requiredFeatures, requiredLimits: { maxBufferSize, maxStorageBufferBindingSize } });
  } catch (error) {
    throw new GpuError(`The graphics card does not open: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** Remembers what went wrong on a device, so that the next call can say it. */
export class DeviceGuard {
  private failure: string | null = null;
  private readonly listener = (event: GPUUncapturedErrorEvent): void => {
    this.failure ??= `The graphics card refuses a command: ${event.error.message.split("\n")[0]}`;
  };

  constructor(private readonly device: GPUDevice) {
    device.addEventListener("uncapturederror", this.listener);
    void device.lost.then((info) => {
      const why = info.reason === "destroyed" ? "its device was destroyed" : info.message || "the system took it away";
      this.failure ??= `The graphics card is lost: ${why}. Go on from the last positions that were read, on the CPU or on a new device.`;
    });
  }

  /** Throws what went wrong since the last call. */
  check(): void {
    if (this.failure) throw new GpuError(this.failure);
  }

  /** Runs `make` and throws what the device says against it. */
  async attempt<T>(make: () => Promise<T>): Promise<T> {
    this.check();
    this.device.pushErrorScope("validation");
    this.device.pushErrorScope("out-of-memory");
    let made: T | undefined;
    let thrown: unknown;
    try {
      made = await make();
    } catch (error) {
      thrown = error;
    }
    const memory = await this.device.popErrorScope();
    const validation = await this.device.popErrorScope();
    this.check();
    if (thrown instanceof GpuError) throw thrown;
    demand(!memory, "The graphics card has not enough memory for this mesh; a coarser one fits.");
    const said = validation?.message ?? (thrown === undefined ? undefined : String((thrown as Error).message ?? thrown));
    if (said !== undefined) throw new GpuError(`The graphics card refuses the simulation: ${said.split("\n")[0]}`);
    return made as T;
  }

  /** Waits, and makes a GpuError of what fails. */
  async wait<T>(promise: Promise<T>): Promise<T> {
    try {
      const value = await promise;
      this.check();
      return value;
    } catch (error) {
      await Promise.resolve();
      this.check();
      throw error instanceof GpuError ? error : new GpuError(`The graphics card fails: ${(error as Error).message}`);
    }
  }

  release(): void {
    this.device.removeEventListener("uncapturederror", this.listener);
  }
}
