// Buffers and dispatches.
import { demand } from "./errors.js";

/** Threads of a workgroup, in all kernels. */
export const WORKGROUP = 64;

/** Makes a storage buffer of `bytes`, at least a few, or refuses it in a sentence. */
export function storageBuffer(device: GPUDevice, label: string, bytes: number, usage = 0): GPUBuffer {
  const size = Math.max(16, Math.ceil(bytes / 4) * 4);
  const most = Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize);
  const sentence = `${label} take ${Math.ceil(size / 2 ** 20)} MB, and this device was opened for ${Math.floor(most / 2 ** 20)} MB at a time; openGpu() asks for all that the card has`;
  demand(size <= most, sentence);
  const all = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC | usage;
  return device.createBuffer({ label, size, usage: all });
}

/** A storage buffer with these contents. */
export function filledBuffer(device: GPUDevice, label: string, contents: Float32Array | Uint32Array, usage = 0): GPUBuffer {
  const buffer = storageBuffer(device, label, contents.byteLength, usage);
  device.queue.writeBuffer(buffer, 0, contents as GPUAllowSharedBufferSource);
  return buffer;
}

export function uniformBuffer(device: GPUDevice, label: string, bytes: number): GPUBuffer {
  return device.createBuffer({ label, size: Math.max(256, bytes), usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST });
}

/** Dispatches a kernel for `count` numbers, in two dimensions where one does not hold them. */
export function dispatch(pass: GPUComputePassEncoder, device: GPUDevice, count: number): void {
  const groups = Math.ceil(count / WORKGROUP);
  const x = Math.min(groups, device.limits.maxComputeWorkgroupsPerDimension);
  if (groups > 0) pass.dispatchWorkgroups(x, Math.ceil(groups / x));
}

/** The kinds of bindings of a kernel, in order. */
export type BindingKind = "uniform" | "dynamic" | "read" | "write";

export function bindingLayout(device: GPUDevice, kinds: readonly BindingKind[]): GPUBindGroupLayout {
  const buffers: Record<BindingKind, GPUBufferBindingLayout> = {
    uniform: { type: "uniform" },
    dynamic: { type: "uniform", hasDynamicOffset: true },
    read: { type: "read-only-storage" },
    write: { type: "storage" },
  };
  const entries = kinds.map((kind, binding) => ({ binding, visibility: GPUShaderStage.COMPUTE, buffer: buffers[kind] }));
  return device.createBindGroupLayout({ entries });
}

/** Binds buffers in order; of one with a size, that many bytes at a time. */
export function bind(device: GPUDevice, layout: GPUBindGroupLayout, buffers: readonly (GPUBuffer | [GPUBuffer, number])[]): GPUBindGroup {
  const entries = buffers.map((given, binding) => {
    const [buffer, size] = Array.isArray(given) ? given : [given, undefined];
    return { binding, resource: size === undefined ? { buffer } : { buffer, size } };
  });
  return device.createBindGroup({ layout, entries });
}

export async function pipeline(device: GPUDevice, code: string, layout: GPUBindGroupLayout, entryPoint: string): Promise<GPUComputePipeline> {
  const module = device.createShaderModule({ label: entryPoint, code });
  const pipelineLayout = device.createPipelineLayout({ bindGroupLayouts: [layout] });
  return device.createComputePipelineAsync({ label: entryPoint, layout: pipelineLayout, compute: { module, entryPoint } });
}
