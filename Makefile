# The few commands a person types. `make` lists them.
NAME ?= latest
.PHONY: help build blender demo check test test-nightly bench performance install format clean web web-serve docs
PREFIX ?= /usr/local
PLIANT = build/release/pliant
LAB = build/release/pliant-lab

help:
	@echo "make demo      install what is missing, build, simulate and render two scenes"
	@echo "make check     the tests of a commit: three minutes on two cores from a built tree"
	@echo "make test      the tests of a merge, which CI runs: at most 15 minutes on two cores, nothing built"
	@echo "make test-nightly  every test: an hour on two cores (CONTRIBUTING.md lists the parts)"
	@echo "make build     the optimised build, in build/release"
	@echo "make install   libraries, headers, command and manual, to PREFIX=$(PREFIX) (DESTDIR is heeded)"
	@echo "make bench     times of scenes as people have them and beside the machine's limit, in five minutes; CSV in lab/bench/results/$(NAME).csv"
	@echo "make performance NAME=MACHINE   that, other engines that are installed, and docs/performance.md"
	@echo "make web       the web page with all that a host needs, in build/site"
	@echo "make web-serve the web page as this machine needs it, shown on http://127.0.0.1:8000/"
	@echo "make docs      the documents as one site: build/documents/site/index.html"
	@echo "make blender   the add-on for Blender, as an archive in build/blender"
	@echo "make format    clang-format over our sources"
	@echo "make clean     remove build/ and out/"

build:
	@scripts/install-packages build
	@cmake --preset release >/dev/null
	@cmake --build --preset release

# Builds the command and the libraries that it loads, not the window, the lab and the tests.
demo:
	@scripts/install-packages build
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target command
	$(PLIANT) run scenes/bunny-drape.json -o out/bunny-drape --threads 2 --render
	$(PLIANT) run scenes/spot-stands.json -o out/spot-stands --threads 2 --render
	@echo
	@echo "Done. Look at"
	@for name in bunny-drape spot-stands; do \
	  echo "  out/$$name/$$name.mp4         the video"; \
	  echo "  out/$$name/frames/            the pictures"; \
	  echo "  out/$$name/*.pc2 *.gltf       the caches, for Blender and others"; \
	done

check:
	@scripts/test check

test:
	@scripts/test

test-nightly:
	@scripts/test nightly

bench: build
	@mkdir -p lab/bench/results
	$(LAB) bench --csv lab/bench/results/$(NAME).csv

# The page is made from the results that are kept under the machine's name.
performance: bench
	if [ -x build/release/peer_bullet ]; then build/release/peer_bullet > lab/bench/results/$(NAME)-bullet.csv; fi
	if [ -d web/package/dist ] && [ -d web/node_modules/jolt-physics ]; then \
	  node web/bench/bench.mjs $(PLIANT) > lab/bench/results/$(NAME)-web.md || rm -f lab/bench/results/$(NAME)-web.md; fi
	lab/tools/performance-page --results lab/bench/results/$(NAME).csv --peer lab/bench/results/$(NAME)-bullet.csv \
	  --web lab/bench/results/$(NAME)-web.md

web:
	@scripts/build-page

web-serve:
	@scripts/build-page --first
	@node web/page/serve.mjs

blender: build
	@scripts/install-packages blender
	@/usr/bin/python3 bindings/blender/tools/build.py

docs: build
	@scripts/build-documents

install: build
	cmake --install build/release --prefix $(PREFIX)

format:
	@scripts/check-format --fix

clean:
	rm -rf build out
