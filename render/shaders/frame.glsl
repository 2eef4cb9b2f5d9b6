// Data that all programs of a sub-frame share; see pli_frame_block in passes/drawing.h.
layout(std140) uniform Frame {
    mat4 camera;     // World to clip space, moved by a part of a pixel.
    mat4 light;      // World to the clip space of the shadow map.
    vec4 eye;        // w: radius of ambient occlusion [m].
    vec4 to_light;   // Unit. w: half the extent of the shadow map [m].
    vec4 up;         // Unit. w: height of the ground [m].
    vec4 background; // Linear. w: the kind of floor, see pli_render_floor.
    vec4 centre;     // Centre of the scene. w: radius of the ground [m].
    vec4 size;       // Size of the picture [pixels], and its reciprocal.
    vec4 range;      // Range of the legend. z: radius of the light, as the tangent of an angle. w: depth of the map [m].
    vec4 noise;      // x: turn of the patterns in this sub-frame. y: bias against the map's facets [m]. z: half a pixel's tangent.
    vec4 ray_at;     // From the eye to the middle of the first pixel, to be divided by ray_x.w * depth + ray_at.w.
    vec4 ray_x;      // Its change from pixel to pixel along x,
    vec4 ray_y;      // and along y. w: one over the farthest distance [1/m].
};
