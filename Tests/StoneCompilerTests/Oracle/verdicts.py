# SPDX-License-Identifier: Apache-2.0
"""The results of Python's Stone for values, from the validators that it generated for specs."""

import importlib
import sys

from stone.backends.python_helpers import fmt_class
from stone.backends.python_rsrc import stone_serializers


class Verdicts:
    def __init__(self, folder):
        """Uses the package `validators` in a directory."""
        sys.path.insert(0, folder)
        self.modules = {}

    def validator(self, name):
        namespace, type_name = name.split(".")
        if namespace not in self.modules:
            self.modules[namespace] = importlib.import_module("validators." + namespace)
        return getattr(self.modules[namespace], fmt_class(type_name, check_reserved=True) + "_validator")

    def decoded(self, name, value, strict=False):
        return stone_serializers.json_compat_obj_decode(self.validator(name), value, strict=strict)

    def encoded(self, name, value):
        return stone_serializers.json_compat_obj_encode(self.validator(name), self.decoded(name, value))

    def fault(self, name, value, strict=False):
        """Returns the reason for rejecting a value, or None. Python's Stone crashes on some values."""
        try:
            self.decoded(name, value, strict)
            return None
        except stone_serializers.bv.ValidationError as error:
            return str(error)
        except Exception as error:
            return "crash: %r" % error
