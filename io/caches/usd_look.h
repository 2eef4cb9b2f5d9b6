// Names, meshes and materials in a USD layer.
#ifndef PLI_IO_USD_LOOK_H
#define PLI_IO_USD_LOOK_H

#include "caches/recorder.h"

// Writes a name as an identifier of USD.
void pli_usd_put_identifier(FILE *stream, const char *name);
// Writes the name of an object as an identifier that no other object has.
void pli_usd_put_object(const pli_recorder *recorder, FILE *stream, int32_t object);
// Writes faces, colours and texture coordinates of an object; layers have its positions.
void pli_usd_put_mesh(const pli_recorder *recorder, FILE *stream, int32_t object);
// Writes a material for each object of one colour.
void pli_usd_put_materials(const pli_recorder *recorder, FILE *stream);

#endif
