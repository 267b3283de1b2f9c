# SPDX-License-Identifier: Apache-2.0
"""Creates all possible errors in one value: (the kind of the error, the broken value, the path inside the value).

The kinds are `kind`, `text`, `range`, `rule`, `missing`, `no tag`, `tag kind` and `tag`, and the differences from
Python's Stone: `true for a number` and `no struct`.
"""

from spec_types import INTEGERS, can_be_absent, is_flat, plain, required, tags
from stone.ir import data_types as ir


class Faults:
    def __init__(self, strings):
        self.strings = strings

    def of(self, data_type, made):
        """Yields all errors of a value that is not missing: (kind, the broken value, the path inside the value)."""
        if ir.is_struct_type(data_type) or ir.is_union_type(data_type):
            yield from self.object_faults(data_type, made)
        elif ir.is_list_type(data_type):
            for other in ({}, "x", 7):
                yield "kind", other, []
            yield from self.rule_faults(data_type, made)
        elif ir.is_map_type(data_type):
            for other in ([], "x", 7):
                yield "kind", other, []
        elif not ir.is_void_type(data_type):
            yield from self.primitive_faults(data_type.name, made)
            yield from self.rule_faults(data_type, made)

    @staticmethod
    def primitive_faults(name, made):
        if name in ("Boolean", "String"):
            for other in (0, [], {}, "true" if name == "Boolean" else True):
                yield "kind", other, []
        elif name in ("Bytes", "Timestamp"):
            dates = ("", "yesterday", made + "x", made[:-1], "2026-02-30T00:00:00Z", "2026-02-30", "2026-13-01")
            for other in ("AAA", "A*EC", "é") if name == "Bytes" else dates:
                yield "text", other, []
            yield "kind", 7, []
            yield "kind", [], []
        else:
            for other in ("7", [], {}):
                yield "kind", other, []
            yield "true for a number", True, []

    def object_faults(self, data_type, made):
        for other in ([], 7, True):
            yield "kind", other, []
        if isinstance(made, str):
            if ir.is_union_type(data_type) and data_type.closed:
                yield "tag", "no such tag", []
            return
        if ".tag" in made:
            yield "no tag", {name: made[name] for name in made if name != ".tag"}, [".tag"]
            for tag in (7, None, [], {}):
                yield "tag kind", {**made, ".tag": tag}, [".tag"]
            closed = data_type.closed if ir.is_union_type(data_type) else not data_type.is_catch_all()
            if closed:
                yield "tag", {**made, ".tag": "no such tag"}, [".tag"]
        for name, needed in self.required(data_type, made.get(".tag")):
            kind = "no struct" if can_be_absent(needed) and not ir.is_union_type(data_type) else "missing"
            yield kind, {other: made[other] for other in made if other != name}, [name]

    @staticmethod
    def required(data_type, tag):
        """Returns the required members of a value."""
        if ir.is_union_type(data_type):
            known = {each.name: each.data_type for each in tags(data_type)}
            inner, is_nullable = plain(known.get(tag, ir.Void()))
            if is_nullable or ir.is_void_type(inner):
                return []
            if not is_flat(inner):
                return [(tag, inner)]
            data_type = inner
        elif data_type.has_enumerated_subtypes():
            subtypes = {each.name: each.data_type for each in data_type.get_enumerated_subtypes()}
            data_type = subtypes.get(tag, data_type)
        return [(each.name, each.data_type) for each in required(data_type)]

    def rule_faults(self, data_type, made):
        """Yields values that the type can hold but the rules forbid, and numbers that the type cannot hold."""
        if ir.is_list_type(data_type):
            if data_type.min_items:
                yield "rule", made[:data_type.min_items - 1], []
            if data_type.max_items is not None and made:
                yield "rule", made * (data_type.max_items + 1), []
        elif ir.is_string_type(data_type):
            for broken in self.strings.broken(data_type):
                yield "rule", broken, []
        elif data_type.name in INTEGERS:
            least, most = INTEGERS[data_type.name]
            yield from (("range", number, []) for number in (least - 1, most + 1, 10**30, 1.5))
            yield from self.beyond(data_type, 1)
        elif ir.is_numeric_type(data_type):
            if data_type.name == "Float32":
                yield "range", 1e39, []
            yield "range", 10**400, []
            yield from self.beyond(data_type, 0.5)

    @staticmethod
    def beyond(data_type, step):
        for bound, way in ((data_type.min_value, -step), (data_type.max_value, step)):
            least, most = INTEGERS.get(data_type.name, (-1e308, 1e308))
            if bound is not None and bound + way != bound and least <= bound + way <= most:
                yield "rule", bound + way, []
