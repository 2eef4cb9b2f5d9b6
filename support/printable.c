// Control characters: ISO 6429, and C1 as UTF-8 has them; and those of Unicode that turn, hide or join what is around them.
#include "support/printable.h"

#include <stdint.h>

// The character of two to four bytes at `c`, or 0 where there is none.
static uint32_t character_at(const unsigned char *c, size_t *length)
{
    *length = c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : c[0] >= 0xc0 ? 2 : 1;
    uint32_t value = c[0] & (0xffu >> (*length + 1));
    for (size_t i = 1; i < *length; i++) {
        if ((c[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (c[i] & 0x3f);
    }
    return *length > 1 ? value : 0;
}

// Joiners (U+200C, U+200D), which words and emoji are written with, stay.
static bool is_control(uint32_t c)
{
    static const uint32_t ranges[][2] = {{0x80, 0x9f},     {0x61c, 0x61c},   {0x200b, 0x200b},
                                         {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},
                                         {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (c >= ranges[i][0] && c <= ranges[i][1])
            return true;
    return false;
}

size_t pli_control_length(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    size_t length;
    if ((*c > 0 && *c < ' ') || *c == 0x7f)
        return 1;
    return is_control(character_at(c, &length)) ? length : 0;
}

void pli_make_printable(char *text, bool has_lines)
{
    while (*text) {
        const size_t length = has_lines && *text == '\n' ? 0 : pli_control_length(text);
        for (size_t i = 0; i < length; i++)
            text[i] = '?';
        text += length > 0 ? length : 1;
    }
}
