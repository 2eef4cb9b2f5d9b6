// Converts linear light to the final picture: the sum of sub-frames, their mean in sRGB, and the legend over it.
#include "passes/film.h"

#include "passes/legend.h"

#include <stdlib.h>

static void draw_screen(const pli_drawing *d)
{
    glBindVertexArray(d->empty);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void bind_picture(const pli_buffer *picture)
{
    glActiveTexture(GL_TEXTURE0 + UNIT_PICTURE);
    glBindTexture(GL_TEXTURE_2D, picture->texture);
}

void pli_pass_sum(const pli_drawing *d, bool first)
{
    bind_picture(&d->targets->colour);
    pli_buffer_bind(&d->targets->sum);
    glDisable(GL_DEPTH_TEST);
    if (!first) {
        glEnable(GL_BLEND);
        glBlendFunc(GL_ONE, GL_ONE);
    }
    glUseProgram(d->programs->sum);
    draw_screen(d);
    glDisable(GL_BLEND);
}

static bool draw_legend(const pli_drawing *d, bool turned)
{
    int32_t count = 0;
    pli_geometry g;
    pli_vertex *vertices = pli_legend_make(d->frame, d->targets->width, d->targets->height, &count);
    bool made = vertices && pli_geometry_plain(&g, vertices, count);
    free(vertices);
    if (!made)
        return false;
    glUseProgram(d->programs->overlay);
    glUniform1f(glGetUniformLocation(d->programs->overlay, "turned"), turned ? -1.0f : 1.0f);
    pli_geometry_draw(&g);
    pli_geometry_release(&g);
    return true;
}

bool pli_pass_film(const pli_drawing *d, int32_t samples, bool turned, bool scaled)
{
    bind_picture(samples > 1 ? &d->targets->sum : &d->targets->colour);
    // A picture of the same size is copied without interpolation, which costs four times as much.
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, scaled ? GL_LINEAR : GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, scaled ? GL_LINEAR : GL_NEAREST);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_FRAMEBUFFER_SRGB);
    glUseProgram(d->programs->film);
    glUniform1f(glGetUniformLocation(d->programs->film, "share"), samples > 1 ? 1.0f / (float)samples : 0.0f);
    glUniform1i(glGetUniformLocation(d->programs->film, "turned"), turned);
    draw_screen(d);
    bool none = !d->frame->legend && d->frame->key_count == 0;
    return none || draw_legend(d, turned);
}
