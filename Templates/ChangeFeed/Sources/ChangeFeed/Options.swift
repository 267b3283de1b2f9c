// SPDX-License-Identifier: Apache-2.0

/// The options of the command line.
struct Options {
    /// The error for an invalid command line.
    struct UsageError: Error, CustomStringConvertible {
        let description: String
    }

    let database: String
    let object: String
    let fields: [String]
    /// The number of changes after which the service stops, or `nil` if it runs without end.
    let changes: Int?

    init(_ words: [String]) throws(UsageError) {
        var words = words[...]
        if let place = words.firstIndex(of: "--changes") {
            guard let count = words[place...].dropFirst().first.flatMap({ Int($0) }), count > 0 else {
                throw UsageError(description: "--changes needs a number of changes, 1 or more")
            }
            changes = count
            words.removeSubrange(place...(place + 1))
        } else {
            changes = nil
        }
        let values = Array(words)
        guard values.count > 2, !values.contains(where: { $0.hasPrefix("-") }) else {
            throw UsageError(description: "usage: DATABASE OBJECT FIELD… [--changes COUNT]")
        }
        (database, object, fields) = (values[0], values[1], Array(values[2...]))
    }
}
