# SPDX-License-Identifier: Apache-2.0
"""Writes the work list of a test: values of all types of specs, with the results of Python's Stone.

Usage: make_values.py FOLDER COUNT FILE... . FOLDER/cases.jsonl gets one object per line: the examples of the specs, each
tag of each union, each struct with and without its optional members, COUNT random values, and COUNT values with one
error. The members are `type`, `text` and `kind` (example, value or the kind of the error), `path` for an error, and
`refused`, the error of Python's validators (`null` if they accept the value). FOLDER/validators gets the validators, for
check_values.py.
"""

import json
import os
import random
import sys

from spec_types import UNKNOWN, tags
from stone.backends.python_types import PythonTypesBackend
from stone.frontend.frontend import specs_to_ir
from stone.ir import data_types as ir
from value_maker import Maker
from verdicts import Verdicts

SEED = 20260805


class Validators(PythonTypesBackend):
    """Omits annotations and routes, because no value depends on them and Stone generates some of them incorrectly."""

    def _generate_nothing(self, *_):
        pass

    _generate_routes = _generate_nothing
    _generate_annotation_type_class = _generate_nothing
    _generate_struct_class_custom_annotations = _generate_nothing
    _generate_union_class_custom_annotations = _generate_nothing


def text_of(value, chance):
    return json.dumps(value, ensure_ascii=chance.random() < 0.5, separators=(",", ":"))


class WorkList:
    def __init__(self, api, verdicts, count):
        self.api, self.verdicts, self.count = api, verdicts, count
        self.random = random.Random(SEED)
        self.maker = Maker(self.random)
        self.types = [each for namespace in api.namespaces.values() for each in namespace.data_types]
        # Members that only some callers see, but that examples have.
        self.unseen = sorted({field.name for each in self.types for field in each.fields if field.omitted_caller})

    def lines(self):
        yield from self.examples()
        for each in self.types:
            yield from self.one_of_each(each)
        for number in range(self.count):
            yield self.line(self.types[number % len(self.types)])
        for number in range(self.count):
            yield self.broken(self.types[number % len(self.types)])

    def entry(self, data_type, value, kind, **more):
        name = "%s.%s" % (data_type.namespace.name, data_type.name)
        refused = self.verdicts.fault(name, value)
        return {"type": name, "text": text_of(value, self.random), "kind": kind, "refused": refused, **more}

    def examples(self):
        for each in self.types:
            for label, example in each.get_examples().items():
                kind = "example" if label in each._raw_examples else "implied example"
                yield self.entry(each, example.value, kind, unseen=self.unseen)

    def one_of_each(self, data_type):
        if ir.is_union_type(data_type):
            for tag in tags(data_type):
                yield self.line(data_type, tag=UNKNOWN if tag.catch_all else tag.name)
            return
        subtypes = [None]
        if data_type.has_enumerated_subtypes():
            subtypes = [each.name for each in data_type.get_enumerated_subtypes()]
            subtypes += [UNKNOWN] if data_type.is_catch_all() else []
        for tag in subtypes:
            for is_full in (True, False):
                yield self.line(data_type, tag=tag, is_full=is_full)

    def line(self, data_type, **more):
        self.maker.begin()
        value = self.maker.value(data_type, **more)
        made = self.entry(data_type, value, "value")
        # Half of the values are in the form that Python writes, which omits the content of unknown tags.
        if self.random.random() < 0.5 and not self.maker.has_unknown and not made["refused"]:
            made["text"] = text_of(self.verdicts.encoded(made["type"], value), self.random)
        return made

    def broken(self, data_type):
        while True:
            state = self.random.getstate()
            self.maker.begin()
            self.maker.value(data_type)
            nodes = self.maker.nodes
            after = self.random.getstate()
            self.random.setstate(state)
            breaking = random.Random(after[1][0])
            self.maker.begin(break_at=breaking.randrange(nodes) if nodes else None, breaking=breaking)
            value = self.maker.value(data_type)
            if self.maker.fault:
                kind, path = self.maker.fault
                return self.entry(data_type, value, kind, path=path)


def main():
    folder, count = sys.argv[1], int(sys.argv[2])
    api = specs_to_ir([(path, open(path, encoding="utf-8").read()) for path in sys.argv[3:]])
    os.makedirs(folder, exist_ok=True)
    Validators(os.path.join(folder, "validators"), ["-p", "validators"]).generate(api)
    verdicts = Verdicts(folder)
    with open(os.path.join(folder, "cases.jsonl"), "w", encoding="utf-8") as output:
        for line in WorkList(api, verdicts, count).lines():
            print(json.dumps(line), file=output)


main()
