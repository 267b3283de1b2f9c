# SPDX-License-Identifier: Apache-2.0
"""Compares the results of generated types for a work list (make_values.py) with those of Python's Stone.

Usage: check_values.py FOLDER. FOLDER has cases.jsonl and answers.jsonl, with one line for each case. A result has `text`,
the value as it was written again, and `rule`, the path of a rule that it breaks, or `path` and `reason` of the error.
Prints the number of each kind and the unexpected results, and exits with 1 if there are any.
"""

import collections
import json
import os
import sys

from spec_types import UNKNOWN
from verdicts import Verdicts

# Intended differences from Python's Stone.
WE_ACCEPT = {
    "null for a default": "a null stands for the default, as an absent field does",
    "rule": "lengths, ranges and patterns are for validate(), as a server's rules may be newer",
    "implied example": "an explicit tag of the catch-all is kept as an unknown tag",
    "example": "as above; and some examples break their own pattern",
}
WE_REFUSE = {
    "true for a number": "to Python true is an integer",
    "text": "Python's timestamps need not have all digits of a number",
    "no struct": "to Python a struct without required fields may be absent or null",
}


def same(sent, got, unseen):
    """Whether the result contains everything in the sent value, except for members that may be dropped."""
    if isinstance(sent, dict) and isinstance(got, dict):
        for name, value in sent.items():
            if name in got:
                if not same(value, got[name], unseen):
                    return False
            elif not (value is None or name == UNKNOWN or name in unseen or value == {"later": 1}):
                return False
        return True
    if isinstance(sent, str) and isinstance(got, dict):
        return got == {".tag": sent}
    if isinstance(sent, list) and isinstance(got, list):
        return len(sent) == len(got) and all(same(one, other, unseen) for one, other in zip(sent, got))
    return isinstance(sent, bool) == isinstance(got, bool) and sent == got


def last_step(path):
    return "[%d]" % path[-1] if isinstance(path[-1], int) else path[-1]


class Judge:
    def __init__(self, folder):
        self.verdicts = Verdicts(folder)

    def complaint(self, case, answer):
        """Returns the error in a result, or None."""
        if "text" in answer:
            return self.accepted(case, json.loads(answer["text"]), answer["rule"])
        if "path" not in answer:
            return answer.get("reason", "no answer")
        if case["kind"] in ("example", "implied example", "value", "rule"):
            # Implied examples include tags that only some callers see.
            return None if case["kind"] == "implied example" and case["refused"] else "refused"
        if answer["path"] != case["path"]:
            return "the path is wrong"
        return None if case["refused"] or case["kind"] in WE_REFUSE else "refused by us alone"

    def accepted(self, case, got, rule):
        sent = json.loads(case["text"])
        if case["refused"]:
            if case["kind"] not in WE_ACCEPT:
                return "accepted by us alone"
            if case["kind"] == "rule" and rule is not False and not (rule or "").endswith(last_step(case["path"])):
                return "validate() does not name it"
            return None if case["kind"].startswith("null") or same(sent, got, case.get("unseen", [])) else "it changes"
        if not same(sent, got, case.get("unseen", [])):
            return "it changes"
        if rule:
            return "validate() refuses it"
        if UNKNOWN not in case["text"] and self.verdicts.fault(case["type"], got, strict=True):
            return "Python refuses what comes back: " + self.verdicts.fault(case["type"], got, strict=True)
        one, other = (self.verdicts.decoded(case["type"], value) for value in (sent, got))
        return None if one == other else "Python sees another value"


def main():
    folder = sys.argv[1]
    judge, counts, complaints = Judge(folder), collections.Counter(), []
    with open(os.path.join(folder, "cases.jsonl"), encoding="utf-8") as cases, \
            open(os.path.join(folder, "answers.jsonl"), encoding="utf-8") as answers:
        for case, answer in zip(cases, answers, strict=True):
            case, answer = json.loads(case), json.loads(answer)
            counts[case["kind"]] += 1
            complaint = judge.complaint(case, answer)
            if complaint:
                complaints.append((complaint, case, answer))
    print(", ".join("%s: %d" % each for each in sorted(counts.items())))
    for complaint, case, answer in complaints[:50]:
        print("%s\n    %s\n    %s" % (complaint, json.dumps(case), json.dumps(answer)))
    print("%d complaints" % len(complaints))
    sys.exit(1 if complaints or not counts else 0)


main()
