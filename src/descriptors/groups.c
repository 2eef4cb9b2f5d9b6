// The properties of every definition, as rows. Hard ranges are those that scenes and the library check; soft ranges are
// the span of a slider, chosen for garments and objects of 0.1 to 10 m.
#include "descriptors/choices.h"
#include "descriptors/groups.h"

#include "pliant/material.h"
#include "pliant/world.h"

#include <math.h>
#include <string.h>

#define FIELD(definition, field) .offset = offsetof(definition, field), .size = sizeof(((definition *)0)->field)
#define GROUP(rows) .properties = (rows), .property_count = (int32_t)(sizeof(rows) / sizeof *(rows))

enum { LAYER_MAX = 31 };

static const pli_condition under_xpbd[] = {{.path = "settings.method", .values = {"xpbd"}}, {.path = NULL}};
static const pli_condition under_pbd[] = {{.path = "settings.method", .values = {"pbd"}}, {.path = NULL}};

/* ---- the world ---------------------------------------------------------------------------------- */

static const pli_property world_rows[] = {
    {FIELD(pli_world_def, order), .name = "order", .label = "Order",
     .summary = "Order of projection: coloured Gauss-Seidel in SIMD and on threads, or strictly sequential as in the "
                "papers.",
     .kind = PLI_PROPERTY_CHOICE, .choices = pli_order_choices, .change = PLI_CHANGE_RESTART, .section = "solver"},
    {FIELD(pli_world_def, thread_count), .name = "threads", .label = "Threads",
     .summary = "Number of threads; it does not change results.", .kind = PLI_PROPERTY_INTEGER, .minimum = 1,
     .maximum = 64, .initial = 1, .soft_minimum = 1, .soft_maximum = 16, .change = PLI_CHANGE_RESTART,
     .section = "solver"},
    {FIELD(pli_world_def, gust_length), .name = "gust_length", .label = "Gust length", .unit = "m",
     .summary = "Size of the largest eddies of gusts.", .minimum = 0.001, .maximum = 1e6, .initial = 2,
     .soft_minimum = 0.1, .soft_maximum = 20, .scale = PLI_SLIDER_LOG, .change = PLI_CHANGE_RESTART, .section = "air"},
    {FIELD(pli_world_def, gust_seed), .name = "gust_seed", .label = "Gust seed", .summary = "Which gusts there are.",
     .kind = PLI_PROPERTY_INTEGER, .maximum = 1e6, .soft_maximum = 100, .change = PLI_CHANGE_RESTART, .section = "air"},
};

const pli_descriptor_group pli_world_descriptors = {.id = "world",
                                                    .label = "World",
                                                    .summary = "How a world is created.",
                                                    .target = "",
                                                    .definition = "pli_world_def",
                                                    GROUP(world_rows)};

/* ---- settings ----------------------------------------------------------------------------------- */

static const pli_condition in_air[] = {{.path = "air_density", .is_not = true, .values = {"0"}}, {.path = NULL}};

static const pli_property settings_rows[] = {
    {FIELD(pli_settings, method), .name = "method", .label = "Method",
     .summary = "Whether constraints have a compliance (XPBD) or a stiffness from 0 to 1 (PBD).",
     .kind = PLI_PROPERTY_CHOICE, .choices = pli_method_choices, .section = "solver"},
    {FIELD(pli_settings, substeps), .name = "substeps", .label = "Substeps", .summary = "Number of substeps per frame.",
     .help = "How finely a frame is cut. Twice as many cost twice as much and bring stiff things closer to what was "
             "asked for.",
     .kind = PLI_PROPERTY_INTEGER, .minimum = 1, .maximum = 1000, .initial = 10, .soft_minimum = 1, .soft_maximum = 100,
     .scale = PLI_SLIDER_LOG, .section = "solver"},
    {FIELD(pli_settings, refinement), .name = "refinement", .label = "Refinement",
     .summary = "Most substeps of a frame, as a multiple of substeps, where cloth that does not stretch is stretched.",
     .help = "Keeps cloth together where something hits it. 1 takes the same number of substeps in every frame.",
     .kind = PLI_PROPERTY_INTEGER, .minimum = 1, .maximum = 16, .initial = 1, .soft_minimum = 1, .soft_maximum = 8,
     .section = "solver"},
    {FIELD(pli_settings, iterations), .name = "iterations", .label = "Iterations",
     .summary = "Number of sweeps over all constraints per substep.", .help = "More substeps usually help more.",
     .kind = PLI_PROPERTY_INTEGER, .minimum = 1, .maximum = 1000, .initial = 1, .soft_minimum = 1, .soft_maximum = 50,
     .scale = PLI_SLIDER_LOG, .section = "solver"},
    {FIELD(pli_settings, sweeps), .name = "sweeps", .label = "Sweeps",
     .summary = "Direction in which sweeps go through the constraints.",
     .help = "Forward is what the papers do, and lets a shiver grow on sheets that nothing damps. Back and forth needs "
             "an even number of sweeps: an odd number of iterations has one more.",
     .kind = PLI_PROPERTY_CHOICE, .choices = pli_sweeps_choices, .section = "solver"},
    {FIELD(pli_settings, integrator), .name = "integrator", .label = "Integrator",
     .summary = "How substeps go on in time: of the first order, or of the second where nothing touches a deformable.",
     .help = "With BDF2 what swings goes on swinging.", .kind = PLI_PROPERTY_CHOICE, .choices = pli_integrator_choices,
     .section = "solver"},
    {FIELD(pli_settings, gravity), .name = "gravity", .label = "Gravity", .unit = "m/s^2",
     .summary = "Acceleration of free fall.", .kind = PLI_PROPERTY_VECTOR, .minimum = -1e6, .maximum = 1e6,
     .initial_vector = {0.0, -9.81, 0.0}, .soft_maximum = 20},
    {FIELD(pli_settings, damping), .name = "damping", .label = "Damping", .unit = "1/s",
     .summary = "Rate at which motion other than rigid dies away (Mueller 2006, section 3.5).",
     .help = "It slows folding, not falling.", .maximum = 1e6, .soft_maximum = 10, .zero = "none"},
    {FIELD(pli_settings, wind), .name = "wind", .label = "Wind", .unit = "m/s", .summary = "Velocity of the air.",
     .kind = PLI_PROPERTY_VECTOR, .minimum = -1e6, .maximum = 1e6, .soft_maximum = 15, .when = in_air,
     .section = "air"},
    {FIELD(pli_settings, air_density), .name = "air_density", .label = "Air density", .unit = "kg/m^3",
     .summary = "Density of the air, which gives wind and drag their force; air at sea level has 1.2.",
     .help = "Makes wind push and falling slow down.", .maximum = 1e6, .soft_maximum = 5, .zero = "no air",
     .section = "air"},
    {FIELD(pli_settings, air_friction), .name = "air_friction", .label = "Air friction",
     .summary = "Skin friction of the air along a face, both sides together: rho times this times the squared speed.",
     .help =
         "Air drags light cloth along. Without it the edges of cloth that is held whip, and a twisted sheet spins like "
         "a windmill, many times as fast as the wind.",
     .maximum = 10, .initial = 0.02, .soft_maximum = 0.1, .zero = "none", .when = in_air, .section = "air"},
    {FIELD(pli_settings, gust_strength), .name = "gust_strength", .label = "Gusts", .unit = "m/s",
     .summary = "Root mean square speed of the turbulence that comes with the wind.", .maximum = 1e6,
     .soft_maximum = 10, .zero = "none", .when = in_air, .section = "air"},
    {FIELD(pli_settings, keep_momentum), .name = "keep_momentum", .label = "Keep momentum",
     .summary =
         "Takes out of every deformable the momenta that Algorithm 1 makes of internal corrections; false is the "
         "algorithm as printed.",
     .help = "Without it, what is under stress spins itself up.", .kind = PLI_PROPERTY_BOOLEAN, .initial = 1,
     .section = "advanced"},
    {FIELD(pli_settings, speed_limit), .name = "speed_limit", .label = "Speed limit", .unit = "m/s",
     .summary = "Speed that particles are slowed to; by default there is no limit.", .minimum = 1e-6,
     .maximum = INFINITY, .initial = INFINITY, .soft_minimum = 1, .soft_maximum = 100, .scale = PLI_SLIDER_LOG,
     .section = "advanced"},
    {FIELD(pli_settings, sleep_speed), .name = "sleep_speed", .label = "Sleep below", .unit = "m/s",
     .summary = "Speed below which a deformable counts as at rest; it sleeps after half a second, and wakes by touch.",
     .help = "Many objects at rest cost next to nothing. 0.01 suits cloth.", .maximum = 1e6, .soft_minimum = 0.001,
     .soft_maximum = 0.1, .scale = PLI_SLIDER_LOG, .zero = "never", .section = "advanced"},
    {FIELD(pli_settings, work_budget), .name = "work_budget", .label = "Budget of work",
     .summary =
         "Most work that contact may take in a step, in multiples of a usual step; beyond it motion is shortened.",
     .help = "It counts pairs and no time, so results are the same on every machine.", .minimum = 1,
     .maximum = INFINITY, .initial = 16, .soft_minimum = 1, .soft_maximum = 64, .scale = PLI_SLIDER_LOG,
     .section = "advanced"},
    {FIELD(pli_settings, origin), .name = "origin", .label = "Origin",
     .summary = "Point that positions are relative to inside of a step, so that what is near it is as exact as near 0.",
     .kind = PLI_PROPERTY_CHOICE, .choices = pli_origin_choices, .section = "advanced"},
};

const pli_descriptor_group pli_settings_descriptors = {.id = "settings",
                                                       .label = "Solver",
                                                       .summary = "Settings of the solver.",
                                                       .target = "settings",
                                                       .definition = "pli_settings",
                                                       .animated = true,
                                                       GROUP(settings_rows)};

static const pli_property contact_rows[] = {
    {FIELD(pli_settings, guarantee), .name = "guarantee", .label = "Guarantee",
     .summary = "How surfaces are kept free of intersections.", .kind = PLI_PROPERTY_CHOICE,
     .choices = pli_guarantee_choices, .section = "contact"},
};

const pli_descriptor_group pli_contact_descriptors = {
    .id = "contact",
    .label = "Contact",
    .summary = "Contacts of deformables with each other, with themselves "
               "and with mesh colliders.",
    .target = "contact",
    .definition = "pli_settings",
    GROUP(contact_rows)};

/* ---- deformables -------------------------------------------------------------------------------- */

// Rows for the layer and the mask of layers, which deformables and colliders share.
#define LAYERS(definition)                                                                                             \
    {FIELD(definition, layers),                                                                                        \
     .name = "layer",                                                                                                  \
     .label = "Layer",                                                                                                 \
     .summary = "Collision layer it belongs to, 0 to 31.",                                                             \
     .kind = PLI_PROPERTY_LAYER,                                                                                       \
     .maximum = LAYER_MAX,                                                                                             \
     .initial = 1,                                                                                                     \
     .section = "contact"},                                                                                            \
    {                                                                                                                  \
        FIELD(definition, mask), .name = "collides_with", .label = "Collides with",                                    \
                                 .summary = "Collision layers it collides with, all by default; both sides must "      \
                                            "agree.",                                                                  \
                                 .kind = PLI_PROPERTY_LAYERS, .maximum = LAYER_MAX, .initial = UINT32_MAX,             \
                                 .section = "contact"                                                                  \
    }

// Rows for the coefficients of the air, which deformables and materials share.
#define AIR_ROW(definition, field, title, sentence, changes)                                                           \
    {                                                                                                                  \
        FIELD(definition, field), .name = #field, .label = title, .summary = sentence, .maximum = 100, .initial = 1,   \
                                  .soft_maximum = 3, .zero = "none", .change = changes, .section = "air"               \
    }
#define AIR(definition, changes)                                                                                       \
    AIR_ROW(definition, air_drag, "Air drag",                                                                          \
            "Drag of the air along the flow, as a multiple of that of any sheet, whose coefficient is 2.", changes),   \
        AIR_ROW(definition, air_lift, "Air lift",                                                                      \
                "Lift by the air across the flow, as a multiple of that of any sheet.", changes),                      \
        AIR_ROW(definition, air_friction, "Air friction", "Skin friction of the air, as a multiple of the world's.",   \
                changes)

static const pli_condition collides_itself[] = {{.path = "self_collision", .values = {"true"}}, {.path = NULL}};
static const pli_condition by_particles[] = {
    {.path = "self_collision", .values = {"true"}}, {.path = "self_contact", .values = {"particles"}}, {.path = NULL}};

static const pli_property deformable_rows[] = {
    {FIELD(pli_deformable_def, velocity), .name = "velocity", .label = "Start velocity", .unit = "m/s",
     .summary = "Velocity of all particles at the start.", .kind = PLI_PROPERTY_VECTOR, .minimum = -1e6, .maximum = 1e6,
     .soft_maximum = 10, .change = PLI_CHANGE_RESTART, .section = "advanced"},
    {FIELD(pli_deformable_def, density), .name = "density", .label = "Density", .unit = "kg/m^2",
     .summary = "Mass per area of the surface; cotton has 0.1 to 0.3.", .minimum = 1e-9, .maximum = 1e9, .initial = 0.2,
     .soft_minimum = 0.01, .soft_maximum = 10, .scale = PLI_SLIDER_LOG},
    {FIELD(pli_deformable_def, thickness), .name = "thickness", .label = "Thickness", .unit = "m",
     .summary = "Distance kept from colliders and between the mid-surfaces of deformables.", .maximum = 1e6,
     .initial = 0.005, .soft_minimum = 0.0005, .soft_maximum = 0.05, .scale = PLI_SLIDER_LOG, .zero = "no distance",
     .section = "contact"},
    {FIELD(pli_deformable_def, self_collision), .name = "self_collision", .label = "Self-collision",
     .summary = "Whether the surface collides with itself.", .kind = PLI_PROPERTY_BOOLEAN, .section = "contact"},
    {FIELD(pli_deformable_def, self_contact), .name = "self_contact", .label = "Self-contact",
     .summary = "Whether self-collision is between triangles and edges, under the guarantee, or between particles, "
                "which is faster and less safe.",
     .kind = PLI_PROPERTY_CHOICE, .choices = pli_self_contact_choices, .when = collides_itself, .section = "contact"},
    {FIELD(pli_deformable_def, particle_distance), .name = "particle_distance", .label = "Particle distance",
     .unit = "m",
     .summary = "Distance that particles keep in self-contact by particles; 0 stands for 0.75 of the mean edge.",
     .maximum = 1e6, .soft_minimum = 0.25, .soft_maximum = 1, .soft_unit = PLI_SOFT_MEAN_EDGE, .zero = "automatic",
     .when = by_particles, .section = "contact"},
    {FIELD(pli_deformable_def, friction), .name = "friction", .label = "Friction",
     .summary = "Coulomb coefficient between deformables; a pair uses the geometric mean.", .maximum = 1e3,
     .initial = 0.3, .soft_maximum = 1, .zero = "none", .section = "contact"},
    AIR(pli_deformable_def, PLI_CHANGE_LIVE),
    LAYERS(pli_deformable_def),
    {FIELD(pli_deformable_def, paused), .name = "paused", .label = "Paused",
     .summary = "Whether it stays where it is and takes no part in the simulation.", .kind = PLI_PROPERTY_BOOLEAN,
     .section = "advanced"},
};

const pli_descriptor_group pli_deformable_descriptors = {.id = "deformable",
                                                         .label = "Deformable",
                                                         .summary = "A surface that bends and stretches.",
                                                         .target = "deformables[]",
                                                         .definition = "pli_deformable_def",
                                                         GROUP(deformable_rows)};

static const pli_property tearing_rows[] = {
    {FIELD(pli_tearing, stretch), .name = "stretch", .label = "Stretch",
     .summary = "Length over rest length beyond which an edge tears; by default no edge tears by stretch.",
     .minimum = 1.0001, .maximum = INFINITY, .initial = INFINITY, .soft_minimum = 1.05, .soft_maximum = 3},
    {FIELD(pli_tearing, force), .name = "force", .label = "Force", .unit = "N",
     .summary = "Tension beyond which an edge tears, independent of the step; by default no edge tears by force.",
     .minimum = 1e-12, .maximum = INFINITY, .initial = INFINITY, .soft_minimum = 0.1, .soft_maximum = 1000,
     .scale = PLI_SLIDER_LOG, .when = under_xpbd},
    {FIELD(pli_tearing, max_tears), .name = "most", .label = "Tears per frame",
     .summary = "Largest number of tears per frame; edges furthest beyond their threshold tear first.",
     .kind = PLI_PROPERTY_INTEGER, .minimum = 1, .maximum = 1000000, .initial = 64, .soft_minimum = 1,
     .soft_maximum = 256, .scale = PLI_SLIDER_LOG, .section = "advanced"},
};

const pli_descriptor_group pli_tearing_descriptors = {
    .id = "tearing",
    .label = "Tearing",
    .summary = "Thresholds at which edges tear (Mueller 2006, section 5): "
               "stretch, force or both.",
    .target = "deformables[].tearing",
    .definition = "pli_tearing",
    GROUP(tearing_rows)};

static const pli_condition limited[] = {{.path = "kind", .is_not = true, .values = {"none"}}, {.path = NULL}};
static const pli_condition by_attachments[] = {{.path = "kind", .values = {"auto", "attachments"}}, {.path = NULL}};
static const pli_condition by_hierarchy[] = {{.path = "kind", .values = {"auto", "hierarchy"}}, {.path = NULL}};

static const pli_property stretch_limit_rows[] = {
    {FIELD(pli_stretch_limit, kind), .name = "kind", .label = "Kind",
     .summary =
         "What bounds the stretch: rest distances to attachments (Kim 2012), coarser levels of the mesh (Mueller "
         "2008), or whichever suits the mesh.",
     .help = "Ropes from each vertex to what holds it, so that fine cloth does not sag like rubber.",
     .kind = PLI_PROPERTY_CHOICE, .choices = pli_stretch_kind_choices},
    {FIELD(pli_stretch_limit, slack), .name = "slack", .label = "Slack", .summary = "Allowed length over rest length.",
     .minimum = 1, .maximum = 1000, .initial = 1, .soft_minimum = 1, .soft_maximum = 1.5, .when = limited},
    {FIELD(pli_stretch_limit, anchors), .name = "anchors", .label = "Anchors",
     .summary = "Number of nearest anchors per particle; anchors that edges connect count as one.",
     .kind = PLI_PROPERTY_INTEGER, .minimum = 1, .maximum = 16, .initial = 4, .when = by_attachments,
     .section = "advanced"},
    {FIELD(pli_stretch_limit, levels), .name = "levels", .label = "Levels",
     .summary = "Largest number of levels of the hierarchy.", .kind = PLI_PROPERTY_INTEGER, .minimum = 1, .maximum = 16,
     .initial = 16, .when = by_hierarchy, .section = "advanced"},
};

const pli_descriptor_group pli_stretch_limit_descriptors = {
    .id = "stretch_limit",
    .label = "Stretch limit",
    .summary = "A bound on stretch, which sweeps over the edges of "
               "fine meshes alone do not give.",
    .target = "deformables[].stretch_limit",
    .definition = "pli_stretch_limit",
    GROUP(stretch_limit_rows)};

static const pli_property plate_rows[] = {
    {FIELD(pli_plate, rigidity), .name = "rigidity", .label = "Rigidity", .unit = "N m",
     .summary = "Flexural rigidity of the sheet, E t^3 / (12 (1 - nu^2)), which acts as given on any mesh.",
     .help = "How stiff the sheet is: silk 2e-6, cotton 1e-5, denim 1.5e-4, paper 2.5e-4.", .maximum = 1e6,
     .soft_minimum = 1e-8, .soft_maximum = 1, .scale = PLI_SLIDER_LOG, .zero = "none"},
    {FIELD(pli_plate, poisson), .name = "poisson", .label = "Poisson's ratio",
     .summary = "How much it bends across where it is bent along.", .minimum = -0.9, .maximum = 0.9, .initial = 0.3},
    {FIELD(pli_plate, interval), .name = "interval", .label = "Interval",
     .summary = "Substeps between two solves, over which the force of bending is spread; 0 takes up to 5, of large "
                "meshes up to 10.",
     .kind = PLI_PROPERTY_INTEGER, .maximum = 100, .soft_maximum = 20, .zero = "up to 5 or 10", .section = "advanced"},
    {FIELD(pli_plate, yield), .name = "yield", .label = "Yield curvature", .unit = "1/m",
     .summary = "Curvature beyond the rest shape from which on a bend stays.",
     .help = "The inverse of the radius to which the sheet can be rolled without keeping a curl.", .maximum = 1e9,
     .soft_minimum = 1, .soft_maximum = 1e4, .scale = PLI_SLIDER_LOG, .zero = "elastic"},
    {FIELD(pli_plate, hardening), .name = "hardening", .label = "Hardening",
     .summary = "How much the yield curvature grows for each 1/m of bend that has stayed.", .maximum = 1e6,
     .soft_maximum = 1, .zero = "none", .section = "advanced"},
};

const pli_descriptor_group pli_plate_descriptors = {
    .id = "plate",
    .label = "Plate",
    .summary =
        "Bending that is solved for the whole surface at once (Morley 1968), with the rigidity that is asked for.",
    .target = "deformables[].plate",
    .definition = "pli_plate",
    GROUP(plate_rows)};

/* ---- materials ---------------------------------------------------------------------------------- */

// All of them are of the start: a material is what a deformable is created with.
static const pli_property material_rows[] = {
    {FIELD(pli_material_def, density), .name = "density", .label = "Density", .unit = "kg/m^2",
     .summary = "Mass per area of the sheet.", .minimum = 1e-9, .maximum = 1e9, .initial = 0.2, .soft_minimum = 0.01,
     .soft_maximum = 2, .scale = PLI_SLIDER_LOG, .change = PLI_CHANGE_RESTART},
    {FIELD(pli_material_def, thickness), .name = "thickness", .label = "Thickness", .unit = "m",
     .summary = "Thickness of the sheet, which is the distance that it keeps.", .maximum = 1e6, .initial = 0.0005,
     .soft_minimum = 1e-5, .soft_maximum = 0.01, .scale = PLI_SLIDER_LOG, .zero = "no distance",
     .change = PLI_CHANGE_RESTART},
    {FIELD(pli_material_def, young), .name = "young", .label = "Young's modulus", .unit = "Pa",
     .summary = "Young's modulus; with the thickness it gives the tensile stiffness, instead of that, and the rigidity "
                "if none is given.",
     .maximum = 1e15, .soft_minimum = 1e5, .soft_maximum = 1e11, .scale = PLI_SLIDER_LOG, .zero = "not given",
     .change = PLI_CHANGE_RESTART},
    {FIELD(pli_material_def, tensile_stiffness), .name = "tensile_stiffness", .label = "Tensile stiffness",
     .unit = "N/m",
     .summary = "Force over width and strain; without it and Young's modulus the sheet does not stretch.",
     .maximum = 1e15, .soft_minimum = 10, .soft_maximum = 1e6, .scale = PLI_SLIDER_LOG, .zero = "does not stretch",
     .change = PLI_CHANGE_RESTART},
    {FIELD(pli_material_def, rigidity), .name = "rigidity", .label = "Rigidity", .unit = "N m",
     .summary = "Flexural rigidity of the sheet; without it that of Young's modulus and thickness.", .maximum = 1e6,
     .soft_minimum = 1e-8, .soft_maximum = 1, .scale = PLI_SLIDER_LOG, .zero = "from Young's modulus",
     .change = PLI_CHANGE_RESTART},
    {FIELD(pli_material_def, bending_length), .name = "bending_length", .label = "Bending length", .unit = "m",
     .summary = "Peirce's bending length c of a strip that overhangs, which gives the rigidity density g c^3 instead.",
     .maximum = 50, .soft_minimum = 0.005, .soft_maximum = 0.2, .scale = PLI_SLIDER_LOG, .zero = "not given",
     .change = PLI_CHANGE_RESTART},
    {FIELD(pli_material_def, poisson), .name = "poisson", .label = "Poisson's ratio",
     .summary = "How much it bends across where it is bent along.", .minimum = -0.9, .maximum = 0.9, .initial = 0.3,
     .change = PLI_CHANGE_RESTART},
    {FIELD(pli_material_def, friction), .name = "friction", .label = "Friction",
     .summary = "Coulomb coefficient between deformables.", .maximum = 1e3, .initial = 0.3, .soft_maximum = 1,
     .zero = "none", .change = PLI_CHANGE_RESTART, .section = "contact"},
    {FIELD(pli_material_def, loss_factor), .name = "loss_factor", .label = "Loss factor",
     .summary = "Energy lost in a cycle of bending over 2 pi times the energy stored, at 1 Hz; it acts through bending "
                "constraints, not yet through a plate.",
     .maximum = 4, .soft_maximum = 1, .zero = "none", .change = PLI_CHANGE_RESTART, .section = "advanced"},
    {FIELD(pli_material_def, yield), .name = "yield", .label = "Yield curvature", .unit = "1/m",
     .summary = "Curvature beyond the rest shape from which on a bend stays.", .maximum = 1e9, .soft_minimum = 1,
     .soft_maximum = 1e4, .scale = PLI_SLIDER_LOG, .zero = "elastic", .change = PLI_CHANGE_RESTART},
    {FIELD(pli_material_def, hardening), .name = "hardening", .label = "Hardening",
     .summary = "How much the yield curvature grows for each 1/m of bend that has stayed.", .maximum = 1e6,
     .soft_maximum = 1, .zero = "none", .change = PLI_CHANGE_RESTART, .section = "advanced"},
    {FIELD(pli_material_def, weft_stiffness), .name = "weft_stiffness", .label = "Weft stiffness", .unit = "N/m",
     .summary = "Force over width and strain across the warp; then the tensile stiffness is that along it.",
     .maximum = 1e15, .soft_minimum = 10, .soft_maximum = 1e6, .scale = PLI_SLIDER_LOG, .zero = "as the warp",
     .change = PLI_CHANGE_RESTART, .section = "advanced"},
    {FIELD(pli_material_def, shear_stiffness), .name = "shear_stiffness", .label = "Shear stiffness", .unit = "N/m",
     .summary = "Shear force over width and angle between warp and weft, which is what acts along the bias.",
     .maximum = 1e15, .soft_minimum = 1, .soft_maximum = 1e5, .scale = PLI_SLIDER_LOG, .zero = "uniform",
     .change = PLI_CHANGE_RESTART, .section = "advanced"},
    {FIELD(pli_material_def, warp), .name = "warp", .label = "Warp direction",
     .summary = "Direction of the warp in the rest shape, which is laid onto each triangle.",
     .kind = PLI_PROPERTY_VECTOR, .minimum = -1e6, .maximum = 1e6, .initial_vector = {1, 0, 0}, .soft_minimum = -1,
     .soft_maximum = 1, .change = PLI_CHANGE_RESTART, .section = "advanced"},
    AIR(pli_material_def, PLI_CHANGE_RESTART)};

const pli_descriptor_group pli_material_descriptors = {
    .id = "material",
    .label = "Material",
    .summary = "The numbers of a sheet, from which density, thickness, friction, stretch and bending follow.",
    .target = "deformables[].material",
    .definition = "pli_material_def",
    GROUP(material_rows)};

/* ---- attachments -------------------------------------------------------------------------------- */

static const pli_property attachment_rows[] = {
    {FIELD(pli_attachment_def, fixed), .name = "fixed", .label = "Held",
     .summary = "Whether particles follow the frame exactly; otherwise softly, by compliance or stiffness.",
     .kind = PLI_PROPERTY_BOOLEAN, .initial = 1},
    {FIELD(pli_attachment_def, enabled), .name = "enabled", .label = "On",
     .summary = "Whether it holds its particles now.", .kind = PLI_PROPERTY_BOOLEAN, .initial = 1,
     .section = "advanced"},
    {FIELD(pli_attachment_def, compliance), .name = "compliance", .label = "Compliance", .unit = "m/N",
     .summary = "Inverse stiffness of a soft attachment under XPBD.", .maximum = 1e30, .soft_minimum = 1e-6,
     .soft_maximum = 1, .scale = PLI_SLIDER_LOG, .zero = "rigid", .saturates = PLI_SATURATES_BELOW, .when = under_xpbd},
    {FIELD(pli_attachment_def, stiffness), .name = "stiffness", .label = "Stiffness",
     .summary = "Fraction of the error of a soft attachment removed per substep under PBD.", .maximum = 1, .initial = 1,
     .when = under_pbd},
    {FIELD(pli_attachment_def, stretch), .name = "stretch", .label = "Most stretch",
     .summary =
         "Length over rest length that edges at held particles may get to; beyond, these lag behind their frame.",
     .minimum = 1, .maximum = INFINITY, .initial = 2, .soft_minimum = 1, .soft_maximum = 10, .section = "advanced"},
};

const pli_descriptor_group pli_attachment_descriptors = {.id = "attachment",
                                                         .label = "Attachment",
                                                         .summary = "Attaches particles to a fixed or moving frame.",
                                                         .target = "deformables[].attachments[]",
                                                         .definition = "pli_attachment_def",
                                                         GROUP(attachment_rows)};

/* ---- colliders ---------------------------------------------------------------------------------- */

// The shapes that take a size, from its column in PLI_SHAPES.
#define IF_0(name)
#define IF_1(name) #name,
#define TAKES_RADIUS(value, id, label, kind, r, h, e, t, sentence) IF_##r(id)
#define TAKES_HALF_HEIGHT(value, id, label, kind, r, h, e, t, sentence) IF_##h(id)
#define TAKES_HALF_EXTENTS(value, id, label, kind, r, h, e, t, sentence) IF_##e(id)
#define TAKES_TOP_RADIUS(value, id, label, kind, r, h, e, t, sentence) IF_##t(id)
static const pli_condition takes_radius[] = {{.path = "shape", .values = {PLI_SHAPES(TAKES_RADIUS)}}, {.path = NULL}};
static const pli_condition takes_half_height[] = {{.path = "shape", .values = {PLI_SHAPES(TAKES_HALF_HEIGHT)}},
                                                  {.path = NULL}};
static const pli_condition takes_half_extents[] = {{.path = "shape", .values = {PLI_SHAPES(TAKES_HALF_EXTENTS)}},
                                                   {.path = NULL}};
static const pli_condition takes_top_radius[] = {{.path = "shape", .values = {PLI_SHAPES(TAKES_TOP_RADIUS)}},
                                                 {.path = NULL}};
static const pli_condition is_mesh[] = {{.path = "shape", .values = {"mesh"}}, {.path = NULL}};

#define SIZE(id, title, length, low, high, value, word, sentence)                                                      \
    {FIELD(pli_collider_def, id),                                                                                      \
     .name = #id,                                                                                                      \
     .label = title,                                                                                                   \
     .unit = "m",                                                                                                      \
     .summary = sentence,                                                                                              \
     .kind = (length) == 3 ? PLI_PROPERTY_VECTOR : PLI_PROPERTY_NUMBER,                                                \
     .minimum = low,                                                                                                   \
     .maximum = high,                                                                                                  \
     .initial = (length) == 3 ? 0 : (value),                                                                           \
     .initial_vector = {(length) == 3 ? (value) : 0, (length) == 3 ? (value) : 0, (length) == 3 ? (value) : 0},        \
     .soft_minimum = 0.01,                                                                                             \
     .soft_maximum = 10,                                                                                               \
     .scale = PLI_SLIDER_LOG,                                                                                          \
     .zero = word,                                                                                                     \
     .when = takes_##id},

static const pli_property collider_rows[] = {
    {FIELD(pli_collider_def, shape), .name = "shape", .label = "Shape",
     .summary = "Shape of the collider; a plane is solid below its local y = 0.", .kind = PLI_PROPERTY_CHOICE,
     .choices = pli_shape_choices, .initial = PLI_SHAPE_SPHERE},
    PLI_SHAPE_FIELDS(SIZE){FIELD(pli_collider_def, one_sided), .name = "one_sided", .label = "One-sided",
                           .summary = "Whether a mesh ignores contact from behind its faces.",
                           .kind = PLI_PROPERTY_BOOLEAN, .when = is_mesh, .section = "advanced"},
    {FIELD(pli_collider_def, thickness), .name = "thickness", .label = "Thickness", .unit = "m",
     .summary = "Distance kept in addition to the thickness of deformables.", .maximum = 1e6, .soft_minimum = 0.0005,
     .soft_maximum = 0.05, .scale = PLI_SLIDER_LOG, .zero = "none", .section = "contact"},
    {FIELD(pli_collider_def, friction), .name = "friction", .label = "Friction",
     .summary = "Coulomb coefficient against deformables.", .maximum = 1e3, .initial = 0.3, .soft_maximum = 1,
     .zero = "none", .section = "contact"},
    {FIELD(pli_collider_def, rolling_friction), .name = "rolling_friction", .label = "Rolling friction", .unit = "m",
     .summary = "Torque that resists rolling over the normal force; shapes without triangles, on no body.",
     .maximum = 1e3, .soft_maximum = 0.05, .zero = "none", .section = "contact"},
    {FIELD(pli_collider_def, restitution), .name = "restitution", .label = "Restitution",
     .summary = "Speed after an impact over the speed before it: 0 does not rebound, 1 rebounds fully.", .maximum = 1,
     .zero = "no rebound", .section = "contact"},
    LAYERS(pli_collider_def),
};

const pli_descriptor_group pli_collider_descriptors = {.id = "collider",
                                                       .label = "Collider",
                                                       .summary = "A shape that deformables collide with.",
                                                       .target = "colliders[]",
                                                       .definition = "pli_collider_def",
                                                       GROUP(collider_rows)};

/* ---- the lists ---------------------------------------------------------------------------------- */

static const pli_descriptor_group *const groups[] = {
    &pli_world_descriptors,      &pli_settings_descriptors,      &pli_contact_descriptors, &pli_deformable_descriptors,
    &pli_tearing_descriptors,    &pli_stretch_limit_descriptors, &pli_plate_descriptors,   &pli_material_descriptors,
    &pli_attachment_descriptors, &pli_collider_descriptors,
};

int32_t pli_descriptor_group_count(void) { return (int32_t)(sizeof groups / sizeof *groups); }

const pli_descriptor_group *pli_descriptor_group_at(int32_t i)
{
    return i >= 0 && i < pli_descriptor_group_count() ? groups[i] : NULL;
}

const pli_descriptor_group *pli_descriptor_group_find(const char *id)
{
    for (int32_t i = 0; id && i < pli_descriptor_group_count(); i++)
        if (strcmp(groups[i]->id, id) == 0)
            return groups[i];
    return NULL;
}

static const pli_section sections[] = {
    {"basic", "Basic", true}, {"solver", "Solver", true},      {"contact", "Contact", false},
    {"air", "Air", false},    {"advanced", "Advanced", false},
};

int32_t pli_section_count(void) { return (int32_t)(sizeof sections / sizeof *sections); }

const pli_section *pli_section_at(int32_t i) { return i >= 0 && i < pli_section_count() ? &sections[i] : NULL; }
