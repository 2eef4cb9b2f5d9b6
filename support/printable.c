// Control characters: ISO 6429, and C1 as UTF-8 has them.
#include "support/printable.h"

void pli_make_printable(char *text, bool has_lines)
{
    for (unsigned char *c = (unsigned char *)text; *c; c++) {
        const bool c1 = c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0;
        if ((*c < ' ' && !(has_lines && *c == '\n')) || *c == 0x7f || c1)
            c[0] = '?';
        if (c1)
            c[1] = '?';
    }
}
