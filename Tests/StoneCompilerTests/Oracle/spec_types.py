# SPDX-License-Identifier: Apache-2.0
"""Properties of the types of Python's Stone, for the scripts about values."""

from stone.ir import data_types as ir

INTEGERS = {
    "Int32": (-2**31, 2**31 - 1), "UInt32": (0, 2**32 - 1), "Int64": (-2**63, 2**63 - 1), "UInt64": (0, 2**64 - 1)}
# A tag or member that is in no spec.
UNKNOWN = "zz unknown"


def fields(struct):
    """Returns the fields that all callers see."""
    return [field for field in struct.all_fields if not field.omitted_caller]


def tags(union):
    return [field for field in union.all_fields if not field.omitted_caller]


def plain(data_type):
    """Returns the type without aliases and nullability, and whether it allows null."""
    inner, is_nullable, _ = ir.unwrap(data_type)
    return inner, is_nullable


def is_flat(data_type):
    """Whether the fields of a tag's value are next to the tag."""
    return ir.is_struct_type(data_type) and not data_type.has_enumerated_subtypes()


def required(struct):
    return [each for each in fields(struct) if not each.has_default and not plain(each.data_type)[1]]


def can_be_absent(data_type):
    """Whether Python's Stone accepts a missing value of the type as a struct."""
    inner, _ = plain(data_type)
    return ir.is_struct_type(inner) and not required(inner)
