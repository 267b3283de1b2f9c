// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RestTesting

@Suite("Fault shaper")
struct FaultShaperTests {
    /// What becomes of a message that comes in two pieces, `abc` and `def`.
    private func actions(_ fault: NetworkFault?, _ direction: NetworkFault.Direction) -> [FaultShaper.Action] {
        var shaper = FaultShaper(fault, direction, random: SeededGenerator(seed: 1))
        return shaper.take(Array("abc".utf8)) + shaper.take(Array("def".utf8)) + shaper.end()
    }

    /// Everything that is passed on.
    private func text(_ actions: [FaultShaper.Action]) -> String {
        actions.map { if case .send(let bytes) = $0 { String(decoding: bytes, as: UTF8.self) } else { "" } }.joined()
    }

    @Test("Without a fault everything passes as it comes", arguments: NetworkFault.Direction.allCases)
    func none(direction: NetworkFault.Direction) {
        #expect(actions(nil, direction) == [.send(Array("abc".utf8)), .send(Array("def".utf8))])
    }

    @Test("Latency waits once, before the first byte, between the time and the time with its jitter")
    func latency() {
        let fault = NetworkFault.latency(.milliseconds(5), jitter: .milliseconds(3))
        for direction in NetworkFault.Direction.allCases {
            let actions = actions(fault, direction)
            guard case .wait(let time) = actions.first else {
                Issue.record("no wait")
                continue
            }
            #expect(time >= .milliseconds(5) && time < .milliseconds(8))
            #expect(actions.count == 3 && text(actions) == "abcdef")
        }
    }

    @Test("A bandwidth makes the time its bytes take")
    func bandwidth() {
        let actions = actions(.bandwidth(bytesPerSecond: 100), .answer)
        #expect(text(actions) == "abcdef")
        #expect(actions.reduce(.zero) { if case .wait(let time) = $1 { $0 + time } else { $0 } } == .milliseconds(60))
    }

    @Test("Slices are pieces with a pause after each")
    func slices() {
        let actions = actions(.slices(bytes: 2, pause: .milliseconds(1)), .request)
        #expect(text(actions) == "abcdef")
        #expect(actions.count == 8)
        #expect(actions[0] == .send(Array("ab".utf8)) && actions[1] == .wait(.milliseconds(1)))
    }

    @Test("A limit passes so many bytes of its message and then closes", arguments: [0, 2, 3, 5, 6, 7])
    func byteLimit(limit: Int) {
        let cut = actions(.byteLimit(limit, .answer), .answer)
        #expect(text(cut).hasPrefix(String("abcdef".prefix(limit))))
        #expect(cut.contains(.close) == (limit <= 6))
        #expect(text(actions(.byteLimit(limit, .answer), .request)) == "abcdef")
    }

    @Test("One byte is inverted, in its own direction", arguments: [0, 4, 5, 6])
    func corruptByte(offset: Int) {
        var expected = Array("abcdef".utf8)
        if offset < 6 { expected[offset] ^= 0xFF }
        let passed = actions(.corruptByte(offset, .request), .request).flatMap { action -> [UInt8] in
            if case .send(let bytes) = action { bytes } else { [] }
        }
        #expect(passed == expected)
        #expect(text(actions(.corruptByte(offset, .request), .answer)) == "abcdef")
    }

    @Test("What ends a connection does so at its place")
    func ends() {
        #expect(actions(.reset, .request).first == .reset)
        #expect(actions(.blackhole(.request), .request) == [.swallow])
        #expect(actions(.blackhole(.answer), .answer) == [.swallow])
        #expect(actions(.droppedResponse, .answer) == [.reset])
        #expect(actions(.slowClose(.seconds(1)), .answer).suffix(2) == [.wait(.seconds(1)), .close])
        #expect(actions(.halfClose(.request), .request).last == .finishSending)
        #expect(actions(.halfClose(.answer), .answer).suffix(2) == [.finishSending, .swallow])
        for fault in [NetworkFault.blackhole(.answer), .droppedResponse, .slowClose(.zero), .halfClose(.answer)] {
            #expect(actions(fault, .request) == actions(nil, .request), "\(fault)")
        }
    }

    @Test("A duplicated answer comes twice, its request once")
    func duplicated() {
        #expect(text(actions(.duplicatedResponse, .answer)) == "abcdefabcdef")
        #expect(text(actions(.duplicatedResponse, .request)) == "abcdef")
    }
}
