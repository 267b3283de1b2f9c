// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// Where the body of a streamed answer waits for its reader, while the head goes back through the steps.
final class StreamSlot: Sendable {
    private let body = Mutex<HTTPBody.Stream?>(nil)

    /// Takes the body of a successful answer; any other is read, because the steps look into it.
    func fill(from stream: HTTPResponse.Stream) async throws(TransportError) -> HTTPResponse {
        guard (200..<300).contains(stream.head.status) else {
            return HTTPResponse(head: stream.head, body: try await stream.body.collect(upTo: RestError.maximumBodySize))
        }
        body.withLock { $0 = stream.body }
        return HTTPResponse(head: stream.head, body: [])
    }

    /// The body, once.
    func take() -> HTTPBody.Stream? {
        body.withLock { body in
            defer { body = nil }
            return body
        }
    }
}
