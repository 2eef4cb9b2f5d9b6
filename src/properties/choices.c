// The choices of every public enumeration (name, label, meaning).
#include "properties/choices.h"

#include "base/text.h"
#include "pliant/check.h"
#include "pliant/world.h"

#include <string.h>

#define END                                                                                                            \
    {                                                                                                                  \
        NULL, NULL, NULL                                                                                               \
    }

const pli_choice pli_method_choices[] = {
    [PLI_METHOD_XPBD] = {"xpbd", PLI_TEXT("XPBD"),
                         PLI_TEXT(
                             "Compliance: stiffness in physical units, independent of iterations and substeps (Macklin "
                             "2016, 2019).")},
    [PLI_METHOD_PBD] = {"pbd", PLI_TEXT("PBD"),
                        PLI_TEXT("Stiffness from 0 to 1, whose effect depends on the substeps (Mueller 2006).")},
    END};

const pli_choice pli_order_choices[] = {
    [PLI_ORDER_COLOURED] =
        {"coloured", PLI_TEXT("Coloured"),
         PLI_TEXT("Coloured Gauss-Seidel: constraints of one colour share no particle, so that they run in "
                  "SIMD and on threads.")},
    [PLI_ORDER_SEQUENTIAL] = {"sequential", PLI_TEXT("Sequential"),
                              PLI_TEXT("Strict Gauss-Seidel in order of creation, as in the papers.")},
    END};

const pli_choice pli_sweeps_choices[] = {
    [PLI_SWEEPS_BACK_AND_FORTH] =
        {"back_and_forth", PLI_TEXT("Back and forth"),
         PLI_TEXT("Sweeps turn within a substep, so that small motions do not grow; an odd number of "
                  "iterations has one sweep more.")},
    [PLI_SWEEPS_FORWARD] = {"forward", PLI_TEXT("Forward"),
                            PLI_TEXT("Each sweep goes forward, as in the papers; small waves may grow.")},
    END};

const pli_choice pli_integrator_choices[] = {
    [PLI_INTEGRATOR_EULER] = {"euler", PLI_TEXT("Implicit Euler"),
                              PLI_TEXT("First order: motion loses energy to the time step.")},
    [PLI_INTEGRATOR_BDF2] =
        {"bdf2", PLI_TEXT("BDF2"),
         PLI_TEXT("Second order, which also uses the previous substep, where nothing touches a deformable.")},
    END};

const pli_choice pli_simd_choices[] = {
    [PLI_SIMD_AUTO] = {"auto", PLI_TEXT("Automatic"), PLI_TEXT("The widest instructions that the processor supports.")},
    [PLI_SIMD_SCALAR] = {"scalar", PLI_TEXT("Scalar"), PLI_TEXT("One number at a time.")},
    [PLI_SIMD_SSE2] = {"sse2", PLI_TEXT("SSE2"), PLI_TEXT("Four numbers at a time, on x86-64.")},
    [PLI_SIMD_AVX2] = {"avx2", PLI_TEXT("AVX2"), PLI_TEXT("Eight numbers at a time, on x86-64.")},
    [PLI_SIMD_AVX512] = {"avx512", PLI_TEXT("AVX-512"), PLI_TEXT("Sixteen numbers at a time, on x86-64.")},
    [PLI_SIMD_NEON] = {"neon", PLI_TEXT("NEON"), PLI_TEXT("Four numbers at a time, on 64-bit ARM.")},
    [PLI_SIMD_WASM] = {"wasm", PLI_TEXT("WebAssembly SIMD"), PLI_TEXT("Four numbers at a time, in WebAssembly.")},
    END};

const pli_choice pli_ccd_choices[] = {
    [PLI_CCD_ADVANCEMENT] = {"advancement", PLI_TEXT("Continuous"),
                             PLI_TEXT(
                                 "Continuous collision detection: the motion of each candidate pair is proved free "
                                 "of intersection, or shortened.")},
    [PLI_CCD_OFF] = {"off", PLI_TEXT("Off"),
                     PLI_TEXT("Contacts are projected, and fast surfaces can pass through each other.")},
    END};

const pli_choice pli_origin_choices[] = {
    [PLI_ORIGIN_AUTO] = {"auto", PLI_TEXT("Automatic"),
                         PLI_TEXT("It follows the middle of the deformables, and is 0 near 0.")},
    [PLI_ORIGIN_FIXED] = {"fixed", PLI_TEXT("Fixed"), PLI_TEXT("It stays where it is.")},
    END};

const pli_choice pli_stretch_choices[] = {
    [PLI_STRETCH_AUTO] = {"auto", PLI_TEXT("Automatic"),
                          PLI_TEXT("Membranes and ropes are solved, edges of surfaces are swept.")},
    [PLI_STRETCH_SWEPT] = {"swept", PLI_TEXT("Swept"),
                           PLI_TEXT("Gauss-Seidel sweeps over the constraints, as in the papers.")},
    [PLI_STRETCH_SOLVED] = {"solved", PLI_TEXT("Solved"),
                            PLI_TEXT("Equations of all membranes and edges, whose stiffness acts on any mesh.")},
    END};

const pli_choice pli_self_contact_choices[] = {
    [PLI_SELF_CONTACT_SURFACES] = {"surfaces", PLI_TEXT("Surfaces"),
                                   PLI_TEXT(
                                       "Vertices collide with triangles and edges with edges, under the guarantee.")},
    [PLI_SELF_CONTACT_PARTICLES] = {"particles", PLI_TEXT("Particles"),
                                    PLI_TEXT(
                                        "Particles keep one distance from each other, which is faster and less safe.")},
    END};

const pli_choice pli_yields_choices[] = {
    [PLI_YIELDS_AUTO] = {"auto", PLI_TEXT("Automatic"),
                         PLI_TEXT("The cloth yields to animated vertices, and stops a collider moved by its pose.")},
    [PLI_YIELDS_COLLIDER] = {"collider", PLI_TEXT("Collider"),
                             PLI_TEXT("The collider stops, and continues as soon as it can: surfaces never cross.")},
    [PLI_YIELDS_CLOTH] =
        {"cloth", PLI_TEXT("Cloth"),
         PLI_TEXT("The collider keeps its animation; cloth that cannot yield passes through, and is counted.")},
    END};

#define SHAPE_CHOICE(value, id, label, kind, r, h, e, t, sentence) [PLI_SHAPE_##value] = {#id, label, sentence},
const pli_choice pli_shape_choices[] = {PLI_SHAPES(SHAPE_CHOICE) END};

const pli_choice pli_grid_pattern_choices[] = {
    [PLI_GRID_QUADS] = {"quads", PLI_TEXT("Quads"), PLI_TEXT("Squares stay whole, as in the fabric of the papers.")},
    [PLI_GRID_DIAGONAL] = {"diagonal", PLI_TEXT("Diagonal"),
                           PLI_TEXT("Each square has one diagonal, and all run the same way.")},
    [PLI_GRID_ALTERNATING] = {"alternating", PLI_TEXT("Alternating"),
                              PLI_TEXT("Each square has one diagonal, in alternating directions.")},
    [PLI_GRID_CROSSED] = {"crossed", PLI_TEXT("Crossed"),
                          PLI_TEXT("Each square has both diagonals and a vertex in its middle.")},
    END};

const pli_choice pli_measure_choices[] = {
    [PLI_MEASURE_STRETCH] = {"stretch", PLI_TEXT("Stretch"),
                             PLI_TEXT("The largest strain of the edges at a vertex, with its sign.")},
    [PLI_MEASURE_BENDING] = {"bending", PLI_TEXT("Bending residual"),
                             PLI_TEXT(
                                 "The largest residual of the bending constraints at a vertex, in their own unit.")},
    [PLI_MEASURE_SPEED] = {"speed", PLI_TEXT("Speed"), PLI_TEXT("The speed of a vertex.")},
    [PLI_MEASURE_CURVATURE] = {"curvature", PLI_TEXT("Curvature"),
                               PLI_TEXT("The discrete mean curvature at a vertex.")},
    [PLI_MEASURE_RESIDUAL] =
        {"residual", PLI_TEXT("Residual"),
         PLI_TEXT("How far one constraint of any type would move a vertex if it were rigid, in mean edges.")},
    END};

const pli_choice pli_stage_choices[] = {
    [PLI_STAGE_FORCES] = {"forces", PLI_TEXT("Forces"),
                          PLI_TEXT("Gravity, wind and forces of the application change velocities.")},
    [PLI_STAGE_DAMPING] = {"damping", PLI_TEXT("Damping"), PLI_TEXT("Motion other than rigid is damped.")},
    [PLI_STAGE_PREDICT] = {"predict", PLI_TEXT("Prediction"), PLI_TEXT("Positions move by their velocities.")},
    [PLI_STAGE_CONTACTS] = {"contacts", PLI_TEXT("Contacts"), PLI_TEXT("Contacts are found.")},
    [PLI_STAGE_PROJECT] = {"project", PLI_TEXT("Projection"), PLI_TEXT("Constraints and contacts are projected.")},
    [PLI_STAGE_VELOCITIES] = {"velocities", PLI_TEXT("Velocities"),
                              PLI_TEXT("Velocities follow from the change of positions.")},
    [PLI_STAGE_FRICTION] = {"friction", PLI_TEXT("Friction"),
                            PLI_TEXT("Friction and restitution change velocities at contacts.")},
    [PLI_STAGE_CCD] = {"ccd", PLI_TEXT("Continuous collision"),
                       PLI_TEXT("Motion is shortened where it would intersect.")},
    [PLI_STAGE_PUBLISH] = {"publish", PLI_TEXT("Publication"),
                           PLI_TEXT("Positions are checked and put into the order of the mesh.")},
    END};

const pli_choice pli_sense_choices[] = {
    [PLI_SENSE_EQUAL] = {"equal", PLI_TEXT("Equal"), PLI_TEXT("C = 0: the constraint always acts.")},
    [PLI_SENSE_AT_MOST] = {"at_most", PLI_TEXT("At most"), PLI_TEXT("C <= 0: the constraint acts where C > 0.")},
    [PLI_SENSE_AT_LEAST] = {"at_least", PLI_TEXT("At least"), PLI_TEXT("C >= 0: the constraint acts where C < 0.")},
    END};

static const pli_choice log_level_choices[] = {
    [PLI_LOG_INFO] = {"info", PLI_TEXT("Information"), PLI_TEXT("A message that needs no action.")},
    [PLI_LOG_WARNING] = {"warning", PLI_TEXT("Warning"), PLI_TEXT("A likely problem; the call succeeded.")},
    [PLI_LOG_ERROR] = {"error", PLI_TEXT("Error"), PLI_TEXT("A call failed.")},
    END};

static const pli_choice finding_choices[] = {
    [PLI_FINDING_TOUCHING] = {"touching", PLI_TEXT("Touching"), PLI_TEXT("The surfaces of two objects touch.")},
    [PLI_FINDING_INSIDE] = {"inside", PLI_TEXT("Inside"), PLI_TEXT("A deformable starts inside a collider.")},
    [PLI_FINDING_LOAD] = {"load", PLI_TEXT("Load"), PLI_TEXT("A load would stretch the edges that carry it.")},
    [PLI_FINDING_WEIGHT] = {"weight", PLI_TEXT("Weight"), PLI_TEXT("A deformable would stretch under its own weight.")},
    [PLI_FINDING_THIN] = {"thin", PLI_TEXT("Thin collider"),
                          PLI_TEXT("A collider can slip through the edges of a mesh.")},
    [PLI_FINDING_THICKNESS] = {"thickness", PLI_TEXT("Thickness"),
                               PLI_TEXT("A thickness or particle distance does not suit the edges of a mesh.")},
    [PLI_FINDING_BENDING] = {"bending", PLI_TEXT("Bending"),
                             PLI_TEXT("The effective rigidity is below the requested one.")},
    [PLI_FINDING_CREASES] = {"creases", PLI_TEXT("Creases"), PLI_TEXT("A mesh is too coarse for its yield curvature.")},
    [PLI_FINDING_TRACKING] = {"tracking", PLI_TEXT("Tracking error"),
                              PLI_TEXT("A pin or a collider is behind its prescribed trajectory.")},
    END};

static const pli_choice guess_choices[] = {
    {"auto", PLI_TEXT("Automatic"), PLI_TEXT("Chosen from the shape of the mesh.")},
    {"cloth", PLI_TEXT("Cloth"), PLI_TEXT("Cloth that hangs from its upper border, or falls.")},
    {"shell", PLI_TEXT("Shell"), PLI_TEXT("A shell that stands on its lowest points and keeps its shape.")},
    {"balloon", PLI_TEXT("Balloon"), PLI_TEXT("A shell that also keeps its volume.")},
    END};

static const pli_choice joint_choices[] = {{"ball", PLI_TEXT("Ball"), PLI_TEXT("All rotations about the anchor.")},
                                           {"hinge", PLI_TEXT("Hinge"), PLI_TEXT("Rotation about the axis.")},
                                           {"slider", PLI_TEXT("Slider"), PLI_TEXT("Translation along the axis.")},
                                           {"fixed", PLI_TEXT("Fixed"), PLI_TEXT("No relative motion.")},
                                           {"universal", PLI_TEXT("Universal"), PLI_TEXT("Rotation about two axes.")},
                                           END};

static const struct {
    const char *name;
    const pli_choice *choices;
} choice_lists[] = {
    {"method", pli_method_choices},
    {"order", pli_order_choices},
    {"sweeps", pli_sweeps_choices},
    {"integrator", pli_integrator_choices},
    {"simd", pli_simd_choices},
    {"ccd", pli_ccd_choices},
    {"origin", pli_origin_choices},
    {"stretch", pli_stretch_choices},
    {"self_contact", pli_self_contact_choices},
    {"yields", pli_yields_choices},
    {"shape", pli_shape_choices},
    {"grid_pattern", pli_grid_pattern_choices},
    {"measure", pli_measure_choices},
    {"stage", pli_stage_choices},
    {"sense", pli_sense_choices},
    {"log_level", log_level_choices},
    {"finding", finding_choices},
    {"guess", guess_choices},
    {"joint", joint_choices},
};

const pli_choice *pli_choices_find(const char *list)
{
    for (size_t i = 0; list && i < sizeof choice_lists / sizeof *choice_lists; i++)
        if (strcmp(choice_lists[i].name, list) == 0)
            return choice_lists[i].choices;
    return NULL;
}

int32_t pli_choice_find(const pli_choice *choices, const char *name)
{
    for (int32_t i = 0; choices && name && choices[i].name; i++)
        if (strcmp(choices[i].name, name) == 0)
            return i;
    return -1;
}

const char *pli_choice_name(const char *list, int32_t value)
{
    const pli_choice *choices = pli_choices_find(list);
    for (int32_t i = 0; choices && i <= value && choices[i].name; i++)
        if (i == value)
            return choices[i].name;
    return "unknown";
}

int32_t pli_choice_value(const char *list, const char *name) { return pli_choice_find(pli_choices_find(list), name); }
