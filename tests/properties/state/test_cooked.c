// Cooked sets read back are the cooked sets, to the bit; what does not fit is refused, and bytes that were changed
// are never believed.
#include "base/hash.h"
#include "scenery.h"

#include <string.h>

typedef struct flat_certificate {
    pli_mesh *mesh;
    pli_order order;
} flat_certificate;

// A sheet with all types that a generator serves; null when a set was refused.
static pli_world *try_world(const flat_certificate *s, const void *cooked, size_t size)
{
    pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
    def.order = s->order;
    def.thread_count = 2;
    def.settings.gravity = (pli_vec3){0.0f, -9.81f, 0.0f};
    pli_world *world = world_from(&def);
    pli_deformable deformable = deform(world, s->mesh, NULL);
    random_state = 21;
    scatter(world, deformable, 0.01);
    pli_status status = cooked ? pli_world_set_cooked(world, cooked, size, &problem) : PLI_STATUS_OK;
    for (int32_t i = 0; i < pli_constraint_type_count() && status == PLI_STATUS_OK; i++) {
        pli_constraints_def set = pli_constraints_def_default();
        pli_constraints made;
        set.deformable = deformable;
        set.type = pli_constraint_type_at(i)->name;
        if (!pli_constraint_type_at(i)->generator ||
            (strcmp(set.type, "volume") == 0 && !pli_mesh_get_report(s->mesh)->closed))
            continue;
        status = pli_constraints_create(world, &set, &made, &problem);
    }
    const int32_t corner[2] = {0, 1};
    pli_attachment_def attachment = pli_attachment_def_default();
    attachment.deformable = deformable, attachment.particles = corner, attachment.particle_count = 2,
    attachment.fixed = false;
    pli_attachment handle;
    if (status == PLI_STATUS_OK)
        status = pli_attachment_create(world, &attachment, &handle, &problem);
    if (status == PLI_STATUS_OK)
        return world;
    pli_world_destroy(world);
    return NULL;
}

static unsigned char *cook(const flat_certificate *s, size_t *size)
{
    pli_world *world = try_world(s, NULL, 0);
    assert_non_null(world);
    *size = pli_world_cooked_size(world);
    unsigned char *bytes = malloc(*size);
    assert_int_equal(pli_world_cooked_write(world, bytes, *size - 1, &problem), PLI_STATUS_INVALID_ARGUMENT);
    must(pli_world_cooked_write(world, bytes, *size, &problem));
    pli_world_destroy(world);
    return bytes;
}

static uint64_t hash_of(pli_world *world)
{
    for (int32_t i = 0; i < 5; i++)
        step(world, 1.0 / 60.0);
    return pli_world_hash(world);
}

enum { SHEETS = 3 };

// A grid that is swept without lists, one that is too small for that, and a closed surface with volume.
static pli_mesh *mesh_of(int32_t i)
{
    if (i == 0)
        return mesh_grid(24, 26, 1.0, PLI_GRID_DIAGONAL);
    return i == 1 ? mesh_grid(9, 7, 1.0, PLI_GRID_ALTERNATING) : mesh_ball(2, 0.3);
}

static void what_is_read_is_what_was_cooked(void **state)
{
    (void)state;
    for (int32_t i = 0; i < 2 * SHEETS; i++) {
        flat_certificate s = {mesh_of(i / 2), i % 2 ? PLI_ORDER_SEQUENTIAL : PLI_ORDER_COLOURED};
        size_t size, again;
        unsigned char *bytes = cook(&s, &size);
        pli_world *cooked = try_world(&s, NULL, 0), *read = try_world(&s, bytes, size);
        if (!read)
            fail_msg("sheet %d: %s", i, problem.message);
        pli_world_set_cooked(read, NULL, 0, &problem);
        again = pli_world_cooked_size(read);
        unsigned char *copy = malloc(again);
        must(pli_world_cooked_write(read, copy, again, &problem));
        holds(again == size && memcmp(bytes, copy, size) == 0, "sheet %d: what was read is written differently", i);
        holds(hash_of(read) == hash_of(cooked), "sheet %d: the states differ", i);
        for (int32_t k = 0; k < pli_world_constraints_count(cooked); k++) {
            pli_constraints_info a, b;
            must(pli_constraints_get_info(cooked, pli_world_constraints_at(cooked, k), &a, &problem));
            must(pli_constraints_get_info(read, pli_world_constraints_at(read, k), &b, &problem));
            holds(a.constraint_count == b.constraint_count && a.degenerate_count == b.degenerate_count &&
                      a.colour_count == b.colour_count,
                  "sheet %d, set %d: %d and %d constraints", i, k, a.constraint_count, b.constraint_count);
        }
        pli_world_destroy(cooked);
        pli_world_destroy(read);
        free(copy);
        free(bytes);
        pli_mesh_destroy(s.mesh);
    }
}

static void refused(const flat_certificate *s, const void *bytes, size_t size, const char *reason)
{
    pli_world *world = try_world(s, bytes, size);
    holds(world == NULL, "not refused: %s", reason);
    holds(strstr(problem.message, reason) != NULL, "'%.150s' does not say '%s'", problem.message, reason);
    pli_world_destroy(world);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    flat_certificate s = {mesh_of(1), PLI_ORDER_COLOURED},
                     other = {mesh_grid(9, 7, 1.01, PLI_GRID_ALTERNATING), PLI_ORDER_COLOURED};
    size_t size;
    unsigned char *bytes = cook(&s, &size);
    refused(&other, bytes, size, "another mesh");
    s.order = PLI_ORDER_SEQUENTIAL;
    refused(&s, bytes, size, "another order");
    s.order = PLI_ORDER_COLOURED;
    refused(&s, bytes, size - 8, "checksum");
    refused(&s, bytes, 11, "PLICOOK");
    refused(&s, "not cooked sets at all", 22, "PLICOOK");
    bytes[8]++;
    refused(&s, bytes, size, "version");
    free(bytes);

    pli_world *world = plain_world(PLI_METHOD_XPBD);
    pli_deformable deformable = deform(world, s.mesh, NULL);
    constrain(world, deformable, "distance", NULL);
    bytes = malloc(size = pli_world_cooked_size(world));
    must(pli_world_cooked_write(world, bytes, size, &problem));
    pli_constraints_def set = pli_constraints_def_default();
    set.deformable = deformable;
    const struct {
        const char *type, *generator, *reason;
    } wrong[] = {{"stick", NULL, "another constraint type"}, {"distance", "opposite", "another generator"}};
    for (int32_t i = 0; i < COUNT_OF(wrong); i++) {
        pli_constraints made;
        set.type = wrong[i].type, set.generator = wrong[i].generator;
        must(pli_world_set_cooked(world, bytes, size, &problem));
        holds(pli_constraints_create(world, &set, &made, &problem) == PLI_STATUS_CORRUPT, "%s is taken", set.type);
        holds(strstr(problem.message, wrong[i].reason) != NULL, "'%.150s'", problem.message);
        holds(pli_world_constraints_count(world) == 1, "%d sets", pli_world_constraints_count(world));
    }
    pli_world_destroy(world);
    free(bytes);
    pli_mesh_destroy(s.mesh);
    pli_mesh_destroy(other.mesh);
}

// Whatever is changed behind a right checksum: the sets are refused, or can be stepped.
static void changed_bytes_are_never_believed(void **state)
{
    (void)state;
    for (int32_t i = 0; i < SHEETS; i++) {
        flat_certificate s = {mesh_of(i), PLI_ORDER_COLOURED};
        size_t size;
        int32_t taken = 0, tries = 150;
        unsigned char *bytes = cook(&s, &size), *copy = malloc(size);
        for (int32_t k = 0; k < tries; k++) {
            random_state = 7700 + (uint64_t)k;
            memcpy(copy, bytes, size);
            size_t at = k % 2 ? 24 + (size_t)below(200) : (size_t)below((int32_t)size - 8);
            copy[at] = (unsigned char)(k % 3 ? copy[at] ^ 1 << below(8) : below(256));
            uint64_t checksum = pli_hash_bytes(PLI_HASH_START, copy, size - 8);
            for (size_t b = 0; b < 8; b++)
                copy[size - 8 + b] = (unsigned char)(checksum >> (8 * b));
            pli_world *world = try_world(&s, copy, size);
            if (world)
                pli_world_step(world, 0.01f, &problem);
            taken += world != NULL;
            pli_world_destroy(world);
        }
        holds(taken < tries, "sheet %d: all %d changes are taken", i, tries);
        free(copy);
        free(bytes);
        pli_mesh_destroy(s.mesh);
    }
}

static void what_tears_is_not_written(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_of(1);
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh;
    def.tearing.stretch = 2.0f;
    pli_deformable deformable;
    must(pli_deformable_create(world, &def, &deformable, &problem));
    constrain(world, deformable, "distance", NULL);
    unsigned char bytes[8];
    assert_int_equal(pli_world_cooked_write(world, bytes, sizeof bytes, &problem), PLI_STATUS_UNSUPPORTED);
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(what_is_read_is_what_was_cooked),
        property(what_does_not_fit_is_refused),
        property(changed_bytes_are_never_believed),
        property(what_tears_is_not_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
