// pliant render: pictures and video of a cache on disk, by a run or by another program.
#include "frame/options.h"
#include "frame/signals.h"
#include "frame/terminal.h"
#include "run/frames.h"
#include "frame/folders.h"
#include "frame/progress.h"
#include "view/playback.h"
#include "sources/scene_source.h"
#include "frame/strings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_OUTPUT,
    OPTION_MESH,
    OPTION_FRAME,
    OPTION_FROM,
    OPTION_TO,
    OPTION_EVERY,
    OPTION_SIZE,
    OPTION_CAMERA,
    OPTION_FOLLOW,
    OPTION_ORBIT,
    OPTION_FIT,
    OPTION_SHUTTER,
    OPTION_COLOUR,
    OPTION_WIREFRAME,
    OPTION_QUALITY,
    OPTION_ALLOW_OUTSIDE,
    OPTION_PLUGIN,
    OPTION_QUIET
};

enum { FIT_START, FIT_RUN, FIT_FRAME, FITS };

static const char *fit_name(int32_t i)
{
    static const char *const names[FITS] = {"start", "run", "frame"};
    return i >= 0 && i < FITS ? names[i] : NULL;
}

static const char *measure_name(int32_t i) { return i < PLI_MEASURE_COUNT ? pli_choice_name("measure", i) : NULL; }

typedef struct rendering {
    const pli_cli_arguments *arguments;
    pli_cache *cache;
    pli_cli_scene_source source;
    json_t *summary;  // Summary of a run's folder; NULL for a cache alone.
    pli_scene *scene; // NULL for a cache alone, or when the scene cannot be loaded.
    pli_cli_playback playback;
    pli_cli_playback fitted; // At the frame that the camera is fitted to, if not the first one.
    pli_cli_camera_motion motion;
    pli_vec3 bounds[2];
    bool has_bounds;
    const char *output;
    int32_t frame;           // The only frame to draw; -1 for a film.
    int32_t from, to, every; // Frames of a film.
} rendering;

/* ---- the scene of a run's folder ------------------------------------------------------------ */

// The plugins of the run are listed, and never loaded only because a file names them.
static void warn_plain(const rendering *r, const char *reason)
{
    const json_t *plugins = json_object_get(r->summary, "plugins");
    const bool needs_outside = json_is_true(json_object_get(r->summary, "allow_outside")) && !r->source.allow_outside;
    const char *first = r->source.plugins.count == 0 ? json_string_value(json_array_get(plugins, 0)) : NULL;
    pli_cli_complain(PLI_CLI_DONE,
                     "warning: the scene of this run cannot be used, so colours, colliders and camera "
                     "are plain: %s%s%s%s%s",
                     reason, needs_outside ? "; the run had --allow-outside" : "",
                     first ? "; the run had --plugin " : "", first ? first : "",
                     first && json_array_size(plugins) > 1 ? " and others" : "");
}

static void load_scene(rendering *r, const char *folder)
{
    char *path = pli_cli_format("%s/summary.json", folder);
    json_error_t where = {.text = ""};
    r->summary = path ? json_load_file(path, 0, &where) : NULL;
    free(path);
    if (!r->summary)
        pli_cli_complain(PLI_CLI_DONE,
                         "warning: the summary of this run cannot be read, so colours, colliders and "
                         "camera are plain: %s",
                         where.text[0] ? where.text : "out of memory");
    r->source.path = json_string_value(json_object_get(r->summary, "scene"));
    // A summary may come from anyone, so the command line decides which files its scene may read.
    r->source.allow_outside = pli_cli_flag(r->arguments, OPTION_ALLOW_OUTSIDE);
    json_t *settings = json_object_get(r->summary, "settings"), *setting;
    size_t i;
    json_array_foreach (settings, i, setting)
        if (json_is_string(setting) && r->source.setting_count < PLI_CLI_SETTINGS_MAX)
            r->source.settings[r->source.setting_count++] = json_string_value(setting);
    pli_error error;
    if (r->source.path && pli_cli_scene_load(&r->source, &r->scene, &error) != PLI_STATUS_OK)
        warn_plain(r, error.message);
}

static pli_status open_playback(rendering *r, pli_error *error)
{
    pli_status status = pli_cli_playback_open(r->cache, r->scene, &r->playback, error);
    if (status != PLI_STATUS_INVALID_ARGUMENT || !r->scene)
        return status;
    pli_cli_complain(PLI_CLI_DONE, "warning: drawn plainly: %s", error->message);
    pli_scene_destroy(r->scene);
    r->scene = NULL;
    return pli_cli_playback_open(r->cache, NULL, &r->playback, error);
}

/* ---- drawing -------------------------------------------------------------------------------- */

// The scene's camera motion, with the changes from the command line.
static pli_status choose_motion(rendering *r, pli_error *error)
{
    const char *name = pli_cli_text(r->arguments, OPTION_FOLLOW);
    float orbit;
    r->motion = pli_cli_camera_motion_of(r->scene);
    if (pli_cli_numbers(r->arguments, OPTION_ORBIT, &orbit, 1))
        r->motion.orbit = orbit;
    r->motion.fits = pli_cli_choice(r->arguments, OPTION_FIT) >= 0;
    if (r->motion.fits)
        r->motion.fits_run = pli_cli_choice(r->arguments, OPTION_FIT) == FIT_RUN;
    if (!name)
        return PLI_STATUS_OK;
    const pli_world *world = r->playback.world;
    r->motion.follow = strcmp(name, "everything") == 0 ? PLI_SCENE_FOLLOW_ALL : PLI_SCENE_FOLLOW_NONE;
    for (int32_t i = 0; i < pli_world_deformable_count(world); i++)
        if (strcmp(pli_deformable_name(world, pli_world_deformable_at(world, i)), name) == 0)
            r->motion.follow = i;
    if (r->motion.follow != PLI_SCENE_FOLLOW_NONE)
        return PLI_STATUS_OK;
    return pli_cli_fail(error, PLI_STATUS_NOT_FOUND,
                        "no deformable of '%s' is called '%s'; --follow everything is for all",
                        r->arguments->operands[0], name);
}

// Bounds over all frames if the camera is fitted to them; also without a scene.
static pli_status measure_bounds(rendering *r, pli_error *error)
{
    if (pli_cli_choice(r->arguments, OPTION_FIT) == FIT_FRAME) {
        pli_status opened = pli_cli_playback_open(r->cache, r->scene, &r->fitted, error);
        return opened == PLI_STATUS_OK ? pli_cli_playback_show(&r->fitted, r->frame >= 0 ? r->frame : r->from, error)
                                       : opened;
    }
    if (r->scene && !r->motion.fits_run)
        return PLI_STATUS_OK;
    r->has_bounds = true;
    pli_status status = pli_cli_run_bounds(r->cache, r->scene, &r->motion, r->bounds, error);
    // The camera follows from the first frame.
    return status == PLI_STATUS_OK && !r->scene ? pli_cli_playback_show(&r->playback, 0, error) : status;
}

// Shows the frame before one that is drawn, where motion blur starts.
static pli_status pass(rendering *r, pli_cli_frames *film, int32_t frame, pli_error *error)
{
    pli_status status = pli_cli_playback_show(&r->playback, frame, error);
    pli_cli_playback_lend(&r->playback, film->picture);
    return status == PLI_STATUS_OK ? pli_cli_frames_pass(film, frame, error) : status;
}

static pli_status draw(rendering *r, pli_cli_frames *film, pli_error *error)
{
    const bool blurred = pli_cli_world_view_is_blurred(film->picture);
    pli_cli_progress progress;
    int32_t last = r->frame >= 0 ? r->frame : r->to;
    int32_t first = r->frame >= 0 ? r->frame : r->from;
    pli_status status = PLI_STATUS_OK;
    pli_cli_progress_start(&progress, "drawing", first, last,
                           pli_cli_flag(r->arguments, OPTION_QUIET) || first == last);
    for (int32_t frame = first; frame <= last && status == PLI_STATUS_OK && !pli_cli_cancelled(); frame += r->every) {
        if (blurred && frame > 0 && (frame == first || r->every > 1))
            status = pass(r, film, frame - 1, error);
        if (status == PLI_STATUS_OK)
            status = pli_cli_playback_show(&r->playback, frame, error);
        pli_cli_playback_lend(&r->playback, film->picture);
        if (status == PLI_STATUS_OK)
            status = pli_cli_frames_add(film, frame, error);
        pli_cli_progress_show(&progress, frame);
    }
    pli_cli_progress_end(&progress);
    if (status == PLI_STATUS_OK && pli_cli_cancelled())
        return pli_cli_fail(error, PLI_STATUS_CANCELLED, "cancelled; '%s' has the frames up to here", r->output);
    return status;
}

static pli_status save_picture(const rendering *r, const pli_cli_frames *film, pli_error *error)
{
    int32_t width, height;
    pli_cli_world_view_size(film->picture, &width, &height);
    return pli_image_write_png(r->output, pli_cli_world_view_pixels(film->picture), width, height, error);
}

static pli_status make_film(rendering *r, pli_error *error)
{
    float camera_numbers[6];
    pli_camera camera;
    pli_cli_world_view_def def = {.scene = r->scene,
                                  .world = r->fitted.world ? r->fitted.world : r->playback.world,
                                  .bounds = r->has_bounds ? r->bounds : NULL,
                                  .motion = &r->motion,
                                  .quality = pli_cli_quality_chosen(r->arguments, OPTION_QUALITY),
                                  .shutter = -1.0f,
                                  .wireframe = pli_cli_flag(r->arguments, OPTION_WIREFRAME),
                                  .measure = pli_cli_choice(r->arguments, OPTION_COLOUR)};
    if (r->scene) {
        def.source = pli_cli_playback_collider_mesh;
        def.source_user = r->fitted.world ? &r->fitted : &r->playback;
    }
    pli_cli_numbers(r->arguments, OPTION_SHUTTER, &def.shutter, 1);
    pli_cli_size(r->arguments, OPTION_SIZE, &def.width, &def.height);
    if (pli_cli_numbers(r->arguments, OPTION_CAMERA, camera_numbers, 6)) {
        const float *c = camera_numbers;
        camera = (pli_camera){.eye = {c[0], c[1], c[2]}, .target = {c[3], c[4], c[5]}};
        def.camera = &camera;
    }
    pli_cli_frames film;
    pli_status status = pli_cli_frames_open(&def, NULL, r->frame < 0 ? r->output : NULL,
                                            pli_cache_frames_per_second(r->cache), r->every, &film, error);
    if (status != PLI_STATUS_OK)
        return status;
    if (r->fitted.world)
        pli_cli_world_view_show(film.picture, r->playback.world, def.source, &r->playback);
    status = draw(r, &film, error);
    if (status == PLI_STATUS_OK && r->frame >= 0)
        status = save_picture(r, &film, error);
    pli_error later;
    pli_status closed = pli_cli_frames_close(&film, &later);
    if (closed == PLI_STATUS_OK || status != PLI_STATUS_OK)
        return status;
    *error = later;
    return closed;
}

static pli_status render_all(rendering *r, pli_error *error)
{
    const char *path = r->arguments->operands[0];
    pli_status status = pli_cache_open(path, pli_cli_text(r->arguments, OPTION_MESH), &r->cache, error);
    if (status != PLI_STATUS_OK)
        return status;
    int32_t count = pli_cache_frame_count(r->cache);
    if (count < 1 || r->frame >= count)
        return pli_cli_fail(error, PLI_STATUS_NOT_FOUND, "'%s' has %d frames, so there is no frame %d", path,
                            (int)count, (int)(r->frame < 0 ? 0 : r->frame));
    r->to = r->to < count ? r->to : count - 1;
    if (r->frame == -1 && r->from > r->to)
        return pli_cli_fail(error, PLI_STATUS_NOT_FOUND, "'%s' has %d frames, so there is none from %d to %d", path,
                            (int)count, (int)r->from, (int)r->to);
    if (r->frame == -1 && strcmp(pli_cli_extension(r->output), "png") == 0)
        r->frame = count - 1;
    if (pli_cli_is_folder(path))
        load_scene(r, path);
    status = open_playback(r, error);
    if (status == PLI_STATUS_OK)
        status = choose_motion(r, error);
    if (status == PLI_STATUS_OK)
        status = measure_bounds(r, error);
    return status == PLI_STATUS_OK ? make_film(r, error) : status;
}

static pli_cli_exit check_output(const char *output, const pli_cli_arguments *arguments)
{
    const char *extension = pli_cli_extension(output);
    bool picture = strcmp(extension, "png") == 0;
    if (!picture && strcmp(extension, "mp4") != 0 && strcmp(extension, "webm") != 0 && strcmp(extension, "webp") != 0)
        return pli_cli_complain(PLI_CLI_WRONG_USE, "render: '%s' must end in .mp4, .webm, .webp or .png", output);
    if (!picture && pli_cli_text(arguments, OPTION_FRAME))
        return pli_cli_complain(PLI_CLI_WRONG_USE, "render: --frame makes a picture; let '%s' end in .png", output);
    return PLI_CLI_DONE;
}

static pli_cli_exit check_shutter(const pli_cli_arguments *arguments)
{
    float shutter = 0.0f;
    if (pli_cli_numbers(arguments, OPTION_SHUTTER, &shutter, 1) && !(shutter >= 0.0f && shutter <= 1.0f))
        return pli_cli_complain(PLI_CLI_WRONG_USE, "render: --shutter %g is out of range; give 0 to 1",
                                (double)shutter);
    return PLI_CLI_DONE;
}

// The default path of the video, to be freed: inside the folder of a run as `pliant run --render` names it, or next to a cache, with
// its name.
static char *default_output(const pli_cli_arguments *arguments)
{
    const char *path = arguments->operands[0], *kind = pli_cli_text(arguments, OPTION_FRAME) ? "png" : "mp4";
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    char *plain = pli_cli_format("%.*s", (int)length, path), *name = pli_cli_stem(plain);
    if (name[0] == '.') { // The path "." gives no name.
        free(name);
        name = pli_cli_format("film");
    }
    const char *slash = strrchr(plain, '/');
    int folder = pli_cli_is_folder(path) ? (int)length : slash ? (int)(slash - plain) : 0;
    char *output = pli_cli_format("%.*s%s%s.%s", folder, plain, folder > 0 ? "/" : "", name, kind);
    free(name);
    free(plain);
    return output;
}

static pli_cli_exit run_render(const pli_cli_arguments *arguments)
{
    char *made = pli_cli_text(arguments, OPTION_OUTPUT) ? NULL : default_output(arguments);
    rendering r = {.arguments = arguments,
                   .output = made ? made : pli_cli_text(arguments, OPTION_OUTPUT),
                   .frame = pli_cli_whole(arguments, OPTION_FRAME, -1),
                   .from = pli_cli_whole(arguments, OPTION_FROM, 0),
                   .to = pli_cli_whole(arguments, OPTION_TO, INT32_MAX),
                   .every = pli_cli_whole(arguments, OPTION_EVERY, 1)};
    pli_error error;
    pli_cli_exit code = check_output(r.output, arguments);
    if (code == PLI_CLI_DONE)
        code = check_shutter(arguments);
    if (code == PLI_CLI_DONE)
        code = pli_cli_plugins_open(arguments, OPTION_PLUGIN, &r.source.plugins);
    if (code == PLI_CLI_DONE && r.source.plugins.count > 0 && !pli_cli_is_folder(arguments->operands[0]))
        code = pli_cli_complain(PLI_CLI_WRONG_USE,
                                "render: --plugin is for the scene of a run's folder, and '%s' is a cache alone",
                                arguments->operands[0]);
    if (code != PLI_CLI_DONE) {
        free(made);
        return code;
    }
    pli_cli_cancel_listen();
    if (render_all(&r, &error) != PLI_STATUS_OK)
        code = pli_cli_complain(PLI_CLI_FAILURE, "%s", error.message);
    else if (!pli_cli_flag(arguments, OPTION_QUIET))
        puts(r.output);
    pli_cli_playback_close(&r.playback);
    pli_cli_playback_close(&r.fitted);
    pli_scene_destroy(r.scene);
    pli_cli_scene_source_release(&r.source);
    json_decref(r.summary);
    pli_cache_close(r.cache);
    free(made);
    return code;
}

static const pli_cli_operand operands[] = {
    {.name = "CACHE", .summary = "A folder of pliant run, or a cache file", .kind = PLI_CLI_FILE},
};

static const pli_cli_option options[] = {
    [OPTION_OUTPUT] = {.name = "output",
                       .letter = 'o',
                       .kind = PLI_CLI_FILE,
                       .value = "FILE",
                       .summary =
                           "A video (.mp4, .webm; .webp for web pages and READMEs) or one picture (.png); default: "
                           "NAME.mp4 in the folder or next to the cache, with --frame NAME.png"},
    [OPTION_MESH] = PLI_CLI_OPTION_FACES,
    [OPTION_FRAME] = {.name = "frame",
                      .letter = 'n',
                      .kind = PLI_CLI_WHOLE,
                      .value = "N",
                      .maximum = 10000000,
                      .summary = "The frame of a picture, from 0 (default: the last)"},
    [OPTION_FROM] = {.name = "from",
                     .kind = PLI_CLI_WHOLE,
                     .value = "N",
                     .maximum = 10000000,
                     .summary = "The first frame of a film (default: 0)"},
    [OPTION_TO] = {.name = "to",
                   .kind = PLI_CLI_WHOLE,
                   .value = "N",
                   .maximum = 10000000,
                   .summary = "Its last frame (default: the last there is)"},
    [OPTION_EVERY] = {.name = "every",
                      .kind = PLI_CLI_WHOLE,
                      .value = "N",
                      .minimum = 1,
                      .maximum = 10000,
                      .summary = "Draw one frame of so many, at the same speed (default: 1)"},
    [OPTION_SIZE] = {.name = "size",
                     .kind = PLI_CLI_SIZE,
                     .value = "WxH",
                     .minimum = 16,
                     .maximum = 8192,
                     .summary = "Size in pixels (default: as the scene says, or 1280x720)"},
    [OPTION_CAMERA] = {.name = "camera",
                       .kind = PLI_CLI_NUMBERS,
                       .value = "EX,EY,EZ,TX,TY,TZ",
                       .minimum = 6,
                       .summary = "Eye and target [m] (default: as the scene says, or fitted)"},
    [OPTION_FOLLOW] = {.name = "follow",
                       .kind = PLI_CLI_TEXT,
                       .value = "NAME",
                       .summary = "Move the camera with the centre of a deformable, or of everything"},
    [OPTION_ORBIT] = {.name = "orbit",
                      .kind = PLI_CLI_NUMBERS,
                      .value = "DEGREES",
                      .minimum = 1,
                      .summary = "Turn the camera about its target by so many degrees a second"},
    [OPTION_FIT] =
        {.name = "fit",
         .kind = PLI_CLI_CHOICE,
         .value = "WHEN",
         .choice = fit_name,
         .summary = "Fit the camera to the start, to what moves in the whole run, or to the first frame that is drawn"},
    [OPTION_SHUTTER] = {.name = "shutter",
                        .kind = PLI_CLI_NUMBERS,
                        .value = "FRACTION",
                        .minimum = 1,
                        .summary = "Motion blur at quality best: how much of the time between two frames the shutter "
                                   "is open, from 0 for sharp pictures to 1 (default: as the scene says, or 0.5)"},
    [OPTION_COLOUR] = {.name = "colour",
                       .letter = 'c',
                       .kind = PLI_CLI_CHOICE,
                       .value = "MEASURE",
                       .choice = measure_name,
                       .summary = "Colour the surface by a measure, with a legend"},
    [OPTION_WIREFRAME] = {.name = "wireframe", .letter = 'w', .kind = PLI_CLI_FLAG, .summary = "Draw the edges too"},
    [OPTION_QUALITY] = PLI_CLI_OPTION_QUALITY,
    [OPTION_ALLOW_OUTSIDE] = PLI_CLI_OPTION_ALLOW_OUTSIDE,
    [OPTION_PLUGIN] = PLI_CLI_OPTION_PLUGIN,
    [OPTION_QUIET] = PLI_CLI_OPTION_QUIET("Errors only"),
};

static const pli_cli_example examples[] = {
    {"pliant render out/first", "A video of a run, seen as its scene says: out/first/first.mp4"},
    {"pliant render out/first -o last.png --colour stretch --wireframe", "Its last frame, coloured by stretch"},
    {"pliant render out/walker -o walker.webp --from 216 --to 287 --every 2 --size 480x400",
     "A step of the walker, for a README"},
    {"pliant render out/walker -o round.webp --follow skirt --orbit 40 --fit run",
     "The walker from all sides, never out of the picture"},
    {"pliant render cloth.pc2 --mesh cloth.obj -o cloth.webm --camera 2,1,2,0,0.5,0",
     "A point cache that another program wrote"},
};

const pli_cli_command pli_cli_row_render = {
    .name = "render",
    .summary = "Make a video or a picture of a cache",
    .description =
        "Draws a cache, or the folder that pliant run left; with a folder, it uses the camera, colours and colliders "
        "of its scene. No display is needed.",
    .operands = operands,
    .operand_count = PLI_CLI_COUNT(operands),
    .options = options,
    .option_count = PLI_CLI_COUNT(options),
    .examples = examples,
    .example_count = PLI_CLI_COUNT(examples),
    .run = run_render,
};
