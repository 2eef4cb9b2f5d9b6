// A glTF 2.0 document, text or binary, with its buffers: for meshes and for animations.
#ifndef PLI_IO_GLTF_DOCUMENT_H
#define PLI_IO_GLTF_DOCUMENT_H

#include "soup/polygon_soup.h"

#include <jansson.h>

typedef struct pli_gltf_buffer {
    const unsigned char *bytes; // NULL until it is used.
    size_t size;
    pli_bytes file;      // Its bytes if they come from a file,
    unsigned char *text; // or from the document's own text.
} pli_gltf_buffer;

typedef struct pli_gltf {
    const pli_import_file *file;
    json_t *root;
    const unsigned char *binary; // The second chunk of a .glb.
    size_t binary_size;
    pli_gltf_buffer *buffers;
    size_t buffer_count;
    uint64_t byte_count;   // Size of the document and of the buffers in use.
    unsigned char **dense; // By accessor: the assembled numbers of sparse accessors; NULL until one is used.
    uint64_t dense_bytes;
} pli_gltf;

// Numbers of an accessor, all inside their buffer.
typedef struct pli_gltf_numbers {
    const unsigned char *at;
    int64_t count, stride; // Elements, and bytes from one to the next.
    int32_t width;         // Numbers per element, 1 to 4, or 16 for a matrix.
    int32_t type, bytes;   // Type and size of a component.
    bool normalised;
} pli_gltf_numbers;

// Parses a document; the file must stay valid. Buffers are read when an accessor needs them: from the document's own folder, never from
// outside it. The document must be closed even after a failure.
pli_status pli_gltf_open(pli_gltf *gltf, const pli_import_file *file, pli_error *error);
void pli_gltf_close(pli_gltf *gltf);
// The object at an index of an array of the document; NULL when there is none.
json_t *pli_gltf_item(const pli_gltf *gltf, const char *array, json_t *index);
// Finds the numbers of an accessor by its index. A sparse accessor is assembled once.
pli_status pli_gltf_find(pli_gltf *gltf, json_t *accessor, pli_gltf_numbers *numbers, pli_error *error);
// Component k of element i; integers of normalised accessors become 0..1 or -1..1.
double pli_gltf_number(const pli_gltf_numbers *numbers, int64_t i, int32_t k);

#endif
