#include frame.glsl
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in float value;
layout(location = 3) in vec2 coordinates;
layout(location = 4) in vec2 on_image;
#ifdef DETAIL
layout(location = 5) in vec3 from_hems;
layout(location = 6) in vec3 from_seams;
out vec3 hems, seams;
#endif
invariant gl_Position;
out vec3 at, facing;
out vec2 cloth, printed;
out float measured;
void main()
{
    at = position;
    facing = normal;
    measured = value;
    cloth = coordinates;
    printed = vec2(on_image.x, 1.0 - on_image.y); // The first row of an image is its upper one.
#ifdef DETAIL
    hems = from_hems;
    seams = from_seams;
#endif
    gl_Position = camera * vec4(position, 1.0);
}
