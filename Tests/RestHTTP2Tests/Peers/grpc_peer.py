# SPDX-License-Identifier: Apache-2.0
"""Judges of our gRPC, made of the classes of grpcio: a server for our client, and a client for our server.

    grpc_peer.py serve [KEY CERTIFICATE [CLIENTS]]   prints its port, and serves until its input ends
    grpc_peer.py call PORT MESSAGES                  calls our server, and prints what it saw
"""
import sys
from concurrent import futures

import grpc

DETAILS = "naïve 100 % “text”\n with a line"
OPTIONS = [("grpc.max_receive_message_length", -1), ("grpc.so_reuseport", 0)]


def count(request, context):
    number, size = (int(word) for word in request.split())
    for index in range(number):
        yield index.to_bytes(4, "big") + bytes(size)


def fail(request, context):
    context.set_trailing_metadata((("error-code", "sfdc.test.failed"), ("rpc-id", "17")))
    context.abort(list(grpc.StatusCode)[int(request)], DETAILS)


def fail_late(request, context):
    yield b"one"
    fail(request, context)


def metadata(request, context):
    context.send_initial_metadata((("x-first", "yes"),))
    return "\n".join(sorted(f"{key}={value}" for key, value in context.invocation_metadata())).encode()


def sleep(request, context):
    stopped = futures.Future()
    context.add_callback(lambda: stopped.set_result(None))
    stopped.result(timeout=30)
    return b""


def serve(key=None, certificate=None, clients=None):
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=8), options=OPTIONS)
    unary, stream = grpc.unary_unary_rpc_method_handler, grpc.unary_stream_rpc_method_handler
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("test.Peer", {
        "Echo": unary(lambda request, context: request),
        "Chat": grpc.stream_stream_rpc_method_handler(lambda requests, context: requests),
        "Count": stream(count),
        "Fail": unary(fail),
        "FailLate": stream(fail_late),
        "Metadata": unary(metadata),
        "Sleep": unary(sleep),
    }),))
    if key:
        pair = (open(key, "rb").read(), open(certificate, "rb").read())
        trusted = open(clients, "rb").read() if clients else None
        credentials = grpc.ssl_server_credentials([pair], trusted, require_client_auth=bool(clients))
        port = server.add_secure_port("127.0.0.1:0", credentials)
    else:
        port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(f"port {port}", flush=True)
    sys.stdin.read()
    server.stop(None)


def call(port, messages):
    with grpc.insecure_channel(f"127.0.0.1:{port}", options=OPTIONS) as channel:
        echo = channel.unary_unary("/test.Ours/Echo")
        for size in (0, 1, 70_000, 3_000_000):
            assert echo(bytes(size), timeout=30) == bytes(size), size
        chat = channel.stream_stream("/test.Ours/Chat")
        wanted = [index.to_bytes(4, "big") * (1 + index % 50) for index in range(messages)]
        assert list(chat(iter(wanted), timeout=60)) == wanted
        print("echoed", flush=True)
        try:
            channel.unary_unary("/test.Ours/Fail")(b"", timeout=30)
        except grpc.RpcError as error:
            trailers = dict(error.trailing_metadata())
            assert error.code() == grpc.StatusCode.FAILED_PRECONDITION, error
            assert error.details() == DETAILS, error.details()
            assert trailers["error-code"] == "sfdc.test.failed", trailers
            print("failed", flush=True)
        seen = []
        try:
            for message in channel.unary_stream("/test.Ours/FailLate")(b"", timeout=30):
                seen.append(message)
        except grpc.RpcError as error:
            assert seen == [b"one"] and error.code() == grpc.StatusCode.ABORTED, (seen, error)
            print("failed late", flush=True)
        try:
            channel.unary_unary("/test.Ours/Sleep")(b"", timeout=0.3)
        except grpc.RpcError as error:
            assert error.code() == grpc.StatusCode.DEADLINE_EXCEEDED, error
            print("timed out", flush=True)
        headers = channel.unary_unary("/test.Ours/Metadata")
        response, finished = headers.with_call(b"", metadata=(("accesstoken", "00D!x"),), timeout=30)
        assert b"accesstoken=00D!x" in response, response
        assert dict(finished.initial_metadata())["x-first"] == "yes"
        print("done", flush=True)


if sys.argv[1] == "serve":
    serve(*sys.argv[2:])
else:
    call(int(sys.argv[2]), int(sys.argv[3]))
