// The sRGB curve above its linear part by three square roots, which is within 1/1000 of it below 1: a power is far slower.
vec3 srgb(vec3 c)
{
    vec3 root = sqrt(c), fourth = sqrt(root), eighth = sqrt(fourth);
    return mix(12.92 * c, 0.662002687 * root + 0.684122060 * fourth - 0.323583601 * eighth - 0.0225411470 * c, step(0.0031308, c));
}
