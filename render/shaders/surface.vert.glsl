#include frame.glsl
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in float value;
layout(location = 3) in vec2 coordinates;
invariant gl_Position;
out vec3 at, facing;
out vec2 cloth;
out float measured;
void main()
{
    at = position;
    facing = normal;
    measured = value;
    cloth = coordinates;
    gl_Position = camera * vec4(position, 1.0);
}
