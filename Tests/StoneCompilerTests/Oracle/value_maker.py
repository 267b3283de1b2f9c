# SPDX-License-Identifier: Apache-2.0
"""Creates values of Stone types as JSON, and breaks them at one node.

A value is created for a type of the IR. Each of its nodes has a number. `break_at` is the number of the node to break,
and `fault` is then the kind and the path of the error.
"""

import base64
import datetime

from spec_types import INTEGERS, UNKNOWN, can_be_absent, fields, is_flat, plain, tags
from stone.ir import data_types as ir
from string_maker import StringMaker
from value_faults import Faults

DEEPEST = 5


class Maker:
    def __init__(self, random):
        self.random = random
        self.strings = StringMaker(random)
        self.faults = Faults(self.strings)
        self.begin()

    def begin(self, break_at=None, breaking=None):
        """Starts a value. `breaking` is a separate random source, so that the rest of the value does not change."""
        self.nodes = self.depth = 0
        self.break_at, self.breaking = break_at, breaking
        self.path, self.fault, self.has_unknown = [], None, False

    def value(self, data_type, tag=None, is_full=None, has_default=False, takes_null=False):
        inner, is_nullable = plain(data_type)
        if is_nullable and (self.depth > DEEPEST or self.random.random() < 0.2):
            return None
        node, self.nodes = self.nodes, self.nodes + 1
        self.depth += 1
        made = self.make(inner, tag, is_full)
        self.depth -= 1
        return self.broken(inner, is_nullable or takes_null, has_default, made) if node == self.break_at else made

    def inside(self, step, data_type, **more):
        self.path.append(step)
        made = self.value(data_type, **more)
        self.path.pop()
        return made

    def make(self, data_type, tag, is_full):
        if ir.is_struct_type(data_type):
            return self.struct(data_type, tag, is_full)
        if ir.is_union_type(data_type):
            return self.union(data_type, tag)
        if ir.is_list_type(data_type):
            return self.list(data_type)
        if ir.is_map_type(data_type):
            keys = {self.strings.make(data_type.key_data_type) for _ in range(self.random.choice([0, 1, 3]))}
            return {key: self.inside(key, data_type.value_data_type) for key in sorted(keys)}
        return self.primitive(data_type)

    def primitive(self, data_type):
        chance = self.random
        if ir.is_void_type(data_type):
            return None
        if ir.is_boolean_type(data_type):
            return chance.random() < 0.5
        if ir.is_string_type(data_type):
            return self.strings.make(data_type)
        if ir.is_bytes_type(data_type):
            content = bytes(chance.randrange(256) for _ in range(chance.choice([0, 1, 2, 3, 40])))
            return base64.b64encode(content).decode()
        if ir.is_timestamp_type(data_type):
            moments = [(1970, 1, 1), (2000, 2, 29, 12, 0, 1), (2026, 12, 31), (9999, 12, 31, 23, 59, 59), (1000, 1, 1)]
            moment = datetime.datetime(*chance.choice(moments))
            if chance.random() < 0.5:
                span = datetime.timedelta(microseconds=chance.randrange(-10**16, 10**17))
                moment = datetime.datetime(1970, 1, 1) + span
            return moment.strftime(data_type.format)
        least, most = self.bounds(data_type)
        if ir.is_integer_type(data_type):
            edges = [least, most, 0, 1, -1, 7, 2**31, 2**53 + 1, chance.randint(least, most)]
        else:
            # Six digits are exact in single precision too. Integers are written with and without a decimal point.
            edges = [least, most, 0, -0.0, 1, 1.5, -2, 1e-7, 0.1, float("%.5e" % chance.uniform(-1e6, 1e6))]
        return chance.choice([number for number in edges if least <= number <= most])

    @staticmethod
    def bounds(data_type):
        kind = data_type.name
        widest = INTEGERS.get(kind) or ((-3.40282e38, 3.40282e38) if kind == "Float32" else (-1.7e308, 1.7e308))
        least, most = data_type.min_value, data_type.max_value
        return (widest[0] if least is None else least), (widest[1] if most is None else most)

    def list(self, data_type):
        least, most = data_type.min_items or 0, data_type.max_items
        count = least if self.depth > DEEPEST else self.random.choice([least, least, least + 1, least + 2])
        if most is not None:
            count = min(count, most) if self.random.random() < 0.9 else min(most, 12)
        return [self.inside(index, data_type.data_type) for index in range(count)]

    def struct(self, struct, tag=None, is_full=None):
        """Creates the members of a struct, with all optional members, none of them, or a random selection."""
        made = {}
        if struct.has_enumerated_subtypes():
            subtypes = {each.name: each.data_type for each in struct.get_enumerated_subtypes()}
            known = sorted(subtypes)
            if tag == UNKNOWN or struct.is_catch_all() and tag is None and self.random.random() < 0.1:
                known, self.has_unknown, tag = [UNKNOWN], True, None
            made[".tag"] = tag or self.random.choice(known)
            struct = subtypes.get(made[".tag"], struct)
        for field in fields(struct):
            _, is_nullable = plain(field.data_type)
            if field.has_default or is_nullable:
                rate = 0 if self.depth > DEEPEST else 0.6
                if not (self.random.random() < rate if is_full is None else is_full):
                    continue
            made[field.name] = self.inside(field.name, field.data_type, has_default=field.has_default)
        if self.random.random() < 0.05 and not self.fault:
            made[UNKNOWN] = [None, {"a": "b"}]
        return self.shuffled(made)

    def union(self, union, tag=None):
        members = {each.name: each.data_type for each in tags(union) if not each.catch_all}
        is_open = any(each.catch_all for each in tags(union))
        known = sorted(members)
        if self.depth > DEEPEST:
            known = [name for name in known if ir.is_void_type(plain(members[name])[0])] or known
        if tag == UNKNOWN or is_open and tag is None and (not known or self.random.random() < 0.1):
            self.has_unknown = True
            return self.random.choice([UNKNOWN, {".tag": UNKNOWN}, {".tag": UNKNOWN, "x": [1, {"y": None}], "z": "é"}])
        name = tag or self.random.choice(known)
        inner, is_nullable = plain(members[name])
        form = self.random.random()
        if ir.is_void_type(inner):
            return name if form < 0.3 else {".tag": name} if form < 0.9 else {".tag": name, name: {"later": 1}}
        if is_nullable and form < 0.3:
            return name if form < 0.15 else {".tag": name}
        if is_flat(inner):
            self.depth += 1
            made = self.struct(inner)
            self.depth -= 1
            # Next to a tag, a struct without fields looks like a missing struct.
            if is_nullable and list(made) == [UNKNOWN]:
                made = {}
            return self.shuffled({".tag": name, **made})
        # Python's Stone rejects an explicit null for some values.
        return self.shuffled({".tag": name, name: self.inside(name, inner, takes_null=is_nullable)})

    def shuffled(self, members):
        names = list(members)
        if self.random.random() < 0.3:
            self.random.shuffle(names)
        return {name: members[name] for name in names}

    def broken(self, data_type, is_nullable, has_default, made):
        null = "null for a default" if has_default else "null"
        if is_flat(data_type) and can_be_absent(data_type) and not has_default:
            null = "no struct"
        faults = [] if is_nullable or ir.is_void_type(data_type) else [(null, None, [])]
        faults += self.faults.of(data_type, made)
        if not faults:
            return made
        chosen = self.breaking.choice(sorted({fault[0] for fault in faults}))
        kind, broken, below = self.breaking.choice([fault for fault in faults if fault[0] == chosen])
        self.fault = (kind, self.path + below)
        return broken
