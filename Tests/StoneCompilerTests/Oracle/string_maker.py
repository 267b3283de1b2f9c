# SPDX-License-Identifier: Apache-2.0
"""Creates strings with the lengths and patterns of a spec, and strings that break its rules."""

import re

try:
    from re import _constants as codes, _parser as parser
except ImportError:  # before Python 3.11
    import sre_constants as codes
    import sre_parse as parser

LETTERS = list("abcXYZ019 _-./:") + [
    "\u00e9", "e\u0301", "\u4e2d", "\U0001f600", "\U0001f468\u200d\U0001f469", "\u2028", "\ufeff", "\uffff", "\u0000",
    "\u001f", "\u007f", "\"", "\\", "/", "\r\n", "\n", "\t", "\u202e", "\U0010ffff"]
LONGEST = 300


class StringMaker:
    def __init__(self, random):
        self.random = random

    def make(self, data_type):
        data_type = getattr(data_type, "data_type", data_type)
        while hasattr(data_type, "data_type"):
            data_type = data_type.data_type
        least, most = data_type.min_length or 0, data_type.max_length
        most = LONGEST if most is None else min(most, max(LONGEST, least))
        for _ in range(200):
            if data_type.pattern:
                made = self.fitting(data_type.pattern)
            else:
                length = self.random.choice([least, least, most] + [min(least + more, most) for more in (1, 8, 20)])
                made = "".join(self.random.choice(LETTERS) for _ in range(length))[:length]
            if self.is_valid(data_type, made):
                return made
        raise ValueError("no text fits %s" % data_type.pattern)

    def broken(self, data_type):
        """Yields strings that break the rules."""
        tries = ["", "*", " ", "\u00e9 ", "x" * ((data_type.max_length or 0) + 1)]
        if data_type.min_length:
            tries.append("a" * (data_type.min_length - 1))
        return [each for each in tries if len(each) < 1000 and not self.is_valid(data_type, each)]

    @staticmethod
    def is_valid(data_type, text):
        if len(text) < (data_type.min_length or 0):
            return False
        if data_type.max_length is not None and len(text) > data_type.max_length:
            return False
        return not data_type.pattern or bool(re.match(r"\A(?:" + data_type.pattern + r")\Z", text))

    def fitting(self, pattern):
        return "".join(self.piece(*each) for each in parser.parse(pattern))

    def piece(self, code, argument):
        if code is codes.LITERAL:
            return chr(argument)
        if code is codes.IN:
            return self.one_of(argument)
        if code is codes.ANY:
            return self.random.choice([each for each in LETTERS if "\n" not in each])
        if code is codes.SUBPATTERN:
            return "".join(self.piece(*each) for each in argument[-1])
        if code is codes.BRANCH:
            return "".join(self.piece(*each) for each in self.random.choice(argument[1]))
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
            least, most, inner = argument
            count = self.random.randint(least, min(most, least + self.random.choice([0, 1, 8])))
            return "".join(self.piece(*each) for _ in range(count) for each in inner)
        if code is codes.AT:
            return ""
        raise ValueError("patterns with %s are not made" % code)

    def one_of(self, items):
        if items[0][0] is codes.NEGATE:
            banned = {chr(item[1]) for item in items[1:] if item[0] is codes.LITERAL}
            ranges = [item[1] for item in items[1:] if item[0] is codes.RANGE]
            fine = [each for each in LETTERS if not any(
                part in banned or any(low <= ord(part) <= high for low, high in ranges) for part in each)]
            return self.random.choice(fine)
        code, argument = self.random.choice(items)
        if code is codes.LITERAL:
            return chr(argument)
        if code is codes.RANGE:
            return chr(self.random.randint(*argument))
        if code is codes.CATEGORY:
            kinds = {codes.CATEGORY_WORD: "aZ_9\u00e9\u4e2d", codes.CATEGORY_DIGIT: "059", codes.CATEGORY_SPACE: " \t"}
            return self.random.choice(kinds[argument])
        raise ValueError("sets with %s are not made" % code)
