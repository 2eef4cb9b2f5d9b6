// The functions of the C library that pliant/math.h uses, for a check without Microsoft's headers.
#pragma once
float sqrtf(float x);
float sinf(float x);
float cosf(float x);
