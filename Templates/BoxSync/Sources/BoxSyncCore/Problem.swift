// SPDX-License-Identifier: Apache-2.0

/// Why one file could not be taken along; the others are not affected.
struct Problem: Error, Equatable {
    let path: String
    let reason: String

    init(_ path: String, _ reason: String) {
        (self.path, self.reason) = (path, reason)
    }
}

/// Why the command as a whole cannot go on.
struct Failure: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}
