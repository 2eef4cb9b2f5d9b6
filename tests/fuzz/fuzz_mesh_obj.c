// Any bytes as an OBJ file, refused or repaired.
#include <pliant/mesh_file.h>

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int repair = 0; repair < 2; repair++) {
        pli_mesh *mesh;
        pli_mesh_report report;
        pli_error error;
        pli_mesh_import_def import = pli_mesh_import_def_default();
        import.policy = repair ? PLI_MESH_REPAIR : PLI_MESH_REFUSE;
        import.weld = repair;
        if (pli_mesh_read_memory(data, size, "obj", &import, &mesh, &report, &error) == PLI_STATUS_OK)
            pli_mesh_destroy(mesh);
    }
    return 0;
}
