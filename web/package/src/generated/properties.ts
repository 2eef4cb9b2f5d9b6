// Made by tools/make-types.mjs from the descriptors of the library: do not edit.
import type { VectorLike } from "../vectors.js";

/** How a world is created. */
export interface WorldProperties {
  /** Order of projection: coloured Gauss-Seidel in SIMD and on threads, or strictly sequential as in the papers. Default "coloured". */
  order: "coloured" | "sequential";
  /** Number of threads; it does not change results. 1 to 64; default 1. */
  threads: number;
  /** Size of the largest eddies of gusts. [m]; 0.001 to 1000000; default 2. */
  gust_length: number;
  /** Which gusts there are. 0 to 1000000; default 0. */
  gust_seed: number;
}

/** Settings of the solver. */
export interface SettingsProperties {
  /** Whether constraints have a compliance (XPBD) or a stiffness from 0 to 1 (PBD). Default "xpbd". */
  method: "xpbd" | "pbd";
  /** Number of substeps per frame. 1 to 1000; default 10. */
  substeps: number;
  /** Number of sweeps over all constraints per substep. 1 to 1000; default 1. */
  iterations: number;
  /** Direction in which sweeps go through the constraints. Default "back_and_forth". */
  sweeps: "back_and_forth" | "forward";
  /** Time integration: first order, or second order where nothing touches a deformable. Default "euler". */
  integrator: "euler" | "bdf2";
  /** Acceleration of free fall. [m/s^2]; -1000000 to 1000000; default [0, -9.81, 0]. */
  gravity: VectorLike;
  /** Rate at which motion other than rigid dies away (Mueller 2006, section 3.5). [1/s]; 0 to 1000000; default 0; 0 is none. */
  damping: number;
  /** Velocity of the air. [m/s]; -1000000 to 1000000; default [0, 0, 0]. */
  wind: VectorLike;
  /** Density of the air, which gives wind and drag their force; air at sea level has 1.2. [kg/m^3]; 0 to 1000000; default 0; 0 is no air. */
  air_density: number;
  /** Skin friction of the air along a face, both sides together: rho times this times the squared speed. 0 to 10; default 0.02; 0 is none. */
  air_friction: number;
  /** Root mean square speed of the turbulence that comes with the wind. [m/s]; 0 to 1000000; default 0; 0 is none. */
  gust_strength: number;
  /** Removes the momenta that internal corrections of Algorithm 1 add to a deformable; false is the algorithm as printed. Default true. */
  keep_momentum: boolean;
  /** Speed that particles are slowed to; by default there is no limit. [m/s]; 0.000001 to infinity. */
  speed_limit: number;
  /** Speed below which a deformable counts as at rest; it sleeps after half a second, and wakes by touch. [m/s]; 0 to 1000000; default 0; 0 is never. */
  sleep_speed: number;
  /** Most work that contact may take in a step, in multiples of a usual step; beyond it motion is shortened. 1 to 1000; default 16. */
  work_budget: number;
  /** Point that positions are relative to during a step; near it they are as exact as near 0. Default "auto". */
  origin: "auto" | "fixed";
}

/** Contacts of deformables with each other, with themselves and with mesh colliders. */
export interface ContactProperties {
  /** How surfaces are kept free of intersections. Default "advancement". */
  guarantee: "advancement" | "bounds" | "off";
}

/** A surface that bends and stretches. */
export interface DeformableProperties {
  /** How its stretch is found: by equations, or by sweeps over the constraints. Default "auto". */
  stretch: "auto" | "swept" | "solved";
  /** Velocity of all particles at the start. [m/s]; -1000000 to 1000000; default [0, 0, 0]. */
  velocity: VectorLike;
  /** Mass per area of the surface; cotton has 0.1 to 0.3. [kg/m^2]; 1e-9 to 1000000000; default 0.2. */
  density: number;
  /** Distance kept from colliders and between the mid-surfaces of deformables. [m]; 0 to 1000000; default 0.005; 0 is no distance. */
  thickness: number;
  /** Whether the surface collides with itself. Default false. */
  self_collision: boolean;
  /** Whether self-collision is between triangles and edges, under the guarantee, or between particles, which is faster and less safe. Default "surfaces". */
  self_contact: "surfaces" | "particles";
  /** Distance that particles keep in self-contact by particles; 0 stands for 0.75 of the mean edge. [m]; 0 to 1000000; default 0; 0 is automatic. */
  particle_distance: number;
  /** Coulomb coefficient between deformables; a pair uses the geometric mean. 0 to 1000; default 0.3; 0 is none. */
  friction: number;
  /** Drag of the air along the flow, as a multiple of that of any sheet, whose coefficient is 2. 0 to 100; default 1; 0 is none. */
  air_drag: number;
  /** Lift by the air across the flow, as a multiple of that of any sheet. 0 to 100; default 1; 0 is none. */
  air_lift: number;
  /** Skin friction of the air, as a multiple of the world's. 0 to 100; default 1; 0 is none. */
  air_friction: number;
  /** Collision layer it belongs to, 0 to 31. Default 0. */
  layer: number;
  /** Collision layers it collides with, all by default; both sides must agree. */
  collides_with: readonly number[];
  /** Whether it stays where it is and takes no part in the simulation. Default false. */
  paused: boolean;
}

/** Thresholds at which edges tear (Mueller 2006, section 5): stretch, force or both. */
export interface TearingProperties {
  /** Length over rest length beyond which an edge tears; by default no edge tears by stretch. 1.0001 to infinity. */
  stretch: number;
  /** Tension beyond which an edge tears, independent of the step; by default no edge tears by force. [N]; 1e-12 to infinity. */
  force: number;
  /** Largest number of tears per frame; edges furthest beyond their threshold tear first. 1 to 1000000; default 64. */
  most: number;
}

/** Bending solved for the whole surface simultaneously (Morley 1968), with the requested rigidity. */
export interface PlateProperties {
  /** Flexural rigidity of the sheet, E t^3 / (12 (1 - nu^2)), which acts as given on any mesh. [N m]; 0 to 1000000; default 0; 0 is none. */
  rigidity: number;
  /** How much it curves across the direction in which it is bent. -0.9 to 0.9; default 0.3. */
  poisson: number;
  /** Substeps between two solves, over which the bending force is spread; 0 chooses up to 5, for large meshes up to 10, for small ones at most 1/240 s. 0 to 100; default 0; 0 is up to 5 or 10. */
  interval: number;
  /** Curvature beyond the rest shape above which a bend is permanent. [1/m]; 0 to 1000000000; default 0; 0 is elastic. */
  yield: number;
  /** Increase of the yield curvature for each 1/m of permanent bend. 0 to 1000000; default 0; 0 is none. */
  hardening: number;
  /** Kelvin-Voigt damping time, by which the rate of curvature adds to the bending moment. [s]; 0 to 0.125; default 0; 0 is undamped. */
  damping: number;
}

/** Parameters of a sheet, from which density, thickness, friction, stretch and bending follow. */
export interface MaterialProperties {
  /** Mass per area of the sheet. [kg/m^2]; 1e-9 to 1000000000; default 0.2. */
  density: number;
  /** Thickness of the sheet, which is the distance that it keeps. [m]; 0 to 1000000; default 0.0005; 0 is no distance. */
  thickness: number;
  /** Young's modulus; with the thickness it gives the tensile stiffness, instead of that, and the rigidity if none is given. [Pa]; 0 to 1000000000000000; default 0; 0 is not given. */
  young: number;
  /** Force over width and strain; without it and Young's modulus the sheet does not stretch. [N/m]; 0 to 1000000000000000; default 0; 0 is does not stretch. */
  tensile_stiffness: number;
  /** Flexural rigidity of the sheet; without it that of Young's modulus and thickness. [N m]; 0 to 1000000; default 0; 0 is from Young's modulus. */
  rigidity: number;
  /** Peirce's bending length c of a strip that overhangs, which gives the rigidity density g c^3 / (1 - nu^2) instead. [m]; 0 to 50; default 0; 0 is not given. */
  bending_length: number;
  /** How much it curves across the direction in which it is bent. -0.9 to 0.9; default 0.3. */
  poisson: number;
  /** Coulomb coefficient between deformables. 0 to 1000; default 0.3; 0 is none. */
  friction: number;
  /** Energy lost in a cycle of bending over 2 pi times the energy stored, at 1 Hz. 0 to 4; default 0; 0 is none. */
  loss_factor: number;
  /** Curvature beyond the rest shape above which a bend is permanent. [1/m]; 0 to 1000000000; default 0; 0 is elastic. */
  yield: number;
  /** Increase of the yield curvature for each 1/m of permanent bend. 0 to 1000000; default 0; 0 is none. */
  hardening: number;
  /** Force over width and strain across the warp; then the tensile stiffness is that along it. [N/m]; 0 to 1000000000000000; default 0; 0 is as the warp. */
  weft_stiffness: number;
  /** Shear force over width and angle between warp and weft, which resists tension along the bias. [N/m]; 0 to 1000000000000000; default 0; 0 is uniform. */
  shear_stiffness: number;
  /** Direction of the warp in the rest shape, which is laid onto each triangle. -1000000 to 1000000; default [1, 0, 0]. */
  warp: VectorLike;
  /** Drag of the air along the flow, as a multiple of that of any sheet, whose coefficient is 2. 0 to 100; default 1; 0 is none. */
  air_drag: number;
  /** Lift by the air across the flow, as a multiple of that of any sheet. 0 to 100; default 1; 0 is none. */
  air_lift: number;
  /** Skin friction of the air, as a multiple of the world's. 0 to 100; default 1; 0 is none. */
  air_friction: number;
}

/** Attaches particles to a fixed or moving frame. */
export interface AttachmentProperties {
  /** Whether particles follow the frame exactly; otherwise softly, by compliance or stiffness. Default true. */
  fixed: boolean;
  /** Whether it holds its particles now. Default true. */
  enabled: boolean;
  /** Inverse stiffness of a soft attachment under XPBD. [m/N]; 0 to 1e+30; default 0; 0 is rigid. */
  compliance: number;
  /** Fraction of the error of a soft attachment removed per substep under PBD. 0 to 1; default 1. */
  stiffness: number;
  /** Largest length over rest length of edges at attached particles; beyond it, these trail behind their frame. 1 to infinity; default 2. */
  stretch: number;
}

/** A shape that deformables collide with. */
export interface ColliderProperties {
  /** Shape of the collider; a plane is solid below its local y = 0. Default "sphere". */
  shape: "plane" | "sphere" | "capsule" | "box" | "hull" | "mesh" | "cylinder" | "tapered_capsule";
  /** Radius of what is round about a point or an axis; of a tapered capsule, at its lower end. [m]; 0.000001 to 1000000; default 0.5. */
  radius: number;
  /** Distance from the centre to each end of the axis, along local y. [m]; 0 to 1000000; default 0.5; 0 is a sphere. */
  half_height: number;
  /** Half the size of a box along each of its axes. [m]; 0.000001 to 1000000; default [0.5, 0.5, 0.5]. */
  half_extents: VectorLike;
  /** Radius at the upper end of the axis of a tapered capsule. [m]; 0.000001 to 1000000; default 0.25. */
  top_radius: number;
  /** Whether a mesh ignores contact from behind its faces. Default false. */
  one_sided: boolean;
  /** Which yields where a moving collider would have to pass through pinched cloth. Default "auto". */
  yields: "auto" | "collider" | "cloth";
  /** Distance kept in addition to the thickness of deformables. [m]; 0 to 1000000; default 0; 0 is none. */
  thickness: number;
  /** Coulomb coefficient against deformables. 0 to 1000; default 0.3; 0 is none. */
  friction: number;
  /** Torque that resists rolling over the normal force; shapes without triangles, on no body. [m]; 0 to 1000; default 0; 0 is none. */
  rolling_friction: number;
  /** Speed after an impact over the speed before it: 0 does not rebound, 1 rebounds fully. 0 to 1; default 0; 0 is no rebound. */
  restitution: number;
  /** Collision layer it belongs to, 0 to 31. Default 0. */
  layer: number;
  /** Collision layers it collides with, all by default; both sides must agree. */
  collides_with: readonly number[];
}

/** Parameters of "distance". Keeps the length of edges, which is the resistance of cloth to stretching. */
export interface DistanceParameters {
  /** Fraction of the error removed per substep under PBD, independent of the number of iterations. 0 to 1; default 1. */
  stiffness: number;
  /** Inverse stiffness under XPBD; 0 is rigid. [m^2/J]; 0 to 1e+30; default 0; 0 is rigid. */
  compliance: number;
  /** Relaxation time of the constraint's own motion under XPBD. [s]; 0 to 1000000; default 0; 0 is none. */
  damping: number;
}

/** Parameters of "stick". Keeps the distance to every second vertex, the classic bending model of mass-spring cloth. */
export interface StickParameters {
  /** Fraction of the error removed per substep under PBD, independent of the number of iterations. 0 to 1; default 1. */
  stiffness: number;
  /** Inverse stiffness under XPBD; 0 is rigid. [m^2/J]; 0 to 1e+30; default 0; 0 is rigid. */
  compliance: number;
  /** Relaxation time of the constraint's own motion under XPBD. [s]; 0 to 1000000; default 0; 0 is none. */
  damping: number;
}

/** Parameters of "tether". Keeps two particles from going further apart than at rest and never pushes, as ropes and straps do. */
export interface TetherParameters {
  /** Fraction of the error removed per substep under PBD, independent of the number of iterations. 0 to 1; default 1. */
  stiffness: number;
  /** Inverse stiffness under XPBD; 0 is rigid. [m^2/J]; 0 to 1e+30; default 0; 0 is rigid. */
  compliance: number;
  /** Relaxation time of the constraint's own motion under XPBD. [s]; 0 to 1000000; default 0; 0 is none. */
  damping: number;
  /** Length over rest length from which it pulls. 0 to 1000000; default 1. */
  slack: number;
}

/** Parameters of "opposite_distance". Keeps the distance between the vertices opposite to an edge; the cheapest bending model, weak near flat. */
export interface OppositeDistanceParameters {
  /** Fraction of the error removed per substep under PBD, independent of the number of iterations. 0 to 1; default 1. */
  stiffness: number;
  /** Inverse stiffness under XPBD; 0 is rigid. [m^2/J]; 0 to 1e+30; default 0; 0 is rigid. */
  compliance: number;
  /** Relaxation time of the constraint's own motion under XPBD. [s]; 0 to 1000000; default 0; 0 is none. */
  damping: number;
}

/** Parameters of "dihedral". Keeps the signed angle between faces, independent of stretch and for any rest shape; the reference of bending models. */
export interface DihedralParameters {
  /** Fraction of the error removed per substep under PBD, independent of the number of iterations. 0 to 1; default 1. */
  stiffness: number;
  /** Inverse stiffness under XPBD; 0 is rigid. [rad^2/J]; 0 to 1e+30; default 0; 0 is rigid. */
  compliance: number;
  /** Relaxation time of the constraint's own motion under XPBD. [s]; 0 to 1000000; default 0; 0 is none. */
  damping: number;
  /** Flexural rigidity of the sheet under XPBD, given instead of a compliance; above 0 its compliance adds to that one. [N m]; 0 to 1e+30; default 0; 0 is off. */
  rigidity: number;
  /** Largest change of the angle that one projection may make; cloth of very soft edges, of PBD stiffness below 0.1, needs as little as 0.01. [rad]; 0.000001 to 1000000; default 0.3. */
  change_limit: number;
  /** Curvature beyond the rest shape above which a bend is permanent. [1/m]; 0 to 1000000000; default 0; 0 is elastic. */
  yield: number;
  /** Increase of the yield curvature for each 1/m of permanent bend. 0 to 1000000; default 0; 0 is none. */
  hardening: number;
  /** Whether one solve for the whole deformable replaces the sweeps. Default false. */
  solve: boolean;
}

/** Parameters of "dihedral_printed". Keeps the unsigned angle between faces by arccos, as printed in 2006; it does not act near flat and serves comparison. */
export interface DihedralPrintedParameters {
  /** Fraction of the error removed per substep under PBD, independent of the number of iterations. 0 to 1; default 1. */
  stiffness: number;
  /** Inverse stiffness under XPBD; 0 is rigid. [rad^2/J]; 0 to 1e+30; default 0; 0 is rigid. */
  compliance: number;
  /** Relaxation time of the constraint's own motion under XPBD. [s]; 0 to 1000000; default 0; 0 is none. */
  damping: number;
  /** Largest change of the angle that one projection may make; cloth of very soft edges, of PBD stiffness below 0.1, needs as little as 0.01. [rad]; 0.000001 to 1000000; default 0.3. */
  change_limit: number;
}

/** Parameters of "isometric". Resists bending of sheets that hardly stretch, in proportion to curvature; cheap and linear, for cloth. */
export interface IsometricParameters {
  /** Fraction of the error removed per substep under PBD, independent of the number of iterations. 0 to 1; default 1. */
  stiffness: number;
  /** Inverse stiffness under XPBD; 0 is rigid. [m^2/J]; 0 to 1e+30; default 0; 0 is rigid. */
  compliance: number;
  /** Relaxation time of the constraint's own motion under XPBD. [s]; 0 to 1000000; default 0; 0 is none. */
  damping: number;
  /** Flexural rigidity of the sheet under XPBD, given instead of a compliance; above 0 its compliance adds to that one. [N m]; 0 to 1e+30; default 0; 0 is off. */
  rigidity: number;
  /** Curvature beyond the rest shape above which a bend is permanent. [1/m]; 0 to 1000000000; default 0; 0 is elastic. */
  yield: number;
  /** Increase of the yield curvature for each 1/m of permanent bend. 0 to 1000000; default 0; 0 is none. */
  hardening: number;
  /** Whether one solve for the whole deformable replaces the sweeps. Default false. */
  solve: boolean;
}

/** Parameters of "isometric_energy". Resists bending by the isometric energy as printed in the chapter; it converges slowly and serves comparison. */
export interface IsometricEnergyParameters {
  /** Fraction of the error removed per substep under PBD, independent of the number of iterations. 0 to 1; default 1. */
  stiffness: number;
  /** Inverse stiffness under XPBD; 0 is rigid. [1/J]; 0 to 1e+30; default 0; 0 is rigid. */
  compliance: number;
  /** Relaxation time of the constraint's own motion under XPBD. [s]; 0 to 1000000; default 0; 0 is none. */
  damping: number;
}

/** Parameters of "triangle". Keeps each vertex at its rest distance from the centroid of itself and an opposite pair of neighbours; fast, cannot tell up from down. */
export interface TriangleParameters {
  /** Fraction of the error removed per substep under PBD, independent of the number of iterations. 0 to 1; default 1. */
  stiffness: number;
  /** Inverse stiffness under XPBD; 0 is rigid. [m^2/J]; 0 to 1e+30; default 0; 0 is rigid. */
  compliance: number;
  /** Relaxation time of the constraint's own motion under XPBD. [s]; 0 to 1000000; default 0; 0 is none. */
  damping: number;
  /** Flexural rigidity of the sheet under XPBD, given instead of a compliance; above 0 its compliance adds to that one. [N m]; 0 to 1e+30; default 0; 0 is off. */
  rigidity: number;
  /** Whether the height stays at h0 + kappa, at most there, or at least there. Default "equal". */
  relation: "equal" | "at_most" | "at_least";
  /** Whether weights are exact or those printed in eqs. (8)-(9), which are exact only for equal masses. Default "exact". */
  weights: "exact" | "printed";
  /** Addition to the rest height; useful values are a fraction of the edge length. [m]; 0 to 1000000; default 0. */
  kappa: number;
  /** Curvature beyond the rest shape above which a bend is permanent. [1/m]; 0 to 1000000000; default 0; 0 is elastic. */
  yield: number;
  /** Increase of the yield curvature for each 1/m of permanent bend. 0 to 1000000; default 0; 0 is none. */
  hardening: number;
  /** Whether one solve for the whole deformable replaces the sweeps. Default false. */
  solve: boolean;
}

/** Parameters of "triangle_signed". Resists bending by the triangle and knows its mirror image, for plants and shells that must not turn inside out. */
export interface TriangleSignedParameters {
  /** Fraction of the error removed per substep under PBD, independent of the number of iterations. 0 to 1; default 1. */
  stiffness: number;
  /** Inverse stiffness under XPBD; 0 is rigid. [m^2/J]; 0 to 1e+30; default 0; 0 is rigid. */
  compliance: number;
  /** Relaxation time of the constraint's own motion under XPBD. [s]; 0 to 1000000; default 0; 0 is none. */
  damping: number;
  /** Flexural rigidity of the sheet under XPBD, given instead of a compliance; above 0 its compliance adds to that one. [N m]; 0 to 1e+30; default 0; 0 is off. */
  rigidity: number;
}

/** Parameters of "triangle_area". Resists bending by the triangle as printed, and takes a triangle whose area has changed its sign back through its chord. */
export interface TriangleAreaParameters {
  /** Fraction of the error removed per substep under PBD, independent of the number of iterations. 0 to 1; default 1. */
  stiffness: number;
  /** Inverse stiffness under XPBD; 0 is rigid. [m^2/J]; 0 to 1e+30; default 0; 0 is rigid. */
  compliance: number;
  /** Relaxation time of the constraint's own motion under XPBD. [s]; 0 to 1000000; default 0; 0 is none. */
  damping: number;
  /** Flexural rigidity of the sheet under XPBD, given instead of a compliance; above 0 its compliance adds to that one. [N m]; 0 to 1e+30; default 0; 0 is off. */
  rigidity: number;
}

/** Parameters of "triangle_edge". Resists bending by a triangle over each shared edge, with its tip at the midpoint of the edge. */
export interface TriangleEdgeParameters {
  /** Fraction of the error removed per substep under PBD, independent of the number of iterations. 0 to 1; default 1. */
  stiffness: number;
  /** Inverse stiffness under XPBD; 0 is rigid. [m^2/J]; 0 to 1e+30; default 0; 0 is rigid. */
  compliance: number;
  /** Relaxation time of the constraint's own motion under XPBD. [s]; 0 to 1000000; default 0; 0 is none. */
  damping: number;
  /** Whether the height stays at h0 + kappa, at most there, or at least there. Default "equal". */
  relation: "equal" | "at_most" | "at_least";
  /** Addition to the rest height; useful values are a fraction of the edge length. [m]; 0 to 1000000; default 0. */
  kappa: number;
}

/** Parameters of "triangle_linear". Resists bending by the triangle as a linear form along its chord; signed, keeps its resistance on irregular meshes. */
export interface TriangleLinearParameters {
  /** Fraction of the error removed per substep under PBD, independent of the number of iterations. 0 to 1; default 1. */
  stiffness: number;
  /** Inverse stiffness under XPBD; 0 is rigid. [m^2/J]; 0 to 1e+30; default 0; 0 is rigid. */
  compliance: number;
  /** Relaxation time of the constraint's own motion under XPBD. [s]; 0 to 1000000; default 0; 0 is none. */
  damping: number;
  /** Flexural rigidity of the sheet under XPBD, given instead of a compliance; above 0 its compliance adds to that one. [N m]; 0 to 1e+30; default 0; 0 is off. */
  rigidity: number;
  /** Curvature beyond the rest shape above which a bend is permanent. [1/m]; 0 to 1000000000; default 0; 0 is elastic. */
  yield: number;
  /** Increase of the yield curvature for each 1/m of permanent bend. 0 to 1000000; default 0; 0 is none. */
  hardening: number;
  /** Whether one solve for the whole deformable replaces the sweeps. Default false. */
  solve: boolean;
}

/** Parameters of "ring_laplacian". Resists bending by the cotangent Laplacian of each closed one-ring; least sensitive to tessellation. */
export interface RingLaplacianParameters {
  /** Fraction of the error removed per substep under PBD, independent of the number of iterations. 0 to 1; default 1. */
  stiffness: number;
  /** Inverse stiffness under XPBD; 0 is rigid. [m^2/J]; 0 to 1e+30; default 0; 0 is rigid. */
  compliance: number;
  /** Relaxation time of the constraint's own motion under XPBD. [s]; 0 to 1000000; default 0; 0 is none. */
  damping: number;
  /** Flexural rigidity of the sheet under XPBD, given instead of a compliance; above 0 its compliance adds to that one. [N m]; 0 to 1e+30; default 0; 0 is off. */
  rigidity: number;
  /** Whether one solve for the whole deformable replaces the sweeps. Default false. */
  solve: boolean;
}

/** Parameters of "membrane". Resists tension and shear by triangles, with the stiffness of warp and weft in N/m, Poisson's ratio and a strain limit, alike on any mesh. */
export interface MembraneParameters {
  /** Fraction of the error removed per substep under PBD, independent of the number of iterations. 0 to 1; default 1. */
  stiffness: number;
  /** Inverse stiffness under XPBD; 0 is rigid. [m^2/J]; 0 to 1e+30; default 0; 0 is rigid. */
  compliance: number;
  /** Relaxation time of the constraint's own motion under XPBD. [s]; 0 to 1000000; default 0; 0 is none. */
  damping: number;
  /** Tensile stiffness along the warp under XPBD: tension over strain, Young's modulus times thickness. [N/m]; 0 to 1e+30; default 0; 0 is rigid. */
  warp: number;
  /** Tensile stiffness across the warp under XPBD. [N/m]; 0 to 1e+30; default 0; 0 is rigid. */
  weft: number;
  /** Shear force over shear angle under XPBD; 0 is that of a sheet alike in all directions, sqrt(warp weft) / (2 + 2 poisson). [N/m]; 0 to 1e+30; default 0; 0 is uniform. */
  shear: number;
  /** How much a strip narrows for the strain it is stretched by; for different stiffnesses of warp and weft that of their geometric mean. -0.95 to 0.95; default 0. */
  poisson: number;
  /** Largest strain in any direction, from which on the triangle is rigid. 0 to 1000000; default 0; 0 is none. */
  strain_limit: number;
  /** First component of the warp's direction in the rest shape; the direction is laid onto each triangle, and where it is perpendicular the next axis, y after x, is taken. -1000000 to 1000000; default 1. */
  warp_x: number;
  /** Second component of the warp's direction in the rest shape. -1000000 to 1000000; default 0. */
  warp_y: number;
  /** Third component of the warp's direction in the rest shape. -1000000 to 1000000; default 0. */
  warp_z: number;
}

/** Parameters of "volume". Keeps the volume of closed components, times an overpressure factor, as balloons do. */
export interface VolumeParameters {
  /** Fraction of the error removed per substep under PBD, independent of the number of iterations. 0 to 1; default 1. */
  stiffness: number;
  /** Inverse stiffness under XPBD; 0 is rigid. [(m^3)^2/J]; 0 to 1e+30; default 0; 0 is rigid. */
  compliance: number;
  /** Relaxation time of the constraint's own motion under XPBD. [s]; 0 to 1000000; default 0; 0 is none. */
  damping: number;
  /** Overpressure factor: the volume aimed at over the rest volume. 0 to 1000000; default 1. */
  pressure: number;
  /** Largest relative volume change that one projection may aim for. 0.000001 to 1000000; default 0.2. */
  change_limit: number;
  /** Pressure inside minus pressure outside. If not 0, it is kept at any volume and replaces the factor; also for meshes that are flat at rest. XPBD. [Pa]; -1000000000 to 1000000000; default 0. */
  gauge_pressure: number;
  /** Gas inside, whose pressure falls as the volume grows, p V = n R T. Above 0 it replaces the factor and the gauge pressure; also for meshes that are flat at rest. XPBD. [mol]; 0 to 1000000000; default 0. */
  amount: number;
  /** Temperature of the gas. [K]; 0.001 to 1000000; default 293.15. */
  temperature: number;
  /** Pressure outside of the gas. [Pa]; 0 to 1000000000; default 101325. */
  ambient_pressure: number;
}

/** Parameters of "attachment". Pulls particles to points of the world, which may move. */
export interface AttachmentParameters {
  /** Fraction of the error removed per substep under PBD, independent of the number of iterations. 0 to 1; default 1. */
  stiffness: number;
  /** Inverse stiffness under XPBD; 0 is rigid. [m^2/J]; 0 to 1e+30; default 0; 0 is rigid. */
  compliance: number;
  /** Relaxation time of the constraint's own motion under XPBD. [s]; 0 to 1000000; default 0; 0 is none. */
  damping: number;
}

/** Parameters of each constraint type, by its name. */
export interface ConstraintParameters {
  distance: DistanceParameters;
  stick: StickParameters;
  tether: TetherParameters;
  opposite_distance: OppositeDistanceParameters;
  dihedral: DihedralParameters;
  dihedral_printed: DihedralPrintedParameters;
  isometric: IsometricParameters;
  isometric_energy: IsometricEnergyParameters;
  triangle: TriangleParameters;
  triangle_signed: TriangleSignedParameters;
  triangle_area: TriangleAreaParameters;
  triangle_edge: TriangleEdgeParameters;
  triangle_linear: TriangleLinearParameters;
  ring_laplacian: RingLaplacianParameters;
  membrane: MembraneParameters;
  volume: VolumeParameters;
  attachment: AttachmentParameters;
}

/** Names of the constraint types. */
export type ConstraintTypeName = keyof ConstraintParameters;

/** Names of the generators, which find the stencils of constraints in a mesh. */
export type GeneratorName =
  | "edges"
  | "hinges"
  | "opposite"
  | "second_neighbours"
  | "triples"
  | "triples_fig6a"
  | "triples_fig6b"
  | "triples_linear"
  | "rings"
  | "closed_volume"
  | "triangles";

/** Names of the measures that colour a surface. */
export type MeasureName =
  | "stretch"
  | "bending"
  | "speed"
  | "curvature"
  | "residual";

/** Attributes that Deformable.paint accepts. */
export type PaintedName =
  | "density"
  | "friction"
  | "drag"
  | "thickness"
  | "rigidity"
  | "pressure"
  | "yield"
  | "hardening"
  | "stiffness"
  | "damping";

/** Attributes that ConstraintSet.paint accepts. */
export type PaintedConstraintName =
  | "stiffness"
  | "damping"
  | "yield"
  | "hardening";

/** Attributes of vertices and triangles. */
export type AttributeName =
  | "density"
  | "friction"
  | "drag"
  | "thickness"
  | "force"
  | "held_back"
  | "rigidity"
  | "pressure"
  | "yield"
  | "hardening";

/** Attributes of constraints. */
export type ConstraintAttributeName =
  | "stiffness"
  | "damping"
  | "yield"
  | "hardening"
  | "bend";

/** Names of the stages of a step, as statistics time them. */
export type StageName =
  | "forces"
  | "damping"
  | "predict"
  | "contacts"
  | "project"
  | "velocities"
  | "friction"
  | "guarantee"
  | "publish";
