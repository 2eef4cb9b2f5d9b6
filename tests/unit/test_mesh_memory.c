// An allocator that fails at the n-th call: every n gives OUT_OF_MEMORY and nothing left behind.
#include "mesh_oracle.h"

typedef struct memory_ration {
    int32_t left; // Allocations granted; negative for any number.
    int32_t live; // Allocations held.
    size_t bytes;
} memory_ration;

static void *allocate(void *user, size_t size, size_t alignment)
{
    memory_ration *ration = user;
    if (ration->left == 0)
        return NULL;
    ration->left -= ration->left > 0;
    ration->live++;
    ration->bytes += size;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void release(void *user, void *memory, size_t size)
{
    memory_ration *ration = user;
    ration->live--;
    ration->bytes -= size;
    free(memory);
}

// A fin on a square with a turned face, a doubled face, a pentagon, a bow-tie and a face with a vertex twice.
static const float positions[] = {0, 0, 0, 1, 0, 0, 1,  1, 0, 0,  1,  0, 0.5f, 0.5f, 1,
                                  2, 0, 0, 2, 1, 0, -1, 0, 0, -1, -1, 0, 3,    0.5f, 0};
static const int32_t sizes[] = {3, 3, 3, 5, 3, 3, 3};
static const int32_t faces[] = {0, 1, 2, 0, 3, 2, 0, 2, 4, 1, 5, 9, 6, 2, 0, 7, 8, 2, 1, 0, 1, 1, 0};

static pli_mesh_def flawed(memory_ration *ration)
{
    pli_mesh_def def = oracle_def(positions, 10, sizes, faces, 7);
    def.policy = PLI_MESH_REPAIR;
    def.hooks.allocate = allocate;
    def.hooks.release = release;
    def.hooks.user = ration;
    return def;
}

static void creating_fails_cleanly(void **state)
{
    (void)state;
    int32_t failures = 0;
    for (pli_status status = PLI_STATUS_OUT_OF_MEMORY; status; failures++) {
        memory_ration ration = {.left = failures};
        const pli_mesh_def def = flawed(&ration);
        pli_mesh *mesh = NULL;
        pli_error error = {0};
        status = pli_mesh_create(&def, &mesh, &error);
        assert_int_equal(error.status, status);
        if (status) {
            assert_int_equal(status, PLI_STATUS_OUT_OF_MEMORY);
            assert_null(mesh);
        } else {
            assert_true(pli_mesh_get_report(mesh)->vertex_count > 10);
            assert_int_equal(pli_mesh_get_report(mesh)->face_count, 5);
            oracle_check(mesh);
            pli_mesh_destroy(mesh);
        }
        assert_int_equal(ration.live, 0);
        assert_int_equal(ration.bytes, 0);
    }
    assert_true(failures > 40);
}

static void inspecting_fails_cleanly(void **state)
{
    (void)state;
    int32_t failures = 0;
    for (pli_status status = PLI_STATUS_OUT_OF_MEMORY; status; failures++) {
        memory_ration ration = {.left = failures};
        const pli_mesh_def def = flawed(&ration);
        pli_mesh_report report;
        status = pli_mesh_inspect(&def, &report, NULL);
        assert_true(status == PLI_STATUS_OK || status == PLI_STATUS_OUT_OF_MEMORY);
        assert_int_equal(ration.live, 0);
        assert_int_equal(ration.bytes, 0);
    }
    assert_true(failures > 20);
}

static void refusing_leaves_nothing(void **state)
{
    (void)state;
    memory_ration ration = {.left = -1};
    pli_mesh_def def = flawed(&ration);
    def.policy = PLI_MESH_REFUSE;
    pli_mesh *mesh = NULL;
    assert_int_equal(pli_mesh_create(&def, &mesh, NULL), PLI_STATUS_INVALID_MESH);
    assert_null(mesh);
    assert_int_equal(ration.live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(creating_fails_cleanly),
        cmocka_unit_test(inspecting_fails_cleanly),
        cmocka_unit_test(refusing_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
