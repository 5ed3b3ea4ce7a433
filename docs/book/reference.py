# SPDX-License-Identifier: MIT
"""Makes the pages of the reference: every name that the modules export, with its comment."""
import itertools
import pathlib
import re

from declarations import declarations_of

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MODULES = {
    "ecs.id": "An identifier: fields, layouts, proofs, builder, named layouts, partitions.",
    "ecs.registry": "Who allocates identifiers, in one thread or many.",
    "ecs.relation": "What an identifier means when it is added to an entity: tags, pairs.",
    "ecs.world": "Entities, components, queries, observers, commands, schedules, snapshots.",
    "ecs.json": "Worlds as text; built where nlohmann-json is installed.",
    "ecs.remote": "Worlds shown to other programs; built where cpp-httplib is installed as well.",
}
OWN_PAGES = ["world", "query", "commands", "schedule"]  # Classes with many functions.
INTERNAL = ["ecs.core", "ecs.component", "ecs.storage", "ecs.structure", "ecs.query"]


def declared_in(module):
    found = []
    for file in sorted((ROOT / "modules" / module).rglob("*.cppm")):
        if file.stem not in ("vocabulary", "earlier_names"):
            found += declarations_of(file.read_text(encoding="utf-8"))
    return found


def passed_on():
    """What ecs.world passes on of the modules below it, in the order of its list, with the titles there."""
    below = [one for module in INTERNAL for one in declared_in(module)]
    found, section = [], ""
    for line in (ROOT / "modules/ecs.world/vocabulary.cppm").read_text(encoding="utf-8").splitlines():
        section = line[3:].rstrip(".") if re.match(r"// [A-Z][^.]*\.$", line) else section
        name = re.match(r"using ecs::(\S+);", line)
        if not name or name.group(1).startswith("operator"):
            continue
        mine = [one for one in below if one.name == name.group(1)]
        if not mine and not any(one.name == name.group(1) for one in declared_in("ecs.relation")):
            raise SystemExit(f"the reference does not find {name.group(1)}, which ecs.world passes on")
        for one in mine:
            one.section = section
        found += mine
    return found


def names_of(module):
    """What a module exports, by name; classes have what they inherit from such as are not exported."""
    all_of = declared_in(module)
    for one in all_of:
        one.members += [member for base in all_of if base.name in one.bases and not base.exported for member in base.members]
    names = [one for one in all_of if one.exported] + (passed_on() if module == "ecs.world" else [])
    found = {}
    for one in sorted(names, key=lambda one: (one.name.rpartition("::")[2].lower(), one.name)):
        found.setdefault(one.name, []).append(one)
    return found


def page_of(module, names):
    lines = [f"# {module}", "", MODULES[module], "", f"`import {module};`", ""]
    for name, same in names.items():
        lines += [f"## {in_text(name)}", ""]
        if name in OWN_PAGES:
            lines += [*shown(full_before_forward(same)[0]), f"[Its functions]({module}.{name}.md)", ""]
        else:
            lines += described(same)
    return "\n".join(lines) + "\n"


def described(same, level="###"):
    for one in full_before_forward(same):
        yield from shown(one)
        yield from members_of(one, level)


def page_of_class(module, name, same):
    return "\n".join([f"# {name}", "", f"A class of [{module}]({module}.md).", "", *described(same, "##")]) + "\n"


def full_before_forward(same):
    """Without declarations that another of the same name completes."""
    defined = [one for one in same if one.comment or one.members]
    return defined or same


def members_of(one, level="###"):
    """The members of a class that its code block does not show already, but for those that only the library can call."""
    if not one.members or one.text.rstrip().endswith("}") or one.text.rstrip().endswith("};"):
        return
    section = None
    for group in groups_of([member for member in one.members if "engine&" not in member.text]):
        if group[0].section != section and group[0].section:
            yield from [f"**{in_text(group[0].section)}**", ""]
        section = group[0].section
        names = list(dict.fromkeys(member.name for member in group))
        yield from [f"{level} {in_text(one.name)}::{', '.join(in_text(name) for name in names)}", ""]
        yield from shown(group[0], texts_of(group))


def texts_of(group):
    """Those of a group, where a function for temporaries does what the one beside it does, once."""
    texts = [member.text for member in group]
    if any(text.endswith(") &;") for text in texts):
        texts = [text for text in texts if not text.endswith(") &&;")]
    return [re.sub(r"\) &;$", ");", text) for text in texts]


def groups_of(members):
    """Members that share a comment: those that follow each other without an empty line."""
    groups = []
    for member in members:
        if member.opens_group or not groups:
            groups.append([])
        groups[-1].append(member)
    return groups


def shown(one, texts=None):
    yield from ["```cpp", *(map(dedented, texts) if texts else [one.text]), "```", ""]
    if one.comment:
        yield from [*comment_lines(one.comment), ""]


def comment_lines(comment):
    """Drawings are indented in comments, and stay as they are."""
    for is_drawing, lines in itertools.groupby(comment.split("\n"), lambda line: line.startswith("    ")):
        if is_drawing:
            yield from ["", "```text", *(line[4:] for line in lines), "```", ""]
        else:
            yield from (in_text(line) for line in lines if not line.startswith("@"))


def dedented(text):
    """The lines of a member after its first are indented as those of the class are."""
    return re.sub(r"^ {4}", "", text, flags=re.M)


def in_text(words):
    """A comment as Markdown: signs that mean something there are themselves, outside of `code`."""
    parts = re.split(r"(`[^`]*`)", words)
    return "".join(part if part.startswith("`") else re.sub(r"([<*\[\]#]|(?<!\w)_|_(?!\w))", r"\\\1", part) for part in parts)


def pages():
    """The path and the text of each page."""
    for module in MODULES:
        names = names_of(module)
        yield f"reference/{module}.md", page_of(module, names)
        for name in OWN_PAGES:
            if module == "ecs.world":
                yield f"reference/{module}.{name}.md", page_of_class(module, name, names[name])


def table():
    rows = [f"| [{module}](reference/{module}.md) | {what} |" for module, what in MODULES.items()]
    return "\n".join(["", "| module | what is in it |", "|---|---|", *rows])
