// The keys of a scene, one line per key, as the only list of keys. For keys that the library's descriptors define, the kind, unit,
// range, default, choices and summary come from there.
#define _POSIX_C_SOURCE 200809L
#include "scene_format/scene_table.h"

#include "caches/cache_formats.h"

#include <pliant/attribute.h>
#include <pliant/material.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ANY 1e30
#define MANY 4000000
#define COUNT(keys) ((int)(sizeof(keys) / sizeof *(keys)))

static const char *const ups[] = {"y", "z", NULL};
// The shapes of which bodies may consist.
#define SOLID_NAME_SOLID(name) #name,
#define SOLID_NAME_HULL(name) #name,
#define SOLID_NAME_HALF_SPACE(name)
#define SOLID_NAME_TRIANGLES(name)
#define SOLID_NAME(value, name, label, kind, ...) SOLID_NAME_##kind(name)
static const char *const solids[] = {PLI_SHAPES(SOLID_NAME) NULL};
static const char *const joint_types[] = {"ball", "hinge", "slider", "fixed", "universal", NULL};
static const char *const patterns[] = {"none", "checker", "stripes", NULL};
static const char *const probe_measures[] = {"position", "bounds", "area", "volume", "curvature", "energy", NULL};
static const char *const measures[] = {"none", "stretch", "bending", "speed", "curvature", "residual", NULL};
#define FORMAT_NAME(name) #name,
static const char *const formats[] = {PLI_CACHE_FORMATS(FORMAT_NAME) NULL};

#define NUMBER(key, in, low, high, preset, text)                                                                       \
    {                                                                                                                  \
        .name = (key), .kind = SCENE_NUMBER, .summary = (text), .unit = (in), .minimum = (low), .maximum = (high),     \
        .initial = (preset)                                                                                            \
    }
#define INTEGER(key, low, high, preset, text)                                                                          \
    {                                                                                                                  \
        .name = (key), .kind = SCENE_INTEGER, .summary = (text), .minimum = (low), .maximum = (high),                  \
        .initial = (preset)                                                                                            \
    }
#define BOOLEAN(key, preset, text)                                                                                     \
    {                                                                                                                  \
        .name = (key), .kind = SCENE_BOOLEAN, .summary = (text), .initial = (preset)                                   \
    }
#define TEXT(key, text)                                                                                                \
    {                                                                                                                  \
        .name = (key), .kind = SCENE_TEXT, .summary = (text)                                                           \
    }
#define REQUIRED_TEXT(key, text)                                                                                       \
    {                                                                                                                  \
        .name = (key), .kind = SCENE_TEXT, .summary = (text), .required = true                                         \
    }
#define CHOICE(key, of, preset, text)                                                                                  \
    {                                                                                                                  \
        .name = (key), .kind = SCENE_CHOICE, .summary = (text), .initial = (preset), .choices = (of)                   \
    }
// A choice from a list of the library: pli_choices_find.
#define LISTED(key, of, preset, text)                                                                                  \
    {                                                                                                                  \
        .name = (key), .kind = SCENE_CHOICE, .summary = (text), .initial = (preset), .list = (of)                      \
    }
#define VECTOR(key, size, in, low, high, preset, text)                                                                 \
    {                                                                                                                  \
        .name = (key), .kind = SCENE_VECTOR, .summary = (text), .unit = (in), .minimum = (low), .maximum = (high),     \
        .initial = (preset), .length = (size)                                                                          \
    }
#define OBJECT(key, table, text)                                                                                       \
    {                                                                                                                  \
        .name = (key), .kind = SCENE_OBJECT, .summary = (text), .inner = (table)                                       \
    }
#define LIST(key, table, text)                                                                                         \
    {                                                                                                                  \
        .name = (key), .kind = SCENE_LIST, .summary = (text), .inner = (table)                                         \
    }
// A key that takes all its data from the property of that name in a group of the library's descriptors.
#define PROPERTY(of, key)                                                                                              \
    {                                                                                                                  \
        .name = (key), .kind = SCENE_PROPERTY, .group = (of)                                                           \
    }

// Stands for all properties of a group that have no key of their own in the table, in their order.
#define PROPERTIES(of)                                                                                                 \
    {                                                                                                                  \
        .kind = SCENE_PROPERTY, .group = (of)                                                                          \
    }

// The sizes of shapes.
#define SIZE(name, ...) PROPERTY("collider", #name),
#define SIZES PLI_SHAPE_FIELDS(SIZE)

static const scene_key settings_keys[] = {
    PROPERTIES("settings"),
    {.name = "gravity",
     .kind = SCENE_PROPERTY,
     .group = "settings",
     .note = " By default it is 9.81 against the up axis."},
};
static const scene_table settings = {"settings", NULL, settings_keys, COUNT(settings_keys), "settings"};

static const scene_key contact_keys[] = {PROPERTIES("contact")};
static const scene_table contact = {"contact", NULL, contact_keys, COUNT(contact_keys), "contact"};

static const scene_key grid_keys[] = {
    INTEGER("columns", 2, 100000, "40", "Number of vertices along x."),
    INTEGER("rows", 2, 100000, "40", "Number of vertices along z."),
    NUMBER("width", "m", 1e-6, 1e6, "1", "Size along x."),
    NUMBER("depth", "m", 1e-6, 1e6, "1", "Size along z."),
    LISTED("pattern", "grid_pattern", "\"alternating\"",
           "How squares are divided into triangles; quads are the fabric of the papers."),
};
static const scene_table grid = {"mesh.grid", "A flat sheet in the xz plane, centred, facing +y.", grid_keys,
                                 COUNT(grid_keys), NULL};

static const scene_key sphere_keys[] = {
    INTEGER("subdivisions", 0, 9, "3", "Number of times an icosahedron is subdivided."),
    NUMBER("radius", "m", 1e-6, 1e6, "0.5", "Radius of the sphere."),
};
static const scene_table sphere = {"mesh.sphere", "A closed ball of triangles.", sphere_keys, COUNT(sphere_keys), NULL};

static const scene_key tube_keys[] = {
    INTEGER("around", 3, 100000, "32", "Number of vertices around the tube."),
    INTEGER("along", 2, 100000, "32", "Number of vertices along y."),
    NUMBER("radius", "m", 1e-6, 1e6, "0.25", "Radius of the tube."),
    NUMBER("length", "m", 1e-6, 1e6, "1", "Length along y."),
    BOOLEAN("capped", "false", "Whether both ends are closed."),
    LISTED("pattern", "grid_pattern", "\"alternating\"", "How squares are divided into triangles."),
};
static const scene_table tube = {"mesh.tube", "A tube along y, centred.", tube_keys, COUNT(tube_keys), NULL};

static const scene_key plant_keys[] = {
    NUMBER("height", "m", 1e-6, 1e6, NULL, "Height of the stem."),
    NUMBER("radius", "m", 1e-6, 1e6, NULL, "Radius of the stem at its foot."),
    INTEGER("branches", 0, 64, NULL, "Number of leaves along the stem."),
    INTEGER("segments", 1, 64, NULL, "Number of rings of vertices between branches."),
    INTEGER("sides", 4, 32, NULL, "Number of vertices around the stem."),
    NUMBER("leaf_length", "m", 1e-6, 1e6, NULL, "Length of each leaf."),
    NUMBER("leaf_width", "m", 1e-6, 1e6, NULL, "Width of each leaf."),
    INTEGER("seed", 0, 4294967295.0, NULL, "Seed of the random shape; the same seed gives the same plant."),
};
static const scene_table plant = {"mesh.plant", "A stem along +y with leaves.", plant_keys, COUNT(plant_keys), NULL};

static const scene_key mesh_keys[] = {
    TEXT("file", "OBJ, PLY, STL or glTF file, relative to the scene."),
    TEXT("name", "A mesh that the program which loads the scene gives by this name."),
    NUMBER("scale", "", 1e-6, 1e6, "1", "Factor on the positions of the file."),
    BOOLEAN("weld", "false",
            "Whether the file's vertices within a millionth of its size are merged; those of STL and glTF always are."),
    BOOLEAN("repair", "false", "Whether non-manifold faces are repaired instead of refused."),
    OBJECT("grid", &grid, "A flat sheet."),
    OBJECT("sphere", &sphere, "A closed ball."),
    OBJECT("tube", &tube, "A tube."),
    OBJECT("plant", &plant, "A plant."),
};
static const scene_table mesh = {"mesh", "The rest shape: exactly one of file, name, grid, sphere, tube, plant.",
                                 mesh_keys, COUNT(mesh_keys), NULL};

static const scene_key pose_keys[] = {
    VECTOR("position", 3, "m", -ANY, ANY, "[0, 0, 0]", "Position of the origin."),
    VECTOR("axis", 3, "", -ANY, ANY, "[0, 1, 0]", "Axis of the rotation."),
    NUMBER("angle", "degrees", -1e6, 1e6, "0", "Angle of the rotation about the axis."),
};
static const scene_table pose = {"pose", "A rotation followed by a translation.", pose_keys, COUNT(pose_keys), NULL};

static const scene_key motion_key_keys[] = {
    {.name = "time",
     .kind = SCENE_NUMBER,
     .summary = "Time since the start.",
     .unit = "s",
     .maximum = ANY,
     .required = true},
    VECTOR("position", 3, "m", -ANY, ANY, "[0, 0, 0]", "Displacement since the start."),
    VECTOR("axis", 3, "", -ANY, ANY, "[0, 1, 0]", "Axis of the rotation."),
    NUMBER("angle", "degrees", -1e6, 1e6, "0", "Angle turned about the axis since the start."),
};
static const scene_table motion_key = {"motion.keyframes[]",
                                       "Where a moving object is at a time; between keyframes it moves linearly.",
                                       motion_key_keys, COUNT(motion_key_keys), NULL};

static const scene_key motion_keys[] = {
    VECTOR("velocity", 3, "m/s", -1e6, 1e6, "[0, 0, 0]", "Constant velocity."),
    VECTOR("axis", 3, "", -ANY, ANY, "[0, 1, 0]", "Axis of the rotation, through the centre."),
    NUMBER("angular_speed", "degrees/s", -1e6, 1e6, "0", "Constant angular speed about the axis."),
    VECTOR("centre", 3, "m", -ANY, ANY, NULL, "Centre of the rotation, by default that of the object."),
    NUMBER("start", "s", 0, ANY, "0", "Time before which the object rests."),
    NUMBER("stop", "s", 0, ANY, NULL, "Time after which the object rests; by default it never stops."),
    LIST("keyframes", &motion_key, "Poses by time, instead of constant motion."),
    BOOLEAN("loop", "false", "Whether keyframes start again after the last."),
};
static const scene_table motion = {"motion", "Motion of a collider or an attachment.", motion_keys, COUNT(motion_keys),
                                   NULL};

static const scene_key box_keys[] = {
    {.name = "minimum",
     .kind = SCENE_VECTOR,
     .summary = "Lower corner of the box.",
     .unit = "m",
     .minimum = -ANY,
     .maximum = ANY,
     .required = true,
     .length = 3},
    {.name = "maximum",
     .kind = SCENE_VECTOR,
     .summary = "Upper corner of the box.",
     .unit = "m",
     .minimum = -ANY,
     .maximum = ANY,
     .required = true,
     .length = 3},
};
static const scene_table box = {"deformables[].attachments[].box", "Selects the vertices inside it at the start.",
                                box_keys, COUNT(box_keys), NULL};

static const scene_key attachment_keys[] = {
    {.name = "particles", .kind = SCENE_INTEGERS, .summary = "Selects vertices by their numbers.", .maximum = MANY},
    OBJECT("box", &box, "Selects the vertices inside a box."),
    BOOLEAN("all", "false", "Whether every vertex is selected."),
    BOOLEAN("corners", "false", "Whether the four corners of a grid are selected."),
    INTEGER("row", -100000, 99999, NULL, "Selects a row of a grid or a ring of a tube; -1 is the last."),
    INTEGER("column", -100000, 99999, NULL, "Selects a column of a grid; -1 is the last."),
    PROPERTIES("attachment"),
    OBJECT("motion", &motion, "Motion of the frame, by default none."),
    NUMBER("until", "s", 0, ANY, NULL, "Time at which the particles are released; by default they stay attached."),
    TEXT("body", "Name of a body to attach to, which feels the attachment; then without fixed and motion."),
};
static const scene_table attachment = {"deformables[].attachments[]",
                                       "Attaches particles to a fixed or moving frame. All given selectors are "
                                       "combined (union).",
                                       attachment_keys, COUNT(attachment_keys), NULL};

static const scene_key part_keys[] = {
    TEXT("group", "Name of a group, material or object of the mesh's file whose faces these are."),
    OBJECT("box", &box, "Selects the faces inside a box at the start."),
    VECTOR("colour", 3, "", 0, 1, "[0.5, 0.5, 0.5]", "Colour of these faces as linear red, green, blue."),
    VECTOR("back", 3, "", 0, 1, NULL, "Colour of their backs; by default darker than their fronts."),
};
static const scene_table part = {"deformables[].look.parts[]",
                                 "Faces with a colour of their own, chosen by any of its keys. Of parts that overlap "
                                 "the last counts.",
                                 part_keys, COUNT(part_keys), NULL};

static const scene_key look_keys[] = {
    VECTOR("front", 3, "", 0, 1, "[0.75, 0.25, 0.16]", "Colour of the front as linear red, green, blue."),
    VECTOR("back", 3, "", 0, 1, "[0.16, 0.3, 0.45]", "Colour of the back as linear red, green, blue."),
    LIST("parts", &part, "Parts with a colour of their own, such as leaves and stems."),
    BOOLEAN("flat", "false", "Whether each face has one shade."),
    TEXT("image", "PNG file that is drawn on it, over these colours where it is transparent: at the texture "
                  "coordinates 'uv' of the mesh's file, or over the whole of a grid."),
    TEXT("back_image", "PNG file that is drawn on the back alone; image is then drawn on the front alone."),
    CHOICE("pattern", patterns, "\"none\"", "Printed pattern."),
    NUMBER("pattern_size", "m", 1e-4, 1e3, "0.05", "Width of a square or a stripe."),
    NUMBER("weave", "m", 0, 1, "0",
           "Distance of threads that are seen; 0 for none. They fade where they are smaller than a pixel."),
    NUMBER("sheen", "", 0, 1, "0.25", "Light that fibres scatter at the outline."),
    NUMBER("gloss", "", 0, 1, "0", "Strength of the highlight."),
    NUMBER("transmission", "", 0, 1, "0.1", "Fraction of the light from behind that is transmitted."),
    NUMBER("thickness", "m", 0, 1, "0", "Drawn thickness, with two sides and a rim; 0 for none. Contact ignores it."),
    VECTOR("rim", 3, "", 0, 1, NULL,
           "Colour of the rim of a drawn thickness; by default that of the hem, or else of the front or the part."),
    NUMBER("hem", "m", 0, 10, "0", "Width of a hem along the border; 0 for none."),
    VECTOR("hem_colour", 3, "", 0, 1, NULL, "Colour of the hem; by default that of the front."),
    NUMBER("seam", "m", 0, 1, "0", "Width of the seams where parts meet; 0 for none."),
    VECTOR("seam_colour", 3, "", 0, 1, NULL, "Colour of the seams; by default that of the front."),
};
static const scene_table look = {"deformables[].look", "Looks in pictures.", look_keys, COUNT(look_keys), NULL};

static const scene_key tearing_keys[] = {PROPERTIES("tearing")};
static const scene_table tearing = {"deformables[].tearing", NULL, tearing_keys, COUNT(tearing_keys), "tearing"};

static const scene_key plate_keys[] = {PROPERTIES("plate")};
static const scene_table plate = {"deformables[].plate", NULL, plate_keys, COUNT(plate_keys), "plate"};

static const scene_key material_keys[] = {
    {.name = "preset",
     .kind = SCENE_CHOICE,
     .summary = "Material to start from; other keys override its values.",
     .names = scene_material_names},
    PROPERTIES("material"),
    TEXT("warp_attribute", "Texture coordinates of the mesh's file; the warp then follows their u direction."),
};
static const scene_table material = {"deformables[].material", NULL, material_keys, COUNT(material_keys), "material"};

static const scene_key paint_keys[] = {
    TEXT("attribute", "Attribute of the mesh's file, of vertices or faces: a property of PLY, an attribute of glTF; "
                      "with an image, the texture coordinates."),
    TEXT("image", "PNG file whose values are taken at the texture coordinates, or that covers a mesh without a file."),
    {.name = "values",
     .kind = SCENE_NUMBERS,
     .summary = "A number for each vertex of the mesh, instead of an attribute.",
     .minimum = -ANY,
     .maximum = ANY},
    INTEGER("component", 0, 3, "0", "Which of its numbers, where a value has several."),
    NUMBER("from", "", -ANY, ANY, "0", "Number that the value 0 stands for."),
    NUMBER("to", "", -ANY, ANY, "1", "Number that the value 1 stands for; others follow linearly."),
};
static const scene_table paint = {"painted.density", "Numbers by vertex or face of the mesh.", paint_keys,
                                  COUNT(paint_keys), NULL};

// This key stands for each attribute that can be painted.
static const scene_key painted_keys[] = {OBJECT(NULL, &paint, NULL)};
static const scene_table painted = {"deformables[].painted", "Values that vary over the surface.", painted_keys,
                                    COUNT(painted_keys), NULL};

static const scene_key deformable_keys[] = {
    TEXT("name", "Name for messages, paths and file names."),
    {.name = "mesh", .kind = SCENE_OBJECT, .summary = "Rest shape.", .required = true, .inner = &mesh},
    OBJECT("pose", &pose, "Pose at the start."),
    {.name = "material",
     .kind = SCENE_OBJECT,
     .summary = "Name of a preset, or the parameters of a sheet; other keys given here take precedence.",
     .inner = &material,
     .brief = "preset"},
    PROPERTIES("deformable"),
    {.name = "constraints",
     .kind = SCENE_CONSTRAINTS,
     .summary = "Constraint sets, projected in this order.",
     .inner = &scene_constraint},
    LIST("attachments", &attachment, "Attachments of its particles."),
    OBJECT("tearing", &tearing, "Thresholds at which edges tear; by default none tears."),
    NUMBER("rigidity", "N m", 0, 1e6, NULL,
           "Flexural rigidity of the sheet, by a model that reaches it: a plate, or constraints where sweeps lose none "
           "of it."),
    OBJECT("plate", &plate, "Bending solved for the whole surface simultaneously."),
    OBJECT("painted", &painted, "Numbers by vertex or face, from the file of the mesh or listed."),
    OBJECT("look", &look, "Looks in pictures."),
};
static const scene_table deformable = {"deformables[]", NULL, deformable_keys, COUNT(deformable_keys), "deformable"};

static const scene_key constraint_keys[] = {
    REQUIRED_TEXT("type", "Constraint type; `pliant models` lists them."),
    TEXT("generator", "Generator of its constraints, by default that of the type."),
    TEXT("name", "Name for paths and messages, by default that of the type."),
    {.name = "particles",
     .kind = SCENE_INTEGERS,
     .summary = "Vertices of each constraint, one constraint after the other, instead of a generator.",
     .maximum = MANY},
    NUMBER("tensile_stiffness", "N/m", 1e-15, 1e15, NULL,
           "Tensile stiffness of the sheet whose edges these are, instead of a compliance; of type distance."),
    OBJECT("painted", &paint, "Factor on the stiffness by vertex or face, under XPBD."),
};
const scene_table scene_constraint = {"deformables[].constraints[]",
                                      "One set of constraints, with any parameter of its type.", constraint_keys,
                                      COUNT(constraint_keys), NULL};

static const scene_key animation_keys[] = {
    REQUIRED_TEXT(
        "file", "Cache, first file of a numbered sequence, folder of a run, or glTF figure with skins, relative to the "
                "scene."),
    TEXT("clip",
         "Name of the clip of a glTF figure, which is sampled at the scene's frames; without it the first one."),
    INTEGER("object", 0, MANY, "0", "Number of the object in the cache."),
    NUMBER("start", "s", -1e6, 1e6, "0", "Time of the first frame, which also holds before it."),
    NUMBER("speed", "", 0, 1e6, "1",
           "Factor on the cache's own frames per second, which are 60 where it has none (pc2, obj, ply)."),
    BOOLEAN("loop", "false", "Whether the first frame follows the last; otherwise the last frame stays."),
};
static const scene_table animation = {"colliders[].animation",
                                      "Vertex positions by frame; between frames vertices move linearly.",
                                      animation_keys, COUNT(animation_keys), NULL};

static const scene_key collider_keys[] = {
    {.name = "shape", .kind = SCENE_PROPERTY, .group = "collider", .required = true},
    PROPERTIES("collider"),
    OBJECT("mesh", &mesh, "Mesh of shapes of vertices; as shape mesh it is solid when closed, a sheet when open."),
    OBJECT("animation", &animation, "Animation of a mesh; it brings its own faces when mesh is not given."),
    OBJECT("pose", &pose, "Pose at the start."),
    OBJECT("motion", &motion, "Motion, by default none."),
    VECTOR("colour", 3, "", 0, 1, "[0.55, 0.57, 0.6]", "Colour as linear red, green, blue."),
    BOOLEAN("flat", "false", "Whether each face of a mesh has one shade."),
    BOOLEAN("visible", "true", "Whether pictures show it."),
    NUMBER("transparency", "", 0, 1, "0", "How much one sees through it, unless it is a mesh."),
    TEXT("body", "Name of a body that carries it and feels deformables by it; pose is then in the body's frame."),
};
static const scene_table collider = {"colliders[]", NULL, collider_keys, COUNT(collider_keys), "collider"};

static const scene_key solid_keys[] = {
    {.name = "shape", .kind = SCENE_CHOICE, .summary = "Shape of the part.", .required = true, .choices = solids},
    SIZES OBJECT("mesh", &mesh, "Mesh whose vertices span a hull."),
    OBJECT("pose", &pose, "Pose in the body's frame."),
};
static const scene_table solid = {"bodies[].shapes[]", "A part of a body.", solid_keys, COUNT(solid_keys), NULL};

static const scene_key body_keys[] = {
    TEXT("name", "Name for joints and attachments."),
    LIST("shapes", &solid, "Shapes that the body consists of."),
    CHOICE("shape", solids, NULL, "The only shape, instead of shapes."),
    SIZES OBJECT("mesh", &mesh, "Mesh whose vertices span a hull."),
    OBJECT("pose", &pose, "Pose at the start."),
    NUMBER("mass", "kg", 1e-9, 1e12, NULL, "Mass of the whole body, by default from the density."),
    NUMBER("density", "kg/m^3", 1e-9, 1e12, "1000", "Density of the shapes."),
    VECTOR("velocity", 3, "m/s", -1e6, 1e6, "[0, 0, 0]", "Velocity of the centre of mass at the start."),
    VECTOR("angular_velocity", 3, "degrees/s", -1e6, 1e6, "[0, 0, 0]", "Angular velocity at the start."),
    BOOLEAN("fixed", "false", "Whether the body is kinematic: it moves by its velocities alone."),
    NUMBER("friction", "", 0, 1e3, "0.3", "Coulomb coefficient; two bodies use the geometric mean."),
    PROPERTY("collider", "restitution"),
    PROPERTY("collider", "thickness"),
    PROPERTY("collider", "layer"),
    PROPERTY("collider", "collides_with"),
    NUMBER("mass_scale", "", 0, 1e6, "1", "Factor on inverse mass and inertia against deformables."),
    VECTOR("colour", 3, "", 0, 1, "[0.55, 0.57, 0.6]", "Colour as linear red, green, blue."),
    BOOLEAN("flat", "false", "Whether each face of a hull has one shade."),
    BOOLEAN("visible", "true", "Whether pictures show it."),
    NUMBER("transparency", "", 0, 1, "0", "How much one sees through it, unless it is a mesh."),
};
static const scene_table body = {"bodies[]", "A moving rigid body: shapes with mass, simulated by ODE.", body_keys,
                                 COUNT(body_keys), NULL};

static const scene_key motor_keys[] = {
    NUMBER("speed", "degrees/s or m/s", -1e6, 1e6, "0", "Speed that the motor strives for."),
    {.name = "force",
     .kind = SCENE_NUMBER,
     .summary = "Largest torque or force of the motor.",
     .unit = "N m or N",
     .maximum = ANY,
     .required = true},
};
static const scene_table motor = {"joints[].motor", "Motor of a hinge or slider.", motor_keys, COUNT(motor_keys), NULL};

static const scene_key joint_keys[] = {
    {.name = "type",
     .kind = SCENE_CHOICE,
     .summary = "Free motion: ball 3 rotations, hinge 1 rotation, slider 1 translation, fixed none, universal 2 "
                "rotations.",
     .required = true,
     .choices = joint_types},
    TEXT("name", "Name for messages."),
    REQUIRED_TEXT("body", "Name of a body."),
    TEXT("to", "Name of the other body, by default the world."),
    VECTOR("anchor", 3, "m", -ANY, ANY, NULL, "Position in the world at the start, by default that of the body."),
    VECTOR("axis", 3, "", -ANY, ANY, "[0, 1, 0]",
           "Axis in the world at the start; that of a universal joint moves with the body named by to."),
    VECTOR("second_axis", 3, "", -ANY, ANY, "[1, 0, 0]",
           "Second axis of a universal joint, which moves with the body."),
    VECTOR("limits", 2, "degrees or m", -ANY, ANY, NULL,
           "Limits of a hinge's angle, -180 to 180, or of a slider's displacement; by default none."),
    OBJECT("motor", &motor, "Motor, by default none."),
};
static const scene_table joint = {"joints[]", "Connects a body to another body or to the world.", joint_keys,
                                  COUNT(joint_keys), NULL};

static const scene_key keyframe_keys[] = {
    REQUIRED_TEXT("path", "Path such as deformables.bunny.constraints.triangle.kappa, or settings.damping."),
    {.name = "keys",
     .kind = SCENE_PAIRS,
     .summary = "[[time, value], ...]; values change linearly in between; gravity and wind take [x, y, z].",
     .unit = "s",
     .minimum = -ANY,
     .maximum = ANY,
     .required = true},
};
static const scene_table keyframe = {"keyframes[]", "A parameter or setting that changes with time.", keyframe_keys,
                                     COUNT(keyframe_keys), NULL};

static const char *const fits[] = {"start", "run", NULL};
static const char *const floors[] = {"paper", "oak", "concrete", NULL}; // As pli_render_floor.
static const scene_key view_keys[] = {
    VECTOR("eye", 3, "m", -ANY, ANY, NULL, "Position of the camera, by default fitted to the scene."),
    VECTOR("target", 3, "m", -ANY, ANY, "[0, 0, 0]", "Point that the camera looks at."),
    NUMBER("field_of_view", "degrees", 1, 170, "30", "Vertical angle of view of a camera with an eye."),
    NUMBER("azimuth", "degrees", -360, 360, "28", "Direction of a fitted camera, to the right of the front."),
    NUMBER("elevation", "degrees", -89, 89, "12", "Height of a fitted camera above the horizon, as an angle."),
    NUMBER("shutter", "", 0, 1, "0.5",
           "Motion blur at quality best: fraction of the time between two frames in which the shutter is open; 0 for "
           "sharp pictures."),
    INTEGER("width", 16, 8192, "960", "Width of pictures in pixels."),
    INTEGER("height", 16, 8192, "540", "Height of pictures in pixels."),
    BOOLEAN("ground", "true", "Whether a ground with shadows is drawn."),
    NUMBER("ground_height", "m", -ANY, ANY, "0", "Height of the ground along the up axis."),
    BOOLEAN("wireframe", "false", "Whether edges are drawn over the surface."),
    CHOICE("measure", measures, "\"none\"", "Measure that colours the surface, with a legend."),
    VECTOR("measure_range", 2, "", -ANY, ANY, "[0, 0]", "Range of the legend; equal numbers fit it to the values."),
    VECTOR("background", 3, "", 0, 1, "[0.6, 0.57, 0.53]", "Colour of the background as linear red, green, blue."),
    CHOICE("floor", floors, "\"oak\"", "Material of the ground; paper has the colour of the background."),
    TEXT("follow", "Name of a deformable whose centre the camera moves with, or `everything` for that of all."),
    NUMBER("orbit", "degrees/s", -36000, 36000, "0",
           "Speed at which the camera turns about its target and the up axis, counterclockwise seen from above."),
    CHOICE("fit", fits, "\"start\"",
           "Extent that a camera without an eye is fitted to: the start, or all motion in the whole run, which `pliant "
           "render` knows."),
};
static const scene_table view = {"view", "How pictures are made.", view_keys, COUNT(view_keys), NULL};

static const scene_key output_keys[] = {
    {.name = "formats",
     .kind = SCENE_TEXTS,
     .summary = "Cache formats to write; without them `pliant run` writes gltf.",
     .choices = formats},
};
static const scene_table output = {"output", "Files that `pliant run` writes by default.", output_keys,
                                   COUNT(output_keys), NULL};

static const scene_key probe_keys[] = {
    REQUIRED_TEXT("name", "Name of its columns, probe_NAME, and of its key in summary.json."),
    TEXT("deformable", "Name of the deformable; the first one when left out."),
    CHOICE(
        "measure", probe_measures, "\"position\"",
        "The position of a vertex [m], the bounds [m], the area [m2], the volume [m3], the mean of the discrete mean "
        "curvature over vertices inside [1/m], or the kinetic and elastic energy [J]."),
    INTEGER("vertex", 0, MANY, "0", "Vertex whose position is reported."),
};
static const scene_table probe = {"probes[]", "A quantity of a deformable that `pliant run` reports in every frame.",
                                  probe_keys, COUNT(probe_keys), NULL};

static const scene_key expect_end_keys[] = {
    REQUIRED_TEXT("name", "Name of a deformable or of a body."),
    VECTOR("minimum", 3, "m", -ANY, ANY, NULL,
           "Least coordinates of a box that every vertex, or the body's centre, is in."),
    VECTOR("maximum", 3, "m", -ANY, ANY, NULL, "Largest coordinates of that box."),
    VECTOR("volume", 2, "", 0, ANY, NULL, "Least and largest volume of a closed deformable over that at the start."),
};
static const scene_table expect_end = {"expect.ends[]", "Where a deformable or a body is in the last frame.",
                                       expect_end_keys, COUNT(expect_end_keys), NULL};

static const scene_key expect_keys[] = {
    INTEGER("intersections", 0, 1000000000, NULL,
            "Most pairs of triangles that intersect in any frame, as check-intersections counts them."),
    NUMBER("stretch", "", 0, ANY, NULL,
           "Largest stretch of any edge in any frame, as a fraction of its length at rest."),
    NUMBER("stretch_p99", "", 0, ANY, NULL,
           "Stretch that 99 of 100 edges of each deformable are below in the last frame."),
    NUMBER("stretch_end", "", 0, ANY, NULL, "Largest stretch of any edge of each deformable in the last frame."),
    NUMBER("kinetic_energy", "J", 0, ANY, NULL, "Largest kinetic energy of all deformables in the last frame."),
    NUMBER("stuck", "", 0, 1, NULL,
           "Largest fraction of particles that have been held back for more than 0.5 s, in any frame."),
    LIST("ends", &expect_end, "Where deformables and bodies are in the last frame."),
};
static const scene_table expect = {"expect", "What must hold in a run, which `pliant run --expect` compares.",
                                   expect_keys, COUNT(expect_keys), NULL};

static const scene_key root_keys[] = {
    {.name = "pliant",
     .kind = SCENE_INTEGER,
     .summary = "Version of this format.",
     .minimum = 1,
     .maximum = 1,
     .required = true},
    TEXT("title", "A line for people."),
    TEXT("description", "More lines for people."),
    TEXT("$schema", "Path of the schema, for editors."),
    CHOICE("up", ups, "\"y\"", "Axis that points up."),
    INTEGER("frames", 1, 10000000, "120", "Number of frames that it runs."),
    NUMBER("frames_per_second", "1/s", 0.1, 100000, "60", "Frame rate of the simulation and the video."),
    PROPERTIES("world"),
    OBJECT("settings", &settings, "Settings of the solver."),
    OBJECT("contact", &contact, "Contact between surfaces."),
    LIST("deformables", &deformable, "Surfaces that bend and stretch."),
    LIST("colliders", &collider, "Objects that deformables collide with."),
    LIST("bodies", &body, "Rigid bodies that move."),
    LIST("joints", &joint, "Joints of bodies."),
    LIST("keyframes", &keyframe, "Parameters and settings that change with time."),
    OBJECT("view", &view, "How pictures are made."),
    OBJECT("output", &output, "Files to write."),
    LIST("probes", &probe, "Quantities that `pliant run` reports in summary.json and `--record`."),
    OBJECT("expect", &expect, "What must hold in a run, which `pliant run --expect` compares."),
};
const scene_table scene_root = {"scene", "The whole file.", root_keys, COUNT(root_keys), NULL};

/* ---- data from the descriptors ------------------------------------------------------------------ */

const char *scene_table_summary(const scene_table *table)
{
    return table->group ? pli_descriptor_group_find(table->group)->summary : table->summary;
}

static const scene_kind kinds[] = {
    [PLI_PROPERTY_NUMBER] = SCENE_NUMBER,   [PLI_PROPERTY_INTEGER] = SCENE_INTEGER,
    [PLI_PROPERTY_BOOLEAN] = SCENE_BOOLEAN, [PLI_PROPERTY_CHOICE] = SCENE_CHOICE,
    [PLI_PROPERTY_VECTOR] = SCENE_VECTOR,   [PLI_PROPERTY_LAYER] = SCENE_INTEGER,
    [PLI_PROPERTY_LAYERS] = SCENE_INTEGERS,
};

scene_key scene_key_full(const scene_key *key)
{
    scene_key full = *key;
    if (key->kind != SCENE_PROPERTY)
        return full;
    const pli_property *property = pli_descriptor_find(pli_descriptor_group_find(key->group), key->name);
    full.property = property;
    full.kind = kinds[property->kind];
    full.summary = property->summary;
    full.unit = property->unit;
    full.minimum = property->minimum;
    full.maximum = property->maximum;
    full.length = property->kind == PLI_PROPERTY_VECTOR ? 3 : 0;
    return full;
}

bool scene_key_default(const scene_key *key, char text[SCENE_DEFAULT_SIZE])
{
    const pli_property *property = key->property;
    if (!property || key->note || key->required) {
        snprintf(text, SCENE_DEFAULT_SIZE, "%s", key->initial ? key->initial : "");
        return key->initial != NULL;
    }
    const double *v = property->initial_vector;
    switch (property->kind) {
    case PLI_PROPERTY_BOOLEAN:
        snprintf(text, SCENE_DEFAULT_SIZE, "%s", property->initial != 0.0 ? "true" : "false");
        break;
    case PLI_PROPERTY_CHOICE:
        snprintf(text, SCENE_DEFAULT_SIZE, "\"%s\"", property->choices[(int)property->initial].name);
        break;
    case PLI_PROPERTY_VECTOR:
        snprintf(text, SCENE_DEFAULT_SIZE, "[%g, %g, %g]", v[0], v[1], v[2]);
        break;
    case PLI_PROPERTY_LAYER:
        snprintf(text, SCENE_DEFAULT_SIZE, "0");
        break;
    default:
        snprintf(text, SCENE_DEFAULT_SIZE, "%g", property->initial);
    }
    return property->kind != PLI_PROPERTY_LAYERS && isfinite(property->initial);
}

int scene_choice_names(const pli_choice *choices, const char *names[SCENE_NAMES_MAX])
{
    int count = 0;
    for (; choices[count].name && count + 1 < SCENE_NAMES_MAX; count++)
        names[count] = choices[count].name;
    names[count] = NULL;
    return count;
}

int scene_key_choices(const scene_key *key, const char *names[SCENE_NAMES_MAX])
{
    if (key->property && key->property->choices)
        return scene_choice_names(key->property->choices, names);
    if (key->names)
        return key->names(names);
    if (key->list)
        return scene_choice_names(pli_choices_find(key->list), names);
    int count = 0;
    for (; key->choices && key->choices[count] && count + 1 < SCENE_NAMES_MAX; count++)
        names[count] = key->choices[count];
    names[count] = NULL;
    return count;
}

int scene_type_names(const char *names[SCENE_NAMES_MAX])
{
    int count = 0;
    for (int32_t i = 0; i < pli_constraint_type_count() && count + 1 < SCENE_NAMES_MAX; i++)
        if (pli_constraint_type_at(i)->generator)
            names[count++] = pli_constraint_type_at(i)->name;
    names[count] = NULL;
    return count;
}

int scene_material_names(const char *names[SCENE_NAMES_MAX])
{
    int count = 0;
    for (int32_t i = 0; i < pli_material_count() && count + 1 < SCENE_NAMES_MAX; i++)
        names[count++] = pli_material_at(i)->name;
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

// Adds the keys that a key without a name stands for.
static int add_several(const scene_table *table, const scene_key *key, scene_key keys[], int count)
{
    const pli_descriptor_group *group = pli_descriptor_group_find(key->group);
    const pli_attribute *row;
    for (int32_t i = 0; group && i < group->property_count && count < SCENE_KEYS_MAX; i++) {
        if (scene_find_key(table, group->properties[i].name))
            continue;
        keys[count] = *key;
        keys[count++].name = group->properties[i].name;
    }
    for (int32_t i = 0; !group && (row = pli_attribute_painted_at(i)) && count < SCENE_KEYS_MAX; i++) {
        keys[count] = *key;
        keys[count].name = row->name, keys[count].summary = row->summary, keys[count++].unit = row->unit;
    }
    return count;
}

int scene_table_keys(const scene_table *table, scene_key keys[SCENE_KEYS_MAX])
{
    int count = 0;
    for (int i = 0; i < table->count && count < SCENE_KEYS_MAX; i++) {
        if (table->keys[i].name)
            keys[count++] = table->keys[i];
        else
            count = add_several(table, &table->keys[i], keys, count);
    }
    return count;
}

const scene_key *scene_find_key(const scene_table *table, const char *name)
{
    for (int i = 0; i < table->count; i++)
        if (table->keys[i].name && strcmp(table->keys[i].name, name) == 0)
            return &table->keys[i];
    return NULL;
}
