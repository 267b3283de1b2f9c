// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RestJSON

@Suite("Ending the decoding of a long array")
struct JSONInterruptionTests {
    private struct Row: Decodable {
        let id: Int
    }

    private static let rows = 40_000
    private static let page = Array("[\((0..<rows).map { #"{"id":\#($0)}"# }.joined(separator: ","))]".utf8)

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
}
