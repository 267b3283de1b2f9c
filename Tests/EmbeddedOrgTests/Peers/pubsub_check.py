# SPDX-License-Identifier: Apache-2.0
"""Publishes on and listens to an embedded org with grpcio and fastavro, and prints what it saw as one JSON object.

Usage: pubsub_check.py PORT PROTO [CERTIFICATE], with TOKEN and TENANT in the environment. PROTO is the file of the
messages. With the file of a certificate, the org uses TLS.
"""
import io
import json
import os
import queue
import ssl
import sys
import tempfile
import urllib.request

import fastavro
import grpc
from grpc_tools import protoc

PORT, PROTO, *CERTIFICATE = sys.argv[1:]
ORG = f"http{'s' if CERTIFICATE else ''}://127.0.0.1:{PORT}"
TOKEN = os.environ["TOKEN"]
METADATA = (("accesstoken", TOKEN), ("instanceurl", ORG), ("tenantid", os.environ["TENANT"]))

with tempfile.TemporaryDirectory() as folder:
    place = os.path.dirname(os.path.abspath(PROTO))
    assert protoc.main(["protoc", f"-I{place}", f"--python_out={folder}", os.path.basename(PROTO)]) == 0
    sys.path.insert(0, folder)
    import pubsub_pb2 as pubsub

context = None
if CERTIFICATE:
    context = ssl.create_default_context(cafile=CERTIFICATE[0])
    with open(CERTIFICATE[0], "rb") as file:
        channel = grpc.secure_channel(f"127.0.0.1:{PORT}", grpc.ssl_channel_credentials(file.read()))
else:
    channel = grpc.insecure_channel(f"127.0.0.1:{PORT}")


def method(kind, name, request, response):
    return getattr(channel, kind)(
        f"/eventbus.v1.PubSub/{name}", request_serializer=request.SerializeToString,
        response_deserializer=response.FromString)


get_topic = method("unary_unary", "GetTopic", pubsub.TopicRequest, pubsub.TopicInfo)
get_schema = method("unary_unary", "GetSchema", pubsub.SchemaRequest, pubsub.SchemaInfo)
publish = method("unary_unary", "Publish", pubsub.PublishRequest, pubsub.PublishResponse)
publish_stream = method("stream_stream", "PublishStream", pubsub.PublishRequest, pubsub.PublishResponse)
subscribe = method("stream_stream", "Subscribe", pubsub.FetchRequest, pubsub.FetchResponse)
schemas = {}


def schema(identifier):
    if identifier not in schemas:
        text = get_schema(pubsub.SchemaRequest(schema_id=identifier), metadata=METADATA).schema_json
        schemas[identifier] = fastavro.parse_schema(json.loads(text))
    return schemas[identifier]


def decode(event):
    return fastavro.schemaless_reader(io.BytesIO(event.event.payload), schema(event.event.schema_id))


class Stream:
    """A subscription that asks for a few events at a time."""

    def __init__(self, first, batch):
        self.requests = queue.SimpleQueue()
        self.batch = batch
        first.num_requested = batch
        self.requests.put(first)
        self.call = subscribe(iter(self.requests.get, None), metadata=METADATA)
        self.replay_id = b""

    def take(self, count):
        events = []
        while len(events) < count:
            response = next(self.call)
            events += response.events
            self.replay_id = response.latest_replay_id
            if response.pending_num_requested == 0:
                self.requests.put(pubsub.FetchRequest(num_requested=self.batch))
        return events

    def close(self):
        self.requests.put(None)
        self.call.cancel()


def rest(verb, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        f"{ORG}/services/data/v60.0{path}", data=data, method=verb,
        headers={"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30, context=context) as answer:
        text = answer.read()
    return json.loads(text) if text else None


def producer(info, number):
    record = {"CreatedDate": 1700000000000, "CreatedById": "005000000000000AAA", "Sum__c": number, "Note__c": None,
              "Day__c": None, "At__c": None}
    text = io.BytesIO()
    fastavro.schemaless_writer(text, schema(info.schema_id), record)
    return pubsub.ProducerEvent(id=f"id-{number}", schema_id=info.schema_id, payload=text.getvalue())


seen = {}
info = get_topic(pubsub.TopicRequest(topic_name="/event/Paid__e"), metadata=METADATA)
seen["topic"] = [info.topic_name, info.can_publish, info.can_subscribe]
events = [producer(info, number) for number in range(200)]
answer = publish(pubsub.PublishRequest(topic_name="/event/Paid__e", events=events), metadata=METADATA)
seen["published"] = sum(not result.HasField("error") for result in answer.results)
batches = [pubsub.PublishRequest(topic_name="/event/Paid__e", events=[producer(info, 200 + number)])
           for number in range(20)]
seen["streamed"] = [len(answer.results) for answer in publish_stream(iter(batches), metadata=METADATA)]
stream = Stream(pubsub.FetchRequest(topic_name="/event/Paid__e", replay_preset=pubsub.EARLIEST), 7)
taken = stream.take(220)
seen["sums"] = [decode(event)["Sum__c"] for event in taken] == list(range(220))
stream.close()
stream = Stream(pubsub.FetchRequest(
    topic_name="/event/Paid__e", replay_preset=pubsub.CUSTOM, replay_id=taken[216].replay_id), 100)
seen["resumed"] = [decode(event)["Sum__c"] for event in stream.take(3)]
rest("POST", "/sobjects/Paid__e", {"Sum__c": 999})
seen["live"] = [decode(event)["Sum__c"] for event in stream.take(1)]
stream.close()
made = rest("POST", "/sobjects/Account", {"Name": "Peer", "Phone": "1"})
rest("PATCH", f"/sobjects/Account/{made['id']}", {"Phone": "2"})
rest("DELETE", f"/sobjects/Account/{made['id']}")
stream = Stream(pubsub.FetchRequest(topic_name="/data/AccountChangeEvent", replay_preset=pubsub.EARLIEST), 3)
changes = stream.take(3)
stream.close()
fields = [field["name"] for field in schema(changes[1].event.schema_id)["fields"]]
values = [decode(event) for event in changes]
seen["changes"] = [value["ChangeEventHeader"]["changeType"] for value in values]
seen["phones"] = [value["Phone"] for value in values]
bits = int(values[1]["ChangeEventHeader"]["changedFields"][0], 16)
seen["changed"] = [name for index, name in enumerate(fields) if bits >> index & 1]
seen["errors"] = []
for metadata, name in [((), "/event/Paid__e"), (METADATA, "/event/None__e")]:
    try:
        get_topic(pubsub.TopicRequest(topic_name=name), metadata=metadata)
    except grpc.RpcError as error:
        trailers = dict(error.trailing_metadata())
        seen["errors"].append([error.code().name, trailers["error-code"], "rpc-id" in trailers])
print(json.dumps(seen))
