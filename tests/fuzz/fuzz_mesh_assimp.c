// Any bytes as a PLY, STL or glTF file; the first byte chooses.
#include <pliant/mesh_file.h>

#include <stdint.h>

static void silent(void *user, pli_log_level level, const char *message) { (void)user, (void)level, (void)message; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const formats[] = {"ply", "stl", "gltf"};
    if (size == 0)
        return 0;
    pli_mesh *mesh;
    pli_mesh_report report;
    pli_error error;
    pli_mesh_import_def import = pli_mesh_import_def_default();
    import.policy = PLI_MESH_REPAIR;
    import.hooks.log = silent;
    if (pli_mesh_read_memory(data + 1, size - 1, formats[data[0] % 3], &import, &mesh, &report, &error) ==
        PLI_STATUS_OK)
        pli_mesh_destroy(mesh);
    return 0;
}
