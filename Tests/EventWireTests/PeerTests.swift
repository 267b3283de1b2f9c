// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import EventWire
import Foundation
import RestJSON
import Testing

/// Codecs that others wrote: `fastavro`, and Google's `protobuf`.
@Suite("Codecs of others")
struct PeerTests {
    private func script(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Peers/\(name)").path
    }

    private func lines(_ text: String) throws -> [JSONValue] {
        try text.split(whereSeparator: \.isNewline).map { try JSONValue(parsing: String($0)) }
    }

    @Test("fastavro reads what we write, and we read what it writes, for random schemas and values")
    func avro() throws {
        let path = script("avro_check.py")
        var written: [String] = []
        var count = 0
        for made in try lines(Python.run([path, "make", "39", "300"])) {
            let schema = try AvroSchema(parsing: made["schema"]?.string ?? "")
            let (reader, writer) = (AvroReader(schema), AvroWriter(schema))
            var values: [JSONValue] = []
            for value in made["values"]?.array ?? [] {
                let json = try #require(value["json"])
                let input = try bytes(value["hex"]?.string ?? "")
                let read = try reader.read(input)
                #expect(same(read, json), "\(schema.types) \(read) \(json)")
                let again = try writer.bytes(of: json)
                #expect(same(try reader.read(again), json))
                values.append(["json": json, "hex": JSONValue(hex(again))])
                count += 1
                // No cut of the bytes is a value.
                guard let cut = input.indices.randomElement() else { continue }
                _ = try? reader.read(Array(input[..<cut]))
            }
            let line: JSONValue = ["schema": made["schema"] ?? .null, "values": JSONValue(JSONArray(values))]
            written.append(line.description)
        }
        #expect(count == 3_600)
        let folder = try ProgramDirectory()
        try folder.write(written.joined(separator: "\n"), to: "values.ndjson")
        #expect(try Python.run([path, "read", folder.url("values.ndjson").path]) == "\(count)\n")
    }

    private static let messages: [String: @Sendable ([UInt8]) throws -> [UInt8]] = [
        "TopicRequest": { try PubSub.TopicRequest(reading: $0).encoded },
        "TopicInfo": { try PubSub.TopicInfo(reading: $0).encoded },
        "SchemaRequest": { try PubSub.SchemaRequest(reading: $0).encoded },
        "SchemaInfo": { try PubSub.SchemaInfo(reading: $0).encoded },
        "ProducerEvent": { try PubSub.ProducerEvent(reading: $0).encoded },
        "ConsumerEvent": { try PubSub.ConsumerEvent(reading: $0).encoded },
        "Error": { try PubSub.Failure(reading: $0).encoded },
        "PublishResult": { try PubSub.PublishResult(reading: $0).encoded },
        "FetchRequest": { try PubSub.FetchRequest(reading: $0).encoded },
        "FetchResponse": { try PubSub.FetchResponse(reading: $0).encoded },
        "PublishRequest": { try PubSub.PublishRequest(reading: $0).encoded },
        "PublishResponse": { try PubSub.PublishResponse(reading: $0).encoded },
        "CommitReplayRequest": { try PubSub.CommitReplayRequest(reading: $0).encoded },
        "CommitReplayResponse": { try PubSub.CommitReplayResponse(reading: $0).encoded },
        "ManagedFetchRequest": { try PubSub.ManagedFetchRequest(reading: $0).encoded },
        "ManagedFetchResponse": { try PubSub.ManagedFetchResponse(reading: $0).encoded },
    ]

    @Test("Google's protobuf reads what we write of its random messages, with unknown and repeated fields")
    func protobuf() throws {
        let path = script("protobuf_check.py")
        let made = try lines(Python.run([path, "make", "39", "150"]))
        var written: [String] = []
        for line in made {
            let name = line["message"]?.string ?? ""
            let convert = try #require(Self.messages[name])
            let again = try convert(bytes(line["hex"]?.string ?? ""))
            let pair: JSONValue = [
                "message": JSONValue(name), "hex": line["hex"] ?? .null, "again": JSONValue(hex(again)),
            ]
            written.append(pair.description)
        }
        #expect(written.count == 150 * Self.messages.count)
        let folder = try ProgramDirectory()
        try folder.write(written.joined(separator: "\n"), to: "messages.ndjson")
        #expect(try Python.run([path, "read", folder.url("messages.ndjson").path]) == "\(written.count)\n")
    }

    @Test("Every field has the name that Google's protobuf shows")
    func fieldNames() throws {
        var failure = PubSub.Failure()
        (failure.code, failure.message) = (.commit, "msg")
        var producer = PubSub.ProducerEvent()
        (producer.id, producer.schemaID, producer.payload) = ("i", "s", [2])
        var consumer = PubSub.ConsumerEvent()
        (consumer.event, consumer.replayID) = (producer, [3])
        var info = PubSub.TopicInfo()
        (info.topicName, info.tenantGUID, info.canPublish, info.schemaID, info.rpcID) = ("t", "g", true, "s", "r")
        var schema = PubSub.SchemaInfo()
        (schema.schemaJSON, schema.schemaID, schema.rpcID) = ("j", "s", "r")
        var fetch = PubSub.FetchRequest()
        (fetch.topicName, fetch.replayPreset, fetch.replayID) = ("t", .earliest, [4])
        (fetch.numRequested, fetch.authRefresh) = (5, "a")
        var fetched = PubSub.FetchResponse()
        (fetched.events, fetched.latestReplayID, fetched.rpcID, fetched.pendingNumRequested) = ([consumer], [6], "r", 7)
        var publish = PubSub.PublishRequest()
        (publish.topicName, publish.events, publish.authRefresh) = ("t", [producer], "a")
        var result = PubSub.PublishResult()
        (result.replayID, result.error, result.correlationKey) = ([8], failure, "c")
        var published = PubSub.PublishResponse()
        (published.results, published.schemaID, published.rpcID) = ([result], "s", "r")
        var commit = PubSub.CommitReplayRequest()
        (commit.commitRequestID, commit.replayID) = ("c", [9])
        var managed = PubSub.ManagedFetchRequest()
        (managed.subscriptionID, managed.developerName, managed.numRequested) = ("s", "d", 10)
        (managed.authRefresh, managed.commit) = ("a", commit)
        var committed = PubSub.CommitReplayResponse()
        (committed.commitRequestID, committed.replayID, committed.processTime) = ("c", [11], 12)
        committed.error = failure
        var response = PubSub.ManagedFetchResponse()
        (response.latestReplayID, response.rpcID, response.pendingNumRequested) = ([13], "r", 14)
        response.commit = committed
        let producerText = #"{"id":"i","schema_id":"s","payload":"Ag=="}"#
        let failureText = #"{"code":"COMMIT","msg":"msg"}"#
        let expected: [(String, [UInt8], String)] = [
            (
                "TopicInfo", info.encoded,
                #"{"topic_name":"t","tenant_guid":"g","can_publish":true,"schema_id":"s","rpc_id":"r"}"#
            ),
            ("SchemaInfo", schema.encoded, #"{"schema_json":"j","schema_id":"s","rpc_id":"r"}"#),
            (
                "FetchRequest", fetch.encoded,
                #"{"topic_name":"t","replay_preset":"EARLIEST","replay_id":"BA==","num_requested":5,"auth_refresh":"a"}"#
            ),
            (
                "FetchResponse", fetched.encoded,
                #"{"events":[{"event":\#(producerText),"replay_id":"Aw=="}],"latest_replay_id":"Bg==","rpc_id":"r","pending_num_requested":7}"#
            ),
            ("PublishRequest", publish.encoded, #"{"topic_name":"t","events":[\#(producerText)],"auth_refresh":"a"}"#),
            (
                "PublishResponse", published.encoded,
                #"{"results":[{"replay_id":"CA==","error":\#(failureText),"correlation_key":"c"}],"schema_id":"s","rpc_id":"r"}"#
            ),
            (
                "ManagedFetchRequest", managed.encoded,
                #"{"subscription_id":"s","developer_name":"d","num_requested":10,"auth_refresh":"a","commit_replay_id_request":{"commit_request_id":"c","replay_id":"CQ=="}}"#
            ),
            (
                "ManagedFetchResponse", response.encoded,
                #"{"latest_replay_id":"DQ==","rpc_id":"r","pending_num_requested":14,"commit_response":{"commit_request_id":"c","replay_id":"Cw==","error":\#(failureText),"process_time":"12"}}"#
            ),
        ]
        let folder = try ProgramDirectory()
        let text = expected.map { name, bytes, _ in #"{"message":"\#(name)","hex":"\#(hex(bytes))"}"# }
        try folder.write(text.joined(separator: "\n"), to: "messages.ndjson")
        let shown = try lines(Python.run([script("protobuf_check.py"), "show", folder.url("messages.ndjson").path]))
        for (shown, expected) in zip(shown, expected) {
            #expect(try shown.bytes(sortedKeys: true) == JSONValue(parsing: expected.2).bytes(sortedKeys: true))
        }
        #expect(shown.count == expected.count)
    }
}
