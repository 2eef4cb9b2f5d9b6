// The properties of the library that the GPU implements. A property of the descriptors that is missing here is reported by
// differences.ts where it does not have its default, so a new setting of the library needs no edit.
import type { DeformableLike, WorldLike } from "./world_like.js";

/** The GPU computes what the library computes, for every value. */
const IMPLEMENTED = "implemented";
/** The value changes nothing in the worlds that the GPU implements: the property that enables it is reported. */
const NO_EFFECT = "no effect";

/** The GPU implements one value. In worlds of `unless`, the others have the same result. */
interface Only {
  readonly only: unknown;
  readonly unless?: (world: WorldLike, deformable: DeformableLike) => boolean;
}

export type Known = typeof IMPLEMENTED | typeof NO_EFFECT | Only;

const pinnedCount = (deformable: DeformableLike): number => Array.from(deformable.copyInverseMasses()).filter((w) => w === 0).length;
/** A body that is pinned at three points or more cannot be rotated by its constraints. */
const keepsMomentum: Only = { only: false, unless: (_, deformable) => pinnedCount(deformable) > 2 };
const usualAir: Only = { only: 1, unless: (world) => !(world.settings.air_density > 0) };

/** By the group of the descriptors and the name of the property. Parameters of constraints are in types/type_table.ts. */
export const KNOWN: Readonly<Record<string, typeof NO_EFFECT | Readonly<Record<string, Known>>>> = {
  world: { order: IMPLEMENTED, threads: NO_EFFECT, gust_length: NO_EFFECT, gust_seed: NO_EFFECT },
  settings: {
    method: IMPLEMENTED,
    substeps: IMPLEMENTED,
    iterations: IMPLEMENTED,
    sweeps: IMPLEMENTED,
    gravity: IMPLEMENTED,
    damping: IMPLEMENTED,
    wind: IMPLEMENTED,
    air_density: IMPLEMENTED,
    air_friction: IMPLEMENTED,
    speed_limit: IMPLEMENTED,
    keep_momentum: keepsMomentum,
  },
  contact: { ccd: NO_EFFECT }, // Only for surfaces: self-collision and meshes.
  deformable: {
    stretch: { only: "swept" },
    velocity: IMPLEMENTED, // Part of the velocities,
    density: IMPLEMENTED, //  and of the masses.
    thickness: IMPLEMENTED,
    friction: NO_EFFECT, // Between deformables.
    air_drag: usualAir,
    air_lift: usualAir,
    air_friction: usualAir,
    layer: IMPLEMENTED,
    collides_with: IMPLEMENTED,
  },
  tearing: { most: NO_EFFECT },
  plate: { poisson: NO_EFFECT, interval: NO_EFFECT, yield: NO_EFFECT, hardening: NO_EFFECT, damping: NO_EFFECT }, // Without a rigidity.
  material: NO_EFFECT, // It only fills the definitions of deformables and constraints.
  attachment: {
    enabled: IMPLEMENTED, // Attached particles are pinned; movePinned moves them.
    fixed: { only: true },
    compliance: NO_EFFECT, // Of attachments that are not fixed.
    stiffness: NO_EFFECT,
    stretch: NO_EFFECT, // movePinned gets the resulting positions.
  },
  collider: {
    shape: IMPLEMENTED, // Other shapes have their own sentence in differences.ts.
    radius: IMPLEMENTED,
    half_height: IMPLEMENTED,
    half_extents: NO_EFFECT,
    top_radius: NO_EFFECT,
    one_sided: NO_EFFECT,
    thickness: IMPLEMENTED,
    friction: IMPLEMENTED,
    restitution: IMPLEMENTED,
    layer: IMPLEMENTED,
    collides_with: IMPLEMENTED,
  },
};
