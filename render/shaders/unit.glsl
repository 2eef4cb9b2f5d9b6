// A vector of length 1, or another one where there is no direction: triangles seen edge-on have differences of nothing.
vec3 unit(vec3 v, vec3 otherwise)
{
    float square = dot(v, v);
    return square > 0.0 ? v * inversesqrt(square) : otherwise;
}
