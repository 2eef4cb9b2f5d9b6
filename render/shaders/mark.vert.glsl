// A line as a narrow rectangle that faces the eye. Each of its six vertices has its own end and the other one.
#include frame.glsl
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;      // The other end [m].
layout(location = 2) in float value;      // Red.
layout(location = 3) in vec2 coordinates; // Green and blue.
out vec3 tint;

// Slightly nearer to the eye, so that lines are drawn over the surfaces that they run along.
vec4 place(vec3 p) { return camera * vec4(p + (eye.xyz - p) * 0.002, 1.0); }

void main()
{
    const float least = 1e-4;
    vec4 here = place(position), there = place(normal);
    // The part behind the eye is clipped at the eye's plane.
    if (here.w < least && there.w > least)
        here = mix(here, there, (least - here.w) / (there.w - here.w));
    if (there.w < least && here.w > least)
        there = mix(there, here, (least - there.w) / (here.w - there.w));
    vec2 along = (there.xy / there.w - here.xy / here.w) * size.xy;
    along = dot(along, along) > 0.0 ? normalize(along) : vec2(1.0, 0.0);
    int corner = gl_VertexID % 6;
    float side = corner == 0 || corner == 5 ? 1.0 : -1.0, half_width = max(0.6, size.y / 1100.0);
    here.xy += side * half_width * 2.0 * vec2(-along.y, along.x) * size.zw * here.w;
    tint = vec3(value, coordinates);
    gl_Position = here;
}
