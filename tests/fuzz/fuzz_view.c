// Any bytes as a script of the window, run on a small cloth in a folder of its own: what hands, menus, brushes, values and files do, without a display.
// The pictures, which a graphics library would draw, are stood in for.
#define _XOPEN_SOURCE 700
#include "document.h"
#include "files/thumbnail.h"
#include "looking/models_panel.h"
#include "recording.h"
#include "script.h"

#include "frame/strings.h"

#include <pliant/scene.h>

#include <epoxy/gl.h>

#include <fcntl.h>
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    PICTURES_MOST = 120, // After which a script ends,
    FRAMES_MOST = 30,    // and the most that one of its lines may ask for,
    SWEEPS_MOST = 400,   // and the substeps times iterations of a frame.
    WIDTH = 400,
    HEIGHT = 300
};

static const char scene_text[] =
    "{\"pliant\": 1, \"title\": \"A cloth\", \"frames\": 20, \"settings\": {\"substeps\": 2},"
    "\"deformables\": [{\"name\": \"cloth\", \"mesh\": {\"grid\": {\"columns\": 5, \"rows\": 5, \"width\": 1, "
    "\"depth\": 1}},"
    "\"pose\": {\"position\": [0, 1, 0]}, \"self_collision\": true, \"thickness\": 0.01, \"attachments\": "
    "[{\"corners\": true, \"fixed\": true}],"
    "\"constraints\": [{\"type\": \"distance\"}, {\"type\": \"isometric\", \"rigidity\": 1e-4}]}],"
    "\"colliders\": [{\"shape\": \"sphere\", \"radius\": 0.2, \"pose\": {\"position\": [0.1, 0.6, 0]}}, {\"shape\": "
    "\"plane\"}]}";

/* ---- in place of pictures ----------------------------------------------------------------------- */

struct pli_cli_world_view {
    pli_render_frame frame;
};

pli_status pli_cli_world_view_open(const pli_cli_world_view_def *def, pli_cli_world_view **picture, pli_error *error)
{
    (void)def, (void)error;
    *picture = calloc(1, sizeof **picture);
    if (!*picture)
        abort();
    (*picture)->frame.camera = (pli_camera){
        .eye = {0, 1, 4}, .target = {0, 1, 0}, .up = {0, 1, 0}, .field_of_view = 35};
    (*picture)->frame.up = (pli_vec3){0, 1, 0};
    return PLI_STATUS_OK;
}

void pli_cli_world_view_close(pli_cli_world_view *picture) { free(picture); }
pli_render_frame *pli_cli_world_view_frame(pli_cli_world_view *picture) { return &picture->frame; }
void pli_cli_world_view_measure(pli_cli_world_view *picture, int32_t measure) { (void)picture, (void)measure; }
void pli_cli_world_view_overlays(pli_cli_world_view *picture, uint32_t overlays) { (void)picture, (void)overlays; }
void pli_cli_world_view_legend(pli_cli_world_view *picture, bool drawn) { (void)picture, (void)drawn; }
void pli_cli_world_view_quality(pli_cli_world_view *picture, pli_cli_quality quality) { (void)picture, (void)quality; }
bool pli_cli_world_view_is_software(const pli_cli_world_view *picture) { return picture; }
void pli_cli_world_view_show(pli_cli_world_view *picture, pli_world *world, pli_cli_collider_mesh_source source,
                             void *user)
{
    (void)picture, (void)world, (void)source, (void)user;
}
void pli_cli_world_view_replace(pli_cli_world_view *picture, int32_t deformable, const pli_mesh *mesh,
                                pli_view positions)
{
    (void)picture, (void)deformable, (void)mesh, (void)positions;
}

// Each value is read, as drawing would.
void pli_cli_world_view_values(pli_cli_world_view *picture, int32_t deformable, const float *values, const char *title,
                               float maximum)
{
    (void)deformable, (void)title;
    if (values)
        picture->frame.draft = values[0] > maximum;
}
pli_status pli_cli_world_view_draw_to(pli_cli_world_view *picture, const pli_render_target *target, int32_t divisor,
                                      pli_error *error)
{
    (void)picture, (void)target, (void)divisor, (void)error;
    return PLI_STATUS_OK;
}

uint32_t pli_view_thumbnail(const char *path, float *aspect)
{
    *aspect = 1.0f;
    return path ? 1 : 0;
}
pli_view_cell pli_view_cell_of(int32_t i, int32_t count, int32_t width, int32_t height)
{
    return (pli_view_cell){i * width / count, 0, width / count, height};
}
static void delete_textures(GLsizei count, const GLuint *textures) { (void)count, (void)textures; }
static void pixel_store(GLenum name, GLint value) { (void)name, (void)value; }
static void read_pixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type, void *pixels)
{
    (void)x, (void)y, (void)format, (void)type;
    memset(pixels, 60, 4 * (size_t)width * (size_t)height);
}

/* ---- the folder --------------------------------------------------------------------------------- */

static int remove_one(const char *path, const struct stat *state, int type, struct FTW *place)
{
    (void)state, (void)type;
    return place->level > 0 ? remove(path) : 0;
}

static char folder[] = "/tmp/pliant-fuzz-view-XXXXXX";

static void empty_folder(void) { nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS); }
static void remove_folder(void)
{
    empty_folder();
    rmdir(folder);
}

// Goes into the folder, with nothing in it but the scene. Returns the folder before it, which inputs may be named from.
static int enter_folder(void)
{
    static bool made;
    int before = open(".", O_RDONLY | O_DIRECTORY);
    if (!made && (!mkdtemp(folder) || atexit(remove_folder) != 0))
        abort();
    if (before < 0 || chdir(folder) != 0)
        abort();
    made = true;
    empty_folder();
    FILE *file = fopen("scene.json", "wb");
    if (!file || fwrite(scene_text, 1, sizeof scene_text - 1, file) != sizeof scene_text - 1 || fclose(file) != 0)
        abort();
    return before;
}

// Files of a script stay in that folder, and its lines ask for few frames.
static bool is_bounded(const char *text)
{
    if (strchr(text, '/') || strstr(text, ".."))
        return false;
    for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        const char *word = line + strspn(line, " \t\r"), *end = line + strcspn(line, "\n");
        if (strncmp(word, "run", 3) != 0 && strncmp(word, "to", 2) != 0 && strncmp(word, "drag", 4) != 0)
            continue;
        for (; word < end; word++)
            if (strchr(" \t\r=", *word) && strtod(word + 1, NULL) > FRAMES_MOST)
                return false;
    }
    return true;
}

static bool goes_on(const pli_viewer *v)
{
    const pli_settings settings = pli_world_settings(v->session.world);
    pli_statistics statistics;
    pli_world_get_statistics(v->session.world, &statistics);
    return (int64_t)settings.substeps * settings.iterations < SWEEPS_MOST && statistics.particle_count < 2000 &&
           !v->desk->asks_to_leave;
}

static void run(pli_view_script *script, pli_viewer *v)
{
    pli_error error = {0};
    for (int i = 0; i < PICTURES_MOST && goes_on(v); i++) {
        if (pli_view_script_waits(script))
            pli_viewer_look_at_file(v);
        if (!pli_view_script_run(script, v, &error) || pli_viewer_draw(v, false, &error) != PLI_STATUS_OK)
            break;
        pli_viewer_record_frame(v);
        v->click -= v->click > 0;
        pli_viewer_keep_preferences(v);
    }
    if (memchr(error.message, '\0', sizeof error.message) == NULL)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pli_view_desk desk = {.scale = 1.0f};
    pli_viewer viewer = {0};
    pli_error error = {0};
    char *text = calloc(size + 1, 1);
    if (!text)
        abort();
    memcpy(text, data, size);
    epoxy_glDeleteTextures = delete_textures;
    epoxy_glPixelStorei = pixel_store;
    epoxy_glReadPixels = read_pixels;
    if (is_bounded(text)) {
        int before = enter_folder();
        FILE *file = fopen("script.txt", "wb");
        if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
            abort();
        desk.preferences = desk.written = pli_view_preferences_default();
        pli_view_script *script = pli_view_script_open("script.txt", &error);
        if (!script || pli_viewer_open(&viewer, &desk, "scene.json", false, WIDTH, HEIGHT, &error) != PLI_STATUS_OK ||
            pli_viewer_note_start(&viewer, "scene.json", &error) != PLI_STATUS_OK) {
            fprintf(stderr, "%s\n", error.message);
            abort();
        }
        run(script, &viewer);
        pli_viewer_record_end(&viewer);
        pli_viewer_close(&viewer);
        pli_view_desk_close(&desk);
        pli_view_script_close(script);
        if (fchdir(before) != 0)
            abort();
        close(before);
    }
    free(text);
    return 0;
}
