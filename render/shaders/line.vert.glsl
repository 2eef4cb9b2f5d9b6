#include frame.glsl
layout(location = 0) in vec3 position;
void main() { gl_Position = camera * vec4(position + (eye.xyz - position) * 0.0015, 1.0); }
