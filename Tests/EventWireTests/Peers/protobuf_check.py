"""Messages by Google's protobuf, for the tests of EventWire.

    protobuf_check.py make SEED COUNT   prints COUNT lines for each message: {"message": name, "hex": bytes}
    protobuf_check.py read FILE         reads lines {"message", "hex", "again": bytes that EventWire wrote of them}, and
                                        prints the number of pairs that are equal messages
    protobuf_check.py show FILE         prints the fields of each line {"message", "hex"} as JSON
"""

import json
import os
import random
import sys
import tempfile

from google.protobuf import json_format
from grpc_tools import protoc

here = os.path.dirname(os.path.abspath(__file__))
with tempfile.TemporaryDirectory() as folder:
    assert protoc.main(["protoc", f"-I{here}", f"--python_out={folder}", "pubsub.proto"]) == 0
    sys.path.insert(0, folder)
    import pubsub_pb2 as pubsub

NAMES = sorted(pubsub.DESCRIPTOR.message_types_by_name)
TEXTS = ["", "a", "/event/Order_Placed__e", "日本語", "😀" * 40, "x" * 127, "y" * 128, "nul\x00inside"]


def fill(rng, message):
    for field in message.DESCRIPTOR.fields:
        if rng.random() < 0.3:
            continue
        if field.is_repeated:
            for _ in range(rng.randint(0, 4)):
                fill(rng, getattr(message, field.name).add())
        elif field.type == field.TYPE_MESSAGE:
            getattr(message, field.name).SetInParent()
            fill(rng, getattr(message, field.name))
        elif field.type == field.TYPE_STRING:
            setattr(message, field.name, rng.choice(TEXTS))
        elif field.type == field.TYPE_BYTES:
            setattr(message, field.name, rng.randbytes(rng.choice([0, 1, 9, 300])))
        elif field.type == field.TYPE_BOOL:
            setattr(message, field.name, rng.random() < 0.5)
        elif field.type == field.TYPE_INT64:
            setattr(message, field.name, rng.choice([0, 1, -1, 2**63 - 1, -2**63, rng.randrange(-2**63, 2**63)]))
        else:
            setattr(message, field.name, rng.choice([0, 1, 2, 7, -1, 2**31 - 1, -2**31, 300]))


def varint(number):
    text = bytearray()
    while number >= 128:
        text.append(number & 127 | 128)
        number >>= 7
    text.append(number)
    return bytes(text)


def unknown(rng):
    """A field that no message has, in each wire type."""
    number = rng.choice([15, 100, 2**29 - 1])
    content = rng.randbytes(rng.randint(0, 20))
    return rng.choice([
        varint(number << 3) + varint(rng.randrange(2**64)),
        varint(number << 3 | 1) + rng.randbytes(8),
        varint(number << 3 | 2) + varint(len(content)) + content,
        varint(number << 3 | 5) + rng.randbytes(4),
        # Field 1 is never a fixed number.
        varint(1 << 3 | 5) + rng.randbytes(4),
    ])


def make(seed, count):
    rng = random.Random(seed)
    for name in NAMES:
        for index in range(count):
            message = getattr(pubsub, name)()
            fill(rng, message)
            text = message.SerializeToString()
            if index % 3 == 1:
                # Unknown fields around the message, and the message again: the last value counts, messages merge.
                text = unknown(rng) + text + unknown(rng) + text
            elif index % 3 == 2:
                other = getattr(pubsub, name)()
                fill(rng, other)
                text += other.SerializeToString()
            print(json.dumps({"message": name, "hex": text.hex()}))


def parsed(name, text):
    message = getattr(pubsub, name)()
    message.ParseFromString(bytes.fromhex(text))
    message.DiscardUnknownFields()
    return message


def lines(path):
    return map(json.loads, open(path, encoding="utf-8"))


if sys.argv[1] == "make":
    make(int(sys.argv[2]), int(sys.argv[3]))
elif sys.argv[1] == "read":
    count = 0
    for line in lines(sys.argv[2]):
        left = parsed(line["message"], line["hex"])
        assert left == parsed(line["message"], line["again"]), line
        # The shortest form is the only one that leaves nothing to chance.
        assert left.SerializeToString(deterministic=True).hex() == line["again"], line
        count += 1
    print(count)
else:
    for line in lines(sys.argv[2]):
        message = parsed(line["message"], line["hex"])
        print(json.dumps(json_format.MessageToDict(message, preserving_proto_field_name=True)))
