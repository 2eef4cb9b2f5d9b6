#include frame.glsl
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in float value;
layout(location = 3) in vec2 coordinates;
layout(location = 4) in vec2 on_image;
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
    gl_Position = camera * vec4(position, 1.0);
}
