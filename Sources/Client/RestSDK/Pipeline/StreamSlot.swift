// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// Hands the body of a streamed response to its reader.
final class StreamSlot: Sendable {
    private let body = Mutex<HTTPBody.Stream?>(nil)

    /// Takes the body of the call's response.
    func fill(_ stream: HTTPBody.Stream) { body.withLock { $0 = stream } }

    /// The body, once.
    func take() -> HTTPBody.Stream? {
        body.withLock { body in
            defer { body = nil }
            return body
        }
    }
}
