// Pliant on a graphics card. docs/webgpu.md says what it does and how exact it is.
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
export {
  type Alike,
  collidersOf,
  type DescribedWorld,
  describeWorld,
  type Differences,
  findDifferences,
  parametersOf,
  settingsOf,
  type WorldLike,
} from "./from_world.js";
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
