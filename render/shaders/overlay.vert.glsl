layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
uniform float turned; // -1 where rows go downwards in memory, else 1.
out vec3 tint;
void main()
{
    tint = normal;
    gl_Position = vec4(position.x, position.y * turned, -1.0, 1.0);
}
