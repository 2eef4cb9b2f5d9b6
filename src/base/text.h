// Texts for people: descriptions of a row in panels, listings and documents. The .wasm of the npm package omits them
// and has them in a separate module (docs/decisions/bindings.md).
#ifndef PLIANT_BASE_TEXT_H
#define PLIANT_BASE_TEXT_H

#ifdef PLI_WITHOUT_TEXTS
#define PLI_TEXT(...) ""
#else
#define PLI_TEXT(...) __VA_ARGS__
#endif

#endif
