// Meshes and materials of USD as text.
// UsdGeomMesh: https://openusd.org/release/api/class_usd_geom_mesh.html
// UsdPreviewSurface: https://openusd.org/release/spec_usdpreviewsurface.html
#include "caches/usd_look.h"

#include <pliant/mesh_attributes.h>

#include <ctype.h>
#include <string.h>

void pli_usd_put_identifier(FILE *stream, const char *name)
{
    if (isdigit((unsigned char)*name))
        fputc('_', stream);
    for (; *name; name++)
        fputc(isalnum((unsigned char)*name) ? *name : '_', stream);
}

static bool is_same_identifier(const char *a, const char *b)
{
    for (; *a && *b; a++, b++)
        if (*a != *b && (isalnum((unsigned char)*a) || isalnum((unsigned char)*b)))
            return false;
    return *a == *b;
}

// Object names that become the same identifier get a number.
void pli_usd_put_object(const pli_recorder *r, FILE *stream, int32_t object)
{
    bool repeated = false;
    for (int32_t i = 0; i < object; i++)
        repeated = repeated || is_same_identifier(r->objects[i].name, r->objects[object].name);
    pli_usd_put_identifier(stream, r->objects[object].name);
    if (repeated)
        fprintf(stream, "_%d", (int)object);
}

static const pli_topology *topology_of(const pli_recorder *r, int32_t object)
{
    return pli_mesh_topology(r->objects[object].mesh);
}

static void put_whole_numbers(FILE *stream, const char *name, const int32_t *values, int32_t count)
{
    fprintf(stream, "        int[] %s = [", name);
    for (int32_t i = 0; i < count; i++)
        fprintf(stream, "%s%d", i > 0 ? ", " : "", (int)values[i]);
    fputs("]\n", stream);
}

static void put_faces(FILE *stream, const pli_topology *t)
{
    fputs("        int[] faceVertexCounts = [", stream);
    for (int32_t f = 0; f < t->face_count; f++)
        fprintf(stream, "%s%d", f > 0 ? ", " : "", (int)(t->face_offsets[f + 1] - t->face_offsets[f]));
    fputs("]\n", stream);
    put_whole_numbers(stream, "faceVertexIndices", t->face_vertices, t->corner_count);
}

// A primvar with one value per face corner.
static void put_corners(FILE *stream, const char *declaration, const pli_mesh_attributes *of,
                        const pli_mesh_attribute *values, int32_t width, int32_t corners)
{
    fprintf(stream, "        %s = [", declaration);
    for (int32_t c = 0; c < corners; c++) {
        const float *value = values->values + (size_t)values->width * (size_t)of->corners[c];
        fprintf(stream, c > 0 ? ", (" : "(");
        for (int32_t k = 0; k < width; k++)
            fprintf(stream, "%s%.9g", k > 0 ? ", " : "", (double)value[k]);
        fputc(')', stream);
    }
    fputs("] (\n            interpolation = \"faceVarying\"\n        )\n", stream);
}

static const pli_mesh_attribute *at_vertices(const pli_mesh_attributes *of, const char *name, int32_t width)
{
    const pli_mesh_attribute *found = of && of->corners ? pli_mesh_attribute_named(of, name) : NULL;
    return found && found->domain == PLI_ATTRIBUTE_VERTEX && found->width >= width ? found : NULL;
}

// The scope of the materials, under a name that no object has.
static void put_scope(const pli_recorder *r, FILE *stream)
{
    char name[16] = "Materials";
    size_t length = strlen(name);
    for (int32_t i = 0; i < r->object_count && length + 1 < sizeof name; i++)
        if (is_same_identifier(r->objects[i].name, name))
            name[length++] = '_', i = -1;
    fputs(name, stream);
}

static void put_material_path(const pli_recorder *r, FILE *stream, int32_t object, const char *inner)
{
    fputs("</", stream);
    pli_usd_put_identifier(stream, r->name);
    fputc('/', stream);
    put_scope(r, stream);
    fputc('/', stream);
    pli_usd_put_object(r, stream, object);
    fprintf(stream, "%s>", inner);
}

// Colours of vertices are displayed without a material: few readers connect a surface to them.
static const pli_mesh_attribute *colours_of(const pli_recorder *r, int32_t object)
{
    return at_vertices(r->attributes ? r->attributes[object] : NULL, PLI_ATTRIBUTE_COLOUR, 3);
}

// A dielectric of the roughness that glTF files have too. UsdPreviewSurface has one colour for both sides.
static void put_material(const pli_recorder *r, FILE *stream, int32_t object)
{
    const pli_vec3 c = r->objects[object].colour;
    fputs("\n        def Material \"", stream);
    pli_usd_put_object(r, stream, object);
    fputs("\"\n        {\n            token outputs:surface.connect = ", stream);
    put_material_path(r, stream, object, "/Surface.outputs:surface");
    fprintf(stream,
            "\n\n            def Shader \"Surface\"\n            {\n"
            "                uniform token info:id = \"UsdPreviewSurface\"\n"
            "                color3f inputs:diffuseColor = (%.6g, %.6g, %.6g)\n"
            "                float inputs:metallic = 0\n                float inputs:roughness = 0.8\n"
            "                token outputs:surface\n            }\n        }\n",
            (double)c.x, (double)c.y, (double)c.z);
}

void pli_usd_put_materials(const pli_recorder *r, FILE *stream)
{
    fputs("\n    def Scope \"", stream);
    put_scope(r, stream);
    fputs("\"\n    {", stream);
    for (int32_t i = 0; i < r->object_count; i++)
        if (!colours_of(r, i))
            put_material(r, stream, i);
    fputs("    }\n", stream);
}

void pli_usd_put_mesh(const pli_recorder *r, FILE *stream, int32_t object)
{
    const pli_topology *t = topology_of(r, object);
    const pli_mesh_attributes *of = r->attributes ? r->attributes[object] : NULL;
    const pli_mesh_attribute *uv = at_vertices(of, PLI_ATTRIBUTE_UV, 2);
    const pli_mesh_attribute *colours = colours_of(r, object);
    const pli_vec3 c = r->objects[object].colour;
    fputs("\n    def Mesh \"", stream);
    pli_usd_put_object(r, stream, object);
    fprintf(stream, "\"%s\n    {\n        uniform bool doubleSided = 1\n",
            colours ? "" : " (\n        prepend apiSchemas = [\"MaterialBindingAPI\"]\n    )");
    if (!colours) {
        fputs("        rel material:binding = ", stream);
        put_material_path(r, stream, object, "");
        fputc('\n', stream);
    }
    put_faces(stream, t);
    if (colours)
        put_corners(stream, "color3f[] primvars:displayColor", of, colours, 3, t->corner_count);
    else
        fprintf(stream, "        color3f[] primvars:displayColor = [(%.6g, %.6g, %.6g)]\n", (double)c.x, (double)c.y,
                (double)c.z);
    if (uv)
        put_corners(stream, "texCoord2f[] primvars:st", of, uv, 2, t->corner_count);
    fputs("        uniform token subdivisionScheme = \"none\"\n    }\n", stream);
}
