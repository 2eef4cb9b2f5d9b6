// Shader programs. Light is a key light with a soft shadow, sky and ground from above and below, a little rim; all
// linear, turned to sRGB by the frame buffer.
#include "gl/programs.h"

#include "gl/colour_map.h"

#define TEXT_OF(symbol) #symbol
#define TEXT(macro) TEXT_OF(macro)
#define STOP_COUNT TEXT(PLI_COLOUR_STOPS)

static const char surface_vertex[] =
    "#version 330 core\n"
    "layout(location=0) in vec3 position; layout(location=1) in vec3 normal; layout(location=2) in float value;\n"
    "uniform mat4 camera, light; out vec3 at, facing; out vec4 shadowed; out float measured;\n"
    "void main() { at = position; facing = normal; measured = value; shadowed = light * vec4(position, 1);\n"
    "  gl_Position = camera * vec4(position, 1); }\n";

// Visibility of the key light, 0..1. Nine taps of a grid rotated by atan(1/3), which stand in nine columns and
// nine rows 0.65 texels apart: along either axis the shadow's edge is as even as with nine taps in a row.
#define LIT_TEXT                                                                                                       \
    "in vec4 shadowed; uniform sampler2DShadow shadow; uniform float bias, texel;\n"                                   \
    "float lit() { vec3 p = shadowed.xyz / shadowed.w * 0.5 + 0.5; float sum = 0.0;\n"                                 \
    "  if (any(lessThan(p, vec3(0))) || any(greaterThan(p, vec3(1)))) return 1.0;\n"                                   \
    "  for (int i = -1; i <= 1; i++) for (int j = -1; j <= 1; j++)\n"                                                  \
    "    sum += texture(shadow, vec3(p.xy + vec2(3 * i + j, 3 * j - i) * texel * 0.65, p.z - bias));\n"                \
    "  return sum / 9.0; }\n"

// The sky at a height of 0 (the middle of the picture and below) to 1.
#define AIR_TEXT                                                                                                       \
    "uniform vec3 background;\n"                                                                                       \
    "vec3 air(float height) { return mix(background, background * vec3(0.80, 0.88, 0.97), clamp(height, 0.0, 1.0)); "  \
    "}\n"

static const char surface_fragment[] =
    "#version 330 core\n" LIT_TEXT "in vec3 at, facing; in float measured; out vec4 colour;\n"
    "uniform vec3 eye, to_light, up, front, back; uniform vec2 range; uniform bool flat_shaded, by_value;\n"
    "uniform vec3 stops[" STOP_COUNT "];\n"
    "vec3 map(float t) { int last = stops.length() - 1; float s = clamp(t, 0.0, 1.0) * float(last);\n"
    "  int i = clamp(int(s), 0, last - 1); return mix(stops[i], stops[i + 1], s - float(i)); }\n"
    "void main() {\n"
    "  vec3 view = normalize(eye - at);\n"
    "  vec3 n = flat_shaded ? normalize(cross(dFdx(at), dFdy(at))) : normalize(facing);\n"
    "  if (dot(n, view) < 0.0) n = -n;\n"
    "  float sun = lit();\n"
    "  vec3 base = by_value ? map((measured - range.x) / max(range.y - range.x, 1e-20))\n"
    "    : gl_FrontFacing ? front : back;\n"
    "  float key = max(dot(n, to_light), 0.0) * sun; float sky = 0.5 + 0.5 * dot(n, up);\n"
    "  vec3 ambient = mix(vec3(0.13, 0.115, 0.105), vec3(0.25, 0.29, 0.36), sky);\n"
    "  float rim = pow(1.0 - max(dot(n, view), 0.0), 3.0) * 0.12;\n"
    "  float shine = pow(max(dot(n, normalize(to_light + view)), 0.0), 40.0) * 0.10 * sun;\n"
    "  colour = vec4(base * (ambient + key * vec3(0.98, 0.92, 0.82)) + (rim * sky + shine) * vec3(0.9, 0.95, 1.0), "
    "1);\n"
    "}\n";

// The ground has its own program, because Mesa's llvmpipe computes both sides of a branch.
static const char ground_fragment[] =
    "#version 330 core\n" LIT_TEXT AIR_TEXT "in vec3 at; out vec4 colour;\n"
    "uniform vec3 up, centre; uniform float ground_radius, picture_height;\n"
    "void main() {\n"
    "  float far = length((at - centre) - up * dot(at - centre, up)) / ground_radius;\n"
    "  vec3 base = background * 0.86, dark = base * vec3(0.40, 0.42, 0.47);\n"
    "  vec3 behind = air(2.0 * gl_FragCoord.y / picture_height - 1.0);\n"
    "  colour = vec4(mix(mix(dark, base, lit()), behind, smoothstep(0.12, 0.6, far)), 1); }\n";

static const char line_vertex[] =
    "#version 330 core\n"
    "layout(location=0) in vec3 position; uniform mat4 camera; uniform vec3 eye;\n"
    "void main() { vec3 nearer = position + (eye - position) * 0.0015; gl_Position = camera * vec4(nearer, 1); }\n";

static const char line_fragment[] =
    "#version 330 core\nuniform vec3 ink; out vec4 colour; void main() { colour = vec4(ink, 1); }\n";

static const char depth_fragment[] = "#version 330 core\nvoid main() { }\n";

static const char depth_vertex[] = "#version 330 core\nlayout(location=0) in vec3 position; uniform mat4 camera;\n"
                                   "void main() { gl_Position = camera * vec4(position, 1); }\n";

static const char sky_vertex[] =
    "#version 330 core\nout float height;\n"
    "void main() { vec2 p = vec2(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1); height = p.y;\n"
    "  gl_Position = vec4(p, 0.999999, 1); }\n";

static const char sky_fragment[] = "#version 330 core\n" AIR_TEXT "in float height; out vec4 colour;\n"
                                   "void main() { colour = vec4(air(height), 1); }\n";

static const char overlay_vertex[] =
    "#version 330 core\nlayout(location=0) in vec3 position; layout(location=1) in vec3 normal; out vec3 tint;\n"
    "void main() { tint = normal; gl_Position = vec4(position.xy, -1, 1); }\n";

static const char overlay_fragment[] =
    "#version 330 core\nin vec3 tint; out vec4 colour; void main() { colour = vec4(tint, 1); }\n";

static GLuint compile(GLenum kind, const char *text)
{
    GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    return shader;
}

static pli_status build(GLuint *program, const char *name, const char *vertex, const char *fragment, pli_error *error)
{
    GLuint v = compile(GL_VERTEX_SHADER, vertex), f = compile(GL_FRAGMENT_SHADER, fragment);
    GLint linked = 0;
    char log[300] = "";
    *program = glCreateProgram();
    glAttachShader(*program, v);
    glAttachShader(*program, f);
    glLinkProgram(*program);
    glGetProgramiv(*program, GL_LINK_STATUS, &linked);
    if (!linked)
        glGetShaderInfoLog(f, sizeof log, NULL, log);
    glDeleteShader(v);
    glDeleteShader(f);
    return linked ? pli_succeed(error)
                  : pli_fail(error, PLI_STATUS_UNSUPPORTED, "the OpenGL driver refuses the %s program: %s", name, log);
}

pli_status pli_programs_build(pli_programs *p, pli_error *error)
{
    pli_status status = build(&p->surface, "surface", surface_vertex, surface_fragment, error);
    if (status == PLI_STATUS_OK)
        status = build(&p->ground, "ground", surface_vertex, ground_fragment, error);
    if (status == PLI_STATUS_OK)
        status = build(&p->line, "line", line_vertex, line_fragment, error);
    if (status == PLI_STATUS_OK)
        status = build(&p->depth, "depth", depth_vertex, depth_fragment, error);
    if (status == PLI_STATUS_OK)
        status = build(&p->sky, "sky", sky_vertex, sky_fragment, error);
    if (status == PLI_STATUS_OK)
        status = build(&p->overlay, "overlay", overlay_vertex, overlay_fragment, error);
    if (status != PLI_STATUS_OK)
        return status;
    glUseProgram(p->surface);
    glUniform3fv(glGetUniformLocation(p->surface, "stops"), PLI_COLOUR_STOPS, &pli_colour_stops[0].x);
    return status;
}

void pli_programs_release(pli_programs *p)
{
    const GLuint all[] = {p->surface, p->ground, p->line, p->depth, p->sky, p->overlay};
    for (int i = 0; i < 6; i++)
        glDeleteProgram(all[i]);
    *p = (pli_programs){0};
}
