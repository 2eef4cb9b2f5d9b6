// The attributes of vertices, triangles and constraints, one row each. A row declares the array `type *field` and fills its pli_attribute;
// columns without a value are 0. model/model.h includes the rows for the arrays, and model/attributes.c for the table. Rows with a name
// are public. Vertices are in internal order, constraints in the order of their slots.
#ifndef PLI_VERTEX_ROW
#define PLI_VERTEX_ROW(type, field, components, ...)
#endif
#ifndef PLI_TRIANGLE_ROW
#define PLI_TRIANGLE_ROW(type, field, components, ...)
#endif
#ifndef PLI_CONSTRAINT_ROW
#define PLI_CONSTRAINT_ROW(type, field, ...)
#endif
#ifndef PLI_CONSTRAINT_ROWS // `count` arrays.
#define PLI_CONSTRAINT_ROWS(type, field, count, ...)
#endif
#ifndef PLI_MASS_ROW // Attributes that are computed from masses, without an array.
#define PLI_MASS_ROW(...)
#endif
// clang-format off

PLI_MASS_ROW(.name = "density", .unit = "kg/m^2", .painted = true, .minimum = 1e-9, .maximum = 1e9, PLI_FIELD(density),
    .scales_with_field = true, .summary = "Mass per area.")
PLI_VERTEX_ROW(float, friction, 1, .name = "friction", .painted = true, .maximum = 1e3, PLI_FIELD(friction),
    .summary = "Coulomb coefficient in contact with other deformables and with itself.")
PLI_VERTEX_ROW(float, drag, 1, .name = "drag", .painted = true, .maximum = 100.0, .initial = 1.0,
    .summary = "Factor on drag, lift and skin friction of the air; 0 lets it through.")
PLI_VERTEX_ROW(float, thickness, 1, .name = "thickness", .unit = "m", .painted = true, .maximum = 1e6, PLI_FIELD(thickness),
    .extra = PLI_BATCH /* Kernels read full batches. */, .rebuild = PLI_REBUILDS_SURFACE, .summary = "Distance that contact keeps.")
PLI_VERTEX_ROW(float, force, 3, .name = "force", .unit = "N", .minimum = -INFINITY, .maximum = INFINITY,
    .lifetime = PLI_LIFETIME_STEP, .cleared_by_cuts = true, .summary = "Force of the application in the next step.")

PLI_TRIANGLE_ROW(float, rigidity, 1, .name = "rigidity", .unit = "N m", .painted = true, .minimum = 1e-12, .maximum = 1e6,
    PLI_FIELD(plate.rigidity), .scales_with_field = true, .need = PLI_NEEDS_PLATE, .rebuild = PLI_REBUILDS_PLATE,
    .summary = "Flexural rigidity of its plate.")
PLI_TRIANGLE_ROW(float, pressure, 1, .name = "pressure", .unit = "Pa", .painted = true, .minimum = -1e9, .maximum = 1e9,
    .summary = "Pressure on the back of faces over that on their front.")
PLI_TRIANGLE_ROW(float, yield, 1, .name = "yield", .unit = "1/m", .painted = true, .minimum = 1e-6, .maximum = 1e9,
    PLI_FIELD(plate.yield), .need = PLI_NEEDS_PLATE,
    .summary = "Curvature of its plate and constraints above which a bend is permanent; 1e9 is elastic.")
PLI_TRIANGLE_ROW(float, hardening, 1, .name = "hardening", .painted = true, .maximum = 1e6, PLI_FIELD(plate.hardening),
    .need = PLI_NEEDS_PLATE, .summary = "Hardening of its plate and constraints, as theirs.")

PLI_CONSTRAINT_ROW(float, stiffness, .name = "stiffness", .painted = true, .minimum = 1e-6, .maximum = 1e6, .initial = 1.0,
    .need = PLI_NEEDS_SCALES, .rebuild = PLI_REBUILDS_SCALES, .summary = "Factor on the stiffness of its constraints, under XPBD.")
PLI_CONSTRAINT_ROW(float, damping, .name = "damping", .painted = true, .maximum = 1e6, .initial = 1.0,
    .need = PLI_NEEDS_SCALES, .rebuild = PLI_REBUILDS_SCALES,
    .summary = "Factor on the damping of its constraints, and so on a material's loss factor.")
PLI_CONSTRAINT_ROW(float, yield, .name = "yield", .unit = "1/m", .painted = true, .minimum = 1e-6, .maximum = 1e9,
    .need = PLI_NEEDS_YIELD, .summary = "Curvature above which a bend is permanent; 1e9 is elastic.")
PLI_CONSTRAINT_ROW(float, hardening, .name = "hardening", .painted = true, .maximum = 1e6, .need = PLI_NEEDS_YIELD,
    .summary = "Increase of the yield by permanent curvature, both in 1/m.")
// The scale from the geometry or the edges of a sheet, before it is divided by `stiffness`; null where it is constant.
PLI_CONSTRAINT_ROW(float, base_scale, .maximum = INFINITY)
PLI_CONSTRAINT_ROW(float, compliance_scale, .maximum = INFINITY) // Of a constraint, as kernels read it.
PLI_CONSTRAINT_ROWS(float, rest, PLI_REST_MAX, .minimum = -INFINITY, .maximum = INFINITY)
PLI_CONSTRAINT_ROW(float, state, .minimum = -INFINITY, .maximum = INFINITY, .lifetime = PLI_LIFETIME_STATE)
PLI_CONSTRAINT_ROW(float, good_state, .lifetime = PLI_LIFETIME_SCRATCH) // Before the step.
// In sets with permanent bends (src/bending), or null: the rest value before any bend, and the bend.
PLI_CONSTRAINT_ROW(float, first_rest, .minimum = -INFINITY, .maximum = INFINITY, .lifetime = PLI_LIFETIME_STATE)
PLI_CONSTRAINT_ROW(float, bends, .name = "bend", .unit = "1/m", .maximum = INFINITY, .lifetime = PLI_LIFETIME_STATE,
    .summary = "Permanent curvature, accumulated without signs.")
PLI_CONSTRAINT_ROWS(float, lambda, 3, .lifetime = PLI_LIFETIME_SCRATCH, .cleared_by_cuts = true) // Multipliers of this substep.
PLI_CONSTRAINT_ROWS(float, mean, 3, .lifetime = PLI_LIFETIME_SCRATCH, .cleared_by_cuts = true) // Mean multipliers of the last step.

// clang-format on
#undef PLI_VERTEX_ROW
#undef PLI_TRIANGLE_ROW
#undef PLI_CONSTRAINT_ROW
#undef PLI_CONSTRAINT_ROWS
#undef PLI_MASS_ROW
