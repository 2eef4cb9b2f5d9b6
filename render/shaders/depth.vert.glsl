#include frame.glsl
layout(location = 0) in vec3 position;
invariant gl_Position;
void main() { gl_Position = camera * vec4(position, 1.0); }
