// A triangle that covers the picture, behind everything.
out vec2 at_screen;
void main()
{
    at_screen = vec2(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1);
    gl_Position = vec4(at_screen, 0.999999, 1.0);
}
