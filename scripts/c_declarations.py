"""The declarations of C sources, found without a compiler, for check-names and measure-house."""
import pathlib
import re
import subprocess

TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w+)((?:\\\n|[^\n])*)", re.M)
ATTRIBUTE = re.compile(r"__attribute__\s*\(\(.*?\)\)|_Static_assert\s*\((?:[^()]|\([^()]*\))*\)", re.S)
CALL_OF_MACRO = re.compile(r"^\s*[A-Z][A-Z0-9_]*\s*\([^()]*\)(?=\s*\w)")
TYPE = re.compile(r"\b(struct|union|enum)\b\s*(\w*)\s*$")


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def git_files(root, *patterns):
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", *patterns], cwd=root, capture_output=True, text=True, check=True)
    return sorted(path for path in set(listed.stdout.split()) if (pathlib.Path(root) / path).is_file())


class Declaration:
    def __init__(self, kind, name, line, is_static, lines=0):
        self.kind, self.name, self.line, self.is_static, self.lines = kind, name, line, is_static, lines


def name_before(text):
    """The last identifier of a declarator without its arrays and initialiser: `static const float x[3] = ...`."""
    text = re.sub(r"\[[^\]]*\]", "", text.split("=")[0])
    pointer = re.search(r"\(\s*\*+\s*(?:const\s+)?(\w+)\s*\)\s*\(", text)
    names = re.findall(r"\w+", text)
    return pointer.group(1) if pointer else names[-1] if names else ""


class Source:
    """One file: its macros, and the declarations at file scope."""

    def __init__(self, text, static_macros=()):
        self.text = TOKEN.sub(blank, text)
        self.macros, self.undefined, self.declarations, self.bodies = {}, set(), [], []
        self.static = re.compile(r"\b(" + "|".join(["static", *static_macros]) + r")\b")
        for match in DIRECTIVE.finditer(self.text):
            word = re.match(r"\s*(\w+)(.*)", match.group(2), re.S)
            if match.group(1) == "define":
                self.macros[word.group(1)] = (self.line_of(match.start()), word.group(2))
            elif match.group(1) == "undef":
                self.undefined.add(word.group(1))
        self.code = DIRECTIVE.sub(blank, self.text)
        self.scan()

    def line_of(self, offset):
        return self.text.count("\n", 0, offset) + 1

    def scan(self):
        depth = round_depth = start = opened = 0
        head = None
        for match in re.finditer(r"[{}();]", self.code):
            mark, at = match.group(), match.start()
            if mark in "()":
                round_depth += 1 if mark == "(" else -1
            elif mark == "{":
                if depth == 0 and round_depth == 0:
                    head, opened = self.code[start:at], at
                depth += 1
            elif mark == "}":
                depth = max(depth - 1, 0)
                if depth == 0 and round_depth == 0 and head is not None and self.block(head, start, opened, at):
                    start, head = at + 1, None
            elif depth == 0 and round_depth == 0:
                if head is None:
                    self.statement(self.code[start:at], start)
                elif TYPE.search(ATTRIBUTE.sub("", head)):
                    self.after_type(head, self.code[self.code.rindex("}", start, at) + 1:at], start)
                start, head = at + 1, None

    def add(self, kind, name, offset, head, lines=0):
        if name:
            offset += len(head) - len(head.lstrip())
            self.declarations.append(Declaration(kind, name, self.line_of(offset), bool(self.static.search(head)), lines))

    def block(self, head, start, opened, end):
        """A head with braces: true if it ends with them, as functions do."""
        clean = self.simple(head)
        if "=" in clean:
            self.add("variable", "" if "PLI_NAMED" in clean else name_before(clean), start, head)
            return False
        kind = TYPE.search(clean)
        if kind:
            self.add("type", kind.group(2), start, head)
            if kind.group(1) == "enum":
                body = self.code[opened + 1:end]
                for constant in re.finditer(r"(?:^|,)\s*(\w+)", re.sub(r"\([^()]*\)", blank, body)):
                    self.declarations.append(Declaration("constant", constant.group(1), self.line_of(opened + 1 + constant.start(1)), True))
            return False
        self.bodies.append(self.code[opened:end])
        function = re.search(r"(\w+)\s*\(", clean)
        if function and function.group(1) != "PLI_NAMED":
            self.add("function", function.group(1), start, head, self.line_of(end) - self.line_of(opened) - 1)
        return True

    def after_type(self, head, rest, start):
        if "typedef" in head:
            self.add("type", name_before(self.simple(rest)), start, head)
        elif rest.strip():
            self.add("variable", name_before(self.simple(rest)), start, head)

    def statement(self, text, start):
        clean = self.simple(text)
        if not clean.strip() or re.search(r"\bextern\b", clean) or re.fullmatch(r"\s*(struct|union|enum)\s+\w+\s*", clean):
            return
        if re.match(r"\s*typedef\b", clean):
            if not re.fullmatch(r"\s*typedef\s+(struct|union|enum)\s+(\w+)\s+\2\s*", clean):
                self.add("type", name_before(clean), start, text)
        elif "PLI_NAMED" not in clean and ("=" in clean or "(" not in clean):
            self.add("variable", name_before(clean), start, text)

    @staticmethod
    def simple(text):
        return CALL_OF_MACRO.sub("", ATTRIBUTE.sub("", text))


def static_macros(texts):
    """Macros that make functions static, such as PLI_KERNEL."""
    found = set()
    for text in texts:
        for match in re.finditer(r"^#define (\w+) +((?:\\\n|[^\n])*)", text, re.M):
            if re.match(r"(?:\w+ )*static\b|PLI_KERNEL\b", match.group(2).strip()):
                found.add(match.group(1))
    return found


def read_sources(root, paths):
    texts = {path: (pathlib.Path(root) / path).read_text(encoding="utf-8") for path in paths}
    macros = static_macros(texts.values())
    return {path: Source(text, macros) for path, text in texts.items()}
