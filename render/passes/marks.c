// Lines over the picture: render/shaders/mark.vert.glsl makes a rectangle of each.
#include "passes/marks.h"

#include "passes/drawing.h"

#include <stdlib.h>

enum { CORNERS = 6 };
static const float hidden_opacity = 0.22f;

bool pli_marks_load(pli_geometry *marks, const pli_render_line *lines, int32_t count)
{
    pli_vertex *vertices = malloc(CORNERS * (size_t)count * sizeof *vertices);
    for (int32_t i = 0; vertices && i < CORNERS * count; i++) {
        const pli_render_line *l = &lines[i / CORNERS];
        int corner = i % CORNERS;
        // The triangles are a, a, b and b, a, b.
        bool first = corner < 2 || corner == 4;
        pli_vec3 here = first ? l->a : l->b, there = first ? l->b : l->a;
        vertices[i] = (pli_vertex){{here.x, here.y, here.z},
                                   {there.x, there.y, there.z},
                                   l->colour.x,
                                   {l->colour.y, l->colour.z},
                                   {0.0f, 0.0f}};
    }
    bool made = vertices && pli_geometry_plain(marks, vertices, CORNERS * count);
    free(vertices);
    return made;
}

void pli_pass_marks(const pli_drawing *d)
{
    if (!d->marks.array)
        return;
    GLint opacity = glGetUniformLocation(d->programs->mark, "opacity");
    glUseProgram(d->programs->mark);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(GL_FALSE);
    glDepthFunc(GL_GREATER);
    glUniform1f(opacity, hidden_opacity);
    pli_geometry_draw(&d->marks);
    glDepthFunc(GL_LEQUAL);
    glUniform1f(opacity, 1.0f);
    pli_geometry_draw(&d->marks);
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
}
