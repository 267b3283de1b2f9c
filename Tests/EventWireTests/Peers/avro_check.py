"""Avro by fastavro, for the tests of EventWire.

    avro_check.py make SEED COUNT   prints COUNT lines: {"schema": text, "values": [{"json": value, "hex": bytes}]}
    avro_check.py read FILE         reads such lines, and prints the number of values whose bytes give the JSON

Values are in JSON as AvroReader has them: bytes as characters with their codes, NaN and infinities as strings.
"""

import io
import json
import math
import random
import struct
import sys

import fastavro
from fastavro.schema import parse_schema

PRIMITIVES = ["null", "boolean", "int", "long", "float", "double", "bytes", "string"]
TEXTS = ["", "a", "Blue River Trading", "quote \" and \\ back", "line\nfeed\ttab\x00nul", "é", "日本語のテキスト", "😀",
         "x" * 63, "y" * 64, "z" * 65, "long text " * 40, "ü" * 70, "\x7f\x1f", "e\u0301"]


class Schemas:
    def __init__(self, rng):
        self.rng = rng
        self.named = []
        self.open = []
        self.count = 0

    def type(self, depth, in_union=False):
        rng = self.rng
        kinds = PRIMITIVES * 2 + ["record", "enum", "fixed", "array", "map", "named"] + ([] if in_union else ["union"] * 3)
        kind = rng.choice(kinds)
        if depth > 4 and kind in ("record", "array", "map", "union"):
            kind = "string"
        if kind in PRIMITIVES:
            return rng.choice([kind, {"type": kind}, {"type": kind, "unknown": [1]}])
        if kind == "array":
            return {"type": "array", "items": self.type(depth + 1)}
        if kind == "map":
            return {"type": "map", "values": self.type(depth + 1)}
        if kind == "named":
            return rng.choice(self.named) if self.named else "long"
        if kind == "union":
            return self.union(depth)
        name, full, space = self.name()
        extra = {"namespace": space} if space and rng.random() < 0.5 else {}
        shown = name if extra or not space else full
        if kind == "enum":
            self.named.append(full)
            return {"type": "enum", "name": shown, **extra, "aliases": ["Old"],
                    "symbols": [f"S{i}" for i in range(rng.randint(1, 9))]}
        if kind == "fixed":
            self.named.append(full)
            return {"type": "fixed", "name": shown, **extra, "size": rng.randint(0, 20)}
        self.open.append(full)
        fields = []
        for index in range(rng.randint(0, 7)):
            field = {"name": f"f{index}_" + "n" * rng.randint(0, 20), "type": self.type(depth + 1)}
            if rng.random() < 0.2:
                field["doc"] = "Data:Text:00N"
            fields.append(field)
        # A record inside itself, with an end.
        if rng.random() < 0.3:
            fields.append({"name": "next", "type": ["null", full], "default": None})
        self.open.pop()
        self.named.append(full)
        return {"type": "record", "name": shown, **extra, "fields": fields}

    def name(self):
        self.count += 1
        name = f"N{self.count}"
        space = self.rng.choice(["", "com.example", "other"])
        if not space:
            # Without a namespace of its own, a definition would take that of the record around it.
            space = "root"
        return name, f"{space}.{name}", space

    def union(self, depth):
        branches, labels = [], set()
        for _ in range(self.rng.randint(1, 5)):
            branch = self.type(depth + 1, in_union=True)
            label = branch if isinstance(branch, str) else branch.get("name", branch["type"])
            label = label.rpartition(".")[2]
            if label not in labels:
                labels.add(label)
                branches.append(branch)
        if self.rng.random() < 0.5 and "null" not in labels:
            branches.insert(self.rng.randint(0, len(branches)), "null")
        return branches


class Values:
    def __init__(self, rng, schema):
        self.rng = rng
        self.named = {}
        self.collect(schema, "")

    def collect(self, schema, space):
        if isinstance(schema, list):
            for branch in schema:
                self.collect(branch, space)
        elif isinstance(schema, dict):
            if schema["type"] in ("record", "enum", "fixed"):
                name = schema["name"]
                space = name.rpartition(".")[0] or schema.get("namespace", space)
                self.named[f"{space}.{name.rpartition('.')[2]}"] = schema
                schema["full"] = f"{space}.{name.rpartition('.')[2]}"
            for inner in [schema.get("items"), schema.get("values")] + [f["type"] for f in schema.get("fields", [])]:
                if inner is not None:
                    self.collect(inner, space)

    def value(self, schema, depth=0):
        """A value for fastavro, and the same for JSON."""
        rng = self.rng
        if isinstance(schema, list):
            if depth > 6 and "null" in schema:
                return None, None
            branch = rng.choice(schema)
            native, shown = self.value(branch, depth + 1)
            if isinstance(branch, str):
                label = branch
            else:
                label = branch.get("full", branch["type"])
            return (label, native) if native is not None else None, shown
        kind = schema if isinstance(schema, str) else schema["type"]
        if kind in self.named:
            return self.value(self.named[kind], depth)
        count = rng.choice([0, 1, 2, 5]) if depth < 5 else 0
        if kind == "null":
            return None, None
        if kind == "boolean":
            value = rng.random() < 0.5
            return value, value
        if kind in ("int", "long"):
            top = 2**31 if kind == "int" else 2**63
            value = rng.choice([0, 1, -1, 63, 64, -64, -65, top - 1, -top, rng.randrange(-top, top)])
            return value, value
        if kind in ("float", "double"):
            value = rng.choice([0.0, -0.0, 1.5, -2.25, 1e30, 1e-30, 0.1, 1234.56, 15000.0, math.nan, math.inf, -math.inf,
                                rng.uniform(-1e6, 1e6), struct.unpack("<d", rng.randbytes(8))[0]])
            if kind == "float" and math.isfinite(value):
                value = struct.unpack("<f", struct.pack("<f", value if abs(value) < 3e38 else 1.0))[0]
            return value, shown_number(value)
        if kind == "bytes" or kind == "fixed":
            size = schema["size"] if kind == "fixed" else rng.choice([0, 1, 5, 100])
            value = rng.randbytes(size)
            return value, value.decode("latin-1")
        if kind == "string":
            value = rng.choice(TEXTS)
            return value, value
        if kind == "enum":
            value = rng.choice(schema["symbols"])
            return value, value
        if kind == "array":
            items = [self.value(schema["items"], depth + 1) for _ in range(count)]
            return [item[0] for item in items], [item[1] for item in items]
        if kind == "map":
            items = {rng.choice(TEXTS) + str(i): self.value(schema["values"], depth + 1) for i in range(count)}
            return {key: item[0] for key, item in items.items()}, {key: item[1] for key, item in items.items()}
        fields = {field["name"]: self.value(field["type"], depth + 1) for field in schema["fields"]}
        return {key: item[0] for key, item in fields.items()}, {key: item[1] for key, item in fields.items()}


def shown_number(value):
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value


def shown(value):
    """What fastavro has read, as JSON."""
    if isinstance(value, float):
        return shown_number(value)
    if isinstance(value, bytes):
        return value.decode("latin-1")
    if isinstance(value, list):
        return [shown(item) for item in value]
    if isinstance(value, dict):
        return {key: shown(item) for key, item in value.items()}
    return value


def same(left, right):
    if isinstance(left, (int, float)) and isinstance(right, (int, float)) and not isinstance(left, bool):
        # A number of single precision has two texts: the shortest of its own, and that of double precision.
        return left == right or (abs(left) < 3.4e38 and abs(right) < 3.4e38
                                 and struct.pack("<f", left) == struct.pack("<f", right))
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    return left == right and type(left) is type(right)


def make(seed, count):
    rng = random.Random(seed)
    for _ in range(count):
        schema = Schemas(rng).type(0)
        text = json.dumps(schema)
        parsed = parse_schema(json.loads(text))
        values = Values(rng, schema)
        made = []
        for _ in range(12):
            native, json_value = values.value(schema)
            file = io.BytesIO()
            fastavro.schemaless_writer(file, parsed, native)
            made.append({"json": json_value, "hex": file.getvalue().hex()})
        print(json.dumps({"schema": text, "values": made}))


def read(path):
    count = 0
    for line in open(path, encoding="utf-8"):
        case = json.loads(line)
        parsed = parse_schema(json.loads(case["schema"]))
        for value in case["values"]:
            file = io.BytesIO(bytes.fromhex(value["hex"]))
            got = shown(fastavro.schemaless_reader(file, parsed))
            assert not file.read(), f"bytes are left: {case['schema']} {value}"
            assert same(got, value["json"]), f"{case['schema']}\n{got}\n{value}"
            count += 1
    print(count)


if sys.argv[1] == "make":
    make(int(sys.argv[2]), int(sys.argv[3]))
else:
    read(sys.argv[2])
