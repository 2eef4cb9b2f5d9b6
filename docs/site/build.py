#!/usr/bin/python3
"""Builds the documents as one site, in build/documents/site, without network.

Pages are gathered at their paths in the repository, so that their links are those that a reader of the repository follows; with
them goes each file that they link to. reference.py writes the pages that are made from the headers, the schema and the command.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

import reference

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.M | re.S)


def links(text):
    """Local targets of the links of a page, without their places inside of the target."""
    for target in LINK.findall(re.sub(r"`[^`\n]*`", "", FENCE.sub("", text))):
        if not re.match(r"\w+:", target) and not target.startswith("#"):
            yield target.split("#")[0]


def repository_pages():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "docs/*.md", "README.md", "CONTRIBUTING.md", "CHANGELOG.md"],
                            cwd=ROOT, text=True, capture_output=True, check=True).stdout.split()
    return [pathlib.Path(name) for name in listed if (ROOT / name).is_file()]


def gather(source):
    """Copies the pages, and what they link to, and says which links lead nowhere."""
    waiting, done, bad = repository_pages(), set(), []
    while waiting:
        page = waiting.pop()
        if page in done:
            continue
        done.add(page)
        copy(ROOT / page, source / page)
        for target in links((ROOT / page).read_text(encoding="utf-8")):
            there = (ROOT / page.parent / target).resolve()
            made = source / there.relative_to(ROOT)
            if there.is_dir():
                folder_page(there, made)
            elif there.suffix == ".md" and there.is_file():
                waiting.append(there.relative_to(ROOT))
            elif there.is_file():
                copy(there, made)
            elif not made.exists():
                bad.append(f"{page}: {target} is not there")
    return bad


def copy(origin, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(origin, target)


def folder_page(folder, made):
    """A page that lists a folder which has none of its own."""
    if (folder / "README.md").is_file() or (made / "README.md").is_file():
        return
    made.mkdir(parents=True, exist_ok=True)
    lines = []
    for file in sorted(folder.iterdir()):
        if file.is_file():
            copy(file, made / file.name)
            heading = re.search(r"^# (.*)", file.read_text(encoding="utf-8"), re.M) if file.suffix == ".md" else None
            number = re.match(r"\d+", file.name)
            title = (number.group() + " " if number else "") + heading.group(1) if heading else file.name
            lines.append(f"- [{title}]({file.name})")
    (made / "README.md").write_text(f"# {folder.name.capitalize()}\n\n" + "\n".join(lines) + "\n", encoding="utf-8")


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--command", default=ROOT / "build/release/pliant", help="the command whose help and tables are taken")
    options.add_argument("--output", type=pathlib.Path, default=ROOT / "build/documents", help="the folder of the site and its source")
    given = options.parse_args()
    output = given.output.resolve()
    for name in ("source", "site"):
        shutil.rmtree(output / name, ignore_errors=True)
    reference.write(ROOT, given.command, output / "source/docs/reference")
    (output / "source/scenes").mkdir(parents=True)
    (output / "source/scenes/scene.schema.json").write_text(reference.printed(given.command, "schema"), encoding="utf-8")
    reports = ROOT / "build/reports"  # Of scripts/build-reports.
    if reports.is_dir():
        shutil.copytree(reports, output / "source/docs/reports", dirs_exist_ok=True)
    bad = gather(output / "source")
    if bad:
        sys.exit("\n".join(bad))
    settings = (ROOT / "docs/site/mkdocs.yml").read_text(encoding="utf-8").replace("../../build/documents", str(output))
    settings = settings.replace("custom_dir: theme", f"custom_dir: {ROOT}/docs/site/theme").replace("hooks.py", f"{ROOT}/docs/site/hooks.py")
    (output / "mkdocs.yml").write_text(settings, encoding="utf-8")
    return subprocess.run(["/usr/bin/python3", "-m", "mkdocs", "build", "-q", "-f", str(output / "mkdocs.yml")]).returncode


if __name__ == "__main__":
    sys.exit(main())
