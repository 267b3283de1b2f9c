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

    /// Does the work, and ends it at the question of that number.
    private func questions<Value>(endingAt last: Int, _ work: () throws -> Value) throws -> (Value?, Int) {
        let asked = Mutex(0)
        let isDue: @Sendable () -> Bool = {
            asked.withLock { asked in
                asked += 1
                return asked == last
            }
        }
        do {
            return (try JSONInterruption.$isDue.withValue(isDue, operation: work), asked.withLock { $0 })
        } catch let error as JSONError where error.reason == .interrupted {
            return (nil, asked.withLock { $0 })
        } catch let error as JSONDecodingError where error.reason == .interrupted {
            return (nil, asked.withLock { $0 })
        }
    }

    @Test("a parser asks after every part, and stops when told so", arguments: [1, 2, 4])
    func parsing(last: Int) throws {
        let (value, asked) = try questions(endingAt: last) { try JSONValue(parsing: Self.page) }
        #expect(value == nil)
        #expect(asked == last)
    }

    @Test("a text parsed in parts is the same as one parsed at once")
    func parts() throws {
        let (value, asked) = try questions(endingAt: .max) { try JSONValue(parsing: Self.page) }
        #expect(asked > 4)
        #expect(try value == JSONValue(parsing: Self.page))
        let faulty = Self.page.dropLast(2) + [0x78]
        let error = #expect(throws: JSONError.self) {
            try questions(endingAt: .max) { try JSONValue(parsing: Array(faulty)) }
        }
        #expect(error?.offset == faulty.count - 1)
    }

    @Test("a long array is decoded up to the question that ends it", arguments: [1, 3])
    func decoding(last: Int) throws {
        let value = try JSONValue(parsing: Self.page)
        let (rows, asked) = try questions(endingAt: last) { try value.decode([Row].self) }
        #expect(rows == nil)
        #expect(asked == last)
        #expect(try questions(endingAt: .max) { try value.decode([Row].self) }.0?.map(\.id) == Array(0..<Self.rows))
    }

    @Test("short texts never ask")
    func short() throws {
        let (rows, asked) = try questions(endingAt: 1) { try [Row](json: Array(#"[{"id":1}]"#.utf8)) }
        #expect(rows?.count == 1)
        #expect(asked == 0)
    }
}
