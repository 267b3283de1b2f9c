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
    /// The time between two rounds, or `nil` for a single round.
    let interval: Duration?

    init(_ words: [String]) throws(UsageError) {
        var words = words[...]
        if let place = words.firstIndex(of: "--every") {
            guard let seconds = words[place...].dropFirst().first.flatMap({ Int($0) }), (1...86_400).contains(seconds)
            else { throw UsageError(description: "--every needs a number of seconds, 1 to 86400") }
            interval = .seconds(seconds)
            words.removeSubrange(place...(place + 1))
        } else {
            interval = nil
        }
        let values = Array(words)
        guard values.count > 2, !values.contains(where: { $0.hasPrefix("-") }) else {
            throw UsageError(description: "usage: DATABASE OBJECT FIELD… [--every SECONDS]")
        }
        (database, object, fields) = (values[0], values[1], Array(values[2...]))
    }
}
