// SPDX-License-Identifier: Apache-2.0

import QueryCorpus
import SOQLSyntax
import Testing

@Suite("Random queries over the whole grammar")
struct CorpusTests {
    /// As many as a test has time for; a figure takes 100,000.
    static let size: UInt64 = 5_000

    @Test("What is typed is read, printed in canonical form, and read back as the same tree")
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
