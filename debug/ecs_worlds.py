# SPDX-License-Identifier: MIT
"""Reads the worlds of a program that has stopped or died, and says what is in them.

Nothing is called in the program, and the library need not have debug information: the symbol ecs_debugger_view
says where the members of its classes are (modules/ecs.storage/debugging.cppm). What differs between debuggers is
in ecs_gdb.py and ecs_lldb.py: each hands over a `memory` with

    read(address, size)         bytes; raises Unreadable
    symbol(name)                an address, or None
    value(type_name, address)   the value as text, such as "{10, 20}"; None where the type is not known
"""

import struct

VERSION = 1
FIRST_ORDINARY = 512
PARTS_MAX = 64      # Of a list that is shown.
WORLDS_MAX = 4      # In which a pair means different things.
ENTITY, PAIR, FLAGGED_ENTITY, FLAGGED_PAIR, LINK, VALUE_PAIR, WILDCARD = range(1, 8)
GENERATION_MASK = 0xFFFFF << 32
UPPER_HALF = 0xFFFFFFFF << 32
UNUSED = 1 << 63    # In a slot: nobody has the index.
RETIRED = UNUSED | 0xFFFFFFFF
PAGE_OF_PLACES = 4096
PAGE_OF_WORDS = 512
HIDDEN_PLACE = 1 << 31
PENDING = 1         # Number of a chunk that is on its way.
KINDS_OF_TERM = ("", "!", "?", "", "", "", "")  # In the order of ecs::term_kind.
NEWS_OF_TERM = ("", "", "", "hidden", "added", "changed", "removed")


class Unreadable(Exception):
    """The memory of the program is not what it would be if the library were at work there."""


def kind_of(word):
    return word >> 60


def index_of(word):
    return word & 0xFFFFFFFF


def generation_of(word):
    return (word >> 32) & 0xFFFFF


def world_of(word):
    return (word >> 52) & 0xFF


def relation_of(word):
    return (word >> 32) & 0xFFFFFF


def is_class_of_words(name):
    """Whether identifiers of that class may be the library's own, whatever a debugger knows of namespaces; those of
    other layouts tell nothing of worlds."""
    name = name.removeprefix("ecs::")
    return name == "id" or (name.startswith("basic_id<") and '"kind"' in name and '"generation"' in name)


def short(word):
    """The identifier without any world: 12v3, (300, 12), null."""
    if word == 0:
        return "null"
    kind = kind_of(word)
    if kind == ENTITY:
        return "%dv%d" % (index_of(word), generation_of(word))
    if kind == FLAGGED_ENTITY:
        return "%d|%dv%d" % ((word >> 56) & 15, index_of(word), generation_of(word))
    if kind == FLAGGED_PAIR:
        return "%d|(%d, %d)" % ((word >> 56) & 15, relation_of(word), index_of(word))
    if kind in (PAIR, LINK, VALUE_PAIR, WILDCARD):
        return pair_text(word, lambda index: str(index))
    return "no identifier of this library"


def pair_text(word, name):
    place = lambda index: "*" if index == 0 else name(index)
    if kind_of(word) == VALUE_PAIR:
        target = "number %d" % index_of(word)
    elif kind_of(word) == LINK:
        target = "link %d" % index_of(word)
    else:
        target = place(index_of(word))
    return "(%s, %s)" % (place(relation_of(word)), target)


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def counted(count, one, many):
    return "%d %s" % (count, one if count == 1 else many)


def size_text(size):
    return "{%s}" % counted(size, "byte", "bytes")


class Reader:
    """Words, texts and containers of the standard library, as libstdc++ lays them out."""

    def __init__(self, memory):
        self.memory = memory

    def word(self, address):
        return struct.unpack("<Q", self.memory.read(address, 8))[0]

    def half(self, address):
        return struct.unpack("<I", self.memory.read(address, 4))[0]

    def byte(self, address):
        return self.memory.read(address, 1)[0]

    def words(self, address, count):
        return struct.unpack("<%dQ" % count, self.memory.read(address, 8 * count)) if count else ()

    def vector(self, address, size_of_one):
        """The first element, and how many there are."""
        first, end = self.words(address, 2)
        return first, (end - first) // size_of_one

    def vector_of_words(self, address):
        return self.words(*self.vector(address, 8))

    def literal(self, address):
        text = bytearray()
        while len(text) < 64:
            byte = self.byte(address + len(text))
            if byte == 0:
                break
            text.append(byte)
        return text.decode()

    def string(self, address):
        text, length = self.words(address, 2)
        if length > 4096:
            raise Unreadable("a text of %d bytes" % length)
        return self.memory.read(text, length).decode(errors="replace") if length else ""

    def texts_to_words(self, address):
        """What a std::unordered_map<std::string, word> has."""
        node = self.word(address + 16)
        while node:
            yield self.string(node + 8), self.word(node + 40)
            node = self.word(node)


class View:
    """What the library tells debuggers: offsets by name, and the worlds that live."""

    def __init__(self, memory):
        self.reader = Reader(memory)
        self.at = memory.symbol("ecs_debugger_view")
        if self.at is None:
            raise Unreadable("the program has no symbol ecs_debugger_view: it does not use the library, or was stripped")
        version, fields, worlds = self.reader.words(self.at, 3)
        if version != VERSION:
            raise Unreadable("the library tells debuggers in version %d, and these scripts know %d" % (version, VERSION))
        self.offsets = {}
        for i in range(fields):
            name, value = self.reader.words(self.at + 24 + 16 * i, 2)
            self.offsets[self.reader.literal(name)] = value
        self.first_world = self.at + 24 + 16 * 64
        self.worlds_end = worlds

    def rows_and_slots(self, number):
        return self.reader.words(self.first_world + 16 * number, 2) if number < self.worlds_end else (0, 0)

    def world(self, number):
        """None where no world has the number now."""
        rows, slots = self.rows_and_slots(number)
        return World(self, number, rows, slots) if rows else None

    def worlds(self):
        return [w for w in map(self.world, range(1, self.worlds_end)) if w]

    def world_at(self, address):
        """The world that is there: it begins with its rows."""
        return next((w for w in self.worlds() if w.rows == address), None)


class Table:
    def __init__(self, world, address):
        self.world = world
        self.address = address

    def type(self):
        return self.world.reader.vector_of_words(self.address + self.world.offsets["table.type"])

    def chunks(self):
        return self.world.reader.vector_of_words(self.address + self.world.offsets["table.chunks"])

    def size(self):
        reader, offsets = self.world.reader, self.world.offsets
        if reader.byte(self.address + offsets["table.rowless"]):
            directory = self.world.rows + offsets["store.directory"]
            return (reader.word(directory + offsets["directory.begun_rowless"])
                    - reader.word(directory + offsets["directory.ended_rowless"]))
        return sum(reader.half(chunk + offsets["chunk.count"]) for chunk in self.chunks())

    def columns(self):
        """By identifier: the offset in a chunk, and the size of a value."""
        offsets, reader = self.world.offsets, self.world.reader
        first, count = reader.vector(self.address + offsets["table.columns"], offsets["column.size"])
        found = {}
        for column in range(first, first + count * offsets["column.size"], offsets["column.size"]):
            found[reader.word(column + offsets["column.component"])] = (
                reader.half(column + offsets["column.offset"]), reader.half(column + offsets["column.value_size"]))
        return found


class SparseSet:
    def __init__(self, world, address):
        self.world, self.reader, self.address = world, world.reader, address
        self.component = self.field("word", self.reader.word)
        self.is_bits = self.field("is_bits", self.reader.byte) != 0
        self.count = self.field("size", self.reader.word)
        self.value_size = self.reader.word(self.place("info") + world.offsets["info.size"])

    def place(self, name):
        return self.address + self.world.offsets["sparse." + name]

    def field(self, name, read):
        return read(self.place(name))

    def from_pages(self, name, index, per_page, read, size):
        first, count = self.reader.vector(self.place(name), 8)
        page = self.reader.word(first + 8 * (index // per_page)) if index // per_page < count else 0
        return read(page + size * (index % per_page)) if page else 0

    def bit(self, name, index):
        return self.from_pages(name, index // 64, PAGE_OF_WORDS, self.reader.word, 8) >> (index % 64) & 1

    def find(self, index):
        """None, or where the value is and whether it is disabled; nowhere for a tag."""
        beside = self.field("beside", self.reader.word)
        if beside:
            return self.find_beside(beside, *self.world.location(index))
        if self.is_bits:
            return (0, bool(self.bit("hidden", index))) if self.bit("present", index) else None
        place = self.from_pages("places", index, PAGE_OF_PLACES, self.reader.half, 4)
        if place == 0:
            return None
        slot = (place & ~HIDDEN_PLACE) - 1
        return (self.value(slot) if self.value_size else 0), bool(place & HIDDEN_PLACE)

    def find_beside(self, columns, chunk_number, row):
        """The same of what is kept in place: for each 64 rows a word of those that have it, and one of those that
        hide it."""
        offsets = self.world.offsets
        first, count = self.reader.vector(columns + offsets["in_place.by_chunk"], offsets["beside.size"])
        here = first + chunk_number * offsets["beside.size"]
        bits = self.reader.word(here + offsets["beside.bits"]) if chunk_number < count else 0
        if bits == 0:
            return None
        present, hidden = (word >> (row % 64) & 1 for word in self.reader.words(bits + row // 64 * 16, 2))
        values = self.reader.word(here + offsets["beside.values"])
        return ((values + row * self.value_size if self.value_size else 0), bool(hidden)) if present else None

    def value(self, slot):
        bits = self.field("block_bits", self.reader.half)
        first, _ = self.reader.vector(self.place("blocks"), 8)
        return self.reader.word(first + 8 * (slot >> bits)) + (slot & ((1 << bits) - 1)) * self.value_size


class World:
    """One that lives. Reads what it is asked for, and the names of components once."""

    def __init__(self, view, number, rows, slots):
        self.view, self.reader, self.offsets = view, view.reader, view.offsets
        self.number, self.rows, self.slots = number, rows, slots
        at = self.rows + self.offsets["store.components"] + self.offsets["components.by_name"]
        self.component_names = {}
        self.name_component = 0
        for text, component in self.reader.texts_to_words(at):
            self.component_names[component] = text
            if text == "ecs::name":
                self.name_component = component
        self.value_types = {}

    # Entities.

    def slot(self, index):
        if self.slots == 0:
            raise Unreadable("the slots of this world are in pages, which these scripts do not follow")
        return self.reader.word(self.slots + 8 * index)

    def is_alive(self, word):
        slot = self.slot(index_of(word))
        return (slot ^ word) & UPPER_HALF == 0 and slot != 0 and slot & UNUSED == 0

    def living_at(self, index):
        """The handle of who has the index now; 0 when nobody has it."""
        slot = self.slot(index)
        alive = slot != 0 and slot & UNUSED == 0 and index != 0
        return ENTITY << 60 | self.number << 52 | slot & GENERATION_MASK | index if alive else 0

    def location(self, index):
        """The number of the chunk, and the row, of a live entity."""
        place = self.slot(index) & 0xFFFFFFFF
        return place >> 14, place & 0x1FFF

    def row(self, word):
        """The chunk and the row of a live entity; None while it has none."""
        number, row = self.location(index_of(word))
        if number <= PENDING:
            return None
        chunks = self.reader.word(self.rows + self.offsets["store.directory"] + self.offsets["directory.chunks"])
        chunk = self.reader.word(chunks + self.offsets["directory.entry_size"] * number)
        owner = self.reader.word(chunk + self.offsets["chunk.owner"]) if chunk else 0
        return (chunk, row) if owner else None

    def table_of(self, chunk):
        return Table(self, self.reader.word(chunk + self.offsets["chunk.owner"]))

    # Names.

    def name(self, word):
        """The name that an entity was given, or a component's; empty without either."""
        row = self.row(word)
        column = self.table_of(row[0]).columns().get(self.name_component) if row else None
        if column:
            return self.reader.string(row[0] + column[0] + row[1] * column[1])
        return self.component_names.get(word, "")

    def name_of_index(self, index):
        word = self.living_at(index)
        return self.name(word) or short(word) if word else str(index)

    def name_of(self, word):
        if kind_of(word) in (PAIR, LINK, VALUE_PAIR, WILDCARD):
            return pair_text(word, self.name_of_index)
        if kind_of(word) == ENTITY and world_of(word) == 0:
            word = self.living_at(index_of(word)) or word
        known = self.name(word) if kind_of(word) == ENTITY and self.is_alive(word) else ""
        return known or short(word)

    # What an entity has.

    def value_type(self, word):
        """The name of the type whose values the identifier stands for; the component's, the relation's, or the
        target's."""
        if kind_of(word) == ENTITY:
            return self.component_names.get(word, "")
        relation = self.component_names.get(self.living_at(relation_of(word)), "")
        target = self.component_names.get(self.living_at(index_of(word)), "")
        return relation if self.reader_knows(relation) else target or relation

    def reader_knows(self, type_name):
        return type_name != "" and self.reader.memory.size_of(type_name) is not None

    def value_text(self, word, address, size):
        if address == 0 or size == 0:
            return ""
        type_name = self.value_type(word)
        if type_name and self.reader.memory.size_of(type_name) == size:
            text = self.reader.memory.value(type_name, address)
            if text is not None:
                return text
        return size_text(size)

    def is_disabled(self, chunk, position, row):
        bits = self.reader.word(chunk + self.offsets["chunk.disabled"])
        if bits == 0:
            return False
        per_position = self.reader.word(bits + self.offsets["toggles.words_per_position"])
        first = self.reader.word(bits + self.offsets["toggles.words"])
        return self.reader.word(first + 8 * (position * per_position + row // 64)) >> (row % 64) & 1 == 1

    def parts_in_row(self, chunk, row):
        table = self.table_of(chunk)
        columns = table.columns()
        type_ = table.type()
        in_columns = {relation_of(w) for w in type_ if kind_of(w) == WILDCARD}
        for position, word in enumerate(type_):
            if word == self.name_component or (kind_of(word) == ENTITY and index_of(word) in in_columns):
                continue
            shown, column = word, columns.get(word)
            if kind_of(word) == WILDCARD:  # The target is in a column, and the value in that of the relation.
                target = self.reader.word(chunk + column[0] + 8 * row)
                shown = PAIR << 60 | relation_of(word) << 32 | index_of(target)
                column = columns.get(self.living_at(relation_of(word)))
            value = self.value_text(shown, chunk + column[0] + row * column[1], column[1]) if column else ""
            yield self.name_of(shown) + value, self.is_disabled(chunk, position, row)

    def sparse_sets(self):
        at = self.rows + self.offsets["store.sparse_sets"] + self.offsets["sparse_sets.all"]
        return [SparseSet(self, address) for address in self.reader.vector_of_words(at)]

    def parts_outside(self, word):
        for kept in self.sparse_sets():
            found = kept.find(index_of(word))
            if found:
                value = self.value_text(kept.component, found[0], kept.value_size)
                yield self.name_of(kept.component) + value, found[1]

    def parts(self, word):
        """All that a live entity has, each as text."""
        chunk, row = self.row(word)
        for text, disabled in [*self.parts_in_row(chunk, row), *self.parts_outside(word)][:PARTS_MAX]:
            yield text + (" (disabled)" if disabled else "")

    # In words.

    def head(self, word):
        name = self.name(word)
        return "%s%s in world %d, alive" % (short(word), " " + quoted(name) if name else "", self.number)

    def why_dead(self, word):
        text = "%s in world %d is " % (short(word), self.number)
        slot, living = self.slot(index_of(word)), self.living_at(index_of(word))
        if slot == RETIRED:
            return text + "retired"
        stale = word & GENERATION_MASK < slot & GENERATION_MASK
        text += "stale" if stale else "never issued"
        now = "is in use under generation %d" % generation_of(living) if living else "is free"
        return "%s: index %d %s" % (text, index_of(word), now)

    def entity_text(self, word):
        if not self.is_alive(word):
            return self.why_dead(word)
        if self.row(word) is None:
            return self.head(word) + ", on its way: what it has comes with the flush"
        parts = ", ".join(self.parts(word))
        return self.head(word) + (": " + parts if parts else ", without components")

    def tables(self):
        at = self.rows + self.offsets["store.tables"] + self.offsets["tables.all"]
        return [Table(self, address) for address in self.reader.vector_of_words(at)]

    def fixtures(self):
        """How many components and entities that every world has are in each table, by its address."""
        slots = self.reader.words(self.slots, FIRST_ORDINARY) if self.slots else ()
        low = [index for index, slot in enumerate(slots) if index and slot and not slot & UNUSED]
        late = [index_of(c) for c in self.component_names if index_of(c) >= FIRST_ORDINARY and self.is_alive(c)]
        count = {}
        for row in map(self.row, map(self.living_at, low + late)):
            if row:
                table = self.table_of(row[0]).address
                count[table] = count.get(table, 0) + 1
        return count

    def tables_in_use(self):
        """Those that have entities of the program's, and how many."""
        fixtures = self.fixtures()
        counted = ((table, table.size() - fixtures.get(table.address, 0)) for table in self.tables())
        return [(table, count) for table, count in counted if count]

    def head_of_world(self, tables):
        return "world %d: %s in %s" % (self.number, counted(sum(n for _, n in tables), "entity", "entities"),
                                       counted(len(tables), "table", "tables"))

    def type_text(self, table):
        return "[" + ", ".join(map(self.name_of, table.type())) + "]"

    def lines(self):
        """The world, and each of these tables."""
        tables = self.tables_in_use()
        yield self.head_of_world(tables)
        for table, count in tables:
            yield "  %s: %d" % (self.type_text(table), count)
        for kept in self.sparse_sets():
            if kept.count:
                yield "  %s, outside tables: %d" % (self.name_of(kept.component), kept.count)

    def summary(self):
        return self.head_of_world(self.tables_in_use())


def id_text(memory, word):
    """An entity or whatever else can be added to one, as much as can be said of it."""
    if kind_of(word) not in (ENTITY, PAIR, LINK, VALUE_PAIR, WILDCARD):
        return short(word)
    try:
        view = View(memory)
        if kind_of(word) == ENTITY and world_of(word) != 0:
            world = view.world(world_of(word))
            return world.entity_text(word) if world else "%s of world %d, which is not there" % (
                short(word), world_of(word))
        return named_in_any(view, word)
    except Unreadable as why:
        return "%s (%s)" % (short(word), why)


def named_in_any(view, word):
    """Pairs, and entities that every world has, do not say of which world they are: what they are in each world
    that has all of them."""
    texts = {}
    for world in view.worlds():
        if all(map(world.living_at, places_in(word))):
            texts.setdefault(world.name_of(word), []).append("world %d" % world.number)
    if not 0 < len(texts) <= WORLDS_MAX:
        return short(word)
    if len(texts) == 1 and len(*texts.values()) == len(view.worlds()):
        return next(iter(texts))
    return "; ".join("%s in %s" % (text, ", ".join(where)) for text, where in texts.items())


def places_in(word):
    """The indices of entities in a word, without those that stand for any."""
    if kind_of(word) == ENTITY:
        return [index_of(word)]
    target = index_of(word) if kind_of(word) in (PAIR, WILDCARD) else 0
    return [index for index in (relation_of(word), target) if index]


def parts_of(memory, word):
    """The lines of one entity: who it is, and each thing that it has."""
    view = View(memory)
    world = view.world(world_of(word))
    if kind_of(word) != ENTITY or not world or not world.is_alive(word) or world.row(word) is None:
        return [id_text(memory, word)]
    return [world.head(word)] + ["  " + part for part in world.parts(word)]


def is_world(memory, address):
    """Whether a world lives there: a class of another library may be called world, too."""
    try:
        return View(memory).world_at(address) is not None
    except Unreadable:
        return False


def world_text(memory, address):
    """The world that lives at an address, in one line."""
    try:
        return View(memory).world_at(address).summary()
    except Unreadable as why:
        return "a world (%s)" % why


def lines_of_worlds(memory, selected=None):
    """The world of that number or at that address, or every one."""
    view = View(memory)
    if selected is None:
        worlds = view.worlds()
    elif selected < view.worlds_end:
        worlds = [view.world(selected)]
    else:
        worlds = [view.world_at(selected)]
    if not worlds or None in worlds:
        return ["no world is alive" + (" here" if selected is not None else "")]
    return [line for world in worlds for line in world.lines()]


def query_text(memory, address):
    """The terms of a query, in the language of its text()."""
    try:
        view = View(memory)
        reader, offsets = view.reader, view.offsets
        world = view.world_at(reader.word(address + offsets["query.engine"]))
        if not world:
            return "a query whose world is not there"
        first, count = reader.vector(address + offsets["query.terms"], offsets["term.size"])
        terms = [term_text(world, first + i * offsets["term.size"]) for i in range(count)]
        asked = [term for term in terms if term]
        conditions, end = reader.words(address + offsets["query.conditions"], 2)
        return ", ".join(asked) + (" and conditions" if conditions != end else "")
    except Unreadable as why:
        return "a query (%s)" % why


def term_text(world, at):
    """Empty for what is no demand by itself."""
    reader, offsets = world.reader, world.offsets
    flag = lambda name: reader.byte(at + offsets["term." + name]) != 0
    pattern = reader.word(at + offsets["term.pattern"])
    if pattern == 0 or flag("tested"):
        return ""
    kind = reader.byte(at + offsets["term.kind"])
    access = ""
    if kind in (0, 2):
        access = "[inout] " if flag("written") else "" if flag("fetched") else "[none] "
    above = reader.word(at + offsets["term.above"])
    about = NEWS_OF_TERM[kind]
    if above:
        about = ("self|" if flag("itself") else "") + "up " + world.name_of(above)
    return access + KINDS_OF_TERM[kind] + world.name_of(pattern) + ("(%s)" % about if about else "")
