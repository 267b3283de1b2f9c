// SPDX-License-Identifier: Apache-2.0

/// What the command line asks for.
struct Options {
    /// A command line that cannot be understood.
    struct UsageError: Error, CustomStringConvertible {
        let description: String
    }

    let database: String
    let object: String
    let fields: [String]
    /// How long to wait between two rounds; `nil` for one round.
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
