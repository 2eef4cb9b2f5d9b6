// The built-in shapes by name, and mesh files.
#include "sources/mesh_source.h"

#include "frame/command_table.h"
#include "frame/shipped_scenes.h"
#include "frame/strings.h"
#include "frame/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const pattern_names[] = {
    [PLI_GRID_QUADS] = "quads",
    [PLI_GRID_DIAGONAL] = "diagonal",
    [PLI_GRID_ALTERNATING] = "alternating",
    [PLI_GRID_CROSSED] = "crossed",
};

static const char *pattern_name(int32_t i) { return i < PLI_CLI_COUNT(pattern_names) ? pattern_names[i] : NULL; }

static pli_status fail_shape(pli_error *error, const char *text)
{
    if (error) {
        error->status = PLI_STATUS_INVALID_ARGUMENT;
        snprintf(error->message, sizeof error->message, "the shape '%.60s' is not understood; there are %s", text,
                 PLI_CLI_SHAPES);
    }
    return PLI_STATUS_INVALID_ARGUMENT;
}

static bool fits_whole(long value) { return value >= 0 && value <= INT32_MAX; }

static pli_status make_grid(const char *text, pli_mesh **mesh, pli_error *error)
{
    long columns, rows;
    size_t length = strcspn(text, ":");
    char *size = pli_cli_format("%.*s", (int)length, text);
    bool understood = pli_cli_read_size(size, &columns, &rows) && fits_whole(columns) && fits_whole(rows);
    free(size);
    const char *name = text[length] == ':' ? text + length + 1 : pattern_names[PLI_GRID_QUADS];
    int32_t pattern = pli_cli_choice_find(name, strlen(name), pattern_name);
    if (!understood || pattern < 0)
        return fail_shape(error, text);
    return pli_mesh_create_grid((int32_t)columns, (int32_t)rows, 1.0f, 1.0f, (pli_grid_pattern)pattern, mesh, error);
}

static pli_status make_sphere(const char *text, pli_mesh **mesh, pli_error *error)
{
    long subdivisions;
    if (!pli_cli_read_whole(text, &subdivisions) || !fits_whole(subdivisions))
        return fail_shape(error, text);
    return pli_mesh_create_sphere((int32_t)subdivisions, 0.5f, mesh, error);
}

static pli_status make_tube(const char *text, pli_mesh **mesh, pli_error *error)
{
    long around, along;
    if (!pli_cli_read_size(text, &around, &along) || !fits_whole(around) || !fits_whole(along))
        return fail_shape(error, text);
    return pli_mesh_create_tube((int32_t)around, (int32_t)along, 0.25f, 1.0f, false, PLI_GRID_QUADS, mesh, error);
}

static pli_status make_plant(const char *text, pli_mesh **mesh, pli_error *error)
{
    long seed;
    pli_plant_def def = pli_plant_def_default();
    if (!pli_cli_read_whole(text, &seed) || !fits_whole(seed))
        return fail_shape(error, text);
    def.seed = (uint32_t)seed;
    return pli_mesh_create_plant(&def, mesh, error);
}

static const struct {
    const char *prefix;
    pli_status (*make)(const char *text, pli_mesh **mesh, pli_error *error);
} shapes[] = {{"grid:", make_grid}, {"sphere:", make_sphere}, {"tube:", make_tube}, {"plant:", make_plant}};

pli_status pli_cli_mesh_load(const char *source, bool repair, bool weld, pli_mesh **mesh, pli_mesh_report *report,
                             pli_error *error)
{
    for (int32_t i = 0; i < PLI_CLI_COUNT(shapes); i++) {
        size_t length = strlen(shapes[i].prefix);
        if (strncmp(source, shapes[i].prefix, length) != 0)
            continue;
        pli_status status = shapes[i].make(source + length, mesh, error);
        if (status == PLI_STATUS_OK && report)
            *report = *pli_mesh_get_report(*mesh);
        return status;
    }
    pli_mesh_import_def import = pli_mesh_import_def_default();
    import.policy = repair ? PLI_MESH_REPAIR : PLI_MESH_REFUSE;
    import.weld = weld;
    import.hooks.log = pli_cli_log;
    char *shipped = pli_cli_named_mesh(source);
    pli_status status = pli_mesh_read(shipped ? shipped : source, &import, mesh, report, error);
    free(shipped);
    return status;
}
