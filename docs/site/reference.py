"""Pages that are made: the C interface from the headers, scenes from their schema, the command from its help, models and materials."""
import json
import pathlib
import re
import subprocess


def write(root, command, folder):
    (folder / "api").mkdir(parents=True, exist_ok=True)
    described = json.loads(printed(command, "models", "--json"))
    pages = {"scene": scene_page(json.loads((root / "scenes/scene.schema.json").read_text(encoding="utf-8"))),
             "command": command_page(command), "materials": materials_page(described), "models": models_page(described)}
    headers = sorted(path for path in (root / "include/pliant").glob("*.h"))
    for header in headers:
        pages[f"api/{header.stem}"] = header_page(header)
    pages["api"] = api_page(headers)
    for name, text in pages.items():
        (folder / f"{name}.md").write_text(text.rstrip() + "\n", encoding="utf-8")


def printed(command, *arguments):
    return subprocess.run([str(command), *arguments], text=True, capture_output=True, check=True).stdout


def cell(text):
    return str(text).replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")


def table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "| " + " | ".join("---" for _ in heads) + " |"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


# The C interface.

def api_page(headers):
    rows = [(f"[{header.name}](api/{header.stem}.md)", cell(purpose(header))) for header in headers]
    return ("# The C interface\n\nMade from the headers. `#include <pliant/pliant.h>` has the engine; scene.h, mesh_file.h, cache.h, "
            "render.h and ode.h are of libraries that a program links when it wants them: [embedding](../embedding.md) says how.\n\n"
            + table(("header", "what it has"), rows))


def purpose(header):
    first = header.read_text(encoding="utf-8").split("\n\n")[0].split("///\n")[0]
    words = " ".join(line.removeprefix("///").strip() for line in first.splitlines() if line.startswith("///"))
    return re.sub(r"^Pliant, ", "", words.split(". ")[0].split("  ")[0])


def header_page(header):
    """Each declaration with what its comment says, in the order of the header."""
    lines = header.read_text(encoding="utf-8").splitlines()
    opening, at = comment(lines, 0)
    parts = [f"# {header.name}", prose(opening), "```\n#include <pliant/" + header.name + ">\n```"]
    while at < len(lines):
        if lines[at].startswith("///"):
            said, at = comment(lines, at)
            code, at = declaration(lines, at)
            parts += described(said, code)
        elif re.match(r"PLI_API |static inline |typedef ", lines[at]):
            code, at = declaration(lines, at)
            parts += described([], code)
        else:
            at += 1
    return "\n\n".join(part for part in parts if part)


def comment(lines, at):
    said = []
    while at < len(lines) and lines[at].startswith("///"):
        said.append(lines[at].removeprefix("///").removeprefix(" "))
        at += 1
    return said, at


def prose(said):
    """The comment as Markdown: examples keep their indentation, and stand apart from the sentences before them."""
    text = "\n".join(said)
    text = re.sub(r"(?m)^(?! {4})(.+)\n(?= {4})", r"\1\n\n", text)
    parts = re.split(r"(?m)((?:^ {4}.*\n?)+)", text)
    for i, part in enumerate(parts):
        if part.startswith("    "):
            code = "\n".join(line.removeprefix("    ") for line in part.rstrip().splitlines())
            parts[i] = f"\n```c\n{code}\n```\n"
        else:
            parts[i] = escape(part)
    return "".join(parts).strip()


def escape(text):
    """Outside of code, our names become code, and what Markdown would take for its own stands for itself."""
    parts = text.split("`") if text.count("`") % 2 == 0 else [text.replace("`", "")]
    parts[::2] = [re.sub(r"([*_<])", r"\\\1", part) for part in parts[::2]]
    parts[::2] = [re.sub(r"(?i)\bpli\\_[\w\\]*", lambda name: "`" + name.group().replace("\\", "") + "`", part) for part in parts[::2]]
    return "`".join(parts).replace("\\<", "&lt;")


def declaration(lines, at):
    """One declaration: to its semicolon outside of braces; of an inline function its head alone; of a macro all of its lines."""
    taken, depth, opened = [], 0, False
    while at < len(lines):
        line = lines[at]
        at += 1
        taken.append(line)
        if line.startswith("#"):
            while taken[-1].endswith("\\") and at < len(lines):
                taken.append(lines[at])
                at += 1
            break
        bare = re.sub(r"//.*", "", line)
        depth += bare.count("{") - bare.count("}")
        opened |= "{" in bare
        if depth == 0 and (bare.rstrip().endswith(";") or (opened and bare.startswith("}"))):
            break
    if taken and taken[0].startswith("static inline"):
        head = []
        for line in taken:
            if line.startswith("{"):
                break
            head.append(line)
        taken = [*head[:-1], head[-1] + ";"] if head else taken
    return [re.sub(r"///<?", "//", re.sub(r"^PLI_API ", "", line)) for line in taken], at


def described(said, code):
    text = "\n".join(code).strip()
    if not text or text.startswith(('extern "C"', "#if", "#endif", "#include", "#ifdef", "}")):
        return [prose(said)] if said else []
    name = re.search(r"(pli_\w+)\s*\(|\(\*(pli_\w+)\)|^\}\s*(pli_\w+);|#define (PLI_\w+)|(?:struct|enum)\s+(pli_\w+)|(pli_\w+);", text, re.M)
    title = next(filter(None, name.groups())) if name else text.split("\n")[0]
    return [f"## {title}", prose(said), f"```c\n{text}\n```"]


# Scenes.

def scene_page(schema):
    parts = ["# Keys of a scene", "Made from [scene.schema.json](../../scenes/scene.schema.json), by which `pliant check` and editors judge scenes. "
             "[The scene format](../scene-format.md) explains the same keys in sentences, with examples. `[]` stands for each entry of a list. "
             "Any key can be set from the command line: `pliant run SCENE --set settings.substeps=20`.",
             keys_table("", schema)]
    for path, entry in below("", schema):
        parts += [f"## {path}", cell(entry.get("description", "")), keys_table(path, entry)]
    return "\n\n".join(part for part in parts if part)


def objects(entry):
    """The object that a key or the entries of its list are, and how a path names it."""
    if entry.get("type") == "array" or "items" in entry:
        found, suffix = objects(entry.get("items", {}))
        return found, "[]" + suffix
    if "properties" in entry:
        return entry, ""
    for key in ("oneOf", "anyOf"):
        for choice in entry.get(key, []):
            found, suffix = objects(choice)
            if found:
                return found, suffix
    extra = entry.get("additionalProperties")
    if isinstance(extra, dict):
        found, suffix = objects(extra)
        return found, ".NAME" + suffix
    return None, ""


def below(path, entry):
    for name, child in sorted(entry.get("properties", {}).items()):
        found, suffix = objects(child)
        if found:
            place = f"{path}.{name}".lstrip(".") + suffix
            yield place, found if found.get("description") else {**found, "description": child.get("description", "")}
            yield from below(place, found)


def keys_table(path, entry):
    required = entry.get("required", [])
    rows = []
    for name, child in sorted(entry.get("properties", {}).items()):
        default = "required" if name in required else (f"`{json.dumps(child['default'])}`" if "default" in child else "")
        rows.append((f"`{name}`", cell(kind(child)), default, cell(child.get("description", ""))))
    return table(("key", "value", "default", "what it is"), rows) if rows else ""


def kind(entry):
    if "enum" in entry:
        return ", ".join(f"`{value}`" for value in entry["enum"])
    if "const" in entry:
        return f"`{json.dumps(entry['const'])}`"
    for key in ("oneOf", "anyOf"):
        if key in entry:
            return " or ".join(dict.fromkeys(kind(choice) for choice in entry[key]))
    name = entry.get("type", "")
    if name == "array":
        size = f"{entry['minItems']} of " if "minItems" in entry and entry.get("minItems") == entry.get("maxItems") else "list of "
        return size + kind(entry.get("items", {}))
    limits = [f"{word} {entry[key]:g}" for key, word in (("minimum", ">="), ("exclusiveMinimum", ">"), ("maximum", "<=")) if key in entry
              and abs(entry[key]) < 1e5]
    return " ".join([" or ".join(name) if isinstance(name, list) else str(name), *limits])


# The command, models and materials.

def command_page(command):
    parts = ["# The command line", "Made from the help of `pliant` and of `pliant-lab`, whose manual pages have the same text."]
    for program in (command, f"{command}-lab"):
        parts += [f"```\n{printed(program, '--help').rstrip()}\n```"]
        for name in re.findall(r"(?m)^  ([a-z-]+) {2,}\S", printed(program, "--help").split("Examples:")[0]):
            parts += [f"## {pathlib.Path(program).name} {name}", f"```\n{printed(program, 'help', name).rstrip()}\n```"]
    return "\n\n".join(parts)


NUMBERS = (("density", "kg/m²"), ("thickness", "mm"), ("tensile_stiffness", "N/m"), ("rigidity", "N m"), ("poisson", ""), ("friction", ""),
           ("loss_factor", ""))


def materials_page(described):
    heads = ["material", *(f"{name.replace('_', ' ')}{f' [{unit}]' if unit else ''}" for name, unit in NUMBERS)]
    rows = [[f"`{entry['name']}`", *(f"{entry['values'].get(name, float('nan')) * (1000 if unit == 'mm' else 1):.3g}".replace("nan", "")
                                      for name, unit in NUMBERS)] for entry in described["materials"]]
    parts = ["# Materials", "Made from `pliant models --json`. A deformable of a scene with `\"material\": \"silk\"` has these numbers; a key "
             "that is given beside it wins. Rigidity is the resistance to bending per width of cloth.", table(heads, rows)]
    for entry in described["materials"]:
        parts += [f"## {entry['label']}", f"{cell(entry['summary'])}", f"Where the numbers are from: {cell(entry['source'])}."]
    return "\n\n".join(parts)


def models_page(described):
    parts = ["# Models and constraint types", "Made from `pliant models --json`; [constraints](../constraints.md) derives and compares them."]
    for entry in described["types"]:
        rows = [(f"`{row['name']}`", cell(row.get("unit", "")), f"`{json.dumps(row.get('default'))}`", cell(row.get("summary", "")))
                for row in entry.get("parameters", [])]
        parts += [f"## {entry['name']}", cell(entry["summary"]), f"```\n{entry['formula']}\n```" if entry.get("formula") else "",
                  f"Source: {cell(entry['source'])}.", table(("parameter", "unit", "default", "what it is"), rows) if rows else ""]
    return "\n\n".join(part for part in parts if part)
