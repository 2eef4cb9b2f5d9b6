// Pliant: cloth, plants and other things that bend, by Position-Based Dynamics. README.md has a first example.
export type { MeshAttribute, MeshAttributes, MeshGroup } from "./attributes.js";
export { Attachment, Grab, type AttachmentDef, type GrabDef } from "./attachment.js";
export type { AirField, ConstraintTypeDef, VertexSource } from "./callbacks.js";
export { RigidBody, type RigidBodyDef, type RigidChange, type RigidState, type RigidStateLike } from "./rigid-body.js";
export { Collider, type ColliderDef } from "./collider.js";
export { ConstraintSet, evaluateConstraint, type ConstraintSetDef, type MadeConstraintSet, type Residual } from "./constraint-set.js";
export { Deformable, type DeformableDef, type DeformableStatistics } from "./deformable.js";
export type * from "./descriptors.js";
export type { Disposable } from "./disposable.js";
export { Engine, hasVectors, load, type LoadOptions } from "./engine.js";
export { PliantError, type Diagnostic, type Status } from "./errors.js";
export type * from "./generated/properties.js";
export type { AttributeLike, GeometryLike, WeldReport, WritableAttribute, WritableGeometry } from "./geometry.js";
export type { Names, PropertyName } from "./names.js";
export {
  findTriangleNeighbors,
  Mesh,
  trianglePairs,
  type GridPattern,
  type Guess,
  type GuessKind,
  type GuessOptions,
  type MeshDef,
  type MeshReport,
  type MeshTopology,
  type Stencils,
} from "./mesh.js";
export { Scene, type SceneLook, type SceneOptions, type SceneView } from "./scene.js";
export {
  Session,
  sessionQuantities,
  sessionTools,
  type SessionBrush,
  type SessionEvent,
  type SessionHand,
  type SessionHit,
  type SessionKind,
  type SessionOptions,
  type SessionPointer,
  type SessionState,
  type SessionTool,
} from "./session.js";
export type { Pose, PoseLike, Rotation, RotationLike, Vector, VectorLike } from "./vectors.js";
export {
  World,
  type ColliderHit,
  type Contact,
  type ContactSide,
  type RayHit,
  type ContactFilter,
  type Finding,
  type FindingKind,
  type Settings,
  type Settled,
  type Statistics,
  type TopologyChange,
  type WorldDef,
} from "./world.js";
