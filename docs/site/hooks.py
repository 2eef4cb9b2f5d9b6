"""What mkdocs does not do: links to folders, lists as GitHub reads them, tables that scroll, and a search that works from files."""
import json
import pathlib
import re

LIST = re.compile(r"\s*([-*]|\d+\.) ")


def on_config(config):
    """The pages of the headers are a group of their own, after the reference."""
    folder = pathlib.Path(config["docs_dir"], "docs/reference/api")
    pages = [{path.stem + ".h": f"docs/reference/api/{path.name}"} for path in sorted(folder.glob("*.md"))]
    at = next(i for i, group in enumerate(config["nav"]) if "Reference" in group)
    config["nav"].insert(at + 1, {"C interface": pages})
    return config


def on_page_markdown(markdown, page, config, files):
    source = pathlib.Path(config["docs_dir"])
    folder = (source / page.file.src_path).parent

    def page_of(match):
        target = match.group(1)
        return f"]({target.rstrip('/')}/README.md)" if (folder / target / "README.md").is_file() else match.group(0)

    return lists(re.sub(r"\]\(((?!https?:)[^)#\s]+)\)", page_of, markdown))


def lists(markdown):
    """A blank line before each list: python-markdown wants one, which GitHub does not."""
    result, fenced = [], False
    for line in markdown.split("\n"):
        before = result[-1] if result else ""
        fenced ^= line.lstrip().startswith("```")
        if not fenced and LIST.match(line) and before.strip() and not LIST.match(before) and not before.startswith((" ", "|")):
            result.append("")
        result.append(line)
    return "\n".join(result)


def on_page_content(html, page, config, files):
    return html.replace("<table>", '<div class="table"><table>').replace("</table>", "</table></div>")


def on_post_build(config):
    """The index as a script: a page that is opened as a file may load scripts, and may not fetch."""
    folder = pathlib.Path(config["site_dir"], "search")
    pages = json.loads((folder / "search_index.json").read_text(encoding="utf-8"))["docs"]
    parted = {page["location"].split("#")[0] for page in pages if "#" in page["location"]}
    pages = [page for page in pages if page["location"] not in parted] # Its parts have all of the text.
    for page in pages:
        page["title"] = page["title"].replace("`", "")
        page["text"] = page["text"].removeprefix(page["title"]).strip(" #")
    folder.joinpath("index.js").write_text("window.pliantPages = " + json.dumps(pages) + ";\n", encoding="utf-8")
    for left in ("search_index.json", "worker.js", "main.js"):
        folder.joinpath(left).unlink(missing_ok=True)
