// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestJSON
import Testing

@Suite("The deepest values")
struct JSONDepthTests {
    /// A type that goes into itself, as deep as the text.
    private struct Nest: Codable, Hashable {
        let inner: [Nest]
    }

    /// Runs on a thread of its own with the stack that threads have by default.
    private static func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            let thread = Thread { done.resume(with: Result { try body() }) }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    @Test("a limit above the hard one, made or set, is the hard one")
    func bound() throws {
        #expect(JSONLimits(maximumDepth: .max).maximumDepth == JSONLimits.hardMaximumDepth)
        var limits = JSONLimits()
        limits.maximumDepth = JSONLimits.hardMaximumDepth + 1
        #expect(limits.maximumDepth == JSONLimits.hardMaximumDepth)
        limits.maximumDepth = 0
        #expect(limits.maximumDepth == 1)
        let depth = JSONLimits.hardMaximumDepth
        for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
            func nested(_ depth: Int) -> String {
                String(repeating: open, count: depth - 1) + "[]" + String(repeating: close, count: depth - 1)
            }
            let most = JSONLimits(maximumDepth: .max)
            _ = try JSONValue(parsing: nested(depth), limits: most)
            let error = #expect(throws: JSONError.self) { try JSONValue(parsing: nested(depth + 1), limits: most) }
            #expect(error?.reason == .tooDeep)
        }
    }

    @Test("at the bound a value is compared, hashed, copied, written, decoded and encoded on an ordinary thread")
    func atTheBound() async throws {
        try await Self.onThread {
            let depth = JSONLimits.hardMaximumDepth
            // Two containers for each step of the type.
            let text = String(repeating: #"{"inner":["#, count: depth / 2) + String(repeating: "]}", count: depth / 2)
            let limits = JSONLimits(maximumDepth: depth)
            let (left, right) = (
                try JSONValue(parsing: text, limits: limits), try JSONValue(parsing: text, limits: limits)
            )
            #expect(left == right && left.hashValue == right.hashValue)
            #expect(left.detached() == right && left.description == text)
            let nest = try left.decode(Nest.self)
            #expect(nest == (try right.decode(Nest.self)))
            #expect(String(decoding: try nest.json(), as: UTF8.self) == text)
            #expect(try JSONValue(encoding: nest) == left)
            #expect(String(decoding: try left.json(), as: UTF8.self) == text)
            var owned: JSONValue = []
            for _ in 1..<depth { owned = [owned] }
            var other: JSONValue = []
            for _ in 1..<depth { other = [other] }
            #expect(owned == other && owned.hashValue == other.hashValue && owned.bytes().count == 2 * depth)
        }
    }
}
