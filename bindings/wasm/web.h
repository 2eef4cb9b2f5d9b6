// What the files of this folder share. They export the library to JavaScript, over its public headers only:
//
//   numbers come as arguments; vectors, poses and the numbers of a record go through `web_values`
//   texts are zero-terminated UTF-8 in memory from `memory_take`; arrays are borrowed for the call
//   a definition is filled property by property (definitions.c), then an object is made of it
//   functions that can fail return a pli_status, and `web_error` has the message
//
// JavaScript knows of no struct's layout: records are named where they are written (RECORD).
#ifndef PLIANT_WEB_H
#define PLIANT_WEB_H

#include <pliant/pliant.h>

#define EXPORT(name) __attribute__((export_name(#name)))

enum { WEB_VALUES = 512 };

/// A call that returns several numbers leaves them here, and one that takes several finds them here.
extern double web_values[WEB_VALUES];
/// The last call that failed has left its message here.
extern pli_error web_error;

/// A world with what its callbacks leave for JavaScript.
typedef struct web_world web_world;

/// A definition of each kind, filled by JavaScript before a call that takes it.
typedef struct web_definitions {
    pli_world_def world;
    pli_deformable_def deformable;
    pli_attachment_def attachment;
    pli_collider_def collider;
    pli_material_def material;
} web_definitions;
extern web_definitions web_definition;

pli_vec3 web_vector(int32_t first);    ///< web_values[first ...first + 2]
pli_transform web_pose(int32_t first); ///< Position and rotation: web_values[first ... first + 6]
double *web_put_vector(double *to, pli_vec3 vector);
double *web_put_pose(double *to, pli_transform pose);

pli_world *web_world_of(const web_world *world);
void web_world_destroy(web_world *world);
/// Takes over a world.
pli_status web_world_wrap(pli_world *world, web_world **wrapped);
pli_deformable web_deformable(const web_world *world, uint32_t id);
pli_constraints web_constraint_set(const web_world *world, uint32_t id);
pli_attachment web_attachment(const web_world *world, uint32_t id);
pli_collider web_collider(const web_world *world, uint32_t id);
pli_rigid_body web_rigid_body(const web_world *world, uint32_t id);

/// Puts address, count and stride of a view into web_values.
void web_put_view(pli_view view);

// A record: the fields of a struct, written to web_values in order and named by a text. F marks a number, V a vector,
// A an array of numbers: "time stretch momentum:3 ...".
#define WEB_NAME_F(field) #field " "
#define WEB_NAME_V(field) #field ":3 "
#define WEB_NAME_A(field, count) #field ":" #count " "
#define WEB_VALUE_F(field) *to++ = (double)from->field;
#define WEB_VALUE_V(field) to = web_put_vector(to, from->field);
#define WEB_VALUE_A(field, count)                                                                                      \
    for (int32_t k = 0; k < (count); k++)                                                                              \
        *to++ = (double)from->field[k];

/// Defines the export `NAME_fields` with the names and web_put_NAME, which writes the values and returns where they end.
#define WEB_RECORD(name, type, FIELDS)                                                                                 \
    EXPORT(name##_fields) const char *web_##name##_fields(void) { return FIELDS(WEB_NAME_F, WEB_NAME_V, WEB_NAME_A); } \
    static double *web_put_##name(const type *from)                                                                    \
    {                                                                                                                  \
        double *to = web_values;                                                                                       \
        FIELDS(WEB_VALUE_F, WEB_VALUE_V, WEB_VALUE_A)                                                                  \
        return to;                                                                                                     \
    }

#endif
