// SPDX-License-Identifier: Apache-2.0

import QueryCorpus
import RestBase
import RestTransport
import SOQLSyntax
import Testing

@Suite("Random queries over the whole grammar")
struct CorpusTests {
    /// The number of queries that a test has time for, while the benchmark uses 100,000.
    static let size: UInt64 = 5_000

    @Test("A random query is parsed, printed in canonical form, and parsed back as the same tree")
    func roundTrip() throws {
        var productions: [Production: Int] = [:]
        for seed in 0..<Self.size {
            let random = RandomQuery(seed: seed)
            productions.merge(random.productions, uniquingKeysWith: +)
            let query: SOQLQuery
            do throws(SOQLSyntaxError) {
                query = try SOQLQuery(parsing: random.typed)
            } catch {
                Issue.record("\(error) in \(random.typed)")
                continue
            }
            let text = query.text
            #expect(text == random.canonical, "seed \(seed): \(random.typed)")
            let again = try SOQLQuery(parsing: text)
            let isEqual = again == query
            #expect(isEqual, "seed \(seed): \(text)")
        }
        for production in Production.allCases {
            #expect(productions[production, default: 0] >= 10, "\(production) is rarely or never made")
        }
    }
}

@Suite("The robustness of the parser")
struct RobustnessTests {
    static let samples = AcceptedQueryTests.canonical

    @Test("Every beginning of a query is parsed, or rejected with a position inside its text", arguments: samples)
    func truncations(text: String) {
        let bytes = Array(text.utf8)
        for count in 0...bytes.count {
            check(String(decoding: bytes[..<count], as: UTF8.self))
        }
    }

    @Test("Randomly changed queries are parsed or rejected, and parsed queries survive printing", arguments: 0..<8)
    func mutations(seed: Int) {
        var generator = SplitMix64(seed: UInt64(seed) &* 7_919 &+ 1)
        let alphabet =
            Array(#" '"\().,:;=<>!+-_%*0123456789aeTZuUnINORselectfromwhere"#.utf8) + [0, 10, 13, 0xC3, 0xB6, 0xFF]
        for sample in Self.samples {
            for _ in 0..<40 {
                var bytes = Array(sample.utf8)
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    mutate(&bytes, alphabet, using: &generator)
                }
                check(String(decoding: bytes, as: UTF8.self))
            }
        }
    }

    private func mutate(_ bytes: inout [UInt8], _ alphabet: [UInt8], using generator: inout SplitMix64) {
        guard !bytes.isEmpty else { return }
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        let letter = alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[index] = letter
        case 1: bytes.insert(letter, at: index)
        case 2: bytes.remove(at: index)
        default:
            let end = Int.random(in: index..<bytes.count, using: &generator)
            bytes.insert(contentsOf: bytes[index...end], at: index)
        }
    }

    private func check(_ text: String) {
        do throws(SOQLSyntaxError) {
            let query = try SOQLQuery(parsing: text)
            let again = try SOQLQuery(parsing: query.text)
            #expect(again == query, "\(text)")
            #expect(again.text == query.text)
        } catch {
            #expect((0...text.utf8.count).contains(error.position.offset), "\(text)")
            #expect(error.position.line >= 1 && error.position.column >= 1)
            #expect(!error.message.isEmpty)
        }
    }
}
