// A PNG file consists of chunks. Their data form one zlib stream of filtered rows.
//
//   ISO/IEC 15948:2004, Portable Network Graphics; RFC 1951, DEFLATE. Codes are canonical: the codes of each length are
//   consecutive, so a code is read bit by bit as its offset from the first code of its length.
#include "files/png.h"

#include "files/io_error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SIDE = 1 << 15, MOST_PIXELS = 1 << 26 };

/* ---- deflate ------------------------------------------------------------------------------------- */

enum { LONGEST = 15, SYMBOLS = 288, DISTANCES = 30 };

typedef struct bits {
    const unsigned char *in;
    size_t size, at;
    uint32_t held;
    int32_t count;
    bool failed;
} bits;

typedef struct output {
    unsigned char *bytes;
    size_t size, at;
} output;

typedef struct code {
    int32_t counts[LONGEST + 1]; // Number of codes of each length.
    int32_t symbols[SYMBOLS];    // Symbols by length, then by number.
} code;

static uint32_t take(bits *b, int32_t count)
{
    while (b->count < count) {
        if (b->at >= b->size) {
            b->failed = true;
            return 0;
        }
        b->held |= (uint32_t)b->in[b->at++] << b->count;
        b->count += 8;
    }
    const uint32_t value = b->held & ((1u << count) - 1u);
    b->held >>= count;
    b->count -= count;
    return value;
}

static void make_code(code *c, const unsigned char *lengths, int32_t count)
{
    int32_t offsets[LONGEST + 2] = {0};
    *c = (code){0};
    for (int32_t i = 0; i < count; i++)
        c->counts[lengths[i]]++;
    c->counts[0] = 0;
    for (int32_t length = 1; length <= LONGEST; length++)
        offsets[length + 1] = offsets[length] + c->counts[length];
    for (int32_t i = 0; i < count; i++)
        if (lengths[i] > 0)
            c->symbols[offsets[lengths[i]]++] = i;
}

static int32_t next_symbol(bits *b, const code *c)
{
    int32_t distance = 0, first = 0;
    for (int32_t length = 1; length <= LONGEST; length++) {
        distance = 2 * distance + (int32_t)take(b, 1);
        if (distance < c->counts[length])
            return c->symbols[first + distance];
        first += c->counts[length];
        distance -= c->counts[length];
    }
    b->failed = true;
    return 0;
}

static void put(bits *b, output *out, unsigned char byte)
{
    if (out->at < out->size)
        out->bytes[out->at++] = byte;
    else
        b->failed = true;
}

static void copy_back(bits *b, output *out, size_t distance, int32_t length)
{
    b->failed = b->failed || distance > out->at;
    for (int32_t i = 0; i < length && !b->failed; i++)
        put(b, out, out->bytes[out->at - distance]);
}

static void inflate_coded(bits *b, output *out, const code *lengths, const code *distances)
{
    static const uint16_t bases[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                     31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const uint8_t extras[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                     2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    while (!b->failed) {
        const int32_t symbol = next_symbol(b, lengths), way = symbol - 257;
        if (symbol == 256)
            return;
        if (symbol < 256) {
            put(b, out, (unsigned char)symbol);
            continue;
        }
        if (way >= (int32_t)sizeof extras) {
            b->failed = true;
            return;
        }
        const int32_t length = bases[way] + (int32_t)take(b, extras[way]), far = next_symbol(b, distances);
        b->failed = b->failed || far >= DISTANCES;
        if (b->failed)
            return;
        // Distances double every two symbols.
        const int32_t extra = far < 2 ? 0 : far / 2 - 1;
        const size_t base = far < 2 ? (size_t)far + 1 : ((size_t)(2 + far % 2) << extra) + 1;
        copy_back(b, out, base + take(b, extra), length);
    }
}

static void inflate_fixed(bits *b, output *out)
{
    unsigned char lengths[SYMBOLS], five[DISTANCES];
    code of_lengths, of_distances;
    for (int32_t i = 0; i < SYMBOLS; i++)
        lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    memset(five, 5, sizeof five);
    make_code(&of_lengths, lengths, SYMBOLS);
    make_code(&of_distances, five, DISTANCES);
    inflate_coded(b, out, &of_lengths, &of_distances);
}

static void inflate_dynamic(bits *b, output *out)
{
    static const uint8_t order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    unsigned char lengths[SYMBOLS + 32] = {0};
    code of_lengths, of_distances;
    const int32_t literals = (int32_t)take(b, 5) + 257, distances = (int32_t)take(b, 5) + 1,
                  given = (int32_t)take(b, 4) + 4;
    b->failed = b->failed || literals > 286 || distances > DISTANCES;
    for (int32_t i = 0; i < given; i++)
        lengths[order[i]] = (unsigned char)take(b, 3);
    make_code(&of_lengths, lengths, 19);
    memset(lengths, 0, sizeof lengths);
    for (int32_t i = 0; i < literals + distances && !b->failed;) {
        const int32_t symbol = next_symbol(b, &of_lengths);
        const int32_t repeats = symbol < 16    ? 1
                                : symbol == 16 ? 3 + (int32_t)take(b, 2)
                                : symbol == 17 ? 3 + (int32_t)take(b, 3)
                                               : 11 + (int32_t)take(b, 7);
        const unsigned char length = symbol < 16 ? (unsigned char)symbol : symbol == 16 && i > 0 ? lengths[i - 1] : 0;
        b->failed = b->failed || i + repeats > literals + distances || (symbol == 16 && i == 0);
        for (int32_t k = 0; k < repeats && !b->failed; k++)
            lengths[i++] = length;
    }
    if (b->failed)
        return;
    make_code(&of_lengths, lengths, literals);
    make_code(&of_distances, lengths + literals, distances);
    inflate_coded(b, out, &of_lengths, &of_distances);
}

static void inflate_stored(bits *b, output *out)
{
    b->held = 0, b->count = 0;
    const uint32_t length = take(b, 16), check = take(b, 16);
    b->failed = b->failed || (length ^ check) != 0xffffu;
    for (uint32_t i = 0; i < length && !b->failed; i++)
        put(b, out, (unsigned char)take(b, 8));
}

// Decompresses a zlib stream; returns whether it fills the output exactly.
static bool inflate(const unsigned char *in, size_t size, output *out)
{
    bits b = {.in = in, .size = size, .at = 2};
    if (size < 2 || (in[0] & 15) != 8 || (256 * in[0] + in[1]) % 31 != 0 || (in[1] & 32))
        return false;
    for (bool last = false; !last && !b.failed;) {
        last = take(&b, 1) != 0;
        const uint32_t kind = take(&b, 2);
        if (kind == 0)
            inflate_stored(&b, out);
        else if (kind == 1)
            inflate_fixed(&b, out);
        else if (kind == 2)
            inflate_dynamic(&b, out);
        else
            b.failed = true;
    }
    return !b.failed && out->at == out->size;
}

/* ---- rows ---------------------------------------------------------------------------------------- */

static int32_t predict(int32_t kind, int32_t left, int32_t up, int32_t corner)
{
    const int32_t p = left + up - corner, a = abs(p - left), b = abs(p - up), c = abs(p - corner);
    return kind == 1   ? left
           : kind == 2 ? up
           : kind == 3 ? (left + up) / 2
           : kind == 4 ? (a <= b && a <= c ? left
                          : b <= c         ? up
                                           : corner)
                       : 0;
}

// Removes the filters from rows of 1 + `length` bytes.
static bool unfilter(unsigned char *rows, int32_t count, size_t length, size_t pixel)
{
    for (int32_t y = 0; y < count; y++) {
        unsigned char *row = rows + (size_t)y * (length + 1), *above = y > 0 ? row - length - 1 : NULL;
        if (row[0] > 4)
            return false;
        for (size_t x = 1; x <= length; x++) {
            const int32_t left = x > pixel ? row[x - pixel] : 0, up = above ? above[x] : 0;
            row[x] = (unsigned char)(row[x] + predict(row[0], left, up, above && x > pixel ? above[x - pixel] : 0));
        }
    }
    return true;
}

/* ---- chunks -------------------------------------------------------------------------------------- */

static uint32_t number_at(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

// Appends the data of all IDAT chunks to `data`, which must have room for them. False when chunks are truncated.
static bool gather(const unsigned char *bytes, size_t size, unsigned char *data, size_t *length)
{
    *length = 0;
    for (size_t at = 8; at + 12 <= size;) {
        const size_t n = number_at(bytes + at);
        const unsigned char *kind = bytes + at + 4;
        if (n > size - at - 12)
            return false;
        if (memcmp(kind, "IEND", 4) == 0)
            return true;
        if (memcmp(kind, "IDAT", 4) == 0) {
            memcpy(data + *length, kind + 4, n);
            *length += n;
        }
        at += n + 12;
    }
    return false;
}

static pli_status damaged(pli_error *error)
{
    return pli_fail(error, PLI_STATUS_CORRUPT, "the image is no PNG file, or damaged");
}

static pli_status decode(const unsigned char *bytes, size_t size, int32_t depth, pli_image *image, unsigned char *data,
                         pli_error *error)
{
    const size_t pixel = (size_t)image->channels * (size_t)(depth / 8), length = pixel * (size_t)image->width;
    const size_t count = (size_t)image->channels * (size_t)image->width * (size_t)image->height;
    output out = {.size = (length + 1) * (size_t)image->height};
    size_t packed;
    if (!gather(bytes, size, data, &packed))
        return damaged(error);
    out.bytes = malloc(out.size);
    image->values = malloc(count * sizeof *image->values);
    const bool enough = out.bytes && image->values;
    const bool sound = enough && inflate(data, packed, &out) && unfilter(out.bytes, image->height, length, pixel);
    for (size_t i = 0; sound && i < count; i++) {
        const size_t row = i / ((size_t)image->channels * (size_t)image->width);
        const unsigned char *at = out.bytes + row + 1 + i * (size_t)(depth / 8);
        image->values[i] = depth == 8 ? (float)at[0] / 255.0f : (float)(256 * at[0] + at[1]) / 65535.0f;
    }
    free(out.bytes);
    if (sound)
        return pli_succeed(error);
    free(image->values);
    image->values = NULL;
    return enough ? damaged(error) : pli_io_fail_memory(error);
}

pli_status pli_png_decode(const void *from, size_t size, pli_image *image, pli_error *error)
{
    static const unsigned char signature[8] = {137, 80, 78, 71, 13, 10, 26, 10};
    static const int32_t channels[7] = {1, 0, 3, 0, 2, 0, 4};
    const unsigned char *bytes = from, *head = bytes + 16;
    *image = (pli_image){0};
    if (size < 45 || memcmp(bytes, signature, 8) != 0 || memcmp(bytes + 12, "IHDR", 4) != 0)
        return damaged(error);
    const uint32_t width = number_at(head), height = number_at(head + 4);
    if (width < 1 || height < 1 || head[9] > 6)
        return damaged(error);
    if (channels[head[9]] == 0 || (head[8] != 8 && head[8] != 16) || head[12] != 0)
        return pli_fail(
            error, PLI_STATUS_UNSUPPORTED,
            "the image has a palette, fewer than 8 bits or is interlaced; save it in grey or colours of 8 bits");
    if (width > MOST_SIDE || height > MOST_SIDE || width * height > MOST_PIXELS)
        return pli_fail(error, PLI_STATUS_UNSUPPORTED, "the image has %u x %u pixels; make it smaller", (unsigned)width,
                        (unsigned)height);
    *image = (pli_image){.width = (int32_t)width, .height = (int32_t)height, .channels = channels[head[9]]};
    unsigned char *data = malloc(size);
    const pli_status status = data ? decode(bytes, size, head[8], image, data, error) : pli_io_fail_memory(error);
    free(data);
    return status;
}
