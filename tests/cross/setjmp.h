// cmocka asks for this header before its own; WebAssembly's libc has none, and tests/cross/cmocka.h needs none.
