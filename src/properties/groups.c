// The properties of every definition, as rows. Scenes and the library enforce hard ranges; soft ranges are the span of
// a slider, chosen for garments and objects of 0.1 to 10 m.
#include "base/text.h"
#include "properties/choices.h"
#include "properties/groups.h"

#include "pliant/material.h"
#include "pliant/world.h"

#include <math.h>
#include <string.h>

#define FIELD(definition, field) .offset = offsetof(definition, field), .size = sizeof(((definition *)0)->field)
#define PROPERTY_GROUP(rows) .properties = (rows), .property_count = (int32_t)(sizeof(rows) / sizeof *(rows))

enum { LAYER_MAX = 31 };

static const pli_condition group_under_xpbd[] = {{.path = "settings.method", .values = {"xpbd"}}, {.path = NULL}};
static const pli_condition group_under_pbd[] = {{.path = "settings.method", .values = {"pbd"}}, {.path = NULL}};

/* ---- the world ---------------------------------------------------------------------------------- */

static const pli_property world_rows[] = {
    {FIELD(pli_world_def, order), .name = "order", .label = PLI_TEXT("Order"),
     .summary = PLI_TEXT(
         "Order of projection: coloured Gauss-Seidel in SIMD and on threads, or strictly sequential as in the papers."),
     .kind = PLI_PROPERTY_CHOICE, .choices = pli_order_choices, .change = PLI_CHANGE_RESTART, .section = "solver"},
    {FIELD(pli_world_def, thread_count), .name = "threads", .label = PLI_TEXT("Threads"),
     .summary = PLI_TEXT("Number of threads; it does not change results."), .kind = PLI_PROPERTY_INTEGER, .minimum = 1,
     .maximum = 64, .initial = 1, .soft_minimum = 1, .soft_maximum = 16, .change = PLI_CHANGE_RESTART,
     .section = "solver"},
    {FIELD(pli_world_def, gust_length), .name = "gust_length", .label = PLI_TEXT("Gust length"), .unit = "m",
     .summary = PLI_TEXT("Size of the largest eddies of gusts."), .minimum = 0.001, .maximum = 1e6, .initial = 2,
     .soft_minimum = 0.1, .soft_maximum = 20, .scale = PLI_SLIDER_LOG, .change = PLI_CHANGE_RESTART, .section = "air"},
    {FIELD(pli_world_def, gust_seed), .name = "gust_seed", .label = PLI_TEXT("Gust seed"),
     .summary = PLI_TEXT("Which gusts there are."), .kind = PLI_PROPERTY_INTEGER, .maximum = 1e6, .soft_maximum = 100,
     .change = PLI_CHANGE_RESTART, .section = "air"},
};

const pli_descriptor_group pli_world_descriptors = {.id = "world",
                                                    .label = PLI_TEXT("World"),
                                                    .summary = PLI_TEXT("How a world is created."),
                                                    .target = "",
                                                    .definition = "pli_world_def",
                                                    PROPERTY_GROUP(world_rows)};

/* ---- settings ----------------------------------------------------------------------------------- */

static const pli_condition in_air[] = {{.path = "air_density", .is_not = true, .values = {"0"}}, {.path = NULL}};

static const pli_property settings_rows[] = {
    {FIELD(pli_settings, method), .name = "method", .label = PLI_TEXT("Method"),
     .summary = PLI_TEXT("Whether constraints have a compliance (XPBD) or a stiffness from 0 to 1 (PBD)."),
     .kind = PLI_PROPERTY_CHOICE, .choices = pli_method_choices, .section = "solver"},
    {FIELD(pli_settings, substeps), .name = "substeps", .label = PLI_TEXT("Substeps"),
     .summary = PLI_TEXT("Number of substeps per frame."),
     .help = PLI_TEXT(
         "How finely a frame is divided. Twice as many cost twice as much and bring stiff materials closer to the "
         "requested stiffness."),
     .kind = PLI_PROPERTY_INTEGER, .minimum = 1, .maximum = 1000, .initial = 10, .soft_minimum = 1, .soft_maximum = 100,
     .scale = PLI_SLIDER_LOG, .section = "solver"},
    {FIELD(pli_settings, iterations), .name = "iterations", .label = PLI_TEXT("Iterations"),
     .summary = PLI_TEXT("Number of sweeps over all constraints per substep."),
     .help = PLI_TEXT("More substeps usually help more."), .kind = PLI_PROPERTY_INTEGER, .minimum = 1, .maximum = 1000,
     .initial = 1, .soft_minimum = 1, .soft_maximum = 50, .scale = PLI_SLIDER_LOG, .section = "solver"},
    {FIELD(pli_settings, sweeps), .name = "sweeps", .label = PLI_TEXT("Sweeps"),
     .summary = PLI_TEXT("Direction in which sweeps go through the constraints."),
     .help = PLI_TEXT(
         "Forward is what the papers do, and lets a shiver grow on sheets that nothing damps. Back and forth needs "
         "an even number of sweeps: an odd number of iterations has one more."),
     .kind = PLI_PROPERTY_CHOICE, .choices = pli_sweeps_choices, .section = "advanced"},
    {FIELD(pli_settings, integrator), .name = "integrator", .label = PLI_TEXT("Integrator"),
     .summary = PLI_TEXT("Time integration: first order, or second order where nothing touches a deformable."),
     .help = PLI_TEXT("With BDF2, swinging objects keep swinging."), .kind = PLI_PROPERTY_CHOICE,
     .choices = pli_integrator_choices, .section = "advanced"},
    {FIELD(pli_settings, gravity), .name = "gravity", .label = PLI_TEXT("Gravity"), .unit = "m/s^2",
     .summary = PLI_TEXT("Acceleration of free fall."), .kind = PLI_PROPERTY_VECTOR, .minimum = -1e6, .maximum = 1e6,
     .initial_vector = {0.0, -9.81, 0.0}, .soft_maximum = 20},
    {FIELD(pli_settings, damping), .name = "damping", .label = PLI_TEXT("Damping"), .unit = "1/s",
     .summary = PLI_TEXT("Rate at which motion other than rigid dies away (Mueller 2006, section 3.5)."),
     .help = PLI_TEXT("It slows folding, not falling."), .maximum = 1e6, .soft_maximum = 10, .zero = "none"},
    {FIELD(pli_settings, wind), .name = "wind", .label = PLI_TEXT("Wind"), .unit = "m/s",
     .summary = PLI_TEXT("Velocity of the air."), .kind = PLI_PROPERTY_VECTOR, .minimum = -1e6, .maximum = 1e6,
     .soft_maximum = 15, .when = in_air, .section = "air"},
    {FIELD(pli_settings, air_density), .name = "air_density", .label = PLI_TEXT("Air density"), .unit = "kg/m^3",
     .summary = PLI_TEXT("Density of the air, which gives wind and drag their force; air at sea level has 1.2."),
     .help = PLI_TEXT("Makes wind push and falling slow down."), .maximum = 1e6, .soft_maximum = 5, .zero = "no air",
     .section = "air"},
    {FIELD(pli_settings, air_friction), .name = "air_friction", .label = PLI_TEXT("Air friction"),
     .summary = PLI_TEXT(
         "Skin friction of the air along a face, both sides together: rho times this times the squared speed."),
     .help = PLI_TEXT(
         "Air drags light cloth along. Without it the edges of cloth that is held whip, and a twisted sheet spins like "
         "a windmill, many times as fast as the wind."),
     .maximum = 10, .initial = 0.02, .soft_maximum = 0.1, .zero = "none", .when = in_air, .section = "air"},
    {FIELD(pli_settings, gust_strength), .name = "gust_strength", .label = PLI_TEXT("Gusts"), .unit = "m/s",
     .summary = PLI_TEXT("Root mean square speed of the turbulence that comes with the wind."), .maximum = 1e6,
     .soft_maximum = 10, .zero = "none", .when = in_air, .section = "air"},
    {FIELD(pli_settings, keep_momentum), .name = "keep_momentum", .label = PLI_TEXT("Keep momentum"),
     .summary = PLI_TEXT(
         "Removes the momenta that internal corrections of Algorithm 1 add to a deformable; false is the algorithm as "
         "printed."),
     .help = PLI_TEXT("Without it, objects under stress start to spin."), .kind = PLI_PROPERTY_BOOLEAN, .initial = 1,
     .section = "advanced"},
    {FIELD(pli_settings, speed_limit), .name = "speed_limit", .label = PLI_TEXT("Speed limit"), .unit = "m/s",
     .summary = PLI_TEXT("Speed that particles are slowed to; by default there is no limit."), .minimum = 1e-6,
     .maximum = INFINITY, .initial = INFINITY, .soft_minimum = 1, .soft_maximum = 100, .scale = PLI_SLIDER_LOG,
     .section = "advanced"},
    {FIELD(pli_settings, sleep_speed), .name = "sleep_speed", .label = PLI_TEXT("Sleep below"), .unit = "m/s",
     .summary = PLI_TEXT(
         "Speed below which a deformable counts as at rest; it sleeps after half a second, and wakes by touch."),
     .help = PLI_TEXT("Many objects at rest cost next to nothing. 0.01 suits cloth."), .maximum = 1e6,
     .soft_minimum = 0.001, .soft_maximum = 0.1, .scale = PLI_SLIDER_LOG, .zero = "never", .section = "advanced"},
    {FIELD(pli_settings, work_budget), .name = "work_budget", .label = PLI_TEXT("Budget of work"),
     .summary = PLI_TEXT(
         "Most work that contact may take in a step, in multiples of a usual step; beyond it motion is shortened."),
     .help = PLI_TEXT("It counts pairs and no time, so results are the same on every machine."), .minimum = 1,
     .maximum = 1000, .initial = 16, .soft_minimum = 1, .soft_maximum = 64, .scale = PLI_SLIDER_LOG,
     .section = "advanced"},
    {FIELD(pli_settings, origin), .name = "origin", .label = PLI_TEXT("Origin"),
     .summary = PLI_TEXT("Point that positions are relative to during a step; near it they are as exact as near 0."),
     .kind = PLI_PROPERTY_CHOICE, .choices = pli_origin_choices, .section = "advanced"},
};

const pli_descriptor_group pli_settings_descriptors = {.id = "settings",
                                                       .label = PLI_TEXT("Solver"),
                                                       .summary = PLI_TEXT("Settings of the solver."),
                                                       .target = "settings",
                                                       .definition = "pli_settings",
                                                       .animated = true,
                                                       PROPERTY_GROUP(settings_rows)};

static const pli_property contact_rows[] = {
    {FIELD(pli_settings, ccd), .name = "ccd", .label = PLI_TEXT("Continuous collision detection"),
     .summary = PLI_TEXT("How surfaces are kept free of intersections."), .kind = PLI_PROPERTY_CHOICE,
     .choices = pli_ccd_choices, .section = "contact"},
};

const pli_descriptor_group pli_contact_descriptors = {
    .id = "contact",
    .label = PLI_TEXT("Contact"),
    .summary = PLI_TEXT("Contacts of deformables with each other, with themselves and with mesh colliders."),
    .target = "contact",
    .definition = "pli_settings",
    PROPERTY_GROUP(contact_rows)};

/* ---- deformables -------------------------------------------------------------------------------- */

// Rows for the layer and the mask of layers, which deformables and colliders share.
#define LAYERS(definition)                                                                                             \
    {FIELD(definition, layers),                                                                                        \
     .name = "layer",                                                                                                  \
     .label = PLI_TEXT("Layer"),                                                                                       \
     .summary = PLI_TEXT("Collision layer it belongs to, 0 to 31."),                                                   \
     .kind = PLI_PROPERTY_LAYER,                                                                                       \
     .maximum = LAYER_MAX,                                                                                             \
     .initial = 1,                                                                                                     \
     .section = "contact"},                                                                                            \
    {                                                                                                                  \
        FIELD(definition, mask),                                                                                       \
            .name = "collides_with", .label = PLI_TEXT("Collides with"),                                               \
            .summary = PLI_TEXT("Collision layers it collides with, all by default; both sides must "                  \
                                "agree."),                                                                             \
            .kind = PLI_PROPERTY_LAYERS, .maximum = LAYER_MAX, .initial = UINT32_MAX, .section = "contact"             \
    }

// Rows for the coefficients of the air, which deformables and materials share.
#define AIR_ROW(definition, field, title, sentence, changes)                                                           \
    {                                                                                                                  \
        FIELD(definition, field), .name = #field, .label = PLI_TEXT(title), .summary = PLI_TEXT(sentence),             \
                                  .maximum = 100, .initial = 1, .soft_maximum = 3, .zero = "none", .change = changes,  \
                                  .section = "air"                                                                     \
    }
#define AIR(definition, changes)                                                                                       \
    AIR_ROW(definition, air_drag, "Air drag",                                                                          \
            "Drag of the air along the flow, as a multiple of that of any sheet, whose coefficient is 2.", changes),   \
        AIR_ROW(definition, air_lift, "Air lift",                                                                      \
                "Lift by the air across the flow, as a multiple of that of any sheet.", changes),                      \
        AIR_ROW(definition, air_friction, "Skin friction", "Skin friction of the air, as a multiple of the world's.",  \
                changes)

static const pli_condition collides_itself[] = {{.path = "self_collision", .values = {"true"}}, {.path = NULL}};
static const pli_condition by_particles[] = {
    {.path = "self_collision", .values = {"true"}}, {.path = "self_contact", .values = {"particles"}}, {.path = NULL}};

static const pli_property deformable_rows[] = {
    {FIELD(pli_deformable_def, stretch), .name = "stretch", .label = PLI_TEXT("Stretch"),
     .summary = PLI_TEXT("How its stretch is found: by equations, or by sweeps over the constraints."),
     .help = PLI_TEXT(
         "Solved cloth has the stiffness of its material; swept cloth stretches more the finer its mesh is."),
     .kind = PLI_PROPERTY_CHOICE, .choices = pli_stretch_choices, .section = "solver"},
    {FIELD(pli_deformable_def, velocity), .name = "velocity", .label = PLI_TEXT("Start velocity"), .unit = "m/s",
     .summary = PLI_TEXT("Velocity of all particles at the start."), .kind = PLI_PROPERTY_VECTOR, .minimum = -1e6,
     .maximum = 1e6, .soft_maximum = 10, .change = PLI_CHANGE_RESTART, .section = "advanced"},
    {FIELD(pli_deformable_def, density), .name = "density", .label = PLI_TEXT("Density"), .unit = "kg/m^2",
     .summary = PLI_TEXT("Mass per area of the surface; cotton has 0.1 to 0.3."), .minimum = 1e-9, .maximum = 1e9,
     .initial = 0.2, .soft_minimum = 0.01, .soft_maximum = 10, .scale = PLI_SLIDER_LOG},
    {FIELD(pli_deformable_def, thickness), .name = "thickness", .label = PLI_TEXT("Thickness"), .unit = "m",
     .summary = PLI_TEXT("Distance kept from colliders and between the mid-surfaces of deformables."), .maximum = 1e6,
     .initial = 0.005, .soft_minimum = 0.0005, .soft_maximum = 0.05, .scale = PLI_SLIDER_LOG, .zero = "no distance",
     .section = "contact"},
    {FIELD(pli_deformable_def, self_collision), .name = "self_collision", .label = PLI_TEXT("Self-collision"),
     .summary = PLI_TEXT("Whether the surface collides with itself."), .kind = PLI_PROPERTY_BOOLEAN,
     .section = "contact"},
    {FIELD(pli_deformable_def, self_contact), .name = "self_contact", .label = PLI_TEXT("Self-contact"),
     .summary = PLI_TEXT(
         "Whether self-collision is between triangles and edges, under the guarantee, or between particles, "
         "which is faster and less safe."),
     .kind = PLI_PROPERTY_CHOICE, .choices = pli_self_contact_choices, .when = collides_itself, .section = "contact"},
    {FIELD(pli_deformable_def, particle_distance), .name = "particle_distance", .label = PLI_TEXT("Particle distance"),
     .unit = "m",
     .summary = PLI_TEXT(
         "Distance that particles keep in self-contact by particles; 0 stands for 0.75 of the mean edge."),
     .maximum = 1e6, .soft_minimum = 0.25, .soft_maximum = 1, .soft_unit = PLI_SOFT_MEAN_EDGE, .zero = "automatic",
     .when = by_particles, .section = "contact"},
    {FIELD(pli_deformable_def, friction), .name = "friction", .label = PLI_TEXT("Friction"),
     .summary = PLI_TEXT("Coulomb coefficient between deformables; a pair uses the geometric mean."), .maximum = 1e3,
     .initial = 0.3, .soft_maximum = 1, .zero = "none", .section = "contact"},
    AIR(pli_deformable_def, PLI_CHANGE_LIVE),
    LAYERS(pli_deformable_def),
    {FIELD(pli_deformable_def, speed_limit), .name = "speed_limit", .label = PLI_TEXT("Speed limit"), .unit = "m/s",
     .summary = PLI_TEXT("Speed that its particles are slowed to, if the limit of the world is not smaller."),
     .minimum = 1e-6, .maximum = INFINITY, .initial = INFINITY, .soft_minimum = 1, .soft_maximum = 100,
     .scale = PLI_SLIDER_LOG, .section = "advanced"},
    {FIELD(pli_deformable_def, paused), .name = "paused", .label = PLI_TEXT("Paused"),
     .summary = PLI_TEXT("Whether it stays where it is and takes no part in the simulation."),
     .kind = PLI_PROPERTY_BOOLEAN, .section = "advanced"},
};

const pli_descriptor_group pli_deformable_descriptors = {.id = "deformable",
                                                         .label = PLI_TEXT("Deformable"),
                                                         .summary = PLI_TEXT("A surface that bends and stretches."),
                                                         .target = "deformables[]",
                                                         .definition = "pli_deformable_def",
                                                         PROPERTY_GROUP(deformable_rows)};

static const pli_property tearing_rows[] = {
    {FIELD(pli_tearing, stretch), .name = "stretch", .label = PLI_TEXT("Stretch"),
     .summary = PLI_TEXT("Length over rest length beyond which an edge tears; by default no edge tears by stretch."),
     .minimum = 1.0001, .maximum = INFINITY, .initial = INFINITY, .soft_minimum = 1.05, .soft_maximum = 3},
    {FIELD(pli_tearing, force), .name = "force", .label = PLI_TEXT("Force"), .unit = "N",
     .summary = PLI_TEXT(
         "Tension beyond which an edge tears, independent of the step; by default no edge tears by force."),
     .minimum = 1e-12, .maximum = INFINITY, .initial = INFINITY, .soft_minimum = 0.1, .soft_maximum = 1000,
     .scale = PLI_SLIDER_LOG, .when = group_under_xpbd},
    {FIELD(pli_tearing, max_tears), .name = "most", .label = PLI_TEXT("Tears per frame"),
     .summary = PLI_TEXT("Largest number of tears per frame; edges furthest beyond their threshold tear first."),
     .kind = PLI_PROPERTY_INTEGER, .minimum = 1, .maximum = 1000000, .initial = 64, .soft_minimum = 1,
     .soft_maximum = 256, .scale = PLI_SLIDER_LOG, .section = "advanced"},
};

const pli_descriptor_group pli_tearing_descriptors = {
    .id = "tearing",
    .label = PLI_TEXT("Tearing"),
    .summary = PLI_TEXT("Thresholds at which edges tear (Mueller 2006, section 5): stretch, force or both."),
    .target = "deformables[].tearing",
    .definition = "pli_tearing",
    PROPERTY_GROUP(tearing_rows)};

static const pli_property plate_rows[] = {
    {FIELD(pli_plate, rigidity), .name = "rigidity", .label = PLI_TEXT("Rigidity"), .unit = "N m",
     .summary = PLI_TEXT("Flexural rigidity of the sheet, E t^3 / (12 (1 - nu^2)), which acts as given on any mesh."),
     .help = PLI_TEXT("How stiff the sheet is: silk 2e-6, cotton 1e-5, denim 1.5e-4, paper 2.5e-4."), .maximum = 1e6,
     .soft_minimum = 1e-8, .soft_maximum = 1, .scale = PLI_SLIDER_LOG, .zero = "none"},
    {FIELD(pli_plate, poisson), .name = "poisson", .label = PLI_TEXT("Poisson's ratio"),
     .summary = PLI_TEXT("How much it curves across the direction in which it is bent."), .minimum = -0.9,
     .maximum = 0.9, .initial = 0.3},
    {FIELD(pli_plate, interval), .name = "interval", .label = PLI_TEXT("Interval"),
     .summary = PLI_TEXT(
         "Substeps between two solves, over which the bending force is spread; 0 chooses up to 5, for large meshes up "
         "to 10, for small ones at most 1/240 s."),
     .kind = PLI_PROPERTY_INTEGER, .maximum = 100, .soft_maximum = 20, .zero = "up to 5 or 10", .section = "advanced"},
    {FIELD(pli_plate, yield), .name = "yield", .label = PLI_TEXT("Yield curvature"), .unit = "1/m",
     .summary = PLI_TEXT("Curvature beyond the rest shape above which a bend is permanent."),
     .help = PLI_TEXT("The inverse of the radius to which the sheet can be rolled without keeping a curl."),
     .maximum = 1e9, .soft_minimum = 1, .soft_maximum = 1e4, .scale = PLI_SLIDER_LOG, .zero = "elastic"},
    {FIELD(pli_plate, hardening), .name = "hardening", .label = PLI_TEXT("Hardening"),
     .summary = PLI_TEXT("Increase of the yield curvature for each 1/m of permanent bend."), .maximum = 1e6,
     .soft_maximum = 1, .zero = "none", .section = "advanced"},
    {FIELD(pli_plate, damping), .name = "damping", .label = PLI_TEXT("Damping"), .unit = "s",
     .summary = PLI_TEXT("Kelvin-Voigt damping time, by which the rate of curvature adds to the bending moment."),
     .help = PLI_TEXT("How soon a sheet stops swinging: 0.03 s for cotton. Flight and rotation are not damped."),
     .maximum = PLI_PLATE_DAMPING_MAX, .soft_minimum = 1e-3, .soft_maximum = PLI_PLATE_DAMPING_MAX,
     .scale = PLI_SLIDER_LOG, .zero = "undamped"},
};

const pli_descriptor_group pli_plate_descriptors = {
    .id = "plate",
    .label = PLI_TEXT("Plate"),
    .summary = PLI_TEXT(
        "Bending solved for the whole surface simultaneously (Morley 1968), with the requested rigidity."),
    .target = "deformables[].plate",
    .definition = "pli_plate",
    PROPERTY_GROUP(plate_rows)};

/* ---- materials ---------------------------------------------------------------------------------- */

// All rows apply at creation only: a deformable is created with a material.
static const pli_property material_rows[] = {
    {FIELD(pli_material_def, density), .name = "density", .label = PLI_TEXT("Density"), .unit = "kg/m^2",
     .summary = PLI_TEXT("Mass per area of the sheet."), .minimum = 1e-9, .maximum = 1e9, .initial = 0.2,
     .soft_minimum = 0.01, .soft_maximum = 2, .scale = PLI_SLIDER_LOG, .change = PLI_CHANGE_RESTART},
    {FIELD(pli_material_def, thickness), .name = "thickness", .label = PLI_TEXT("Thickness"), .unit = "m",
     .summary = PLI_TEXT("Thickness of the sheet, which is the distance that it keeps."), .maximum = 1e6,
     .initial = 0.0005, .soft_minimum = 1e-5, .soft_maximum = 0.01, .scale = PLI_SLIDER_LOG, .zero = "no distance",
     .change = PLI_CHANGE_RESTART},
    {FIELD(pli_material_def, young), .name = "young", .label = PLI_TEXT("Young's modulus"), .unit = "Pa",
     .summary = PLI_TEXT(
         "Young's modulus; with the thickness it gives the tensile stiffness, instead of that, and the rigidity "
         "if none is given."),
     .maximum = 1e15, .soft_minimum = 1e5, .soft_maximum = 1e11, .scale = PLI_SLIDER_LOG, .zero = "not given",
     .change = PLI_CHANGE_RESTART},
    {FIELD(pli_material_def, tensile_stiffness), .name = "tensile_stiffness", .label = PLI_TEXT("Tensile stiffness"),
     .unit = "N/m",
     .summary = PLI_TEXT("Force over width and strain; without it and Young's modulus the sheet does not stretch."),
     .maximum = 1e15, .soft_minimum = 10, .soft_maximum = 1e6, .scale = PLI_SLIDER_LOG, .zero = "does not stretch",
     .change = PLI_CHANGE_RESTART},
    {FIELD(pli_material_def, rigidity), .name = "rigidity", .label = PLI_TEXT("Rigidity"), .unit = "N m",
     .summary = PLI_TEXT("Flexural rigidity of the sheet; without it that of Young's modulus and thickness."),
     .maximum = 1e6, .soft_minimum = 1e-8, .soft_maximum = 1, .scale = PLI_SLIDER_LOG, .zero = "from Young's modulus",
     .change = PLI_CHANGE_RESTART},
    {FIELD(pli_material_def, bending_length), .name = "bending_length", .label = PLI_TEXT("Bending length"),
     .unit = "m",
     .summary = PLI_TEXT("Peirce's bending length c of a strip that overhangs, which gives the rigidity density g c^3 "
                         "/ (1 - nu^2) instead."),
     .maximum = 50, .soft_minimum = 0.005, .soft_maximum = 0.2, .scale = PLI_SLIDER_LOG, .zero = "not given",
     .change = PLI_CHANGE_RESTART},
    {FIELD(pli_material_def, poisson), .name = "poisson", .label = PLI_TEXT("Poisson's ratio"),
     .summary = PLI_TEXT("How much it curves across the direction in which it is bent."), .minimum = -0.9,
     .maximum = 0.9, .initial = 0.3, .change = PLI_CHANGE_RESTART},
    {FIELD(pli_material_def, friction), .name = "friction", .label = PLI_TEXT("Friction"),
     .summary = PLI_TEXT("Coulomb coefficient between deformables."), .maximum = 1e3, .initial = 0.3, .soft_maximum = 1,
     .zero = "none", .change = PLI_CHANGE_RESTART, .section = "contact"},
    {FIELD(pli_material_def, loss_factor), .name = "loss_factor", .label = PLI_TEXT("Loss factor"),
     .summary = PLI_TEXT("Energy lost in a cycle of bending over 2 pi times the energy stored, at 1 Hz."), .maximum = 4,
     .soft_maximum = 1, .zero = "none", .change = PLI_CHANGE_RESTART, .section = "advanced"},
    {FIELD(pli_material_def, yield), .name = "yield", .label = PLI_TEXT("Yield curvature"), .unit = "1/m",
     .summary = PLI_TEXT("Curvature beyond the rest shape above which a bend is permanent."), .maximum = 1e9,
     .soft_minimum = 1, .soft_maximum = 1e4, .scale = PLI_SLIDER_LOG, .zero = "elastic", .change = PLI_CHANGE_RESTART},
    {FIELD(pli_material_def, hardening), .name = "hardening", .label = PLI_TEXT("Hardening"),
     .summary = PLI_TEXT("Increase of the yield curvature for each 1/m of permanent bend."), .maximum = 1e6,
     .soft_maximum = 1, .zero = "none", .change = PLI_CHANGE_RESTART, .section = "advanced"},
    {FIELD(pli_material_def, weft_stiffness), .name = "weft_stiffness", .label = PLI_TEXT("Weft stiffness"),
     .unit = "N/m",
     .summary = PLI_TEXT("Force over width and strain across the warp; then the tensile stiffness is that along it."),
     .maximum = 1e15, .soft_minimum = 10, .soft_maximum = 1e6, .scale = PLI_SLIDER_LOG, .zero = "as the warp",
     .change = PLI_CHANGE_RESTART, .section = "advanced"},
    {FIELD(pli_material_def, shear_stiffness), .name = "shear_stiffness", .label = PLI_TEXT("Shear stiffness"),
     .unit = "N/m",
     .summary = PLI_TEXT("Shear force over width and angle between warp and weft, which resists tension along the "
                         "bias."),
     .maximum = 1e15, .soft_minimum = 1, .soft_maximum = 1e5, .scale = PLI_SLIDER_LOG, .zero = "uniform",
     .change = PLI_CHANGE_RESTART, .section = "advanced"},
    {FIELD(pli_material_def, warp), .name = "warp", .label = PLI_TEXT("Warp direction"),
     .summary = PLI_TEXT("Direction of the warp in the rest shape, which is laid onto each triangle."),
     .kind = PLI_PROPERTY_VECTOR, .minimum = -1e6, .maximum = 1e6, .initial_vector = {1, 0, 0}, .soft_minimum = -1,
     .soft_maximum = 1, .change = PLI_CHANGE_RESTART, .section = "advanced"},
    AIR(pli_material_def, PLI_CHANGE_RESTART)};

const pli_descriptor_group pli_material_descriptors = {
    .id = "material",
    .label = PLI_TEXT("Material"),
    .summary = PLI_TEXT("Parameters of a sheet, from which density, thickness, friction, stretch and bending follow."),
    .target = "deformables[].material",
    .definition = "pli_material_def",
    PROPERTY_GROUP(material_rows)};

/* ---- attachments -------------------------------------------------------------------------------- */

static const pli_property attachment_rows[] = {
    {FIELD(pli_attachment_def, fixed), .name = "fixed", .label = PLI_TEXT("Held"),
     .summary = PLI_TEXT("Whether particles follow the frame exactly; otherwise softly, by compliance or stiffness."),
     .kind = PLI_PROPERTY_BOOLEAN, .initial = 1},
    {FIELD(pli_attachment_def, enabled), .name = "enabled", .label = PLI_TEXT("On"),
     .summary = PLI_TEXT("Whether it holds its particles now."), .kind = PLI_PROPERTY_BOOLEAN, .initial = 1,
     .section = "advanced"},
    {FIELD(pli_attachment_def, compliance), .name = "compliance", .label = PLI_TEXT("Compliance"), .unit = "m/N",
     .summary = PLI_TEXT("Inverse stiffness of a soft attachment under XPBD."), .maximum = 1e30, .soft_minimum = 1e-6,
     .soft_maximum = 1, .scale = PLI_SLIDER_LOG, .zero = "rigid", .saturates = PLI_SATURATES_BELOW,
     .when = group_under_xpbd},
    {FIELD(pli_attachment_def, stiffness), .name = "stiffness", .label = PLI_TEXT("Stiffness"),
     .summary = PLI_TEXT("Fraction of the error of a soft attachment removed per substep under PBD."), .maximum = 1,
     .initial = 1, .when = group_under_pbd},
    {FIELD(pli_attachment_def, stretch), .name = "stretch", .label = PLI_TEXT("Most stretch"),
     .summary = PLI_TEXT(
         "Largest length over rest length of edges at attached particles; beyond it, these trail behind their frame."),
     .minimum = 1, .maximum = INFINITY, .initial = 2, .soft_minimum = 1, .soft_maximum = 10, .section = "advanced"},
};

const pli_descriptor_group pli_attachment_descriptors = {
    .id = "attachment",
    .label = PLI_TEXT("Attachment"),
    .summary = PLI_TEXT("Attaches particles to a fixed or moving frame."),
    .target = "deformables[].attachments[]",
    .definition = "pli_attachment_def",
    PROPERTY_GROUP(attachment_rows)};

/* ---- colliders ---------------------------------------------------------------------------------- */

// The shapes that use a size, from its column in PLI_SHAPES.
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
     .label = PLI_TEXT(title),                                                                                         \
     .unit = "m",                                                                                                      \
     .summary = PLI_TEXT(sentence),                                                                                    \
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
    {FIELD(pli_collider_def, shape), .name = "shape", .label = PLI_TEXT("Shape"),
     .summary = PLI_TEXT("Shape of the collider; a plane is solid below its local y = 0."), .kind = PLI_PROPERTY_CHOICE,
     .choices = pli_shape_choices, .initial = PLI_SHAPE_SPHERE},
    PLI_SHAPE_FIELDS(SIZE){FIELD(pli_collider_def, one_sided), .name = "one_sided", .label = PLI_TEXT("One-sided"),
                           .summary = PLI_TEXT("Whether a mesh ignores contact from behind its faces."),
                           .kind = PLI_PROPERTY_BOOLEAN, .when = is_mesh, .section = "advanced"},
    {FIELD(pli_collider_def, yields), .name = "yields", .label = PLI_TEXT("Yields"),
     .summary = PLI_TEXT("Which yields where a moving collider would have to pass through pinched cloth."),
     .kind = PLI_PROPERTY_CHOICE, .choices = pli_yields_choices, .section = "contact"},
    {FIELD(pli_collider_def, thickness), .name = "thickness", .label = PLI_TEXT("Thickness"), .unit = "m",
     .summary = PLI_TEXT("Distance kept in addition to the thickness of deformables."), .maximum = 1e6,
     .soft_minimum = 0.0005, .soft_maximum = 0.05, .scale = PLI_SLIDER_LOG, .zero = "none", .section = "contact"},
    {FIELD(pli_collider_def, friction), .name = "friction", .label = PLI_TEXT("Friction"),
     .summary = PLI_TEXT("Coulomb coefficient against deformables."), .maximum = 1e3, .initial = 0.3, .soft_maximum = 1,
     .zero = "none", .section = "contact"},
    {FIELD(pli_collider_def, rolling_friction), .name = "rolling_friction", .label = PLI_TEXT("Rolling friction"),
     .unit = "m",
     .summary = PLI_TEXT("Torque that resists rolling over the normal force; shapes without triangles, on no body."),
     .maximum = 1e3, .soft_maximum = 0.05, .zero = "none", .section = "contact"},
    {FIELD(pli_collider_def, restitution), .name = "restitution", .label = PLI_TEXT("Restitution"),
     .summary = PLI_TEXT("Speed after an impact over the speed before it: 0 does not rebound, 1 rebounds fully."),
     .maximum = 1, .zero = "no rebound", .section = "contact"},
    LAYERS(pli_collider_def),
};

const pli_descriptor_group pli_collider_descriptors = {.id = "collider",
                                                       .label = PLI_TEXT("Collider"),
                                                       .summary = PLI_TEXT("A shape that deformables collide with."),
                                                       .target = "colliders[]",
                                                       .definition = "pli_collider_def",
                                                       PROPERTY_GROUP(collider_rows)};

/* ---- the lists ---------------------------------------------------------------------------------- */

static const pli_descriptor_group *const descriptor_groups[] = {
    &pli_world_descriptors,      &pli_settings_descriptors,   &pli_contact_descriptors,
    &pli_deformable_descriptors, &pli_tearing_descriptors,    &pli_plate_descriptors,
    &pli_material_descriptors,   &pli_attachment_descriptors, &pli_collider_descriptors,
};

int32_t pli_descriptor_group_count(void) { return (int32_t)(sizeof descriptor_groups / sizeof *descriptor_groups); }

const pli_descriptor_group *pli_descriptor_group_at(int32_t i)
{
    return i >= 0 && i < pli_descriptor_group_count() ? descriptor_groups[i] : NULL;
}

const pli_descriptor_group *pli_descriptor_group_find(const char *id)
{
    for (int32_t i = 0; id && i < pli_descriptor_group_count(); i++)
        if (strcmp(descriptor_groups[i]->id, id) == 0)
            return descriptor_groups[i];
    return NULL;
}

void pli_descriptor_write_defaults(const pli_descriptor_group *group, void *definition)
{
    for (int32_t i = 0; i < group->property_count; i++) {
        const pli_property *property = &group->properties[i];
        const double number[3] = {property->initial};
        const bool is_vector = property->kind == PLI_PROPERTY_VECTOR;
        pli_property_write(property, definition, is_vector ? property->initial_vector : number, NULL);
    }
}

static const pli_section sections[] = {
    {"basic", "Basic", true}, {"solver", "Solver", true},      {"contact", "Contact", false},
    {"air", "Air", false},    {"advanced", "Advanced", false},
};

int32_t pli_section_count(void) { return (int32_t)(sizeof sections / sizeof *sections); }

const pli_section *pli_section_at(int32_t i) { return i >= 0 && i < pli_section_count() ? &sections[i] : NULL; }
