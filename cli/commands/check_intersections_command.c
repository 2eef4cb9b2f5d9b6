// pliant check-intersections: reports where surfaces intersect, frame by frame.
#include "frame/options.h"
#include "view/cache_surfaces.h"
#include "frame/signals.h"
#include "frame/terminal.h"
#include "frame/folders.h"
#include "frame/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_COLLIDER, OPTION_MESH, OPTION_FROM, OPTION_TO, OPTION_EVERY, OPTION_QUIET, OPTION_JSON };
enum { FRAMES_MAX = 10000000, NAME_MAX_LENGTH = 40 };

typedef struct checking {
    const pli_cli_arguments *arguments;
    pli_cli_cache_surfaces all;
    int32_t first, last, every;
    pli_cli_box *boxes;
    pli_cli_intersections *frames; // One per frame: first, first + every, ...
    int32_t frame_count;
} checking;

/* ---- inputs of the check -------------------------------------------------------------------- */

static bool is_point_cache(const char *path)
{
    const char *extension = pli_cli_extension(path);
    return strcmp(extension, "pc2") == 0 || strcmp(extension, "mdd") == 0;
}

typedef struct path_list {
    const char **paths;
    int32_t count;
} path_list;

static bool list_paths(const pli_cli_arguments *arguments, int32_t option, path_list *list)
{
    list->count = pli_cli_texts(arguments, option, NULL, 0);
    list->paths = calloc((size_t)list->count + 1, sizeof *list->paths);
    return list->paths && pli_cli_texts(arguments, option, list->paths, list->count) == list->count;
}

static pli_status add_all(checking *c, const path_list *colliders, const path_list *meshes, pli_error *error)
{
    const pli_cli_arguments *a = c->arguments;
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0, mesh = 0; i < a->operand_count + colliders->count && status == PLI_STATUS_OK; i++) {
        bool collider = i >= a->operand_count;
        const char *path = collider ? colliders->paths[i - a->operand_count] : a->operands[i];
        bool takes_mesh = is_point_cache(path) && mesh < meshes->count;
        status = pli_cli_cache_surfaces_add(&c->all, path, takes_mesh ? meshes->paths[mesh++] : NULL, collider, error);
    }
    return status;
}

static pli_status open_all(checking *c, pli_error *error)
{
    path_list colliders, meshes;
    bool listed = list_paths(c->arguments, OPTION_COLLIDER, &colliders);
    listed = list_paths(c->arguments, OPTION_MESH, &meshes) && listed;
    pli_status status = listed ? add_all(c, &colliders, &meshes, error)
                               : pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    free(colliders.paths);
    free(meshes.paths);
    return status;
}

static pli_status choose_frames(checking *c, pli_error *error)
{
    int32_t count = c->all.frame_count;
    c->first = pli_cli_whole(c->arguments, OPTION_FROM, 0);
    c->last = pli_cli_whole(c->arguments, OPTION_TO, count - 1);
    c->every = pli_cli_whole(c->arguments, OPTION_EVERY, 1);
    if (c->last >= count || c->first >= count)
        return pli_cli_fail(error, PLI_STATUS_NOT_FOUND, "there are %d frames, so there is no frame %d", (int)count,
                            (int)(c->last >= count ? c->last : c->first));
    if (c->first > c->last)
        return pli_cli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "no frame is from %d to %d", (int)c->first,
                            (int)c->last);
    c->boxes = malloc(((size_t)c->all.triangle_count + 1) * sizeof *c->boxes);
    c->frames = calloc((size_t)((c->last - c->first) / c->every) + 1, sizeof *c->frames);
    if (!c->boxes || !c->frames)
        return pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for %d triangles",
                            (int)c->all.triangle_count);
    if (count < c->all.frame_count_most)
        pli_cli_complain(PLI_CLI_DONE, "warning: the caches have up to %d frames; the %d that all have are checked",
                         (int)c->all.frame_count_most, (int)count);
    return PLI_STATUS_OK;
}

static pli_status count_frames(checking *c, pli_error *error)
{
    pli_cli_progress progress;
    pli_status status = PLI_STATUS_OK;
    pli_cli_progress_start(&progress, "checking", c->first, c->last,
                           pli_cli_flag(c->arguments, OPTION_QUIET) || c->first == c->last);
    for (int32_t frame = c->first; frame <= c->last && status == PLI_STATUS_OK && !pli_cli_cancelled();
         frame += c->every) {
        status = pli_cli_cache_surfaces_read(&c->all, frame, error);
        if (status == PLI_STATUS_OK &&
            !pli_cli_intersections_count(c->all.surfaces, c->all.count, c->boxes, &c->frames[c->frame_count++]))
            status = pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for %d triangles",
                                  (int)c->all.triangle_count);
        pli_cli_progress_show(&progress, frame);
    }
    pli_cli_progress_end(&progress);
    if (status == PLI_STATUS_OK && pli_cli_cancelled())
        return pli_cli_fail(error, PLI_STATUS_CANCELLED, "cancelled after %d frames", (int)c->frame_count);
    return status;
}

/* ---- results -------------------------------------------------------------------------------- */

// The first frame with the largest number of intersections, or -1; and the sums over all frames.
static int32_t add_up(const checking *c, pli_cli_intersections *sum)
{
    int32_t worst = -1;
    *sum = (pli_cli_intersections){.own = 0};
    for (int32_t i = 0; i < c->frame_count; i++) {
        const pli_cli_intersections *frame = &c->frames[i];
        if (pli_cli_intersections_total(frame) > (worst < 0 ? 0 : pli_cli_intersections_total(&c->frames[worst])))
            worst = i;
        sum->own += frame->own;
        sum->between += frame->between;
        sum->collider += frame->collider;
        sum->touching += frame->touching;
    }
    return worst;
}

static int32_t frame_at(const checking *c, int32_t i) { return c->first + i * c->every; }

static void print_frames(const checking *c)
{
    printf("  %8s %9s %9s %9s %9s  %s\n", "frame", "own", "between", "collider", "touching", "lowest pair");
    for (int32_t i = 0; i < c->frame_count; i++) {
        const pli_cli_intersections *frame = &c->frames[i];
        if (pli_cli_intersections_total(frame) == 0)
            continue;
        printf("  %8d %9lld %9lld %9lld %9lld ", (int)frame_at(c, i), (long long)frame->own, (long long)frame->between,
               (long long)frame->collider, (long long)frame->touching);
        for (int k = 0; k < 2; k++)
            printf(" %.*s:%d", (int)NAME_MAX_LENGTH, c->all.sources[frame->surfaces[k]].name, (int)frame->triangles[k]);
        putchar('\n');
    }
}

static void print_report(const checking *c)
{
    pli_cli_intersections sum;
    int32_t worst = add_up(c, &sum), colliders = 0;
    for (int32_t i = 0; i < c->all.count; i++)
        colliders += c->all.surfaces[i].collider;
    printf("%s%s: %d frame%s of %d deformable%s and %d collider%s, %d triangles\n", c->arguments->operands[0],
           c->arguments->operand_count > 1 ? " and others" : "", (int)c->frame_count, c->frame_count == 1 ? "" : "s",
           (int)(c->all.count - colliders), c->all.count - colliders == 1 ? "" : "s", (int)colliders,
           colliders == 1 ? "" : "s", (int)c->all.triangle_count);
    if (worst < 0) {
        printf("  no intersections; %lld touching\n", (long long)sum.touching);
        return;
    }
    print_frames(c);
    printf("  %8s %9lld %9lld %9lld %9lld  most in frame %d\n", "all", (long long)sum.own, (long long)sum.between,
           (long long)sum.collider, (long long)sum.touching, (int)frame_at(c, worst));
}

static json_t *frame_json(const checking *c, int32_t i)
{
    const pli_cli_intersections *frame = &c->frames[i];
    json_t *lowest = pli_cli_intersections_total(frame) == 0
                         ? json_null()
                         : json_pack("{s:[i, i], s:[i, i]}", "objects", (int)frame->surfaces[0],
                                     (int)frame->surfaces[1], "triangles", (int)frame->triangles[0],
                                     (int)frame->triangles[1]);
    return json_pack("{s:i, s:I, s:I, s:I, s:I, s:o}", "frame", (int)frame_at(c, i), "own", (json_int_t)frame->own,
                     "between", (json_int_t)frame->between, "collider", (json_int_t)frame->collider, "touching",
                     (json_int_t)frame->touching, "lowest_pair", lowest);
}

static json_t *report_json(const checking *c)
{
    pli_cli_intersections sum;
    int32_t worst = add_up(c, &sum);
    json_t *objects = json_array(), *frames = json_array();
    for (int32_t i = 0; i < c->all.count; i++) {
        const pli_cli_cache_surface *source = &c->all.sources[i];
        json_array_append_new(objects, json_pack("{s:s, s:s, s:s, s:i, s:i}", "name", source->name, "role",
                                                 c->all.surfaces[i].collider ? "collider" : "deformable", "cache",
                                                 source->path, "vertices", (int)source->topology->vertex_count,
                                                 "triangles", (int)source->topology->triangle_count));
    }
    for (int32_t i = 0; i < c->frame_count; i++)
        json_array_append_new(frames, frame_json(c, i));
    return json_pack("{s:i, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o}", "frames", (int)c->frame_count,
                     "intersections_total", (json_int_t)pli_cli_intersections_total(&sum), "own_total",
                     (json_int_t)sum.own, "between_total", (json_int_t)sum.between, "collider_total",
                     (json_int_t)sum.collider, "touching_total", (json_int_t)sum.touching, "worst_frame",
                     worst < 0 ? json_null() : json_integer(frame_at(c, worst)), "objects", objects, "per_frame",
                     frames);
}

/* ---- the command ---------------------------------------------------------------------------- */

static pli_cli_exit report(const checking *c)
{
    pli_cli_intersections sum;
    add_up(c, &sum);
    pli_cli_exit code = PLI_CLI_DONE;
    if (pli_cli_flag(c->arguments, OPTION_JSON))
        code = pli_cli_print_json(report_json(c));
    else
        print_report(c);
    return pli_cli_intersections_total(&sum) > 0 ? PLI_CLI_FAILURE : code;
}

static pli_cli_exit run_check_intersections(const pli_cli_arguments *arguments)
{
    checking c = {.arguments = arguments};
    pli_error error;
    pli_cli_cancel_listen();
    pli_status status = open_all(&c, &error);
    if (status == PLI_STATUS_OK)
        status = choose_frames(&c, &error);
    if (status == PLI_STATUS_OK)
        status = count_frames(&c, &error);
    pli_cli_exit code = status == PLI_STATUS_OK ? report(&c) : pli_cli_complain(PLI_CLI_FAILURE, "%s", error.message);
    pli_cli_cache_surfaces_release(&c.all);
    free(c.boxes);
    free(c.frames);
    return code;
}

static const pli_cli_operand operands[] = {
    {.name = "CACHE",
     .summary = "A folder of pliant run, with all its objects, or a cache file of cloth",
     .kind = PLI_CLI_FILE},
};

static const pli_cli_option options[] = {
    [OPTION_COLLIDER] = {.name = "collider",
                         .letter = 'c',
                         .kind = PLI_CLI_FILE,
                         .value = "CACHE",
                         .summary = "A cache or mesh file of colliders; one frame stands still; may be repeated"},
    [OPTION_MESH] = {.name = "mesh",
                     .letter = 'm',
                     .kind = PLI_CLI_FILE,
                     .value = "MESH",
                     .summary = "The faces of a point cache (.pc2, .mdd); may be repeated, for the first CACHE first; "
                                "default: the .obj next to it"},
    [OPTION_FROM] = {.name = "from",
                     .kind = PLI_CLI_WHOLE,
                     .value = "N",
                     .maximum = FRAMES_MAX,
                     .summary = "The first frame (default: 0)"},
    [OPTION_TO] = {.name = "to",
                   .kind = PLI_CLI_WHOLE,
                   .value = "N",
                   .maximum = FRAMES_MAX,
                   .summary = "The last frame (default: the last of the caches)"},
    [OPTION_EVERY] = {.name = "every",
                      .kind = PLI_CLI_WHOLE,
                      .value = "N",
                      .minimum = 1,
                      .maximum = FRAMES_MAX,
                      .summary = "Check only every Nth frame"},
    [OPTION_QUIET] = PLI_CLI_OPTION_QUIET("No progress"),
    [OPTION_JSON] = PLI_CLI_OPTION_JSON("Print one JSON object"),
};

static const pli_cli_example examples[] = {
    {"pliant check-intersections out/first", "Does the cloth of this run ever intersect anything?"},
    {"pliant check-intersections cloth.pc2 --collider body.obj --json", "Caches that another program wrote"},
    {"pliant check-intersections out/first --from 100 --to 120", "Only some frames"},
};

const pli_cli_command pli_cli_row_check_intersections = {
    .name = "check-intersections",
    .summary = "Count intersections of cloth with itself and with everything else",
    .description =
        "Counts for every frame the pairs of triangles that intersect: within one cloth (own), between two cloths "
        "(between), and between cloth and collider. Positions are read as they are in the files, and the test is "
        "exact: no tolerance, no rounding. Pairs that touch without intersecting, or overlap in one plane, are counted "
        "as touching. The corner or edge that two triangles of a mesh share does not count; any other common point "
        "does. OBJ and glTF round positions; use PC2, MDD, PLY or VTKHDF to judge a run.\n"
        "The exit status is 0 when nothing intersects and 1 when something does, whether or not anything touches.",
    .operands = operands,
    .operand_count = PLI_CLI_COUNT(operands),
    .last_repeats = true,
    .options = options,
    .option_count = PLI_CLI_COUNT(options),
    .examples = examples,
    .example_count = PLI_CLI_COUNT(examples),
    .run = run_check_intersections,
};
