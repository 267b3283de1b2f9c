// SPDX-License-Identifier: Apache-2.0

/// Why a server did not start.
package struct ServerError: Error, Sendable, Hashable {
    /// The kinds of failure.
    package enum Code: String, Sendable {
        case portInUse, portRefused, certificateRefused, failed
    }

    package let code: Code
    /// The reason, as one sentence.
    package let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// Why something with a server in it did not start: what the public errors of the embedded servers are made of.
package protocol StartError: Error {
    /// - Parameters:
    ///   - kind: a stable name of the kind.
    ///   - message: the reason, as one sentence.
    init(kind: String, message: String)
}

extension StartError {
    /// Runs the body; why the server did not start becomes an error of this kind.
    package static func wrapping<Result>(_ body: () throws(ServerError) -> Result) throws(Self) -> Result {
        do throws(ServerError) {
            return try body()
        } catch {
            throw Self(kind: error.code.rawValue, message: error.message)
        }
    }
}
