// A vector of length 1, or any vector if there is no direction: triangles seen edge-on have zero differences.
vec3 unit(vec3 v, vec3 otherwise)
{
    float square = dot(v, v);
    return square > 0.0 ? v * inversesqrt(square) : otherwise;
}
