// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing

@testable import RestJSON

@Suite("Ending the work on a long text")
struct JSONInterruptionTests {
    private struct Row: Decodable {
        let id: Int
    }

    private static let rows = 40_000
    private static let page = Array("[\((0..<rows).map { #"{"id":\#($0)}"# }.joined(separator: ","))]".utf8)

    /// Parses, and ends it at the question of that number.
    private func parse(_ bytes: [UInt8], endingAt last: Int) throws -> (JSONValue?, Int) {
        let asked = Mutex(0)
        let isDue: @Sendable () -> Bool = {
            asked.withLock { asked in
                asked += 1
                return asked == last
            }
        }
        var value: JSONValue?
        do throws(JSONError) {
            value = try JSONValue(parsing: bytes, unless: isDue)
        } catch {
            if error.reason != .interrupted { throw error }
        }
        return (value, asked.withLock { $0 })
    }

    @Test("a parser asks after every part, and stops when told so", arguments: [1, 2, 4])
    func parsing(last: Int) throws {
        let (value, asked) = try parse(Self.page, endingAt: last)
        #expect(value == nil)
        #expect(asked == last)
    }

    @Test("a text parsed in parts is the same as one parsed at once")
    func parts() throws {
        let (value, asked) = try parse(Self.page, endingAt: .max)
        #expect(asked > 4)
        #expect(try value == JSONValue(parsing: Self.page))
        let faulty = Array(Self.page.dropLast(2) + [0x78])
        let error = #expect(throws: JSONError.self) { try parse(faulty, endingAt: .max) }
        #expect(error?.offset == faulty.count - 1)
    }

    @Test("a long array is left when the task is cancelled, by whoever wants that")
    func decoding() async throws {
        let value = try JSONValue(parsing: Self.page)
        var options = JSONDecodingOptions()
        options.heedsCancellation = true
        #expect(try value.decode([Row].self, options: options).map(\.id) == Array(0..<Self.rows))
        let heeding = options
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            let error = #expect(throws: JSONDecodingError.self) { try value.decode([Row].self, options: heeding) }
            #expect(error?.reason == .interrupted)
            #expect(throws: Never.self) { try value.decode([Row].self) }
            #expect(throws: Never.self) { try JSONValue(parsing: "[1]").decode([Int].self, options: heeding) }
        }
        task.cancel()
        await task.value
    }

    @Test("short texts never ask")
    func short() throws {
        let (value, asked) = try parse(Array(#"[{"id":1}]"#.utf8), endingAt: 1)
        #expect(value != nil)
        #expect(asked == 0)
    }
}
