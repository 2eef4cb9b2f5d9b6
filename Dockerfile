# The command `pliant` and its Python module, from the sources beside this file.
#
#   docker build -t pliant .
#   docker run --rm -v "$PWD:/work" pliant run first.json --render
FROM debian:bookworm AS build
COPY . /source
WORKDIR /source
RUN apt-get update && apt-get install -y --no-install-recommends git ca-certificates && scripts/build-packages

FROM debian:bookworm-slim
COPY --from=build /source/build/packages /packages
RUN apt-get update && apt-get install -y --no-install-recommends /packages/*.deb libgl1-mesa-dri libegl1 && rm -rf /packages /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["pliant"]
