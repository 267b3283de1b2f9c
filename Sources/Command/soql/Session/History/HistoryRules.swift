// SPDX-License-Identifier: Apache-2.0

import RestText
import RestTransport

/// What the history keeps of the things that were typed.
enum HistoryRules {
    /// Words that stand beside secrets.
    private static let words = [
        "token", "secret", "password", "passwd", "bearer", "private_key", "privatekey", "api_key", "apikey",
        "frontdoor.jsp", "sid=",
    ]

    /// Whether an entry is kept: not an empty one, not one that begins with a blank, and none that may hold a secret.
    static func keeps(_ entry: String) -> Bool {
        guard let first = entry.unicodeScalars.first, !first.properties.isWhitespace else { return false }
        let folded = entry.lowercased()
        if folded.isCommand(setting: words) { return false }
        return !folded.hasAssignedSecret(words) && !entry.hasSessionID
    }
}

extension String {
    /// Whether the text is `\set` of a name that is a secret's.
    fileprivate func isCommand(setting words: [String]) -> Bool {
        guard hasBytes(prefix: "\\set") else { return false }
        return words.contains { hasBytes($0) }
    }

    /// Whether one of the words is followed by a value, as in `--token x`, `password=x` or `Bearer x`.
    fileprivate func hasAssignedSecret(_ words: [String]) -> Bool {
        words.contains { word in
            ranges(bytes: word).contains { range in
                let before = self[..<range.lowerBound].unicodeScalars.last
                if word == "bearer" || word.hasBytes(suffix: "=") || word.hasBytes(suffix: "jsp") { return true }
                if before == "-" || before == "/" { return true }
                let scalars = self[range.upperBound...].unicodeScalars.drop {
                    $0 == "_" || $0 == "\"" || $0.properties.isAlphabetic
                }.drop(while: \.properties.isWhitespace)
                return scalars.first == "=" || scalars.first == ":"
            }
        }
    }

    /// Whether an access token stands in the text: the 15 characters of an org's id, then `!` and more.
    fileprivate var hasSessionID: Bool {
        ranges(bytes: "00D").contains { range in
            let id = self[range.lowerBound...].utf8.prefix(while: ASCII.isAlphanumeric)
            return (15...18).contains(id.count) && self[id.endIndex...].hasBytes(prefix: "!")
        }
    }
}
