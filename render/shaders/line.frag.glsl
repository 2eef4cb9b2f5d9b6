#include srgb.glsl
out vec4 colour;
void main() { colour = vec4(srgb(vec3(0.02, 0.02, 0.03)), 1.0); }
