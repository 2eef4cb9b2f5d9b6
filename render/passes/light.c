// The light buffer, and its smoothing.
#include "passes/light.h"

static void draw_screen(const pli_drawing *d, const pli_buffer *into, GLuint program)
{
    pli_buffer_bind(into);
    glUseProgram(program);
    glBindVertexArray(d->empty);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void bind_texture(int unit, const pli_buffer *buffer)
{
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(GL_TEXTURE_2D, buffer->texture);
}

void pli_pass_light(const pli_drawing *d, bool many)
{
    bind_texture(UNIT_SHADOW_MAP, &d->targets->shadow);
    if (d->frame->draft)
        return;
    glDisable(GL_DEPTH_TEST);
    bind_texture(UNIT_DEPTH_MAP, &d->targets->depth);
    draw_screen(d, &d->targets->light[0], d->programs->light[many]);
    bind_texture(UNIT_LIGHT_MAP, &d->targets->light[0]);
    draw_screen(d, &d->targets->light[1], d->programs->blur);
    bind_texture(UNIT_LIGHT_MAP, &d->targets->light[1]);
    // The depth buffer is used again.
    glActiveTexture(GL_TEXTURE0 + UNIT_DEPTH_MAP);
    glBindTexture(GL_TEXTURE_2D, 0);
}
