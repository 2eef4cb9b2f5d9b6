// The light buffer in four bytes: key light, open sky, and in two of them the distance from the eye as a fraction of the farthest.
vec4 light_code(float lit, float open, float away)
{
    float share = clamp(away * ray_y.w, 0.0, 1.0) * 255.0;
    return vec4(lit, open, floor(share) / 255.0, fract(share));
}
vec3 light_decode(vec4 code) { return vec3(code.rg, (code.b + code.a / 255.0) / ray_y.w); }
