// What a scene may say. One line a key; nothing else lists them.
#define _POSIX_C_SOURCE 200809L
#include "scene_format/scene_table.h"

#include "caches/cache_formats.h"

#include <string.h>

#define ANY 1e30
#define MANY 4000000
#define COUNT(keys) ((int)(sizeof(keys) / sizeof *(keys)))

static const char *const methods[] = {"xpbd", "pbd", NULL};
static const char *const orders[] = {"coloured", "sequential", NULL};
static const char *const ups[] = {"y", "z", NULL};
static const char *const patterns[] = {"quads", "diagonal", "alternating", "crossed", NULL};
// Every shape, and those that bodies may be made of.
#define SHAPE_NAME(value, name, kind) #name,
#define SOLID_NAME_SOLID(name) #name,
#define SOLID_NAME_OPEN(name)
#define SOLID_NAME(value, name, kind) SOLID_NAME_##kind(name)
static const char *const shapes[] = {PLI_SHAPES(SHAPE_NAME) NULL};
static const char *const solids[] = {PLI_SHAPES(SOLID_NAME) NULL};
static const char *const joint_types[] = {"ball", "hinge", "slider", "fixed", "universal", NULL};
static const char *const self_contacts[] = {"surfaces", "particles", NULL};
static const char *const stretch_kinds[] = {"auto", "none", "attachments", "hierarchy", NULL};
static const char *const guarantees[] = {"advancement", "bounds", "off", NULL};
static const char *const measures[] = {"none", "stretch", "bending", "speed", "curvature", NULL};
#define FORMAT_NAME(name) #name,
static const char *const formats[] = {PLI_CACHE_FORMATS(FORMAT_NAME) NULL};

#define NUMBER(name, unit, low, high, initial, summary)                                                                \
    {                                                                                                                  \
        name, SCENE_NUMBER, summary, unit, low, high, initial, false, 0, NULL, NULL                                    \
    }
#define INTEGER(name, low, high, initial, summary)                                                                     \
    {                                                                                                                  \
        name, SCENE_INTEGER, summary, "", low, high, initial, false, 0, NULL, NULL                                     \
    }
#define BOOLEAN(name, initial, summary)                                                                                \
    {                                                                                                                  \
        name, SCENE_BOOLEAN, summary, "", 0, 0, initial, false, 0, NULL, NULL                                          \
    }
#define TEXT(name, summary)                                                                                            \
    {                                                                                                                  \
        name, SCENE_TEXT, summary, "", 0, 0, NULL, false, 0, NULL, NULL                                                \
    }
#define CHOICE(name, choices, initial, summary)                                                                        \
    {                                                                                                                  \
        name, SCENE_CHOICE, summary, "", 0, 0, initial, false, 0, choices, NULL                                        \
    }
#define VECTOR(name, length, unit, low, high, initial, summary)                                                        \
    {                                                                                                                  \
        name, SCENE_VECTOR, summary, unit, low, high, initial, false, length, NULL, NULL                               \
    }
#define OBJECT(name, inner, summary)                                                                                   \
    {                                                                                                                  \
        name, SCENE_OBJECT, summary, "", 0, 0, NULL, false, 0, NULL, inner                                             \
    }
#define LIST(name, inner, summary)                                                                                     \
    {                                                                                                                  \
        name, SCENE_LIST, summary, "", 0, 0, NULL, false, 0, NULL, inner                                               \
    }

// What may touch what: both sides must agree.
#define LAYERS                                                                                                         \
    INTEGER("layer", 0, 31, "0", "that it is in"),                                                                     \
    {                                                                                                                  \
        "collides_with", SCENE_INTEGERS, "layers; default all; both sides must agree", "", 0, 31, NULL, false, 0,      \
            NULL, NULL                                                                                                 \
    }

// The sizes of shapes.
#define SIZE(name, length, unit, low, high, initial, summary)                                                          \
    {#name, (length) > 1 ? SCENE_VECTOR : SCENE_NUMBER, summary, unit, low, high, initial, false, length, NULL, NULL},
#define SIZES PLI_SHAPE_FIELDS(SIZE)

static const scene_key settings_keys[] = {
    CHOICE("method", methods, "\"xpbd\"",
           "compliance and small steps (Macklin 2016, 2019), or stiffness (Mueller 2006)"),
    INTEGER("substeps", 1, 1000, "10", "substeps a frame"),
    INTEGER("iterations", 1, 1000, "1", "sweeps over all constraints a substep"),
    VECTOR("gravity", 3, "m/s2", -1e6, 1e6, NULL, "default 9.81 against the up axis"),
    NUMBER("damping", "", 0, 1, "0", "of motion other than rigid, a frame (Mueller 2006, section 3.5)"),
    VECTOR("wind", 3, "m/s", -1e6, 1e6, "[0, 0, 0]", "velocity of the air"),
    NUMBER("air_density", "kg/m3", 0, 1e6, "0", "0 is no air; 1.2 is the air outside"),
    BOOLEAN("keep_momentum", "false",
            "give what flies free back the momenta that the velocity update loses; always done when there are bodies"),
    NUMBER("speed_limit", "m/s", 1e-6, ANY, NULL, "particles are slowed to this; default none"),
};
static const scene_table settings = {"settings", "How the world is solved.", settings_keys, COUNT(settings_keys)};

static const scene_key contact_keys[] = {
    CHOICE("guarantee", guarantees, "\"advancement\"",
           "every way is proved clear, or bounded by the distance (Chen 2025), or contacts are projected and no more"),
};
static const scene_table contact = {"contact", "Of deformables with each other, themselves and mesh colliders.",
                                    contact_keys, COUNT(contact_keys)};

static const scene_key grid_keys[] = {
    INTEGER("columns", 2, 100000, "40", "vertices along x"),
    INTEGER("rows", 2, 100000, "40", "vertices along z"),
    NUMBER("width", "m", 1e-6, 1e6, "1", "along x"),
    NUMBER("depth", "m", 1e-6, 1e6, "1", "along z"),
    CHOICE("pattern", patterns, "\"alternating\"", "how squares are divided; quads are the papers' fabric"),
};
static const scene_table grid = {"mesh.grid", "A flat sheet in the xz plane, centred, facing +y.", grid_keys,
                                 COUNT(grid_keys)};

static const scene_key sphere_keys[] = {
    INTEGER("subdivisions", 0, 9, "3", "of an icosahedron"),
    NUMBER("radius", "m", 1e-6, 1e6, "0.5", "of the sphere"),
};
static const scene_table sphere = {"mesh.sphere", "A closed ball of triangles.", sphere_keys, COUNT(sphere_keys)};

static const scene_key tube_keys[] = {
    INTEGER("around", 3, 100000, "32", "vertices around"),
    INTEGER("along", 2, 100000, "32", "vertices along y"),
    NUMBER("radius", "m", 1e-6, 1e6, "0.25", "of the tube"),
    NUMBER("length", "m", 1e-6, 1e6, "1", "along y"),
    BOOLEAN("capped", "false", "close both ends"),
    CHOICE("pattern", patterns, "\"alternating\"", "how squares are divided"),
};
static const scene_table tube = {"mesh.tube", "A tube along y, centred.", tube_keys, COUNT(tube_keys)};

static const scene_key plant_keys[] = {
    NUMBER("height", "m", 1e-6, 1e6, NULL, "of the stem"),
    NUMBER("radius", "m", 1e-6, 1e6, NULL, "of the stem at its foot"),
    INTEGER("branches", 0, 64, NULL, "leaves along the stem"),
    INTEGER("segments", 1, 64, NULL, "rings of vertices between branches"),
    INTEGER("sides", 4, 32, NULL, "vertices around the stem"),
    NUMBER("leaf_length", "m", 1e-6, 1e6, NULL, "of each leaf"),
    NUMBER("leaf_width", "m", 1e-6, 1e6, NULL, "of each leaf"),
    INTEGER("seed", 0, 4294967295.0, NULL, "the same seed gives the same plant"),
};
static const scene_table plant = {"mesh.plant", "A stem along +y with leaves.", plant_keys, COUNT(plant_keys)};

static const scene_key mesh_keys[] = {
    TEXT("file", "OBJ, PLY, STL or glTF, relative to the scene"),
    NUMBER("scale", "", 1e-6, 1e6, "1", "of the file's positions"),
    BOOLEAN("weld", "false", "merge the file's vertices at equal positions"),
    BOOLEAN("repair", "false", "mend what is not manifold instead of refusing it"),
    OBJECT("grid", &grid, "a sheet"),
    OBJECT("sphere", &sphere, "a ball"),
    OBJECT("tube", &tube, "a tube"),
    OBJECT("plant", &plant, "a plant"),
};
static const scene_table mesh = {"mesh", "The rest shape: exactly one of file, grid, sphere, tube, plant.", mesh_keys,
                                 COUNT(mesh_keys)};

static const scene_key pose_keys[] = {
    VECTOR("position", 3, "m", -ANY, ANY, "[0, 0, 0]", "of the origin"),
    VECTOR("axis", 3, "", -ANY, ANY, "[0, 1, 0]", "to turn about"),
    NUMBER("angle", "degrees", -1e6, 1e6, "0", "turned about the axis"),
};
static const scene_table pose = {"pose", "Turned, then moved.", pose_keys, COUNT(pose_keys)};

static const scene_key motion_key_keys[] = {
    {"time", SCENE_NUMBER, "from the start", "s", 0, ANY, NULL, true, 0, NULL, NULL},
    VECTOR("position", 3, "m", -ANY, ANY, "[0, 0, 0]", "added to the start's"),
    VECTOR("axis", 3, "", -ANY, ANY, "[0, 1, 0]", "to turn about"),
    NUMBER("angle", "degrees", -1e6, 1e6, "0", "turned about the axis since the start"),
};
static const scene_table motion_key = {"motion.keyframes[]", "Where a moving thing is at a time; straight in between.",
                                       motion_key_keys, COUNT(motion_key_keys)};

static const scene_key motion_keys[] = {
    VECTOR("velocity", 3, "m/s", -1e6, 1e6, "[0, 0, 0]", "constant"),
    VECTOR("axis", 3, "", -ANY, ANY, "[0, 1, 0]", "to turn about, through the centre"),
    NUMBER("angular_speed", "degrees/s", -1e6, 1e6, "0", "constant"),
    VECTOR("centre", 3, "m", -ANY, ANY, NULL, "of turning; default the thing's own"),
    NUMBER("start", "s", 0, ANY, "0", "still before"),
    NUMBER("stop", "s", 0, ANY, NULL, "still after; default never"),
    LIST("keyframes", &motion_key, "instead of constant motion"),
    BOOLEAN("loop", "false", "keyframes begin again after the last"),
};
static const scene_table motion = {"motion", "Of a collider or an attachment.", motion_keys, COUNT(motion_keys)};

static const scene_key box_keys[] = {
    {"minimum", SCENE_VECTOR, "corner", "m", -ANY, ANY, NULL, true, 3, NULL, NULL},
    {"maximum", SCENE_VECTOR, "corner", "m", -ANY, ANY, NULL, true, 3, NULL, NULL},
};
static const scene_table box = {"deformables[].attachments[].box", "Vertices inside it at the start.", box_keys,
                                COUNT(box_keys)};

static const scene_key attachment_keys[] = {
    {"particles", SCENE_INTEGERS, "vertices, by number", "", 0, MANY, NULL, false, 0, NULL, NULL},
    OBJECT("box", &box, "vertices inside a box"),
    BOOLEAN("all", "false", "every vertex"),
    BOOLEAN("corners", "false", "the four corners of a grid"),
    INTEGER("row", -100000, 99999, NULL, "of a grid, or ring of a tube; -1 is the last"),
    INTEGER("column", -100000, 99999, NULL, "of a grid; -1 is the last"),
    BOOLEAN("fixed", "true", "whether particles follow exactly (the former name held is accepted); else softly"),
    NUMBER("compliance", "m/N", 0, ANY, "0", "of soft ones under xpbd"),
    NUMBER("stiffness", "", 0, 1, "1", "of soft ones under pbd"),
    OBJECT("motion", &motion, "default none"),
    NUMBER("until", "s", 0, ANY, NULL, "let go then; default never"),
    TEXT("body", "name of a body to tie to, which feels it; then without fixed and motion"),
};
static const scene_table attachment = {"deformables[].attachments[]",
                                       "Ties particles to a place. All that is named together is chosen.",
                                       attachment_keys, COUNT(attachment_keys)};

static const scene_key look_keys[] = {
    VECTOR("front", 3, "", 0, 1, "[0.75, 0.25, 0.16]", "colour, linear red green blue"),
    VECTOR("back", 3, "", 0, 1, "[0.16, 0.3, 0.45]", "colour of the other side"),
    BOOLEAN("flat", "false", "one shade a face"),
};
static const scene_table look = {"deformables[].look", "Colours in pictures.", look_keys, COUNT(look_keys)};

static const scene_key tearing_keys[] = {
    NUMBER("stretch", "", 1.0001, ANY, NULL, "length over rest length beyond which an edge tears; default never"),
    NUMBER("force", "N", 1e-12, ANY, NULL,
           "pull beyond which an edge tears, whatever the step; under xpbd; default never"),
    INTEGER("most", 1, 1000000, "64", "tears a frame, the edges furthest beyond first"),
};
static const scene_table tearing = {"deformables[].tearing",
                                    "When edges tear (Mueller 2006, section 5): stretch, force or both.", tearing_keys,
                                    COUNT(tearing_keys)};

static const scene_key stretch_limit_keys[] = {
    CHOICE("kind", stretch_kinds, "\"auto\"",
           "attachments: nothing goes further from what holds it than along the surface (Kim 2012); hierarchy: coarser "
           "levels keep their lengths (Mueller 2008); auto: what suits meshes of 500 vertices and more"),
    NUMBER("slack", "", 1, 1000, "1", "length over rest length that is let be"),
    INTEGER("anchors", 1, 16, "4", "of attachments: the nearest of as many groups of anchors"),
    INTEGER("levels", 1, 16, "16", "of the hierarchy, at most"),
};
static const scene_table stretch_limit = {"deformables[].stretch_limit", "What keeps fine meshes from stretching.",
                                          stretch_limit_keys, COUNT(stretch_limit_keys)};

static const scene_key deformable_keys[] = {
    TEXT("name", "for messages, paths and file names"),
    {"mesh", SCENE_OBJECT, "rest shape", "", 0, 0, NULL, true, 0, NULL, &mesh},
    OBJECT("pose", &pose, "where it starts"),
    VECTOR("velocity", 3, "m/s", -1e6, 1e6, "[0, 0, 0]", "at the start"),
    NUMBER("density", "kg/m2", 1e-9, 1e9, "0.2", "of the surface; cotton has 0.1 to 0.3"),
    NUMBER("thickness", "m", 0, 1e6, "0.005", "distance kept from colliders and other surfaces"),
    BOOLEAN("self_collision", "false", "its surface keeps clear of itself"),
    CHOICE(
        "self_contact", self_contacts, "\"surfaces\"",
        "how: triangles and edges, under the guarantee, or particles alone, as balls, which is faster and less safe"),
    NUMBER("particle_distance", "m", 0, 1e6, NULL, "by particles: distance kept; default 0.75 of the mean edge"),
    NUMBER("friction", "", 0, 1e3, "0.3", "Coulomb's coefficient on deformables; a pair has the geometric mean"),
    LAYERS,
    {"constraints", SCENE_CONSTRAINTS, "projected in this order", "", 0, 0, NULL, false, 0, NULL, &scene_constraint},
    LIST("attachments", &attachment, "what holds it"),
    OBJECT("tearing", &tearing, "when edges tear; default never"),
    OBJECT("stretch_limit", &stretch_limit, "what keeps fine meshes from stretching"),
    OBJECT("look", &look, "colours"),
};
static const scene_table deformable = {"deformables[]", "What bends.", deformable_keys, COUNT(deformable_keys)};

static const scene_key constraint_keys[] = {
    {"type", SCENE_TEXT, "a constraint type: `pliant models` lists them", "", 0, 0, NULL, true, 0, NULL, NULL},
    TEXT("generator", "default: the type's own"),
    TEXT("name", "for paths and messages; default the type"),
    {"particles", SCENE_INTEGERS, "explicit list instead of a generator", "", 0, MANY, NULL, false, 0, NULL, NULL},
};
const scene_table scene_constraint = {"deformables[].constraints[]",
                                      "One set of constraints, with any parameter of its type.", constraint_keys,
                                      COUNT(constraint_keys)};

static const scene_key animation_keys[] = {
    {"file", SCENE_TEXT, "cache, first file of a numbered sequence, or folder of a run, relative to the scene", "", 0,
     0, NULL, true, 0, NULL, NULL},
    INTEGER("object", 0, MANY, "0", "of the cache's objects"),
    NUMBER("start", "s", -1e6, 1e6, "0", "when the first frame is; before, it stays there"),
    NUMBER("speed", "", 0, 1e6, "1", "1 is the cache's own frames per second, 60 where it has none (pc2, obj, ply)"),
    BOOLEAN("loop", "false", "the first frame follows the last; else it stays at the last"),
};
static const scene_table animation = {"colliders[].animation", "Vertex positions by frame; straight in between.",
                                      animation_keys, COUNT(animation_keys)};

static const scene_key collider_keys[] = {
    {"shape", SCENE_CHOICE, "what it is, of the shapes listed below", "", 0, 0, NULL, true, 0, shapes, NULL},
    SIZES OBJECT("mesh", &mesh, "of meshes (solid when closed, a sheet when open) and hulls"),
    OBJECT("animation", &animation, "of a mesh; brings its own faces when mesh is not given"),
    BOOLEAN("one_sided", "false", "what comes from behind a mesh's face passes"),
    NUMBER("thickness", "m", 0, 1e6, "0", "distance kept beyond that of deformables"),
    LAYERS,
    OBJECT("pose", &pose, "where it starts"),
    OBJECT("motion", &motion, "default none"),
    NUMBER("friction", "", 0, 1e3, "0.3", "Coulomb's coefficient"),
    NUMBER("restitution", "", 0, 1, "0", "0 no rebound, 1 full"),
    VECTOR("colour", 3, "", 0, 1, "[0.55, 0.57, 0.6]", "linear red green blue"),
    BOOLEAN("flat", "false", "meshes: one shade a face"),
    BOOLEAN("visible", "true", "drawn in pictures"),
    TEXT("body", "name of a body that carries it and feels deformables by it; then pose is in the body's frame"),
};
static const scene_table collider = {"colliders[]", "What deformables collide with.", collider_keys,
                                     COUNT(collider_keys)};

static const scene_key solid_keys[] = {
    {"shape", SCENE_CHOICE, "what it is, of the shapes listed below", "", 0, 0, NULL, true, 0, solids, NULL},
    SIZES OBJECT("mesh", &mesh, "of hulls"),
    OBJECT("pose", &pose, "in the body's frame"),
};
static const scene_table solid = {"bodies[].shapes[]", "A part of a body.", solid_keys, COUNT(solid_keys)};

static const scene_key body_keys[] = {
    TEXT("name", "for joints and attachments"),
    LIST("shapes", &solid, "what it is made of"),
    CHOICE("shape", solids, NULL, "instead of shapes: the only one"),
    SIZES OBJECT("mesh", &mesh, "of a hull"),
    OBJECT("pose", &pose, "where it starts"),
    NUMBER("mass", "kg", 1e-9, 1e12, NULL, "of all of it; default from the density"),
    NUMBER("density", "kg/m3", 1e-9, 1e12, "1000", "of the shapes"),
    VECTOR("velocity", 3, "m/s", -1e6, 1e6, "[0, 0, 0]", "of the centre of mass at the start"),
    VECTOR("angular_velocity", 3, "degrees/s", -1e6, 1e6, "[0, 0, 0]", "at the start"),
    BOOLEAN("fixed", "false", "nothing moves it but its velocities"),
    NUMBER("friction", "", 0, 1e3, "0.3", "Coulomb's coefficient; two bodies have the geometric mean"),
    NUMBER("restitution", "", 0, 1, "0", "0 no rebound, 1 full"),
    NUMBER("thickness", "m", 0, 1e6, "0", "distance kept from deformables beyond theirs"),
    LAYERS,
    NUMBER("mass_scale", "", 0, 1e6, "1", "factor on how lightly deformables move it"),
    VECTOR("colour", 3, "", 0, 1, "[0.55, 0.57, 0.6]", "linear red green blue"),
    BOOLEAN("flat", "false", "hulls: one shade a face"),
    BOOLEAN("visible", "true", "drawn in pictures"),
};
static const scene_table body = {"bodies[]", "What is rigid and moves: shapes with mass, simulated by ODE.", body_keys,
                                 COUNT(body_keys)};

static const scene_key motor_keys[] = {
    NUMBER("speed", "degrees/s or m/s", -1e6, 1e6, "0", "that it strives for"),
    {"force", SCENE_NUMBER, "the most that it gives", "N m or N", 0, ANY, NULL, true, 0, NULL, NULL},
};
static const scene_table motor = {"joints[].motor", "Of hinges and sliders.", motor_keys, COUNT(motor_keys)};

static const scene_key joint_keys[] = {
    {"type", SCENE_CHOICE, "what it leaves free: a point's turns, a turn, a way, nothing, two turns", "", 0, 0, NULL,
     true, 0, joint_types, NULL},
    TEXT("name", "for messages"),
    {"body", SCENE_TEXT, "name of a body", "", 0, 0, NULL, true, 0, NULL, NULL},
    TEXT("to", "name of the other body; default the world"),
    VECTOR("anchor", 3, "m", -ANY, ANY, NULL, "in the world at the start; default the body's position"),
    VECTOR("axis", 3, "", -ANY, ANY, "[0, 1, 0]", "in the world at the start; of universal joints it goes with to"),
    VECTOR("second_axis", 3, "", -ANY, ANY, "[1, 0, 0]", "of universal joints, which goes with the body"),
    VECTOR("limits", 2, "degrees or m", -ANY, ANY, NULL,
           "of a hinge's turn, -180 to 180, or a slider's way; default none"),
    OBJECT("motor", &motor, "default none"),
};
static const scene_table joint = {"joints[]", "Holds a body to another or to the world.", joint_keys,
                                  COUNT(joint_keys)};

static const scene_key keyframe_keys[] = {
    {"path", SCENE_TEXT, "such as deformables.bunny.constraints.triangle.kappa, or settings.damping", "", 0, 0, NULL,
     true, 0, NULL, NULL},
    {"keys", SCENE_PAIRS, "[[time, value], ...]; straight in between; gravity and wind take [x, y, z]", "s", -ANY, ANY,
     NULL, true, 0, NULL, NULL},
};
static const scene_table keyframe = {"keyframes[]", "A parameter that changes with time.", keyframe_keys,
                                     COUNT(keyframe_keys)};

static const scene_key view_keys[] = {
    VECTOR("eye", 3, "m", -ANY, ANY, NULL, "where the camera is; default fitted"),
    VECTOR("target", 3, "m", -ANY, ANY, "[0, 0, 0]", "what it looks at"),
    NUMBER("field_of_view", "degrees", 1, 170, "35", "vertical"),
    INTEGER("width", 16, 8192, "960", "of pictures, in pixels"),
    INTEGER("height", 16, 8192, "540", "of pictures, in pixels"),
    BOOLEAN("ground", "true", "draw a ground with shadows"),
    NUMBER("ground_height", "m", -ANY, ANY, "0", "along the up axis"),
    BOOLEAN("wireframe", "false", "edges over the surface"),
    CHOICE("measure", measures, "\"none\"", "colour by a measure, with a legend"),
    VECTOR("measure_range", 2, "", -ANY, ANY, "[0, 0]", "of the legend; equal numbers: automatic"),
    VECTOR("background", 3, "", 0, 1, "[0.62, 0.7, 0.78]", "colour"),
};
static const scene_table view = {"view", "How pictures are made.", view_keys, COUNT(view_keys)};

static const scene_key output_keys[] = {
    {"formats", SCENE_TEXTS, "caches to write", "", 0, 0, "[\"pc2\"]", false, 0, formats, NULL},
};
static const scene_table output = {"output", "What `pliant run` writes unless told otherwise.", output_keys,
                                   COUNT(output_keys)};

static const scene_key root_keys[] = {
    {"pliant", SCENE_INTEGER, "version of this format", "", 1, 1, NULL, true, 0, NULL, NULL},
    TEXT("title", "a line for people"),
    TEXT("description", "more lines for people"),
    TEXT("$schema", "for editors"),
    CHOICE("up", ups, "\"y\"", "the axis that points up"),
    INTEGER("frames", 1, 10000000, "120", "how long it runs"),
    NUMBER("frames_per_second", "1/s", 0.1, 100000, "60", "of the simulation and the video"),
    CHOICE("order", orders, "\"coloured\"", "wide and threaded, or the papers' one by one"),
    INTEGER("threads", 1, 64, "1", "that share the work; results do not depend on it"),
    OBJECT("settings", &settings, "the solver"),
    OBJECT("contact", &contact, "between surfaces"),
    LIST("deformables", &deformable, "what bends"),
    LIST("colliders", &collider, "what it collides with"),
    LIST("bodies", &body, "what is rigid and moves"),
    LIST("joints", &joint, "what holds bodies"),
    LIST("keyframes", &keyframe, "parameters that change"),
    OBJECT("view", &view, "pictures"),
    OBJECT("output", &output, "files"),
};
const scene_table scene_root = {"scene", "The whole file.", root_keys, COUNT(root_keys)};

int scene_type_names(const char *names[SCENE_NAMES_MAX])
{
    int count = 0;
    for (int32_t i = 0; i < pli_constraint_type_count() && count + 1 < SCENE_NAMES_MAX; i++)
        if (pli_constraint_type_at(i)->generator)
            names[count++] = pli_constraint_type_at(i)->name;
    names[count] = NULL;
    return count;
}

int scene_generator_names(const char *names[SCENE_NAMES_MAX])
{
    int count = 0;
    for (int32_t i = 0; i < pli_generator_count() && count + 1 < SCENE_NAMES_MAX; i++)
        names[count++] = pli_generator_at(i)->name;
    names[count] = NULL;
    return count;
}

const scene_key *scene_find_key(const scene_table *table, const char *name)
{
    for (int i = 0; i < table->count; i++)
        if (strcmp(table->keys[i].name, name) == 0)
            return &table->keys[i];
    return NULL;
}
