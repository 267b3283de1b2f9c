// SPDX-License-Identifier: Apache-2.0

/// Why a server did not start.
package struct ServerError: Error, Sendable, Hashable {
    /// The kinds of failure.
    package enum Code: String, Sendable {
        case portInUse, portRefused, failed
    }

    package let code: Code
    /// The reason, as one sentence.
    package let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
