#include frame.glsl
#include set.glsl
#include finish.glsl
in vec2 at_screen;
out vec4 colour;
void main() { colour = finish(air(at_screen), 1.0); }
