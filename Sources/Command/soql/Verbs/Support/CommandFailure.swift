// SPDX-License-Identifier: Apache-2.0

import SOQLCheck

/// Why a verb did not do all of its work, in words for its user, and the exit status that says so.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String
    let status: ExitStatus

    init(_ description: String, status: ExitStatus = .failure) {
        (self.description, self.status) = (description, status)
    }

    /// A message; the name among the known ones that is nearest to what was written is offered.
    init(_ description: String, near word: String, _ known: [String]) {
        self.init(description + (word.nearest(in: known).map { "; did you mean '\($0)'?" } ?? ""))
    }
}
