// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestCSV
import Testing

@Suite("CSV cost")
struct CostTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let piece: Int
        var size = 8_000
        let make: @Sendable (Int) -> String
    }

    static let kinds = [
        Kind(testDescription: "one huge field in pieces of one byte", piece: 1) { String(repeating: "x", count: $0) },
        Kind(testDescription: "one huge field in quotes in pieces of one byte", piece: 1) {
            "\"" + String(repeating: "\n,", count: $0 / 2) + "\""
        },
        Kind(testDescription: "quotes everywhere", piece: 1 << 12, size: 100_000) {
            "\"" + String(repeating: "\"\"", count: $0 / 2) + "\""
        },
        Kind(testDescription: "one row of empty fields in pieces of one byte", piece: 1) {
            String(repeating: ",", count: $0)
        },
        Kind(testDescription: "empty rows in pieces of three bytes", piece: 3) { String(repeating: "\n", count: $0) },
        Kind(testDescription: "a field that is not UTF-8, far behind", piece: 1 << 12, size: 100_000) {
            String(repeating: "é\n", count: $0 / 3)
        },
    ]

    private func cost(_ bytes: [UInt8], _ piece: Int) -> Duration {
        let parts = pieces(bytes, of: piece)
        let options = CSVReader.Options(hasHeader: false, limits: CSVLimits(maximumColumns: 1 << 30))
        let start = processorTime()
        _ = read(parts, .rfc4180, options)
        return processorTime() - start
    }

    /// What this thread has used of a processor.
    private func processorTime() -> Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// The least processor times of several tries, taken in turn: other programs lengthen some, and never shorten one.
    @Test("reading is linear: what is quadratic costs sixteen times as much at four times the size", arguments: kinds)
    func reading(kind: Kind) throws {
        let (short, long) = (Array(kind.make(kind.size).utf8), Array(kind.make(4 * kind.size).utf8))
        let costs = (0..<7).map { _ in (short: cost(short, kind.piece), long: cost(long, kind.piece)) }
        let one = try #require(costs.map(\.short).min())
        let four = try #require(costs.map(\.long).min())
        #expect(four < one * 8, "\(one), \(four)")
    }

    @Test("a reader holds one unfinished row, however much has come")
    func memory() throws {
        var reader = CSVReader()
        let piece = Array("1,2,3\n4,5".utf8)
        for round in 0..<1_000 {
            let rows = try reader.push(round == 0 ? Array("a,b,c\n".utf8) : piece + Array(",6\n".utf8))
            #expect(rows.count == (round == 0 ? 0 : 2))
            #expect(rows.first?.bytes.count ?? 0 <= piece.count + 3)
        }
    }
}
