// SPDX-License-Identifier: Apache-2.0

import RestTesting

/// Texts that would change a query if they were pasted into it; the same in every run.
struct HostileText: Sequence, IteratorProtocol {
    private var random: SeededGenerator
    private var left: Int

    init(_ count: Int, seed: UInt64 = 1) {
        random = SeededGenerator(seed: seed)
        left = count
    }

    mutating func next() -> String? {
        guard left > 0 else { return nil }
        left -= 1
        return (0..<Int.random(in: 1...6, using: &random)).map { _ in
            Self.pieces.randomElement(using: &random) ?? ""
        }.joined()
    }

    /// Ten thousand of them.
    static let many = Array(HostileText(10_000))

    private static let pieces = [
        "'", "\\", "\\'", "''", "\"", "\\\"", ")", "(", ",", " ", " OR Id != null", "' OR Name != '",
        ") OR (Id != null",
        "--", "/*", "*/", "//", "{", "}", "} RETURNING User", "\n", "\r", "\t", "\0", "\u{1B}", "\u{7F}", "\u{85}",
        "\u{2028}", "%", "_", "\\%", "\\_", "\\u0027", "\\n", " LIMIT 1", " FROM User", "SELECT", "null", "x", "é",
        "\u{301}",
        "\u{200D}", "\u{600}", "😀", "\u{FF07}", "\u{2019}", "\u{2BC}", " AND ", " OR ", " NOT ", "or", "and",
        "\u{A0}OR\u{A0}",
        "0", "5", "-", ".", ":", "@{a.id}", "+", "\u{3000}", "*", "?", "&&", "||", "!", "=", "<", ">", "LAST_N_DAYS:3",
        "2024-01-01", "T00:00:00Z", "USD5", "a b", "^", "~", "[", "]",
    ]
}
