// Attributes, row by row: values follow their vertices, triangles and constraints through reordering, cuts, snapshots, resets and failed
// steps as the row states, and invalid values change nothing.
#include "tears.h"

#include "model/attributes.h"
#include "model/handles.h"
#include "sweep/constraint_slots.h"

enum { SETS = 3, MOST = 4096, ROWS_MOST = 40 };

typedef struct stage {
    pli_world *world;
    pli_mesh *mesh;
    pli_deformable cloth;
    pli_constraints sets[SETS];
    const char *what;
} stage;

// Values of every public row: of the deformable, or of each of its sets that has the row.
typedef struct reading {
    int32_t counts[ROWS_MOST][SETS];
    float values[ROWS_MOST][SETS][MOST];
} reading;

static stage start(pli_order order, int32_t kind, const char *what)
{
    stage s = {.what = what, .mesh = mesh_of_kind(kind, 12)};
    pli_world_def world_def = pli_world_def_default();
    world_def.order = order;
    world_def.settings.substeps = 2;
    s.world = world_from(&world_def);
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = s.mesh, def.plate.rigidity = 1e-4f;
    must(pli_deformable_create(s.world, &def, &s.cloth, &problem));
    const char *types[SETS] = {"distance", "dihedral", "triangle"};
    for (int32_t i = 0; i < SETS; i++)
        s.sets[i] = constrain(s.world, s.cloth, types[i], NULL);
    return s;
}

static void finish(stage *s)
{
    pli_world_destroy(s->world);
    pli_mesh_destroy(s->mesh);
}

static bool has_row(const stage *s, const pli_attribute *row, int32_t k)
{
    const pli_constraints_data *set = pli_constraints_get(s->world, s->sets[k], NULL);
    return row->element == PLI_ELEMENT_CONSTRAINT ? row->need != PLI_NEEDS_YIELD || set->type->bend : k == 0;
}

static int32_t size_of_row(const stage *s, const pli_attribute *row, int32_t k)
{
    const pli_topology *t = pli_mesh_topology(s->mesh);
    const int32_t vertices = pli_deformable_positions(s->world, s->cloth).count;
    return row->element == PLI_ELEMENT_CONSTRAINT ? pli_constraints_get(s->world, s->sets[k], NULL)->count
           : row->element == PLI_ELEMENT_VERTEX   ? vertices * row->components
                                                  : t->triangle_count;
}

static void read_row(const stage *s, int32_t i, int32_t k, reading *r)
{
    const pli_attribute *row = pli_attribute_at(i);
    const bool torn = pli_deformable_positions(s->world, s->cloth).count > pli_mesh_topology(s->mesh)->vertex_count;
    r->counts[i][k] = 0;
    if (!has_row(s, row, k) || (row->size == 0 && torn))
        return;
    r->counts[i][k] = size_of_row(s, row, k);
    holds(r->counts[i][k] <= MOST, "%s has room", row->name);
    if (row->element == PLI_ELEMENT_CONSTRAINT)
        must(
            pli_constraints_get_attribute(s->world, s->sets[k], row->name, r->values[i][k], r->counts[i][k], &problem));
    else
        must(pli_deformable_get_attribute(s->world, s->cloth, row->name, r->values[i][k], r->counts[i][k], &problem));
}

static reading *read_all(const stage *s)
{
    reading *r = calloc(1, sizeof *r);
    for (int32_t i = 0; i < pli_attribute_count(); i++)
        for (int32_t k = 0; k < SETS; k++)
            read_row(s, i, k, r);
    return r;
}

// Compares the rows of some lifetimes.
static void same(const stage *s, const reading *a, const reading *b, uint32_t lifetimes, const char *when)
{
    for (int32_t i = 0; i < pli_attribute_count(); i++) {
        const pli_attribute *row = pli_attribute_at(i);
        for (int32_t k = 0; k < SETS && lifetimes >> row->lifetime & 1; k++) {
            int32_t other = 0;
            holds(a->counts[i][k] == b->counts[i][k], "%s, %s: %s has as many values", s->what, when, row->name);
            while (other < a->counts[i][k] && a->values[i][k][other] == b->values[i][k][other])
                other++;
            holds(other == a->counts[i][k], "%s, %s: value %d of %s (%s, set %d) is %g, expected %g", s->what, when,
                  (int)other, row->name, pli_element_name(row->element), (int)k, (double)b->values[i][k][other],
                  (double)a->values[i][k][other]);
        }
    }
}

enum { KEPT = 1 << PLI_LIFETIME_KEPT, ALL = 7 };

static float value_of(const stage *s, const pli_attribute *row)
{
    pli_deformable_def def;
    must(pli_deformable_get_def(s->world, s->cloth, &def, &problem));
    const double initial = row->element == PLI_ELEMENT_CONSTRAINT ? row->initial : pli_attribute_initial(row, &def);
    const double typical = fmin(initial > 0.0 ? initial : 1.0, row->maximum / 1.5);
    return (float)(typical * uniform(0.5, 1.5));
}

static pli_status paint_row(stage *s, const pli_attribute *row, int32_t k, const float *values, int32_t count)
{
    return row->element == PLI_ELEMENT_CONSTRAINT
               ? pli_constraints_paint(s->world, s->sets[k], row->name, row->element, values, count, &problem)
               : pli_deformable_paint(s->world, s->cloth, row->name, row->element, values, count, &problem);
}

// Random values in all rows: painted, or written into the arrays of the simulation.
static reading *fill_all(stage *s)
{
    static float values[MOST];
    pli_deformable_data *deformable = pli_deformable_get(s->world, s->cloth, NULL);
    for (int32_t pass = 0; pass < 2;
         pass++) // Rows of the deformable also paint its sets, which then get values of their own.
        for (int32_t i = 0; i < pli_attribute_count(); i++) {
            const pli_attribute *row = pli_attribute_at(i);
            const bool of_set = row->element == PLI_ELEMENT_CONSTRAINT;
            for (int32_t k = 0; k < SETS && of_set == (pass == 1); k++) {
                const int32_t count = has_row(s, row, k) ? size_of_row(s, row, k) : 0;
                for (int32_t v = 0; v < count; v++)
                    values[v] = value_of(s, row);
                if (count > 0 && row->painted)
                    must(paint_row(s, row, k, values, count));
                if (count == 0 || row->painted || of_set)
                    continue;
                float *array = pli_attribute_allocate(&s->world->memory, deformable, row);
                for (int32_t v = 0; v < count; v++)
                    array[pli_place(deformable, v / row->components) * row->components + v % row->components] =
                        values[v];
                pli_attribute_replace(&s->world->memory, deformable, row, 0, array);
                deformable->painted.forced = true;
            }
        }
    return read_all(s);
}

/* ---- elements ------------------------------------------------------------------------------------ */

// A reading has exactly what was painted, whatever the order in memory.
static void paint_is_read_back(stage *s)
{
    static float values[MOST], found[MOST];
    for (int32_t i = 0; i < pli_attribute_count(); i++) {
        const pli_attribute *row = pli_attribute_at(i);
        for (int32_t k = 0; k < SETS && row->painted; k++) {
            const int32_t count = has_row(s, row, k) ? size_of_row(s, row, k) : 0;
            for (int32_t v = 0; v < count; v++)
                values[v] = value_of(s, row);
            if (count == 0)
                continue;
            must(paint_row(s, row, k, values, count));
            if (row->element == PLI_ELEMENT_CONSTRAINT)
                must(pli_constraints_get_attribute(s->world, s->sets[k], row->name, found, count, &problem));
            else
                must(pli_deformable_get_attribute(s->world, s->cloth, row->name, found, count, &problem));
            for (int32_t v = 0; v < count; v++)
                near((double)found[v] / (double)values[v], 1.0, row->scales_with_field ? 3e-7 : 0.0, "%s: %s %d",
                     s->what, row->name, (int)v);
        }
    }
}

static void refusals_change_nothing(stage *s)
{
    static float values[MOST];
    reading *before = read_all(s);
    const float wrong[] = {NAN, INFINITY, -INFINITY};
    for (int32_t i = 0; i < pli_attribute_count(); i++) {
        const pli_attribute *row = pli_attribute_at(i);
        for (int32_t k = 0; k < SETS; k++) {
            const int32_t count = has_row(s, row, k) ? size_of_row(s, row, k) : 0;
            if (count == 0)
                continue;
            for (int32_t v = 0; v < count; v++)
                values[v] = value_of(s, row);
            if (!row->painted) {
                holds(paint_row(s, row, k, values, count) == PLI_STATUS_NOT_FOUND, "%s is not painted", row->name);
                continue;
            }
            holds(paint_row(s, row, k, values, count - 1) == PLI_STATUS_INVALID_ARGUMENT, "%s: too few", row->name);
            for (int32_t n = 0; n < COUNT_OF(wrong) + 2; n++) {
                const float below = nextafterf((float)row->minimum, -INFINITY),
                            above = nextafterf((float)row->maximum, INFINITY);
                const float plain = values[count / 2];
                values[count / 2] = n < COUNT_OF(wrong) ? wrong[n] : n == COUNT_OF(wrong) ? below : above;
                holds(paint_row(s, row, k, values, count) == PLI_STATUS_INVALID_ARGUMENT, "%s takes %g", row->name,
                      (double)values[count / 2]);
                char index[24];
                snprintf(index, sizeof index, " %d ", (int)(count / 2));
                holds(strstr(problem.message, row->name) && strstr(problem.message, index), "%.200s", problem.message);
                values[count / 2] = plain;
            }
        }
    }
    holds(pli_deformable_paint(s->world, s->cloth, "fricton", PLI_ELEMENT_VERTEX, values, 1, &problem) ==
                  PLI_STATUS_NOT_FOUND &&
              strstr(problem.message, "did you mean 'friction'"),
          "%.200s", problem.message);
    reading *after = read_all(s);
    same(s, before, after, ALL, "after refusals");
    free(before), free(after);
}

// The mean of corners and particles, and the area-weighted mean of faces: on equal values, the same value everywhere.
static void elements_convert(stage *s)
{
    static float values[MOST], found[MOST];
    const pli_topology *t = pli_mesh_topology(s->mesh);
    const int32_t counts[] = {t->vertex_count, t->face_count, t->triangle_count};
    for (int32_t i = 0; pli_attribute_painted_at(i); i++)
        for (int32_t element = 0; element < 3; element++) {
            const pli_attribute *row = pli_attribute_painted_at(i);
            const float value = value_of(s, row);
            for (int32_t v = 0; v < counts[element]; v++)
                values[v] = value;
            must(pli_deformable_paint(s->world, s->cloth, row->name, (pli_element)element, values, counts[element],
                                      &problem));
            for (int32_t k = 0; k < SETS; k++) {
                const int32_t count = has_row(s, row, k) ? size_of_row(s, row, k) : 0;
                if (count > 0 && row->element == PLI_ELEMENT_CONSTRAINT)
                    must(pli_constraints_get_attribute(s->world, s->sets[k], row->name, found, count, &problem));
                else if (count > 0)
                    must(pli_deformable_get_attribute(s->world, s->cloth, row->name, found, count, &problem));
                for (int32_t v = 0; v < count; v++)
                    near((double)found[v] / (double)value, 1.0, 3e-7, "%s by %s: %d", row->name,
                         pli_element_name((pli_element)element), (int)v);
            }
        }
}

/* ---- cuts ---------------------------------------------------------------------------------------- */

// The vertex of the mesh that a vertex was split from: the one at its position, since nothing has moved.
static int32_t source_of(const stage *s, int32_t vertex)
{
    const pli_topology *t = pli_mesh_topology(s->mesh);
    const vec at = position_of(s->world, s->cloth, vertex);
    for (int32_t v = 0; vertex >= t->vertex_count && v < t->vertex_count; v++)
        if ((float)at.x == t->positions[3 * v] && (float)at.y == t->positions[3 * v + 1] &&
            (float)at.z == t->positions[3 * v + 2])
            return v;
    return vertex;
}

static void sources_of_constraint(const stage *s, const pli_constraints_data *set, int32_t i, int32_t sorted[4])
{
    const int32_t *variable;
    int32_t fixed[PLI_CARDINALITY_MAX];
    const int32_t n = pli_constraints_particles(set, i, &variable, fixed);
    for (int32_t k = 0; k < 4; k++) {
        int32_t at = k < n ? source_of(s, pli_vertex(set->deformable, variable[k])) : -1, j = k;
        for (; j > 0 && sorted[j - 1] > at; j--)
            sorted[j] = sorted[j - 1];
        sorted[j] = at;
    }
}

typedef int32_t stencil[4];

static stencil *stencils_of(const stage *s, int32_t k, int32_t *count)
{
    const pli_constraints_data *set = pli_constraints_get(s->world, s->sets[k], NULL);
    stencil *list = calloc((size_t)set->count, sizeof *list);
    *count = set->count;
    for (int32_t i = 0; i < set->count; i++)
        sources_of_constraint(s, set, i, list[i]);
    return list;
}

// Expected values of each row after a cut, from the values before.
static void values_follow_a_cut(const stage *s, const reading *before, stencil *const *from, const int32_t *counts)
{
    reading *after = read_all(s);
    const int32_t vertices = pli_deformable_positions(s->world, s->cloth).count;
    const pli_topology *t = pli_mesh_topology(s->mesh);
    holds(vertices > t->vertex_count, "%s: it was cut", s->what);
    for (int32_t i = 0; i < pli_attribute_count(); i++) {
        const pli_attribute *row = pli_attribute_at(i);
        for (int32_t v = 0; row->element == PLI_ELEMENT_VERTEX && v < after->counts[i][0]; v++) {
            const int32_t vertex = v / row->components, source = source_of(s, vertex);
            const float expected = vertex != source && row->cleared_by_cuts
                                       ? 0.0f
                                       : before->values[i][0][source * row->components + v % row->components];
            holds(after->values[i][0][v] == expected, "%s: %s of vertex %d is %g, expected %g", s->what, row->name,
                  (int)vertex, (double)after->values[i][0][v], (double)expected);
        }
        for (int32_t v = 0; row->element == PLI_ELEMENT_TRIANGLE && v < after->counts[i][0]; v++)
            holds(after->values[i][0][v] == before->values[i][0][v], "%s: %s of triangle %d", s->what, row->name,
                  (int)v);
        for (int32_t k = 0; row->element == PLI_ELEMENT_CONSTRAINT && k < SETS; k++) {
            int32_t now;
            stencil *list = after->counts[i][k] > 0 ? stencils_of(s, k, &now) : NULL;
            for (int32_t c = 0; c < after->counts[i][k]; c++) {
                int32_t same_one = 0;
                while (same_one < counts[k] && memcmp(from[k][same_one], list[c], sizeof *list) != 0)
                    same_one++;
                holds(same_one < counts[k] && after->values[i][k][c] == before->values[i][k][same_one],
                      "%s: %s of constraint %d in set %d is %g", s->what, row->name, (int)c, (int)k,
                      (double)after->values[i][k][c]);
            }
            free(list);
        }
    }
    free(after);
}

typedef struct kept {
    void *bytes;
    size_t size;
    uint64_t hash;
} kept;

static kept keep(const stage *s)
{
    kept k = {.hash = pli_world_hash(s->world)};
    k.bytes = snapshot_of(s->world, &k.size);
    return k;
}

static void back_to(const stage *s, const kept *k, const reading *expected, const char *when)
{
    must(pli_world_snapshot_read(s->world, k->bytes, k->size, &problem));
    reading *found = read_all(s);
    same(s, expected, found, ALL, when);
    holds(pli_world_hash(s->world) == k->hash, "%s, %s: the same state", s->what, when);
    free(found);
}

static void clear_all(stage *s)
{
    for (int32_t i = 0; pli_attribute_painted_at(i); i++)
        must(pli_deformable_paint(s->world, s->cloth, pli_attribute_painted_at(i)->name, PLI_ELEMENT_VERTEX, NULL, 0,
                                  &problem));
}

static void attributes_through_a_life(stage *s)
{
    paint_is_read_back(s);
    elements_convert(s);
    clear_all(s);
    reading *plain = read_all(s);
    kept unpainted = keep(s);
    reading *given = fill_all(s);
    refusals_change_nothing(s);
    kept whole = keep(s);

    // Snapshots restore values that were painted over, cleared, or not painted.
    free(fill_all(s));
    back_to(s, &whole, given, "painted over");
    back_to(s, &unpainted, plain, "painted since");
    back_to(s, &whole, given, "cleared");
    clear_all(s);
    reading *cleared = read_all(s);
    same(s, plain, cleared, KEPT, "cleared");
    back_to(s, &whole, given, "cleared by a call");

    // A failed step changes nothing, and a reset only what results from motion.
    must(pli_deformable_add_force(s->world, s->cloth, 3, (pli_vec3){3e38f, 0, 0}, &problem));
    reading *forced = read_all(s);
    holds(pli_world_step(s->world, 1.0f, &problem) == PLI_STATUS_NON_FINITE, "%s: the step fails", s->what);
    reading *undone = read_all(s);
    same(s, forced, undone, KEPT | 1 << PLI_LIFETIME_STATE, "after a failed step");
    for (int32_t i = 0; i < pli_attribute_count(); i++)
        for (int32_t v = 0; v < undone->counts[i][0] && pli_attribute_at(i)->lifetime == PLI_LIFETIME_STEP; v++)
            holds(undone->values[i][0][v] == 0.0f, "%s: %s is for one step", s->what, pli_attribute_at(i)->name);
    pli_teleport_def jump = pli_teleport_def_default();
    jump.everything = true, jump.to.position.x = 3.0f;
    must(pli_world_teleport(s->world, &jump, &problem));
    reading *jumped = read_all(s);
    same(s, undone, jumped, ALL, "after a teleport");
    must(pli_deformable_reset(s->world, s->cloth, NULL, &problem));
    reading *reset = read_all(s);
    same(s, given, reset, KEPT, "after a reset");
    for (int32_t i = 0; i < pli_attribute_count(); i++)
        for (int32_t v = 0; v < reset->counts[i][0] && pli_attribute_at(i)->lifetime != PLI_LIFETIME_KEPT; v++)
            holds(reset->values[i][0][v] == 0.0f, "%s: %s is cleared", s->what, pli_attribute_at(i)->name);

    // Cuts.
    back_to(s, &whole, given, "reset");
    stencil *from[SETS];
    int32_t counts[SETS];
    for (int32_t k = 0; k < SETS; k++)
        from[k] = stencils_of(s, k, &counts[k]);
    for (int32_t k = 0; k < 2; k++) {
        pli_cut_def cut = pli_cut_def_default();
        cut.normal = (pli_vec3){k == 0, 0, k == 1}, cut.reach = k == 0 ? INFINITY : 0.3f;
        must(pli_deformable_cut(s->world, s->cloth, &cut, NULL, &problem));
        values_follow_a_cut(s, given, from, counts);
    }
    float value = 1.0f;
    holds(pli_deformable_paint(s->world, s->cloth, "friction", PLI_ELEMENT_VERTEX, &value, 1, &problem) ==
              PLI_STATUS_INVALID_ARGUMENT,
          "%s: torn cloth is not painted", s->what);
    reading *cut = read_all(s);
    kept torn = keep(s);
    back_to(s, &whole, given, "whole again");
    back_to(s, &torn, cut, "torn again");
    for (int32_t k = 0; k < 3; k++)
        must(pli_world_step(s->world, 1.0f / 60.0f, &problem));
    reading *later = read_all(s);
    same(s, cut, later, KEPT, "after steps");
    back_to(s, &unpainted, plain, "whole and unpainted");

    reading *all[] = {plain, given, cleared, forced, undone, jumped, reset, cut, later};
    for (int32_t i = 0; i < COUNT_OF(all); i++)
        free(all[i]);
    for (int32_t k = 0; k < SETS; k++)
        free(from[k]);
    free(unpainted.bytes), free(whole.bytes), free(torn.bytes);
}

static void values_follow_their_elements(void **state)
{
    (void)state;
    const struct {
        const char *what;
        pli_order order;
        int32_t kind;
    } rows[] = {{"grid", PLI_ORDER_COLOURED, 1},
                {"quads", PLI_ORDER_COLOURED, 2},
                {"irregular", PLI_ORDER_COLOURED, 4},
                {"sequential", PLI_ORDER_SEQUENTIAL, 4}};
    for (int32_t i = 0; i < COUNT_OF(rows); i++) {
        stage s = start(rows[i].order, rows[i].kind, rows[i].what);
        attributes_through_a_life(&s);
        finish(&s);
    }
}

// Names are unique among the rows of an element, units and ranges make sense, and the list of painted names has each once.
static void the_table_is_sound(void **state)
{
    (void)state;
    holds(pli_attribute_count() <= ROWS_MOST && !pli_attribute_at(-1) && !pli_attribute_at(pli_attribute_count()),
          "range");
    for (int32_t i = 0; i < pli_attribute_count(); i++) {
        const pli_attribute *row = pli_attribute_at(i);
        holds(pli_attribute_find(row->name, row->element) == row, "%s is found", row->name);
        holds(row->summary && row->summary[0] && row->minimum < row->maximum && row->components >= 1, "%s", row->name);
        holds(row->field > 0 || (row->initial >= row->minimum && row->initial <= row->maximum) ||
                  row->need == PLI_NEEDS_YIELD,
              "%s: the initial value is in the range", row->name);
        int32_t times = 0;
        for (int32_t k = 0; pli_attribute_painted_at(k); k++)
            times += strcmp(pli_attribute_painted_at(k)->name, row->name) == 0;
        holds(times == row->painted, "%s is listed %d times", row->name, (int)times);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {property(the_table_is_sound), property(values_follow_their_elements)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
