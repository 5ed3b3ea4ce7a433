# SPDX-License-Identifier: MIT
"""Summaries and commands for LLDB. Load them with `command script import .../ecs_lldb.py`; docs/debugging.md says
more.

    p e            an entity, a pair, a world, a query
    ecs-dump e     an entity, a line for each thing that it has
    ecs-world w    a world, a line for each table; of every world without an argument
"""

import os
import sys

import lldb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import ecs_worlds  # noqa: E402


class LldbMemory:
    """The program that LLDB looks at."""

    def __init__(self, target):
        self.target = target

    def read(self, address, size):
        error = lldb.SBError()
        read = self.target.process.ReadMemory(address, size, error)
        if error.Success() and read is not None and len(read) == size:
            return read
        return self.read_file(address, size, error.GetCString() or "the memory ends")

    def read_file(self, address, size, why):
        """What never changes is not in a core: it is in the file of the program."""
        at = self.target.ResolveLoadAddress(address)
        data = at.section.GetSectionData(at.offset, size) if at.section.IsValid() else None
        error = lldb.SBError()
        read = data.ReadRawData(error, 0, size) if data and data.size == size else None
        if read is None or error.Fail():
            raise ecs_worlds.Unreadable(why)
        return read

    def symbol(self, name):
        for found in self.target.FindSymbols(name):
            address = found.symbol.GetStartAddress().GetLoadAddress(self.target)
            if address != lldb.LLDB_INVALID_ADDRESS:
                return address
        return None

    def type(self, name):
        found = self.target.FindFirstType(name)
        return found.GetCanonicalType() if found.IsValid() and found.IsTypeComplete() else None

    def size_of(self, type_name):
        found = self.type(type_name)
        return found.size if found else None

    def value(self, type_name, address):
        found = self.type(type_name)
        if not found:
            return None
        at = lldb.SBAddress(address, self.target)
        text = value_text(self.target.CreateValueFromAddress("value", at, found))
        return text if text.startswith("{") else "{" + text + "}"


def value_text(value):
    """Members one after the other, in braces; what has a summary, as that says."""
    value = value.GetNonSyntheticValue()
    of = value.type.GetCanonicalType()
    if of.GetTypeClass() == lldb.eTypeClassEnumeration:
        return of.GetUnqualifiedType().name + "::" + str(value.value)
    if is_library_id(of):
        return ecs_worlds.short(word_of(value))
    if value.summary and not of.IsArrayType():
        return value.summary
    if value.num_children == 0 or of.IsPointerType():
        return str(value.value)
    return "{" + ", ".join(map(value_text, value.children)) + "}"


def name_of(of):
    return of.GetCanonicalType().GetUnqualifiedType().name.removeprefix("ecs::")


def is_library_id(of):
    fields = of.GetCanonicalType().fields
    return ecs_worlds.is_class_of_words(name_of(of)) and [field.name for field in fields] == ["word_"]


def word_of(value):
    return value.GetNonSyntheticValue().GetChildMemberWithName("word_").GetValueAsUnsigned()


def memory_of(value):
    return LldbMemory(value.target)


def behind(value):
    """The value, the address and the type of an object; also of one that is referred to, and of a class that the
    debug information does not describe."""
    value = value.GetNonSyntheticValue()
    if value.type.IsReferenceType():
        return value.Dereference(), value.GetValueAsUnsigned(), value.type.GetDereferencedType()
    if value.type.IsPointerType():
        return value.Dereference(), value.GetValueAsUnsigned(), value.type.GetPointeeType()
    return value, value.GetLoadAddress(), value.type


def summary(value, _):
    """None, which is no summary, for a class of the same name that is not the library's."""
    memory = memory_of(value)
    value, address, of = behind(value)
    if is_library_id(of):
        return ecs_worlds.id_text(memory, word_of(value))
    if name_of(of) == "world" and ecs_worlds.is_world(memory, address):
        return ecs_worlds.world_text(memory, address)
    return ecs_worlds.query_text(memory, address) if name_of(of).startswith("query<") else None


def asked_for(debugger, text):
    """What the user wrote, as behind gives it; Unreadable says why there is none."""
    frame = debugger.GetSelectedTarget().process.GetSelectedThread().GetSelectedFrame()
    value = frame.GetValueForVariablePath(text)
    if not value.IsValid() or value.error.Fail():
        value = frame.EvaluateExpression(text)
    if value.error.Fail():
        raise ecs_worlds.Unreadable(value.error.GetCString())
    return behind(value)


def dump(debugger, argument, result, _):
    """ecs-dump ENTITY: who the entity is, and each thing that it has. ENTITY is an expression or a word."""

    def lines():
        if not argument:
            raise ecs_worlds.Unreadable("ecs-dump ENTITY: which one?")
        value, _, of = asked_for(debugger, argument)
        word = word_of(value) if is_library_id(of) else value.GetValueAsUnsigned()
        return ecs_worlds.parts_of(memory_of(value), word)

    write(result, lines)


def world(debugger, argument, result, _):
    """ecs-world [WORLD]: the world and its tables; every world without WORLD, an expression or a number."""

    def lines():
        memory = LldbMemory(debugger.GetSelectedTarget())
        if not argument:
            return ecs_worlds.lines_of_worlds(memory)
        value, address, of = asked_for(debugger, argument)
        of_class = of.GetTypeClass() in (lldb.eTypeClassClass, lldb.eTypeClassStruct)
        return ecs_worlds.lines_of_worlds(memory, address if of_class else value.GetValueAsUnsigned())

    write(result, lines)


def write(result, lines):
    try:
        result.AppendMessage("\n".join(lines()))
    except ecs_worlds.Unreadable as why:
        result.SetError(str(why))


def __lldb_init_module(debugger, _):
    for name in ("basic_id<.*", "id", "world", "query<.*"):
        debugger.HandleCommand(
            "type summary add --category ecs --python-function ecs_lldb.summary --regex '^(ecs::)?%s$'" % name)
    debugger.HandleCommand("type category enable ecs")
    debugger.HandleCommand("command script add --overwrite --function ecs_lldb.dump ecs-dump")
    debugger.HandleCommand("command script add --overwrite --function ecs_lldb.world ecs-world")
