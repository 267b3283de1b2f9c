# SPDX-License-Identifier: Apache-2.0
"""Runs Stone's own tests and records each spec that they compile, with the result of Python's Stone.

Usage: extract_suite.py FOLDER OUTPUT, where FOLDER contains Stone's sources with its tests. The output is a JSON array of
{specs: [[path, text]], parserOnly, accepted, message, line, file}.
"""

import io
import json
import sys
import unittest

sys.path.insert(0, sys.argv[1])

from test import test_stone  # noqa: E402

records = []
inside = False


def note(specs, parser_only, fault=None):
    record = {"accepted": fault is None, "parserOnly": parser_only, "specs": specs}
    record.update(zip(("message", "line", "file"), fault or (None, None, None)))
    records.append(record)


compile_specs = test_stone.specs_to_ir


def recording(specs, *rest, **named):
    global inside
    specs = [[path, text] for path, text in specs]
    inside = True
    try:
        api = compile_specs(specs, *rest, **named)
    except test_stone.InvalidSpec as error:
        note(specs, False, (error.msg, error.lineno, error.path))
        raise
    except Exception as error:
        note(specs, False, (repr(error), None, None))
        raise
    finally:
        inside = False
    note(specs, False)
    return api


test_stone.specs_to_ir = recording
parse = test_stone.ParserFactory.parse


def recording_parse(self, data, path=None):
    if inside:
        return parse(self, data, path)
    before = len(self.errors) + len(self.lexer.errors)
    try:
        tree = parse(self, data, path)
    except Exception as error:
        note([[path or "test.stone", data]], True, (repr(error), None, None))
        raise
    found = self.errors if len(self.errors) + len(self.lexer.errors) > before else []
    note([[path or "test.stone", data]], True, found[0] if found else None)
    return tree


test_stone.ParserFactory.parse = recording_parse
suite = unittest.defaultTestLoader.loadTestsFromModule(test_stone)
result = unittest.TextTestRunner(stream=io.StringIO()).run(suite)
if not result.wasSuccessful() or len(records) < 200:
    sys.exit("Stone's own tests fail here, or they have changed: %d specs" % len(records))
with open(sys.argv[2], "w", encoding="utf-8") as output:
    json.dump(records, output)
