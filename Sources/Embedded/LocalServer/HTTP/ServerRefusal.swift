// SPDX-License-Identifier: Apache-2.0

/// What the server refuses by itself, before the application sees the request; the application words it.
package struct ServerRefusal: Sendable, Hashable {
    package let status: Int
    /// The kind, in capitals.
    package let code: String
    /// The reason, as a sentence.
    package let message: String

    init(_ status: Int, _ code: String, _ message: String) {
        self.status = status
        self.code = code
        self.message = message
    }
}

extension ServerRefusal {
    package static let tooLarge = ServerRefusal(413, "REQUEST_TOO_LARGE", "The request body is too large.")
    static let noRoom = ServerRefusal(
        503, "SERVER_UNAVAILABLE", "The server is receiving too many request bodies. Try again.")
}
