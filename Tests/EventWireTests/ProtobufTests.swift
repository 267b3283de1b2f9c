// SPDX-License-Identifier: Apache-2.0

import EventWire
import RestBase
import Testing

@Suite("Messages in Protocol Buffers")
struct ProtobufTests {
    @Test("Zero values are left out, and others are written in the order of their numbers")
    func writing() throws {
        #expect(PubSub.FetchRequest().encoded == [])
        var request = PubSub.FetchRequest()
        request.topicName = "/e"
        request.replayPreset = .custom
        request.replayID = [0, 1]
        request.numRequested = 100
        #expect(try request.encoded == bytes("0a022f65 1002 1a020001 2064"))
        request.numRequested = -1
        #expect(try request.encoded == bytes("0a022f65 1002 1a020001 20ffffffffffffffffff01"))
        var response = PubSub.FetchResponse()
        response.events = [PubSub.ConsumerEvent(), PubSub.ConsumerEvent()]
        #expect(try response.encoded == bytes("0a00 0a00"))
        var event = PubSub.ConsumerEvent()
        event.event = PubSub.ProducerEvent()
        #expect(try event.encoded == bytes("0a00"))
    }

    @Test("The last value counts, messages merge, lists grow, and unknown fields are skipped")
    func reading() throws {
        let request = try PubSub.FetchRequest(
            reading: bytes("2064 0a0161 2001 7a0161 f8ffffff0f01 0d00000000 0a0162 1007"))
        #expect(request.topicName == "b" && request.numRequested == 1)
        #expect(request.replayPreset.rawValue == 7)
        let event = try PubSub.ConsumerEvent(reading: bytes("0a030a0161 0a03120162 1200"))
        #expect(event.event?.id == "a" && event.event?.schemaID == "b")
        // A field in another form than expected counts as unknown.
        #expect(try PubSub.FetchRequest(reading: bytes("0805 2201ff 2501000000")) == PubSub.FetchRequest())
        // The high bits of a 32-bit number are dropped.
        #expect(try PubSub.FetchRequest(reading: bytes("208180808010")).numRequested == 1)
    }

    @Test(
        "Invalid bytes are typed errors with an offset",
        arguments: [
            ("0a", .endOfInput, 1), ("0a05 6162", .endOfInput, 4), ("0aff ffff ffff ffff ffff 01", .endOfInput, 11),
            ("80", .endOfInput, 1), ("ffffffffffffffffffffff", .invalidNumber, 0), ("00", .invalidField, 0),
            ("0200", .invalidField, 0), ("8080808010", .invalidField, 0), ("0b", .group, 0), ("0c", .group, 0),
            ("7b7c", .group, 0),
            ("0e", .invalidWireType, 0), ("0f", .invalidWireType, 0), ("0a02c328", .invalidUTF8, 2),
            ("7d0000", .endOfInput, 3),
            ("7900000000000000", .endOfInput, 8), ("20", .endOfInput, 1),
        ] as [(String, ProtobufError.Reason, Int)])
    func invalid(hex: String, reason: ProtobufError.Reason, offset: Int) throws {
        let input = try bytes(hex)
        let error = try #require(thrown(ProtobufError.self) { try PubSub.FetchRequest(reading: input) })
        #expect(error.reason == reason && error.offset == offset, "\(error)")
    }

    @Test("An inner message ends where its length says")
    func inner() throws {
        // The inner length leads into the field after the message.
        let input = try bytes("0a04 0a05 6162 1201 ff")
        #expect(
            thrown(ProtobufError.self) { try PubSub.ConsumerEvent(reading: input) }?.reason == .endOfInput)
    }

    @Test("Sizes and numbers of messages are bounded")
    func bounds() throws {
        let empty = [UInt8](repeating: 0, count: 100_000).enumerated().map {
            $0.offset.isMultiple(of: 2) ? 0x0A : $0.element
        }
        #expect(
            thrown(ProtobufError.self) { try PubSub.FetchResponse(reading: empty) }?.reason == .tooLarge)
        let limits = ProtobufLimits(bytes: 10)
        #expect(
            thrown(ProtobufError.self) { try PubSub.FetchResponse(reading: empty, limits: limits) }?.reason
                == .tooLarge)
    }

    @Test("No cut and no changed byte does more than throw, and what is read is written to the same message")
    func damage() throws {
        var producer = PubSub.ProducerEvent()
        (producer.id, producer.schemaID, producer.payload) = ("id", "schema", Array(0...200))
        var event = PubSub.ConsumerEvent()
        (event.event, event.replayID) = (producer, [1, 2, 3, 4, 5, 6, 7, 8, 9])
        var response = PubSub.FetchResponse()
        (response.events, response.latestReplayID) = ([event, event, event], [9])
        (response.rpcID, response.pendingNumRequested) = ("rpc", 97)
        let good = response.encoded
        #expect(try PubSub.FetchResponse(reading: good) == response)
        var random = SplitMix64(seed: 5)
        var read = 0
        for round in 0..<5_000 {
            var damaged = good
            if round < good.count {
                damaged.removeLast(round)
            } else {
                damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            guard let message = try? PubSub.FetchResponse(reading: damaged) else { continue }
            read += 1
            #expect(try PubSub.FetchResponse(reading: message.encoded) == message)
        }
        #expect(read > 200)
    }
}

@Suite("Error codes of the Pub/Sub API")
struct PubSubErrorCodeTests {
    @Test("Each known code comes back from its text")
    func known() {
        for reason in PubSubErrorCode.Reason.allCases {
            let code = PubSubErrorCode(reason)
            #expect(PubSubErrorCode(code.description) == code && code.reason == reason)
        }
    }

    @Test(
        "Unknown codes are kept", arguments: ["sfdc.platform.eventbus.grpc.new.reason", "service.unavailable", "", "é"])
    func unknown(text: String) {
        let code = PubSubErrorCode(text)
        #expect(code.reason == nil && code.description == text)
        #expect(PubSubErrorCode(String(repeating: "x", count: 10_000)).description.utf8.count == 200)
        #expect(PubSubErrorCode(" sfdc.platform.eventbus.grpc.service.unavailable ").reason == .serviceUnavailable)
    }
}
