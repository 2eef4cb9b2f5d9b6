// Compiles and links the shaders of render/shaders, which are documented there.
#include "gl/programs.h"

#include "gl/colour_map.h"

#include <shaders.h>

#include <stddef.h>

#define TEXT_OF(symbol) #symbol
#define TEXT(macro) TEXT_OF(macro)

// Programs that share a shader differ by these lines: the numbers of taps.
static const char usual[] = "#define BLOCKER_TAPS 6\n#define SHADOW_TAPS 8\n#define OCCLUSION_TAPS 8\n";
static const char draft[] = "#define DRAFT\n#define BLOCKER_TAPS 0\n#define SHADOW_TAPS 4\n";
static const char detailed[] =
    "#define DETAIL\n#define BLOCKER_TAPS 6\n#define SHADOW_TAPS 8\n#define OCCLUSION_TAPS 8\n";
static const char detailed_draft[] = "#define DETAIL\n#define DRAFT\n#define BLOCKER_TAPS 0\n#define SHADOW_TAPS 4\n";
static const char many[] = "#define BLOCKER_TAPS 3\n#define SHADOW_TAPS 4\n#define OCCLUSION_TAPS 4\n";

// The programs, with their places in pli_programs and their two shaders.
static const struct {
    const char *name;
    size_t place;
    const char *vertex, *fragment, *told;
} rows[] = {
    {"shadow", offsetof(pli_programs, shadow), shader_shadow_vert, shader_depth_frag, usual},
    {"depth", offsetof(pli_programs, depth), shader_depth_vert, shader_depth_frag, usual},
    {"light", offsetof(pli_programs, light[0]), shader_screen_vert, shader_light_frag, usual},
    {"light of many", offsetof(pli_programs, light[1]), shader_screen_vert, shader_light_frag, many},
    {"blur", offsetof(pli_programs, blur), shader_screen_vert, shader_blur_frag, usual},
    {"surface", offsetof(pli_programs, surface[0]), shader_surface_vert, shader_surface_frag, usual},
    {"draft of surfaces", offsetof(pli_programs, surface[1]), shader_surface_vert, shader_surface_frag, draft},
    {"detailed surface", offsetof(pli_programs, detailed[0]), shader_surface_vert, shader_surface_frag, detailed},
    {"draft of detailed surfaces", offsetof(pli_programs, detailed[1]), shader_surface_vert, shader_surface_frag,
     detailed_draft},
    {"ground", offsetof(pli_programs, ground[0]), shader_surface_vert, shader_ground_frag, usual},
    {"draft of the ground", offsetof(pli_programs, ground[1]), shader_surface_vert, shader_ground_frag, draft},
    {"sky", offsetof(pli_programs, sky), shader_screen_vert, shader_sky_frag, usual},
    {"line", offsetof(pli_programs, line), shader_line_vert, shader_line_frag, usual},
    {"mark", offsetof(pli_programs, mark), shader_mark_vert, shader_mark_frag, usual},
    {"sum", offsetof(pli_programs, sum), shader_screen_vert, shader_sum_frag, usual},
    {"film", offsetof(pli_programs, film), shader_screen_vert, shader_film_frag, usual},
    {"overlay", offsetof(pli_programs, overlay), shader_overlay_vert, shader_overlay_frag, usual},
};

enum { ROWS = sizeof rows / sizeof *rows };

static GLuint *program_of(pli_programs *p, int row) { return (GLuint *)(void *)((char *)p + rows[row].place); }

static GLuint compile(GLenum kind, const char *text, const char *told)
{
    const char *parts[] = {"#version 330 core\n#define STOPS " TEXT(PLI_COLOUR_STOPS) "\n", told, text};
    GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 3, parts, NULL);
    glCompileShader(shader);
    return shader;
}

static void bind_names(GLuint program)
{
    static const char *const samplers[] = {
        [UNIT_SHADOW_MAP] = "shadow_map",     [UNIT_DEPTH_MAP] = "depth_map", [UNIT_LIGHT_MAP] = "light_map",
        [UNIT_FACE_COLOURS] = "face_colours", [UNIT_PICTURE] = "picture",     [UNIT_IMAGE] = "image",
        [UNIT_BACK_IMAGE] = "back_image"};
    static const char *const blocks[] = {[BLOCK_FRAME] = "Frame", [BLOCK_OBJECT] = "Object"};
    glUseProgram(program);
    for (int i = 0; i <= UNIT_BACK_IMAGE; i++)
        glUniform1i(glGetUniformLocation(program, samplers[i]), i);
    for (GLuint i = 0; i <= BLOCK_OBJECT; i++) {
        GLuint index = glGetUniformBlockIndex(program, blocks[i]);
        if (index != GL_INVALID_INDEX)
            glUniformBlockBinding(program, index, i);
    }
    glUniform3fv(glGetUniformLocation(program, "stops"), PLI_COLOUR_STOPS, &pli_colour_stops[0].x);
}

static pli_status build(pli_programs *p, int row, pli_error *error)
{
    GLuint v = compile(GL_VERTEX_SHADER, rows[row].vertex, rows[row].told);
    GLuint f = compile(GL_FRAGMENT_SHADER, rows[row].fragment, rows[row].told), program = glCreateProgram();
    GLint linked = 0;
    char log[300] = "";
    glAttachShader(program, v);
    glAttachShader(program, f);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (!linked)
        glGetShaderInfoLog(f, sizeof log, NULL, log);
    glDeleteShader(v);
    glDeleteShader(f);
    *program_of(p, row) = program;
    if (!linked)
        return pli_fail(error, PLI_STATUS_UNSUPPORTED, "the OpenGL driver refuses the %s program: %s", rows[row].name,
                        log);
    bind_names(program);
    return pli_succeed(error);
}

pli_status pli_programs_build(pli_programs *p, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    for (int row = 0; row < ROWS && status == PLI_STATUS_OK; row++)
        status = build(p, row, error);
    return status;
}

void pli_programs_release(pli_programs *p)
{
    for (int row = 0; row < ROWS; row++)
        glDeleteProgram(*program_of(p, row));
    *p = (pli_programs){0};
}
