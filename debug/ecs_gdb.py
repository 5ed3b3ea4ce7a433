# SPDX-License-Identifier: MIT
"""Printers and commands for GDB. Load them with `source .../ecs_gdb.py`; docs/debugging.md says more.

    p e            an entity, a pair, a world, a query
    ecs-dump e     an entity, a line for each thing that it has
    ecs-world w    a world, a line for each table; of every world without an argument
"""

import os
import sys

import gdb
import gdb.printing

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import ecs_worlds  # noqa: E402


class GdbMemory:
    """The program that GDB looks at."""

    def read(self, address, size):
        try:
            return bytes(gdb.selected_inferior().read_memory(address, size))
        except (gdb.error, OverflowError) as why:
            raise ecs_worlds.Unreadable(str(why))

    def symbol(self, name):
        try:
            return int(gdb.parse_and_eval("(unsigned long)&" + name))
        except gdb.error:
            return None

    def type(self, name):
        try:
            return gdb.lookup_type(name).strip_typedefs()
        except gdb.error:
            return None

    def size_of(self, type_name):
        found = self.type(type_name)
        return found.sizeof if found and is_complete(found) else None

    def value(self, type_name, address):
        found = self.type(type_name)
        if not found or not is_complete(found):
            return None
        text = value_text(gdb.Value(address).cast(found.pointer()).dereference())
        return text if text.startswith("{") else "{" + text + "}"


memory = GdbMemory()


def is_complete(of):
    return of.code not in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION) or of.sizeof > 1 or bool(of.fields())


def value_text(value):
    """Members one after the other, in braces; what has a printer, as that says."""
    of = value.type.strip_typedefs()
    if of.code == gdb.TYPE_CODE_ARRAY:
        low, high = of.range()
        return "{" + ", ".join(value_text(value[i]) for i in range(low, high + 1)) + "}"
    if is_library_id(of):
        return ecs_worlds.short(word_of(value))
    if of.code != gdb.TYPE_CODE_STRUCT or gdb.default_visualizer(value):
        return value.format_string()
    parts = [value[field] for field in of.fields() if hasattr(field, "bitpos")]
    return "{" + ", ".join(map(value_text, parts)) + "}"


def class_of(of):
    """The class behind qualifiers and other names; in this order, or GDB 13 stops at a name."""
    return of.strip_typedefs().unqualified()


def name_of(of):
    """Without the namespace: of what a module has, not every GDB knows it."""
    return (class_of(of).name or "").removeprefix("ecs::")


def is_library_id(of):
    return ecs_worlds.is_class_of_words(name_of(of)) and members_of(of) == ["word_"]


def members_of(of):
    return [field.name for field in class_of(of).fields() if hasattr(field, "bitpos")]


def word_of(value):
    return int(value["word_"])


class IdPrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return ecs_worlds.id_text(memory, word_of(self.value))


class WorldPrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return ecs_worlds.world_text(memory, int(self.value.address))


class QueryPrinter(WorldPrinter):
    def to_string(self):
        return ecs_worlds.query_text(memory, int(self.value.address))


def find_printer(value):
    of = value.type
    if of.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        value = value.referenced_value()
        of = value.type
    of = class_of(of)
    if of.code != gdb.TYPE_CODE_STRUCT:
        return None
    if is_library_id(of):
        return IdPrinter(value)
    if value.address is None:
        return None
    if name_of(of) == "world" and ecs_worlds.is_world(memory, int(value.address)):
        return WorldPrinter(value)
    return QueryPrinter(value) if name_of(of).startswith("query<") and members_of(of) == ["core_"] else None


def asked_for(text):
    """The value of what the user wrote, behind references."""
    value = gdb.parse_and_eval(text)
    while value.type.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        value = value.referenced_value()
    return value


class Dump(gdb.Command):
    """ecs-dump ENTITY: who the entity is, and each thing that it has. ENTITY is an expression or a word."""

    def __init__(self):
        super().__init__("ecs-dump", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        if not argument:
            raise gdb.GdbError("ecs-dump ENTITY: which one?")
        value = asked_for(argument)
        word = word_of(value) if value.type.strip_typedefs().code == gdb.TYPE_CODE_STRUCT else int(value)
        write(lambda: ecs_worlds.parts_of(memory, word))


class World(gdb.Command):
    """ecs-world [WORLD]: the world and its tables; every world without WORLD, an expression or a number."""

    def __init__(self):
        super().__init__("ecs-world", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        selected = None
        if argument:
            value = asked_for(argument)
            of_class = value.type.strip_typedefs().code == gdb.TYPE_CODE_STRUCT
            selected = int(value.address) if of_class else int(value)
        write(lambda: ecs_worlds.lines_of_worlds(memory, selected))


def write(lines):
    try:
        gdb.write("\n".join(lines()) + "\n")
    except ecs_worlds.Unreadable as why:
        raise gdb.GdbError(str(why))


find_printer.name = "ecs"
find_printer.enabled = True
gdb.printing.register_pretty_printer(None, find_printer, replace=True)
Dump()
World()
