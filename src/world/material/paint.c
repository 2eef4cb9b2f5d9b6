// Painted values: values by vertex, face, triangle or constraint of the rest mesh become the arrays of an attribute, by its row.
#include "base/error.h"
#include "constraints/registry.h"
#include "mesh/rest_geometry.h"
#include "model/handles.h"
#include "pliant/deformable.h"
#include "sweep/constraint_slots.h"
#include "sweep/take_attribute.h"

// The values that a call gives.
typedef struct painting {
    const char *name;
    pli_element element;
    const float *values; // Null clears.
    int32_t count;
} painting;

static const char *name_of(const pli_deformable_data *deformable) { return deformable->name ? deformable->name : ""; }

/* ---- checks -------------------------------------------------------------------------------------- */

enum { NAMES = 64 };

static pli_status fail_unpaintable(const char *name, pli_error *error)
{
    const char *names[NAMES];
    int32_t count = 0;
    for (const pli_attribute *row; count < NAMES && (row = pli_attribute_painted_at(count)); count++)
        names[count] = row->name;
    return pli_fail_unknown(error, "nothing can be painted that is called", name ? name : "", names, count);
}

// Of one set, or of a deformable.
static pli_status fail_unknown(const char *name, bool of_set, bool painted, pli_error *error)
{
    const char *names[NAMES];
    int32_t count = 0;
    for (int32_t i = 0; i < pli_attribute_count() && count < NAMES; i++) {
        const pli_attribute *row = pli_attribute_at(i);
        if ((row->element == PLI_ELEMENT_CONSTRAINT) == of_set && (row->painted || !painted))
            names[count++] = row->name;
    }
    return pli_fail_unknown(error, of_set ? "constraints have no attribute" : "a deformable has no attribute",
                            name ? name : "", names, count);
}

static int32_t element_count(const pli_deformable_data *deformable, const pli_constraints_data *set,
                             pli_element element)
{
    const pli_topology *t = pli_mesh_topology(deformable->mesh);
    switch (element) {
    case PLI_ELEMENT_VERTEX:
        return t->vertex_count;
    case PLI_ELEMENT_FACE:
        return t->face_count;
    case PLI_ELEMENT_TRIANGLE:
        return t->triangle_count;
    case PLI_ELEMENT_CONSTRAINT:
        return set ? set->count : -1;
    default:
        return -1;
    }
}

static const char *plural_of(pli_element element)
{
    static const char *const names[] = {"vertices", "faces", "triangles", "constraints"};
    return names[element];
}

static pli_status check_paint(const pli_attribute *row, const pli_deformable_data *deformable,
                              const pli_constraints_data *set, const painting *p, pli_error *error)
{
    const int32_t expected = element_count(deformable, set, p->element);
    if (expected < 0)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "%s: element %d (%s) cannot be painted here; give %s",
                        p->name, (int)p->element, pli_element_name(p->element),
                        set ? "vertices, faces, triangles or constraints" : "vertices, faces or triangles");
    if (p->values && deformable->count > pli_mesh_topology(deformable->mesh)->vertex_count)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "%s: '%s' has torn; paint it before it tears", p->name,
                        name_of(deformable));
    if (p->values && p->count != expected)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "%s: %d values for the %d %s of '%s'; give one for each",
                        p->name, (int)p->count, (int)expected, plural_of(p->element), name_of(deformable));
    for (int32_t i = 0; p->values && i < p->count; i++)
        if (!pli_attribute_allows(row, p->values[i]))
            return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                            "%s%s%s%s: the value of %s %d is %g; it must be %g to %g", p->name, row->unit ? " [" : "",
                            row->unit ? row->unit : "", row->unit ? "]" : "", pli_element_name(p->element), (int)i,
                            (double)p->values[i], row->minimum, row->maximum);
    return pli_succeed(error);
}

static bool supports_row(const pli_constraints_data *set, const pli_attribute *row)
{
    if (row->need == PLI_NEEDS_YIELD)
        return set->type->bend && pli_parameter_slot(set->type, "yield") >= 0;
    return !set->of_attachment && (set->type->cardinality > 0 || set->type->compliance_scale);
}

/* ---- values of elements -------------------------------------------------------------------------- */

// The value at a triangle: its own, that of its face, or the mean of its corners.
static double value_at_triangle(const pli_topology *t, const painting *p, int32_t triangle)
{
    const int32_t *corners = t->triangles + 3 * (size_t)triangle;
    if (p->element != PLI_ELEMENT_VERTEX)
        return (double)p->values[p->element == PLI_ELEMENT_FACE ? t->triangle_faces[triangle] : triangle];
    return ((double)p->values[corners[0]] + (double)p->values[corners[1]] + (double)p->values[corners[2]]) / 3.0;
}

// The value at a vertex: its own, or the area-weighted mean of the triangles around it.
static double value_at_vertex(const pli_topology *t, const painting *p, int32_t vertex)
{
    if (p->element == PLI_ELEMENT_VERTEX)
        return (double)p->values[vertex];
    double sum = 0.0, area = 0.0, first = 0.0;
    for (int32_t i = t->triangle_offsets[vertex]; i < t->triangle_offsets[vertex + 1]; i++) {
        const int32_t triangle = t->vertex_triangles[i];
        const double value = value_at_triangle(t, p, triangle), share = pli_rest_area(t, triangle);
        first = i == t->triangle_offsets[vertex] ? value : first;
        sum += share * value, area += share;
    }
    return area > 0.0 ? sum / area : first;
}

// The value of a constraint: its own, or the mean of its particles.
static double at_constraint(const pli_constraints_data *set, const painting *p, int32_t constraint)
{
    if (p->element == PLI_ELEMENT_CONSTRAINT)
        return (double)p->values[constraint];
    const pli_topology *t = pli_mesh_topology(set->deformable->mesh);
    const int32_t *variable;
    int32_t fixed[PLI_CARDINALITY_MAX];
    const int32_t n = pli_constraints_particles(set, constraint, &variable, fixed);
    double sum = 0.0;
    for (int32_t k = 0; k < n; k++)
        sum += value_at_vertex(t, p, pli_vertex(set->deformable, variable ? variable[k] : fixed[k]));
    return sum / n;
}

/* ---- changes ------------------------------------------------------------------------------------- */

static pli_status set_masses(pli_world *world, pli_deformable_data *deformable, const painting *p, pli_error *error)
{
    const pli_topology *t = pli_mesh_topology(deformable->mesh);
    float *inverse = PLI_ALLOCATE(&world->memory, float, t->vertex_count);
    if (!inverse && t->vertex_count > 0)
        return pli_fail_memory(error);
    for (int32_t v = 0; v < t->vertex_count; v++) {
        const double density = p->values ? value_at_vertex(t, p, v) : (double)deformable->def.density;
        const double mass = density * (double)t->vertex_areas[v];
        inverse[v] = mass > 0.0 && isfinite((float)(1.0 / mass)) ? (float)(1.0 / mass) : 0.0f;
    }
    const pli_deformable handle = {deformable->id, world->tag};
    const pli_status status = pli_deformable_set_inverse_masses(world, handle, 0, t->vertex_count, inverse, error);
    pli_release(&world->memory, inverse);
    return status;
}

// An array of the row with the values of a painting. Null when memory ran out.
static float *fill_mesh(pli_world *world, const pli_attribute *row, const pli_deformable_data *deformable,
                        const painting *p)
{
    const pli_topology *t = pli_mesh_topology(deformable->mesh);
    float *fresh = pli_attribute_allocate(&world->memory, deformable, row);
    const double unit = row->scales_with_field ? pli_attribute_initial(row, &deformable->def) : 1.0;
    const bool of_vertices = row->element == PLI_ELEMENT_VERTEX;
    for (int32_t i = 0; fresh && i < (of_vertices ? t->vertex_count : t->triangle_count); i++)
        fresh[of_vertices ? pli_place(deformable, i) : i] =
            (float)((of_vertices ? value_at_vertex(t, p, i) : value_at_triangle(t, p, i)) / unit);
    return fresh;
}

static float *fill_constraints(pli_world *world, const pli_constraints_data *set, const painting *p)
{
    float *fresh = PLI_ALLOCATE(&world->memory, float, pli_constraints_capacity(set));
    for (int32_t i = 0; fresh && i < set->count; i++)
        fresh[pli_constraints_slot(set, i)] = (float)at_constraint(set, p, i);
    return fresh;
}

// One array that a call replaces.
typedef struct painted_change {
    void *object;
    const pli_attribute *row;
    float *array;
} painted_change;

typedef PLI_ARRAY(painted_change) changes;

static bool add_painted_change(pli_world *world, changes *list, const painted_change *c, const painting *p)
{
    const bool complete = (!p->values || c->array) && pli_array_reserve(&world->memory, list, list->count + 1);
    if (complete)
        list->items[list->count++] = *c;
    else
        pli_release(&world->memory, c->array);
    return complete;
}

static bool add_set(pli_world *world, changes *list, const pli_attribute *row, pli_constraints_data *set,
                    const painting *p)
{
    const bool scales = row->offset == offsetof(pli_constraints_data, stiffness);
    if (scales && p->values && !pli_constraints_reserve_scales(world, set))
        return false;
    const painted_change c = {set, row, p->values ? fill_constraints(world, set, p) : NULL};
    return add_painted_change(world, list, &c, p);
}

// Everything is allocated first; then nothing can fail.
static void apply_changes(pli_world *world, changes *list, bool complete)
{
    for (int32_t i = 0; i < list->count; i++) {
        const painted_change *c = &list->items[i];
        if (complete)
            pli_attribute_take(world, c->object, c->row, c->array);
        else
            pli_release(&world->memory, c->array);
    }
    pli_array_release(&world->memory, list);
    world->collision.stirred = true;
}

/* ---- the calls ----------------------------------------------------------------------------------- */

static const pli_attribute *painted_row(const char *name, pli_element element)
{
    const pli_attribute *row = pli_attribute_find(name, element);
    return row && row->painted ? row : NULL;
}

static const char *what_lacks(const pli_attribute *sets)
{
    if (!sets)
        return "plate";
    return sets->need == PLI_NEEDS_YIELD ? "plate and no set of constraints with permanent bends"
                                         : "set of constraints whose stiffness differs by constraint";
}

pli_status pli_deformable_paint(pli_world *world, pli_deformable handle, const char *name, pli_element element,
                                const float *values, int32_t count, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    const pli_attribute *mesh = painted_row(name, PLI_ELEMENT_VERTEX),
                        *sets = painted_row(name, PLI_ELEMENT_CONSTRAINT);
    mesh = mesh ? mesh : painted_row(name, PLI_ELEMENT_TRIANGLE);
    if (!mesh && !sets)
        return fail_unpaintable(name, error);
    const painting p = {name, element, values, count};
    const pli_status status = check_paint(mesh ? mesh : sets, deformable, NULL, &p, error);
    if (status != PLI_STATUS_OK)
        return status;
    if (mesh && mesh->size == 0)
        return set_masses(world, deformable, &p, error);

    changes list = {0};
    bool complete = true;
    if (mesh && (!values || mesh->need != PLI_NEEDS_PLATE || deformable->def.plate.rigidity > 0.0f)) {
        const painted_change c = {deformable, mesh, values ? fill_mesh(world, mesh, deformable, &p) : NULL};
        complete = add_painted_change(world, &list, &c, &p);
    }
    for (pli_constraints_data *set = deformable->first_set; set && sets && complete; set = set->next)
        if (set->count > 0 && supports_row(set, sets))
            complete = add_set(world, &list, sets, set, &p);
    const bool any = list.count > 0 || !values;
    apply_changes(world, &list, complete);
    if (!complete)
        return pli_fail_memory(error);
    return any ? pli_succeed(error)
               : pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "%s: '%s' has no %s to paint; give it one first", name,
                          name_of(deformable), what_lacks(sets));
}

pli_status pli_constraints_paint(pli_world *world, pli_constraints handle, const char *name, pli_element element,
                                 const float *values, int32_t count, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_constraints_data *set = pli_constraints_get(world, handle, error);
    if (!set)
        return PLI_STATUS_NOT_FOUND;
    const pli_attribute *row = painted_row(name, PLI_ELEMENT_CONSTRAINT);
    if (!row)
        return fail_unknown(name, true, true, error);
    const painting p = {name, element, values, count};
    const pli_status status = check_paint(row, set->deformable, set, &p, error);
    if (status != PLI_STATUS_OK)
        return status;
    if (!supports_row(set, row))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        row->need == PLI_NEEDS_YIELD ? "the %s of '%s' cannot be painted: its type keeps no bends"
                                                     : "the %s of '%s' is one number; it cannot be given by constraint",
                        name, set->name);
    changes list = {0};
    const bool complete = set->count == 0 || add_set(world, &list, row, set, &p);
    apply_changes(world, &list, complete);
    return complete ? pli_succeed(error) : pli_fail_memory(error);
}

static pli_status fail_count(const char *name, int32_t count, int64_t expected, pli_error *error)
{
    return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "%s: room for %d numbers; there are %lld", name, (int)count,
                    (long long)expected);
}

pli_status pli_deformable_get_attribute(const pli_world *world, pli_deformable handle, const char *name, float *values,
                                        int32_t count, pli_error *error)
{
    const pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    const pli_attribute *row = pli_attribute_find(name, PLI_ELEMENT_VERTEX);
    row = row ? row : pli_attribute_find(name, PLI_ELEMENT_TRIANGLE);
    if (!row)
        return fail_unknown(name, false, false, error);
    const bool of_vertices = row->element == PLI_ELEMENT_VERTEX;
    const int32_t elements = of_vertices ? deformable->count : deformable->shape.triangle_count;
    if (!values || count != (int64_t)elements * row->components)
        return fail_count(name, count, (int64_t)elements * row->components, error);
    const pli_topology *t = pli_mesh_topology(deformable->mesh);
    if (row->size == 0 && deformable->count > t->vertex_count)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "%s: '%s' has torn; read its masses", name,
                        name_of(deformable));
    const float *array = pli_attribute_array(deformable, row, 0),
                plain = (float)pli_attribute_initial(row, &deformable->def);
    for (int32_t i = 0; i < count; i++) {
        const int32_t element = i / row->components, component = i % row->components;
        const int32_t place = of_vertices ? pli_place(deformable, element) : element;
        if (row->size == 0)
            values[i] = 1.0f / (deformable->velocities[place].w * t->vertex_areas[element]);
        else
            values[i] = array ? array[place * row->components + component] : plain;
        if (array && row->scales_with_field)
            values[i] *= plain;
    }
    return pli_succeed(error);
}

pli_status pli_constraints_get_attribute(const pli_world *world, pli_constraints handle, const char *name,
                                         float *values, int32_t count, pli_error *error)
{
    const pli_constraints_data *set = pli_constraints_get(world, handle, error);
    if (!set)
        return PLI_STATUS_NOT_FOUND;
    const pli_attribute *row = pli_attribute_find(name, PLI_ELEMENT_CONSTRAINT);
    if (!row)
        return fail_unknown(name, true, false, error);
    if (!values || count != set->count)
        return fail_count(name, count, set->count, error);
    const float *array = pli_attribute_array(set, row, 0);
    const int32_t parameter = row->need == PLI_NEEDS_YIELD ? pli_parameter_slot(set->type, name) : -1;
    const float plain = parameter >= 0 ? (float)set->parameters[parameter] : (float)row->initial;
    for (int32_t i = 0; i < count; i++)
        values[i] = array ? array[pli_constraints_slot(set, i)] : plain;
    return pli_succeed(error);
}
