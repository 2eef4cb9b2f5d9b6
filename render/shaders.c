// Light: a key light with a soft shadow, sky and ground from above and below, a little rim; all
// linear, turned to sRGB by the frame buffer.
#include "shaders.h"

#include "colours.h"

#define TEXT_OF(symbol) #symbol
#define TEXT(macro) TEXT_OF(macro)
#define STOP_COUNT TEXT(PLI_COLOUR_STOPS)

static const char surface_vertex[] =
    "#version 330 core\n"
    "layout(location=0) in vec3 position; layout(location=1) in vec3 normal; layout(location=2) in float value;\n"
    "uniform mat4 camera, light; out vec3 at, facing; out vec4 shadowed; out float measured;\n"
    "void main() { at = position; facing = normal; measured = value; shadowed = light * vec4(position, 1);\n"
    "  gl_Position = camera * vec4(position, 1); }\n";

static const char surface_fragment[] =
    "#version 330 core\n"
    "in vec3 at, facing; in vec4 shadowed; in float measured; out vec4 colour;\n"
    "uniform vec3 eye, to_light, up, front, back, background; uniform sampler2DShadow shadow;\n"
    "uniform float bias, ground_height, ground_radius, texel; uniform vec2 range; uniform bool flat_shaded, by_value,\n"
    "  is_ground; uniform vec3 centre; uniform float picture_height;\n"
    "uniform vec3 stops[" STOP_COUNT "];\n"
    "vec3 map(float t) { float last = float(stops.length() - 1), s = clamp(t, 0.0, 1.0) * last;\n"
    "  int i = int(min(s, last - 1.0)); return mix(stops[i], stops[i + 1], s - float(i)); }\n"
    "float lit() { vec3 p = shadowed.xyz / shadowed.w * 0.5 + 0.5; float sum = 0.0;\n"
    "  if (any(lessThan(p, vec3(0))) || any(greaterThan(p, vec3(1)))) return 1.0;\n"
    "  for (int i = -2; i <= 2; i++) for (int j = -2; j <= 2; j++)\n"
    "    sum += texture(shadow, vec3(p.xy + vec2(i, j) * texel * 1.3, p.z - bias));\n"
    "  return sum / 25.0; }\n"
    "void main() {\n"
    "  vec3 view = normalize(eye - at); vec3 n = flat_shaded ? normalize(cross(dFdx(at), dFdy(at))) : "
    "normalize(facing);\n"
    "  bool outside = gl_FrontFacing;\n"
    "  if (dot(n, view) < 0.0) n = -n;\n"
    "  float sun = lit();\n"
    "  if (is_ground) { float far = length((at - centre) - up * dot(at - centre, up)) / ground_radius;\n"
    "    vec3 base = background * 0.86; vec3 dark = base * vec3(0.40, 0.42, 0.47);\n"
    "    float high = clamp(2.0 * gl_FragCoord.y / picture_height - 1.0, 0.0, 1.0);\n"
    "    vec3 air = mix(background, background * vec3(0.80, 0.88, 0.97), high);\n"
    "    colour = vec4(mix(mix(dark, base, sun), air, smoothstep(0.12, 0.6, far)), 1); return; }\n"
    "  vec3 base = by_value ? map((measured - range.x) / max(range.y - range.x, 1e-20)) : outside ? front : back;\n"
    "  float key = max(dot(n, to_light), 0.0) * sun; float sky = 0.5 + 0.5 * dot(n, up);\n"
    "  vec3 ambient = mix(vec3(0.13, 0.115, 0.105), vec3(0.25, 0.29, 0.36), sky);\n"
    "  float rim = pow(1.0 - max(dot(n, view), 0.0), 3.0) * 0.12;\n"
    "  float shine = pow(max(dot(n, normalize(to_light + view)), 0.0), 40.0) * 0.10 * sun;\n"
    "  colour = vec4(base * (ambient + key * vec3(0.98, 0.92, 0.82)) + (rim * sky + shine) * vec3(0.9, 0.95, 1.0), 1); "
    "}\n";

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

static const char sky_fragment[] = "#version 330 core\nin float height; uniform vec3 background; out vec4 colour;\n"
                                   "void main() { colour = vec4(mix(background, background * vec3(0.80, 0.88, 0.97), "
                                   "clamp(height, 0.0, 1.0)), 1); }\n";

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
    const GLuint all[] = {p->surface, p->line, p->depth, p->sky, p->overlay};
    for (int i = 0; i < 5; i++)
        glDeleteProgram(all[i]);
    *p = (pli_programs){0};
}
