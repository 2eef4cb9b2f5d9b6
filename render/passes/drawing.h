// The parts of a picture: the frame's meshes and shapes in buffers, the placement of camera and light, and the uniform block that all
// programs read.
#ifndef PLI_RENDER_DRAWING_H
#define PLI_RENDER_DRAWING_H

#include "gl/mat4.h"
#include "gl/image_cache.h"
#include "gl/mesh_buffer_cache.h"
#include "gl/programs.h"
#include "gl/targets.h"

// As render/shaders/frame.glsl has it.
typedef struct pli_frame_block {
    matrix camera, light;
    float eye[4], to_light[4], up[4], background[4], centre[4], size[4], range[4], noise[4], ray_at[4], ray_x[4],
        ray_y[4];
} pli_frame_block;

// The pieces of a mesh that are drawn.
typedef struct pli_mesh_parts {
    const pli_geometry *surface; // Or its upper side, where it is thick.
    const pli_geometry *lower;   // The lower side of a thick one, or null.
    pli_geometry rim;            // The rim of a thick one; without an array when there is none.
    GLuint image, back_image;    // Textures, or 0.
} pli_mesh_parts;

typedef struct pli_drawing {
    const pli_programs *programs;
    const pli_targets *targets;
    const pli_render_frame *frame;
    GLuint frame_block, object_block; // Buffers of the uniforms.
    GLuint empty;                     // A vertex array without attributes.

    pli_vec3 up, to_light, centre;
    float radius, ground_radius;      // The radii of a sphere about everything, and of the ground [m].
    const pli_render_detail *details; // [frame->mesh_count] all zero for meshes without one.
    pli_mesh_parts *meshes;           // [frame->mesh_count]
    pli_geometry *shapes;             // [frame->shape_count]
    int32_t *order;                   // [frame->shape_count] the shapes, transparent ones last and from far to near.
    int32_t opaque_shape_count;
    pli_geometry ground;
    pli_geometry marks; // The frame's lines; without an array when there are none.
} pli_drawing;

// Loads the frame's content; `number` grows from picture to picture. False when memory runs out; the loaded part must be released.
bool pli_drawing_load(pli_drawing *drawing, pli_geometry_cache *cache, pli_image_cache *images, int64_t number);
void pli_drawing_release(pli_drawing *drawing);
// Whether the light moves over its disc from sample to sample in a picture with this many samples.
bool pli_light_moves(int32_t samples);
// Fills the block of uniforms for sub-frame `sample` of `samples`.
void pli_drawing_place(const pli_drawing *drawing, int32_t sample, int32_t samples);

#endif
