/// Pliant, attributes: values that vary over a deformable, such as friction, thickness or stiffness.
///
/// Each attribute is one row of one table. The row states its elements, unit and range, and what happens to its values when the mesh is
/// cut, or a deformable is reset. Values are given with the rows' names:
///
///     pli_deformable_paint(world, cloth, "friction", PLI_ELEMENT_VERTEX, values, vertex_count, &error);
///     pli_constraints_paint(world, edges, "stiffness", PLI_ELEMENT_FACE, factors, face_count, &error);
///     pli_deformable_paint(world, cloth, "friction", PLI_ELEMENT_VERTEX, NULL, 0, &error);   // clears
///
/// Snapshots contain painted values. Functions that take a world follow the threading rules of that world; the others may be called from
/// any thread.
#ifndef PLIANT_ATTRIBUTE_H
#define PLIANT_ATTRIBUTE_H

#include "deformable.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The elements that values belong to, in the order of the rest mesh; constraints in order of creation.
typedef enum pli_element {
    PLI_ELEMENT_VERTEX = 0,
    PLI_ELEMENT_FACE,     ///< A face of any number of corners.
    PLI_ELEMENT_TRIANGLE, ///< A triangle of pli_topology.
    PLI_ELEMENT_CONSTRAINT
} pli_element;

/// The name of an element: "vertex", "face", "triangle", "constraint"; "unknown" for other values.
PLI_API const char *pli_element_name(pli_element element);

/// How long the values of an attribute last.
typedef enum pli_attribute_lifetime {
    PLI_LIFETIME_KEPT = 0, ///< Until they are painted again. A reset keeps them, and snapshots contain them.
    PLI_LIFETIME_STATE,    ///< The simulation changes them. A reset clears them, and snapshots contain them.
    PLI_LIFETIME_STEP,     ///< Until the end of the next step. A reset clears them, and snapshots contain them.
    PLI_LIFETIME_SCRATCH   ///< During a step. Snapshots do not contain them.
} pli_attribute_lifetime;

/// The object that must exist so that an attribute can be painted.
typedef enum pli_attribute_need {
    PLI_NEEDS_NOTHING = 0,
    PLI_NEEDS_PLATE, ///< A plate (pli_deformable_def.plate).
    PLI_NEEDS_YIELD, ///< A constraint type that supports permanent bends.
    PLI_NEEDS_SCALES, ///< A set with a stiffness for each constraint: no volume constraints, and no set of an attachment.
} pli_attribute_need;

/// The data that the next step rebuilds after new values.
typedef enum pli_attribute_rebuild {
    PLI_REBUILDS_NOTHING = 0,
    PLI_REBUILDS_SURFACE, ///< The contact surface.
    PLI_REBUILDS_PLATE,   ///< The factorisation of the plate.
    PLI_REBUILDS_SCALES   ///< The effective stiffness and damping of the constraints of a set.
} pli_attribute_rebuild;

/// One attribute of one kind of element. Rows are constants of the library.
typedef struct pli_attribute {
    const char *name; ///< Name in scenes and calls, such as "friction". Names are unique among the rows of one element.
    const char *unit; ///< Such as "m"; null for none.
    const char *summary;     ///< The meaning of a value, in one full sentence.
    pli_element element;     ///< A vertex, a triangle or a constraint.
    int32_t components;      ///< Numbers of a value.
    bool painted;            ///< It can be painted; other rows can only be read.
    double minimum, maximum; ///< Valid range, ends included.
    double initial;          ///< Value of elements that are not painted, unless `field` is set.
    /// Offset of the float in pli_deformable_def that is the value of elements that are not painted; 0: `initial`.
    size_t field;
    bool scales_with_field; ///< A later change of that field scales painted values.
    pli_attribute_need need;
    pli_attribute_rebuild rebuild;
    pli_attribute_lifetime lifetime;
    bool
        cleared_by_cuts; ///< Elements that a cut adds have the value 0; otherwise that of the element they were split from.
    size_t offset, size; ///< For the library: offset and bytes of its array. A size of 0 means that no array is kept.
    int32_t extra;       ///< For the library: further elements of its array.
} pli_attribute;

/// The number of attributes.
PLI_API int32_t pli_attribute_count(void);
/// Attribute i, 0..pli_attribute_count() - 1; null when out of range.
PLI_API const pli_attribute *pli_attribute_at(int32_t i);
/// The i-th attribute that pli_deformable_paint accepts, each name once; null when out of range. The row of triangles stands for the row
/// of constraints of the same name.
PLI_API const pli_attribute *pli_attribute_painted_at(int32_t i);
/// The attribute of this name and element; null when there is none, and when `name` is null.
PLI_API const pli_attribute *pli_attribute_find(const char *name, pli_element element);
/// The value of elements that are not painted, in a deformable with this definition (see pli_deformable_get_def).
PLI_API double pli_attribute_initial(const pli_attribute *attribute, const pli_deformable_def *def);

/// Paints an attribute: `values` has one value for each vertex, face or triangle of the rest mesh. An attribute of vertices gives a
/// vertex its value, or the area-weighted mean of the faces around it. An attribute of triangles gives a triangle its value, that of its
/// face, or the mean of its corners. An attribute of constraints gives a constraint the mean of its particles; all sets of the deformable
/// are painted that support it and exist at the time of the call. If a name has rows for triangles and constraints, both are
/// painted. Null `values` clear the painted values. Errors: NOT_FOUND for an unknown name, with the name that was
/// probably meant; INVALID_ARGUMENT for another count (the message has both counts), for values out of range (with the element and the
/// range), for a deformable that has torn, and for one with nothing to paint; OUT_OF_MEMORY. On an error nothing changes.
PLI_API pli_status pli_deformable_paint(pli_world *world, pli_deformable deformable, const char *name,
                                        pli_element element, const float *values, int32_t count, pli_error *error);
/// Paints an attribute of the constraints of one set. Values may also be given for each constraint, in order of creation. Errors: as
/// pli_deformable_paint.
PLI_API pli_status pli_constraints_paint(pli_world *world, pli_constraints set, const char *name, pli_element element,
                                         const float *values, int32_t count, pli_error *error);

/// Reads an attribute of vertices or triangles: `components` numbers for each of the present vertices, including those that cuts have
/// added, or of the triangles. `count` is the size of `values`. Where nothing is painted, values are those of the definition. Errors:
/// NOT_FOUND for an unknown name; INVALID_ARGUMENT for another count; `values` is then unchanged.
PLI_API pli_status pli_deformable_get_attribute(const pli_world *world, pli_deformable deformable, const char *name,
                                                float *values, int32_t count, pli_error *error);
/// Reads an attribute of the constraints of a set: one value for each of the present constraints. Errors: as
/// pli_deformable_get_attribute.
PLI_API pli_status pli_constraints_get_attribute(const pli_world *world, pli_constraints set, const char *name,
                                                 float *values, int32_t count, pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
