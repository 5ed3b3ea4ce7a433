# SPDX-License-Identifier: MIT
"""Reads the declarations of a module file: what each is called, how it is written, and what its comment says.

It knows C++ as this tree writes it, formatted by clang-format, and no more than that: comments, brackets, and which words begin
a declaration.
"""
import dataclasses
import re

BRACKETS = {"(": ")", "[": "]", "{": "}"}
KINDS = r"(?:class|struct|union|enum class|enum|concept|using|namespace)"


@dataclasses.dataclass
class Declaration:
    """One declaration; a class has its members, and everything has the section it is in."""
    name: str
    text: str  # As it is written, without the body of a function.
    comment: str
    exported: bool
    section: str = ""
    opens_group: bool = True  # False: the comment of the declaration before it is meant for this one as well.
    members: list = dataclasses.field(default_factory=list)
    bases: list = dataclasses.field(default_factory=list)


def declarations_of(text, exported=False):
    """The declarations of a file, those in its namespaces included."""
    found = []
    for item in items_of(text):
        inside = re.match(r"(export )?namespace ([\w:]*) ?\{", item.text)
        if inside:
            inner = declarations_of(item.text[inside.end():-1], exported or bool(inside.group(1)))
            inner_name = inside.group(2).removeprefix("ecs").removeprefix("::")
            for one in inner:
                one.name = f"{inner_name}::{one.name}" if inner_name else one.name
            found += inner
        elif item.text.startswith("export {"):
            found += declarations_of(item.text[len("export {"):-1], True)
        elif not re.match(r"(export )?(module|import)\b|extern template|friend |static_assert|ECS_", item.text):
            found.append(declaration_of(item, exported))
    return [one for one in found if one.name]


@dataclasses.dataclass
class Item:
    """A stretch of text that ends with a semicolon or a body, and the comment above it."""
    text: str
    comment: str
    section: str
    opens_group: bool


def items_of(text):
    """Cuts a text into its items."""
    at, section, behind = 0, "", None
    while True:
        comment, blank, section, at = comment_at(text, at, section)
        if at >= len(text):
            return
        end = end_of_item(text, at)
        opens = blank or comment or behind  # What is said behind a declaration is said of it alone.
        behind = re.compile(r"[ \t]*///<[^\n]*(?:\n[ \t]*///<[^\n]*)*").match(text, end)
        if behind:
            comment = "\n".join(line.strip()[5:] for line in behind.group(0).split("\n"))
        yield Item(text[at:end].strip(), comment, section, bool(opens))
        at = re.compile(r"[ \t]*\n?").match(text, behind.end() if behind else end).end()


def comment_at(text, at, section):
    """What stands before an item: its comment, whether a line is empty, and a title such as `// Queries.`"""
    comment, blank, title = [], False, None
    while at < len(text):
        line = re.compile(r"[ \t]*(///<?[^\n]*|//[^\n]*|#(?:[^\n]*\\\n)*[^\n]*)?(\n|\Z)").match(text, at)
        if not line or line.end() == at:
            break
        at = line.end()
        words = line.group(1) or ""
        if words.startswith("///"):
            comment.append(words[4:])
        elif words.startswith("//"):
            title = words[3:]
        elif not words:
            blank = True
            section = title_in(title) or section
            comment, title = [], None
    indent = re.compile(r"[ \t]*").match(text, at)
    return "\n".join(comment), blank, section, indent.end()


def title_in(comment):
    """`Queries` of the comment `// Queries. They are kept.` above a part of a class; nothing of other comments."""
    found = re.match(r"([A-Z][\w ,]{2,30})\.", comment or "")
    return found.group(1) if found else ""


def end_of_item(text, at):
    """Behind the semicolon, or behind the body, of what begins there."""
    start = at
    while at < len(text):
        at = skip_quiet(text, at)
        if at >= len(text):
            break
        if text[at] == ";":
            return at + 1
        if text[at] in BRACKETS:
            is_requirement = re.search(r"\brequires\s*(\([^(){}]*\))?\s*$", text[start:at])
            closed = text[at] == "{" and not is_requirement
            at = close_of(text, at)
            rest = text[at:].lstrip()
            if closed and rest.startswith(";"):
                return text.index(";", at) + 1
            if closed and not rest.startswith((",", "{", "&", "|", ")")):
                return at
            continue
        at += 1
    return len(text)


QUIET = re.compile(r"//[^\n]*\n|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])'", re.S)


def skip_quiet(text, at):
    """Over comments and literals."""
    while at < len(text) and text[at] in "/\"'":
        quiet = QUIET.match(text, at)
        if not quiet:
            return at
        at = quiet.end()
    return at


def close_of(text, at):
    """Behind the bracket that closes the one there."""
    closing, at = BRACKETS[text[at]], at + 1
    while at < len(text):
        at = skip_quiet(text, at)
        if at >= len(text) or text[at] == closing:
            return at + 1
        at = close_of(text, at) if text[at] in BRACKETS else at + 1
    return at


def declaration_of(item, exported):
    text = item.text
    mine = text.startswith("export ")
    text = re.sub(r"^export ", "", text)
    one = Declaration(name_of(text), signature_of(text), item.comment, exported or mine, item.section, item.opens_group)
    if is_class(text) and "{" in text:
        body = text[text.index("{", head_end(text)) + 1:text.rindex("}")]
        body = public_part(body, bare(text).startswith("struct"))
        one.bases = re.findall(r"public (\w+)", text[:text.index("{", head_end(text))])
        one.members = [member for member in declarations_of(body, True) if not member.name.startswith("~")]
    return one


def public_part(body, is_public):
    """What of a class anybody may use. The labels of classes within are indented further."""
    labels = list(re.finditer(r"^( *)(public|private|protected):\n", body, re.M))
    outer = min((len(label.group(1)) for label in labels), default=0)
    part, begin = [], 0
    for label in [label for label in labels if len(label.group(1)) == outer]:
        part += [body[begin:label.start()]] if is_public else []
        is_public, begin = label.group(2) == "public", label.end()
    return "\n".join(part + ([body[begin:]] if is_public else []))


def head_end(text):
    """Behind the template's parameters, which may have braces."""
    return len(text) - len(bare(text))


def bare(text):
    """Without what precedes the declaration proper: template heads, constraints, attributes."""
    while True:
        text = text.lstrip()
        if text.startswith("template"):
            text = text[close_of_angles(text, text.index("<")):]
        elif re.match(r"requires\b", text):
            opening = re.match(r"requires\s*\(", text)
            text = text[close_of(text, opening.end() - 1):] if opening else text[text.index("\n"):]
        elif text.startswith("[["):
            text = text[close_of(text, 0):]
        else:
            return text


def close_of_angles(text, at):
    depth = 0
    while True:
        depth += {"<": 1, ">": -1}.get(text[at], 0)
        at = close_of(text, at) if text[at] in BRACKETS else at + 1
        if depth == 0:
            return at


def is_class(text):
    return re.match(r"(class|struct|union)\b", bare(text)) is not None


def name_of(text):
    """The name that a declaration gives; empty where it gives none, as a specialisation."""
    rest = bare(text)
    kind = re.match(KINDS + r"\s+(?:\[\[.*?\]\]\s*)?(?:ecs::)?([\w]+)(?!\w|::|<)", rest)
    if kind:
        return kind.group(1)
    if re.match(KINDS + r"\b", rest) or rest.startswith(("friend", "default:")):
        return ""
    function = re.search(r"(operator\s*(?:\(\)|[^\s\w(]+|\w+&?)|~?[A-Za-z_]\w*)\s*\(", rest)
    variable = re.search(r"([A-Za-z_]\w*)\s*(?:\{|=|;|\[)", rest)
    if function and function.group(1) in ("explicit", "noexcept", "decltype", "alignas"):
        function = re.compile(r"(operator\s*[^\s\w(]+|[A-Za-z_]\w*)\s*\(").search(rest, close_of(rest, function.end() - 1))
    if function and (not variable or function.start() < variable.start()):
        return re.sub(r"\s", "", function.group(1)) if not re.match(r"operator \w", function.group(1)) else function.group(1)
    return variable.group(1) if variable else ""


def signature_of(text):
    """As a reader wants to see it: without bodies, without what the optimiser is told."""
    text = re.sub(r"\[\[(?:nodiscard|gnu::always_inline|nodiscard, gnu::always_inline)\]\]\s*", "", text)
    text = re.sub(r"\b(?:inline|extern) (?!namespace)", "", text)
    rest = bare(text)
    head = text[:len(text) - len(rest)]
    if is_class(text) or rest.startswith("enum") or rest.startswith("concept") or rest.startswith("using"):
        return whole_or_head(head, rest)
    function = re.match(r"[^={;]*\(", rest)
    if function and not re.match(r"[^(]*=", rest):
        return head + cut_function(rest)
    return whole_or_head(head, rest)


def whole_or_head(head, rest):
    """Short definitions as they are; of long ones what comes before the braces."""
    if rest.startswith("enum") or rest.count("\n") < 30 and not re.search(r"^\s*(public|private|friend)\b", rest, re.M) and ") {" not in rest:
        return head + rest
    return head + rest[:rest.index("{")].rstrip() + ";" if "{" in rest else head + rest


def cut_function(rest):
    """Up to the body, or to what a constructor does first."""
    at = 0
    while at < len(rest):
        at = skip_quiet(rest, at)
        if at >= len(rest) or rest[at] in "{;":
            break
        if rest[at] == ":" and rest[at:at + 2] != "::" and rest[at - 1] != ":":
            break
        at = close_of(rest, at) if rest[at] in "([" else at + 1
    return rest[:at].rstrip() + ";"
