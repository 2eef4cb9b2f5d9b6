// Words and numbers of text formats.
#include "formats/text_scan.h"

#include <string.h>

enum { EXPONENT_DIGITS_MAX = 9, EXPONENT_MAX = 400, MANTISSA_DIGITS = 18 };

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Length of the line break at a position: 2 for "\r\n", 0 for none.
static int break_length(const pli_scan *s, const char *at)
{
    if (at >= s->end || (*at != '\n' && *at != '\r'))
        return 0;
    return *at == '\r' && at + 1 < s->end && at[1] == '\n' ? 2 : 1;
}

static bool goes_on(const pli_scan *s)
{
    return s->comments && s->at < s->end && *s->at == '\\' && break_length(s, s->at + 1) > 0;
}

static bool at_comment(const pli_scan *s) { return s->comments && s->at < s->end && *s->at == '#'; }

static bool at_blank(const pli_scan *s) { return *s->at == ' ' || *s->at == '\t' || *s->at == '\f' || *s->at == '\v'; }

bool pli_scan_at_line_end(const pli_scan *s) { return s->at == s->end || *s->at == '\n' || *s->at == '\r'; }

bool pli_scan_at_word_end(const pli_scan *s)
{
    return pli_scan_at_line_end(s) || at_blank(s) || at_comment(s) || goes_on(s);
}

void pli_scan_skip_blanks(pli_scan *s)
{
    for (;;) {
        if (goes_on(s)) {
            s->at += 1 + break_length(s, s->at + 1);
            s->line++;
        } else if (at_comment(s)) {
            while (!pli_scan_at_line_end(s))
                s->at++;
        } else if (s->at < s->end && at_blank(s)) {
            s->at++;
        } else {
            return;
        }
    }
}

void pli_scan_skip_space(pli_scan *s)
{
    pli_scan_skip_blanks(s);
    while (s->at < s->end && pli_scan_at_line_end(s)) {
        pli_scan_next_line(s);
        pli_scan_skip_blanks(s);
    }
}

void pli_scan_next_line(pli_scan *s)
{
    while (!pli_scan_at_line_end(s))
        s->at++;
    s->at += break_length(s, s->at);
    s->line++;
}

void pli_scan_skip_word(pli_scan *s)
{
    while (!pli_scan_at_word_end(s))
        s->at++;
}

int32_t pli_scan_word_length(const pli_scan *s)
{
    pli_scan ahead = *s;
    pli_scan_skip_word(&ahead);
    return ahead.at - s->at > INT32_MAX ? INT32_MAX : (int32_t)(ahead.at - s->at);
}

static char folded(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

bool pli_scan_word(pli_scan *s, const char *word, bool fold)
{
    size_t length = strlen(word);
    if ((size_t)pli_scan_word_length(s) != length)
        return false;
    for (size_t i = 0; i < length; i++)
        if (s->at[i] != word[i] && !(fold && folded(s->at[i]) == folded(word[i])))
            return false;
    s->at += length;
    return true;
}

static bool skip_sign(pli_scan *s)
{
    bool negative = s->at < s->end && *s->at == '-';
    if (s->at < s->end && (*s->at == '+' || *s->at == '-'))
        s->at++;
    return negative;
}

// A decimal number being read: digits * 10^exponent.
typedef struct decimal {
    uint64_t digits;
    int count; // Digits in the text.
    int kept;  // Significant digits stored in `digits`.
    int exponent;
} decimal;

static void take_digits(pli_scan *s, decimal *d, bool fraction)
{
    for (; s->at < s->end && is_digit(*s->at); s->at++, d->count++) {
        bool room = d->kept < MANTISSA_DIGITS;
        if (room) {
            d->digits = 10 * d->digits + (uint64_t)(*s->at - '0');
            d->kept += d->digits > 0;
        }
        if (room == fraction && d->exponent > -EXPONENT_MAX && d->exponent < EXPONENT_MAX)
            d->exponent += fraction ? -1 : 1;
    }
}

static bool take_exponent(pli_scan *s, decimal *d)
{
    if (d->count == 0 || s->at == s->end || (*s->at != 'e' && *s->at != 'E'))
        return true;
    s->at++;
    bool negative = skip_sign(s);
    int digits = 0, value = 0;
    for (; s->at < s->end && is_digit(*s->at) && digits <= EXPONENT_DIGITS_MAX; s->at++, digits++)
        value = digits < EXPONENT_DIGITS_MAX ? 10 * value + (*s->at - '0') : value;
    d->exponent += negative ? -value : value;
    return digits > 0 && digits <= EXPONENT_DIGITS_MAX;
}

static double scaled(uint64_t digits, int exponent)
{
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    double value = (double)digits;
    bool divide = exponent < 0;
    int left = divide ? -exponent : exponent;
    left = left < EXPONENT_MAX ? left : EXPONENT_MAX;
    for (; digits > 0 && left > 0; left -= left < 22 ? left : 22)
        value = divide ? value / tens[left < 22 ? left : 22] : value * tens[left < 22 ? left : 22];
    return value;
}

bool pli_scan_number(pli_scan *s, double *value)
{
    decimal d = {0};
    bool negative = skip_sign(s);
    take_digits(s, &d, false);
    if (s->at < s->end && *s->at == '.') {
        s->at++;
        take_digits(s, &d, true);
    }
    if (d.count == 0 || !take_exponent(s, &d) || !pli_scan_at_word_end(s))
        return false;
    double size = scaled(d.digits, d.exponent);
    *value = negative ? -size : size;
    return true;
}

bool pli_scan_integer(pli_scan *s, int64_t *value)
{
    bool negative = skip_sign(s);
    const char *start = s->at;
    for (*value = 0; s->at < s->end && is_digit(*s->at); s->at++)
        if (*value <= INT32_MAX)
            *value = 10 * *value + (*s->at - '0');
    if (negative)
        *value = -*value;
    return s->at > start;
}

pli_status pli_scan_fail(const pli_scan *s, const char *word, const char *what, pli_error *error)
{
    int length = 0;
    while (word + length < s->end && length < 40 && (unsigned char)word[length] > ' ')
        length++;
    return pli_fail(error, PLI_STATUS_PARSE, "%s:%d: '%.*s' is not %s", s->name, (int)s->line, length, word, what);
}

pli_status pli_scan_fail_line(const pli_scan *s, const char *what, pli_error *error)
{
    return pli_fail(error, PLI_STATUS_PARSE, "%s:%d: %s", s->name, (int)s->line, what);
}
