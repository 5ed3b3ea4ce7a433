#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gather.py OUT: gathers the pages of the book in the folder OUT, where mkdocs reads them.
gather.py --write: writes what pages show of examples/ again: programs, and the list of the small ones in docs/examples.md.

The pages are those of docs/, which can also be read as they are: behind a line that is nothing but a link to a file of examples/
stands that file, and what it prints. On the way
  - such a line is left out;
  - a link that leads out of docs/ leads to a copy of the file, and a link to a folder becomes its name;
  - a list begins behind an empty line, which this dialect of Markdown wants;
  - the reference is added.
It refuses a page with C++ that no source is compared with or with a program that is not as it is in examples/, a small example
that no page shows, and a list of examples that is old.
"""
import pathlib
import re
import shutil
import sys
import tempfile

import reference

DOCS = pathlib.Path(__file__).resolve().parent.parent
ROOT = DOCS.parent
LANGUAGES = {".cpp": "cpp", ".cppm": "cpp", ".hpp": "cpp", ".txt": "text", ".json": "json", ".py": "python",
             ".cmake": "cmake", ".html": "html"}
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
LIST = re.compile(r"(<!-- examples: begin -->\n).*?(<!-- examples: end -->)", re.DOTALL)
EXAMPLE_LINE = re.compile(r"^\[[^\]]*\]\(((?:\.\./)+examples/[^)]*\.(?:cpp|hpp|cmake|txt))\)$", re.MULTILINE)
BLOCK = r"\n````\w+\n.*?\n````\n"
SHOWN = re.compile(rf"({EXAMPLE_LINE.pattern}\n)(?:{BLOCK}(?:\nIt prints:\n{BLOCK})?)?", re.MULTILINE | re.DOTALL)


class Book:
    """The pages, and the copies of sources that they lead to."""

    def __init__(self, out):
        self.out = out
        self.sources = set()
        self.shown = {}  # Each example, and the place where it is shown first.

    def write(self, path, text):
        target = self.out / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def add_page(self, path, text, home=None, made=""):
        """Adds a page under this path; its links are meant from the folder `home` of the tree. What is made for the book alone,
        with links between its pages, comes behind."""
        home = home or (DOCS / path).parent
        up = "../" * (len(pathlib.PurePath(path).parts) - 1)
        head = "---\nhide: [toc]\n---\n" if 'class="sides"' in text else ""  # Two programs want its room.
        self.write(path, head + "\n".join(self.lines_of_page(path, text, home, up)) + "\n" + made)

    def lines_of_page(self, path, text, home, up):
        fence = None
        before = first = ""  # The line before, and the first of its paragraph.
        place = path
        for line in text.splitlines():
            mark = re.match(r"\s*(`{3,})", line)
            if fence:
                fence = None if mark and mark.group(1) == fence and line.strip() == fence else fence
            elif mark:
                fence = mark.group(1)
                line = re.sub(r"^(`+\w+) (?!title)\w+$", r"\1", line)  # One word says the language.
            else:
                example = EXAMPLE_LINE.match(line)
                if example:
                    self.shown.setdefault((home / example.group(1)).resolve(), place)
                    continue
                if line.startswith("## "):
                    place = f"{path}#{place_of(line[3:])}"
                if starts_list(line) and before and not starts_list(before) and (first.startswith(" ") or before[0] != " "):
                    yield ""
                    before = ""
                line = LINK.sub(lambda found: self.link(found, home, up), line)
            first = first if before else line
            before = line
            yield line

    def link(self, found, home, up):
        """A link as it is, or one that leads to a copy of the file."""
        bang, text, address = found.groups()
        if "://" in address or address.startswith("#"):
            return found.group(0)
        path, _, anchor = address.partition("#")
        target = (home / path).resolve()
        if not target.exists():
            sys.exit(f"{home.relative_to(ROOT)}: {address} is not there")
        if target.is_dir():
            return f"`{target.relative_to(ROOT)}`"
        if target.is_relative_to(DOCS) and home.is_relative_to(DOCS):
            return found.group(0)
        if target.is_relative_to(DOCS):
            return f"{bang}[{text}]({up}{target.relative_to(DOCS)}{'#' + anchor if anchor else ''})"
        return f"[{text}]({up}{self.source_page(target)})"

    def source_page(self, file):
        """The path of the page that shows a file of the tree."""
        path = file.relative_to(ROOT)
        page = f"source/{path}.md"
        if file not in self.sources:
            self.sources.add(file)
            self.write(page, f"# {path.name}\n\n`{path}`\n\n" + code_block(file))
        return page

    def with_list_of_examples(self, text):
        """The page with a table of every small example: what it shows in its words, and where it is explained."""
        files = sorted((ROOT / "examples" / "small").glob("*.cpp"))
        unseen = [file.name for file in files if file not in self.shown]
        if unseen:
            sys.exit(f"no page shows {', '.join(unseen)}")
        rows = [f"| [{file.stem.replace('_', ' ')}]({self.shown[file]}) | {first_comment(file)} |" for file in files]
        table = "\n".join(["| program | what it shows |", "|---|---|", *rows])
        return LIST.sub(lambda found: f"{found.group(1)}{table}\n{found.group(2)}", text)


def with_programs(text, home):
    """The page with each program that it links to, and what that prints, behind the link."""
    def shown(found):
        file = (home / found.group(2)).resolve()
        if not file.exists():
            sys.exit(f"{home.relative_to(ROOT)}: the example {file} is not there")
        output = file.with_suffix(".txt")
        prints = f"\nIt prints:\n\n{code_block(output)}" if file.suffix == ".cpp" and output.exists() else ""
        return f"{found.group(1)}\n{code_block(file)}{prints}"
    return SHOWN.sub(shown, text)


def write_programs():
    for page in DOCS.rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        now = with_programs(text, page.parent)
        if now != text:
            page.write_text(now, encoding="utf-8")


def first_comment(file):
    """The sentence below the line of the licence."""
    return re.match(r"[^\n]*\n// ([^\n]*(?:\n// [^\n]*)*)", file.read_text(encoding="utf-8")).group(1).replace("\n// ", " ")


def place_of(heading):
    """The place of a heading, as mkdocs names it."""
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())


def starts_list(line):
    return re.match(r"(?:[*-]|\d+\.) ", line) is not None


def code_block(file):
    """A file as a block of code, without the line of the licence."""
    text = file.read_text(encoding="utf-8")
    text = re.sub(r"\A(?:[/# ]*SPDX[^\n]*\n)", "", text)
    return f"````{LANGUAGES.get(file.suffix, 'text')}\n{text.rstrip()}\n````\n"


def require_source(path, text):
    """C++ of a page is compared with a source that the tests compile: see tests/docs/CMakeLists.txt."""
    name = path.parts[0].removesuffix(".md").replace("-", "_")
    if re.search(r"^\s*```cpp", text, re.MULTILINE) and not (ROOT / "tests" / "docs" / f"{name}_snippets.cpp").exists():
        sys.exit(f"{path} shows C++ that nothing compiles: tests/docs/{name}_snippets.cpp is to have it")


def gathered(out):
    shutil.rmtree(out, ignore_errors=True)
    book = Book(out)
    for file in sorted(DOCS.rglob("*")):
        path = file.relative_to(DOCS)
        if file.suffix == ".md":
            text = file.read_text(encoding="utf-8")
            require_source(path, text)
            if with_programs(text, file.parent) != text:
                sys.exit(f"docs/{path} does not show the programs as they are: docs/book/gather.py --write writes them")
            book.add_page(str(path), text)
        elif file.suffix in (".svg", ".png"):
            (out / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, out / path)
    shutil.copytree(DOCS / "book" / "assets", out / "assets")
    book.add_page("changelog.md", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), ROOT)
    book.add_page("reference.md", (DOCS / "reference.md").read_text(encoding="utf-8"), made=reference.table())
    for path, text in reference.pages():
        book.write(path, text)
    return book


def main():
    page = DOCS / "examples.md"
    if sys.argv[1] == "--write":
        write_programs()
    text = page.read_text(encoding="utf-8")
    if sys.argv[1] == "--write":
        with tempfile.TemporaryDirectory() as out:
            page.write_text(gathered(pathlib.Path(out)).with_list_of_examples(text), encoding="utf-8")
    elif gathered(pathlib.Path(sys.argv[1])).with_list_of_examples(text) != text:
        sys.exit("docs/examples.md does not list the small examples as they are: docs/book/gather.py --write writes the list")


main()
