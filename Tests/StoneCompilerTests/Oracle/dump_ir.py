# SPDX-License-Identifier: Apache-2.0
"""Prints the API that Python's Stone reads from specs, with one line of canonical JSON for each definition.

Usage: dump_ir.py FILE... . SpecDump.swift writes the same lines.
"""

import json
import sys

from stone.frontend.frontend import specs_to_ir
from stone.ir import data_types as ir


def full_name(thing):
    return "%s.%s" % (thing.namespace.name, thing.name)


def type_json(data_type):
    if ir.is_nullable_type(data_type):
        return {"name": "Nullable", "of": type_json(data_type.data_type)}
    if ir.is_alias(data_type):
        return {"name": "alias", "to": full_name(data_type)}
    if ir.is_struct_type(data_type):
        return {"name": "struct", "to": full_name(data_type)}
    if ir.is_union_type(data_type):
        return {"name": "union", "to": full_name(data_type)}
    made = {"name": data_type.name}
    if ir.is_list_type(data_type):
        made["of"] = type_json(data_type.data_type)
    if ir.is_map_type(data_type):
        made["key"] = type_json(data_type.key_data_type)
        made["of"] = type_json(data_type.value_data_type)
    if ir.is_timestamp_type(data_type):
        made["format"] = data_type.format
    for name in ("min_value", "max_value", "min_length", "max_length", "pattern", "min_items", "max_items"):
        value = getattr(data_type, name, None)
        if value is not None:
            made[name] = value
    return made


def literal(value):
    if isinstance(value, ir.TagRef):
        union, _, _ = ir.unwrap(value.union_data_type)
        return {"tag": value.tag_name, "union": full_name(union)}
    if isinstance(value, bytes):
        return value.decode()
    return value


def annotations(thing):
    return {
        "deprecated": bool(thing.deprecated),
        "omitted": thing.omitted_caller,
        "preview": bool(thing.preview),
    }


def docs(thing):
    return ir.doc_unwrap(thing.raw_doc)


def member(field):
    made = {"annotations": annotations(field), "doc": docs(field), "name": field.name, "type": type_json(field.data_type)}
    if getattr(field, "has_default", False):
        made["default"] = literal(field.default)
    if getattr(field, "catch_all", False):
        made["catchAll"] = True
    return made


def struct_json(struct):
    made = {
        "allFields": [field.name for field in struct.all_fields],
        "doc": docs(struct),
        "fields": [member(field) for field in struct.fields],
        "parent": struct.parent_type and full_name(struct.parent_type),
        "subtypes": None,
    }
    if struct.has_enumerated_subtypes():
        tags = [[field.name, full_name(field.data_type)] for field in struct.get_enumerated_subtypes()]
        made["subtypes"] = {"closed": not struct.is_catch_all(), "members": tags}
    return made


def union_json(union):
    return {
        "allTags": [field.name for field in union.all_fields],
        "closed": union.closed,
        "doc": docs(union),
        "parent": union.parent_type and full_name(union.parent_type),
        "tags": [member(field) for field in union.fields],
    }


def route_json(route):
    by = route.deprecated and route.deprecated.by
    return {
        "argument": type_json(route.arg_data_type),
        "attributes": {name: literal(value) for name, value in route.attrs.items()},
        "deprecated": route.deprecated and {"by": by and [by.name, by.version]},
        "doc": docs(route),
        "error": type_json(route.error_data_type),
        "result": type_json(route.result_data_type),
        "version": route.version,
    }


def lines(api):
    for namespace in api.namespaces.values():
        yield "namespace", namespace.name, {"doc": namespace.doc and namespace.doc.rstrip()}
        for data_type in namespace.data_types:
            if ir.is_struct_type(data_type):
                yield "struct", full_name(data_type), struct_json(data_type)
            else:
                yield "union", full_name(data_type), union_json(data_type)
        for alias in namespace.aliases:
            yield "alias", full_name(alias), {"doc": docs(alias), "type": type_json(alias.data_type)}
        for route in namespace.routes:
            yield "route", "%s.%s:%d" % (namespace.name, route.name, route.version), route_json(route)


def main():
    specs = [(path, open(path, encoding="utf-8").read()) for path in sys.argv[1:]]
    for kind, name, made in lines(specs_to_ir(specs)):
        print(kind, name, json.dumps(made, sort_keys=True, separators=(",", ":"), ensure_ascii=False))


main()
