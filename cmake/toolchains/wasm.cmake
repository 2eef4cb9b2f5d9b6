# WebAssembly with 128-bit vectors by Debian's clang (clang, lld, wasi-libc, libclang-rt-14-dev-wasm32): one
# thread; tests run in node.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
find_program(CMAKE_C_COMPILER clang REQUIRED)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_EXE_LINKER_FLAGS_INIT -Wl,-z,stack-size=1048576)
find_program(node node REQUIRED)
# Node 20 crashes in its own threads after programs that ran well have ended.
set(CMAKE_CROSSCOMPILING_EMULATOR ${node} --no-warnings --single-threaded ${CMAKE_CURRENT_LIST_DIR}/../../tests/cross/wasi.mjs)
