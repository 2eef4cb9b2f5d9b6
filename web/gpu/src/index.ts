// Pliant on the GPU; docs/webgpu.md describes its features and accuracy.
export type {
  GpuCollider,
  GpuConstraintSet,
  GpuDescription,
  GpuPose,
  GpuSettings,
  Quadruple,
  Triple,
} from "./description.js";
export { type GpuAvailability, isGpuAvailable, openGpu } from "./device.js";
export { GpuError } from "./errors.js";
export { type DescriptorsLike, findDifferences, type WorldDifference } from "./differences.js";
export { collidersOf, type DescribedWorld, describeWorld, parametersOf, settingsOf } from "./from_world.js";
export { KNOWN } from "./known.js";
export type { WorldLike } from "./world_like.js";
export type { GpuGrab } from "./hand.js";
export type { GpuOrder } from "./levels.js";
export {
  createGpuSimulation,
  type Difference,
  type GpuGrabDef,
  type GpuOptions,
  GpuSimulation,
  type GpuStage,
} from "./simulation.js";
export type { GpuParameters } from "./types/type_row.js";
export { TYPES as gpuTypes } from "./types/type_table.js";
