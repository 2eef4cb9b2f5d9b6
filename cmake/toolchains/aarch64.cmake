# 64-bit ARM Linux by Debian's cross compiler (gcc-aarch64-linux-gnu, libc6-dev-arm64-cross); tests run in qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
find_program(CMAKE_C_COMPILER aarch64-linux-gnu-gcc REQUIRED)
find_program(qemu qemu-aarch64 REQUIRED)
set(CMAKE_CROSSCOMPILING_EMULATOR ${qemu} -L /usr/aarch64-linux-gnu)
# Libraries of the target, not of this machine.
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig)
