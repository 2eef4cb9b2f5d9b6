// Texts that people read: what panels, listings and documents say of a row. The .wasm of the npm package leaves them out,
// and has them as a module beside it (docs/decisions/0094).
#ifndef PLIANT_BASE_TEXT_H
#define PLIANT_BASE_TEXT_H

#ifdef PLI_WITHOUT_TEXTS
#define PLI_TEXT(...) ""
#else
#define PLI_TEXT(...) __VA_ARGS__
#endif

#endif
