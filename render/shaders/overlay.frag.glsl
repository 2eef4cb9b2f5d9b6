#include srgb.glsl
in vec3 tint;
out vec4 colour;
void main() { colour = vec4(srgb(tint), 1.0); }
