// A graphics card for tests in Node: Dawn over Chromium's own software adapter, or the machine's with PLIANT_GPU=real.
import { existsSync } from "node:fs";
import { openGpu } from "../../src/index.js";

export const SOFTWARE = "/usr/lib/chromium/vk_swiftshader_icd.json";

/** Whether the adapter rounds every operation as the CPU does, so that bits are compared and not tolerances. */
export const isExact = process.env.PLIANT_GPU !== "real";

let dawn: Promise<GPU> | null = null;

async function startDawn(): Promise<GPU> {
  if (isExact) {
    if (!existsSync(SOFTWARE)) throw new Error(`${SOFTWARE} is missing: install the Debian package chromium`);
    process.env.VK_ICD_FILENAMES = SOFTWARE;
  }
  const { create, globals } = await import("webgpu");
  Object.assign(globalThis, globals);
  return create(["backend=vulkan"]);
}

/** The GPU object of Dawn, one for all tests of a process. */
export const gpu = (): Promise<GPU> => (dawn ??= startDawn());

/** A fresh device. */
export const openDevice = async (): Promise<GPUDevice> => openGpu(await gpu());
