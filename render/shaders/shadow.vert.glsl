#include frame.glsl
layout(location = 0) in vec3 position;
void main() { gl_Position = light * vec4(position, 1.0); }
