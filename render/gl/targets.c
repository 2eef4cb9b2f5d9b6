// Framebuffers and their textures.
#include "gl/targets.h"

#include <stddef.h>

static void set_texture(GLint filter)
{
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

// Depth textures have a framebuffer without colours; `depth` is attached in addition to a colour texture, or 0.
static bool make(pli_buffer *b, GLint format, int32_t width, int32_t height, GLuint depth)
{
    bool is_depth = format == GL_DEPTH_COMPONENT24;
    b->width = width, b->height = height;
    glGenTextures(1, &b->texture);
    glBindTexture(GL_TEXTURE_2D, b->texture);
    glTexImage2D(GL_TEXTURE_2D, 0, format, width, height, 0, is_depth ? GL_DEPTH_COMPONENT : GL_RGBA, GL_FLOAT, NULL);
    set_texture(is_depth || format == GL_RGBA8 ? GL_NEAREST : GL_LINEAR);
    glGenFramebuffers(1, &b->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, b->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, is_depth ? GL_DEPTH_ATTACHMENT : GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                           b->texture, 0);
    if (depth)
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth, 0);
    if (is_depth) {
        glDrawBuffer(GL_NONE);
        glReadBuffer(GL_NONE);
    }
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

static void release(pli_buffer *b)
{
    glDeleteFramebuffers(1, &b->framebuffer);
    glDeleteTextures(1, &b->texture);
    *b = (pli_buffer){0};
}

bool pli_targets_make(pli_targets *t, int32_t width, int32_t height)
{
    int32_t half_width = (width + 1) / 2, half_height = (height + 1) / 2;
    *t = (pli_targets){.width = width, .height = height};
    bool complete = make(&t->shadow, GL_DEPTH_COMPONENT24, PLI_SHADOW_SIZE, PLI_SHADOW_SIZE, 0) &&
                    make(&t->depth, GL_DEPTH_COMPONENT24, width, height, 0) &&
                    make(&t->light[0], GL_RGBA8, half_width, half_height, 0) &&
                    make(&t->light[1], GL_RGBA8, half_width, half_height, 0) &&
                    make(&t->colour, GL_RGBA8, width, height, t->depth.texture) &&
                    make(&t->sum, GL_RGBA32F, width, height, 0) && make(&t->result, GL_RGBA8, width, height, 0);
    // A size that the driver rejects is also an OpenGL error.
    complete = glGetError() == GL_NO_ERROR && complete;
    if (!complete)
        pli_targets_release(t);
    return complete;
}

void pli_targets_release(pli_targets *t)
{
    pli_buffer *const all[] = {&t->shadow, &t->depth, &t->light[0], &t->light[1], &t->colour, &t->sum, &t->result};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        release(all[i]);
}

void pli_buffer_bind(const pli_buffer *b)
{
    glBindFramebuffer(GL_FRAMEBUFFER, b->framebuffer);
    glViewport(0, 0, b->width, b->height);
}
