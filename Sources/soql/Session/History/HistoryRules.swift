// SPDX-License-Identifier: Apache-2.0

/// What the history keeps of the things that were typed.
enum HistoryRules {
    /// Words that stand beside secrets.
    private static let words = [
        "token", "secret", "password", "passwd", "bearer", "private_key", "privatekey", "api_key", "apikey",
        "frontdoor.jsp", "sid=",
    ]

    /// Whether an entry is kept: not an empty one, not one that begins with a blank, and none that may hold a secret.
    static func keeps(_ entry: String) -> Bool {
        guard let first = entry.first, !first.isWhitespace else { return false }
        let folded = entry.lowercased()
        if folded.isCommand(setting: words) { return false }
        return !folded.hasAssignedSecret(words) && !entry.hasSessionID
    }
}

extension String {
    /// Whether the text is `\set` of a name that is a secret's.
    fileprivate func isCommand(setting words: [String]) -> Bool {
        guard hasPrefix("\\set") else { return false }
        return words.contains { contains($0) }
    }

    /// Whether one of the words is followed by a value, as in `--token x`, `password=x` or `Bearer x`.
    fileprivate func hasAssignedSecret(_ words: [String]) -> Bool {
        words.contains { word in
            ranges(of: word).contains { range in
                let before = self[..<range.lowerBound].last
                if word == "bearer" || word.hasSuffix("=") || word.hasSuffix("jsp") { return true }
                if before == "-" || before == "/" { return true }
                let rest = self[range.upperBound...].drop { $0 == "_" || $0.isLetter || $0 == "\"" }.drop(
                    while: \.isWhitespace)
                return rest.first == "=" || rest.first == ":"
            }
        }
    }

    /// Whether an access token stands in the text: the 15 characters of an org's id, then `!` and more.
    fileprivate var hasSessionID: Bool {
        ranges(of: "00D").contains { range in
            let rest = self[range.lowerBound...].prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
            return (15...18).contains(rest.count) && self[rest.endIndex...].first == "!"
        }
    }
}
