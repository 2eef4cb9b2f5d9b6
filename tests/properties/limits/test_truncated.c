// Snapshots and cooked sets that end early, at each of their words, with a checksum that is right: each is refused as CORRUPT, and the world goes on
// as if nobody had asked.
#include "samples.h"
#include "worlds.h"

#include "base/hash.h"

enum { SIDE = 4, WORD = 8 };

static void *copied(const unsigned char *bytes, size_t size)
{
    unsigned char *copy = malloc(size);
    memcpy(copy, bytes, size - WORD);
    const uint64_t checksum = pli_hash_bytes(PLI_HASH_START, copy, size - WORD);
    for (size_t k = 0; k < WORD; k++)
        copy[size - WORD + k] = (unsigned char)(checksum >> (8 * k));
    return copy;
}

// A world whose snapshot has something of every kind: forces to come, painted masses, a history, a plate that keeps its bends, cloth that was cut,
// colliders on their way, a body that carries.
static pli_world *full_world(pli_mesh *mesh, pli_mesh *ball)
{
    static const int32_t corners[] = {0, 3};
    pli_world_def def = pli_world_def_default();
    def.settings.substeps = 2;
    def.settings.integrator = PLI_INTEGRATOR_BDF2;
    pli_world *world = world_from(&def);
    for (int32_t i = 0; i < 2; i++) {
        pli_deformable_def cloth_def = pli_deformable_def_default();
        cloth_def.mesh = mesh;
        cloth_def.pose.position.x = 3.0f * (float)i;
        if (i)
            cloth_def.tearing.stretch = 4.0f;
        else
            cloth_def.plate = (pli_plate){.rigidity = 1e-4f, .poisson = 0.3f, .yield = 1.0f, .hardening = 0.5f};
        pli_deformable cloth;
        must(pli_deformable_create(world, &cloth_def, &cloth, &problem));
        constrain(world, cloth, "distance", NULL);
        if (i)
            tune(world, constrain(world, cloth, "dihedral", NULL), "yield", 0.1);
        pli_attachment_def hold = pli_attachment_def_default();
        hold.deformable = cloth, hold.particles = corners, hold.particle_count = 2;
        pli_attachment attachment;
        must(pli_attachment_create(world, &hold, &attachment, &problem));
    }
    pli_cut_def cut = pli_cut_def_default();
    cut.point.x = 3.0f, cut.normal = (pli_vec3){1.0f, 0.0f, 0.2f};
    must(pli_deformable_cut(world, pli_world_deformable_at(world, 1), &cut, NULL, &problem));
    pli_rigid_body_def body_def = pli_rigid_body_def_default();
    pli_rigid_body body;
    must(pli_rigid_body_create(world, &body_def, &body, &problem));
    for (int32_t i = 0; i < 2; i++) {
        pli_collider_def collider_def = pli_collider_def_default();
        pli_collider collider;
        collider_def.shape = i ? PLI_SHAPE_BOX : PLI_SHAPE_MESH, collider_def.mesh = i ? NULL : ball;
        collider_def.half_extents = (pli_vec3){0.1f, 0.1f, 0.1f};
        collider_def.pose.position.y = -3.0f;
        collider_def.body = i ? body : (pli_rigid_body){0};
        must(pli_collider_create(world, &collider_def, &collider, &problem));
    }
    for (int32_t i = 0; i < 3; i++)
        step(world, 1.0 / 60.0);
    must(pli_deformable_add_force(world, pli_world_deformable_at(world, 0), 5, (pli_vec3){0.1f, 0.0f, 0.0f}, &problem));
    const pli_topology *t = pli_mesh_topology(ball);
    must(pli_collider_set_vertices(world, pli_world_collider_at(world, 0), t->positions, t->vertex_count, &problem));
    return world;
}

static void shortened_snapshots_are_refused(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_hilly(SIDE), *ball = mesh_ball(0, 0.1);
    pli_world *world = full_world(mesh, ball);
    const size_t size = pli_world_snapshot_size(world);
    unsigned char *bytes = malloc(size);
    must(pli_world_snapshot_write(world, bytes, size, &problem));
    const uint64_t hash = pli_world_hash(world);
    for (size_t end = WORD; end < size; end += 4) {
        void *part = copied(bytes, end);
        const pli_status status = pli_world_snapshot_read(world, part, end, &problem);
        holds(status == PLI_STATUS_CORRUPT && problem.status == status, "%zu of %zu bytes: %s", end, size,
              pli_status_name(status));
        holds(pli_world_hash(world) == hash, "%zu of %zu bytes: the world has changed", end, size);
        free(part);
    }
    step(world, 1.0 / 60.0);
    const uint64_t next = pli_world_hash(world);
    must(pli_world_snapshot_read(world, bytes, size, &problem));
    holds(pli_world_hash(world) == hash, "the whole brings the state back");
    step(world, 1.0 / 60.0);
    holds(pli_world_hash(world) == next, "and what follows");
    free(bytes);
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
    pli_mesh_destroy(ball);
}

// The second word is a hash of the rows whose values follow.
static void snapshots_of_another_version_are_refused(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_hilly(SIDE);
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    deform(world, mesh, NULL);
    const size_t size = pli_world_snapshot_size(world);
    unsigned char *bytes = malloc(size);
    must(pli_world_snapshot_write(world, bytes, size, &problem));
    bytes[WORD] ^= 1;
    void *other = copied(bytes, size);
    holds(pli_world_snapshot_read(world, other, size, &problem) == PLI_STATUS_CORRUPT &&
              strstr(problem.message, "another version"),
          "another layout: %.150s", problem.message);
    free(other);
    free(bytes);
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
}

// The origin is found in the bytes by its value.
static void snapshots_with_numbers_that_are_not_finite_are_refused(void **state)
{
    (void)state;
    static const double origin[3] = {12345.0, 23456.0, 34567.0};
    pli_mesh *mesh = mesh_hilly(SIDE);
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    deform(world, mesh, NULL);
    must(pli_world_set_origin(world, origin, &problem));
    const size_t size = pli_world_snapshot_size(world);
    unsigned char *bytes = malloc(size);
    must(pli_world_snapshot_write(world, bytes, size, &problem));
    const uint64_t hash = pli_world_hash(world);
    const double not_finite[] = {(double)NAN, (double)INFINITY};
    for (int32_t k = 0; k < 6; k++) {
        size_t at = 0;
        while (at + WORD < size && memcmp(bytes + at, &origin[k / 2], WORD) != 0)
            at++;
        holds(at + WORD < size, "the snapshot has the origin");
        memcpy(bytes + at, &not_finite[k % 2], WORD);
        void *other = copied(bytes, size);
        holds(pli_world_snapshot_read(world, other, size, &problem) == PLI_STATUS_CORRUPT, "axis %d", k / 2);
        holds(pli_world_hash(world) == hash, "axis %d: the world has changed", k / 2);
        free(other);
        memcpy(bytes + at, &origin[k / 2], WORD);
    }
    must(pli_world_snapshot_read(world, bytes, size, &problem));
    free(bytes);
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
}

static const char *const types[] = {"distance", "dihedral", "ring_laplacian", "membrane"};

// Sets from cooked bytes, or cooked anew. Stops at the first that is refused.
static pli_status make_sets(pli_world *world, const pli_mesh *mesh, const void *bytes, size_t size)
{
    pli_status status = bytes ? pli_world_set_cooked(world, bytes, size, &problem) : PLI_STATUS_OK;
    const pli_deformable cloth = deform(world, mesh, NULL);
    for (int32_t i = 0; i < COUNT_OF(types) && !status; i++) {
        pli_constraints_def def = pli_constraints_def_default();
        pli_constraints set;
        def.deformable = cloth, def.type = types[i];
        status = pli_constraints_create(world, &def, &set, &problem);
    }
    return status;
}

static void shortened_cooked_sets_are_refused(void **state)
{
    (void)state;
    for (int32_t i = 0; i < 2; i++) {
        pli_mesh *mesh = i ? mesh_grid(12, 12, 1.0, PLI_GRID_DIAGONAL) : mesh_hilly(SIDE);
        pli_world_def def = pli_world_def_default();
        pli_world *world = world_from(&def);
        must(make_sets(world, mesh, NULL, 0));
        const size_t size = pli_world_cooked_size(world), stride = i ? 404 : 4;
        unsigned char *bytes = malloc(size);
        must(pli_world_cooked_write(world, bytes, size, &problem));
        pli_world_destroy(world);
        for (size_t end = WORD; end <= size; end = end < size && end + stride > size ? size : end + stride) {
            void *part = copied(bytes, end);
            world = world_from(&def);
            const pli_status status = make_sets(world, mesh, part, end);
            holds(status == (end == size ? PLI_STATUS_OK : PLI_STATUS_CORRUPT), "%zu of %zu bytes: %s", end, size,
                  pli_status_name(status));
            step(world, 1.0 / 60.0);
            pli_world_destroy(world);
            free(part);
        }
        free(bytes);
        pli_mesh_destroy(mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(shortened_snapshots_are_refused),
        property(snapshots_of_another_version_are_refused),
        property(snapshots_with_numbers_that_are_not_finite_are_refused),
        property(shortened_cooked_sets_are_refused),
    };
    return cmocka_run_group_tests_name("truncated", tests, NULL, NULL);
}
