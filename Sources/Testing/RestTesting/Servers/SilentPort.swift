// SPDX-License-Identifier: Apache-2.0

package import RestBase
package import RestTransport

/// A port whose queue of connections is full, so that a new connection is neither accepted nor rejected.
package final class SilentPort: Sendable {
    private let listener: Socket
    private let queue: [Socket]

    package init() throws(Socket.Failure) {
        let listener = try Socket.listening(backlog: 0)
        self.listener = listener
        var queue: [Socket] = []
        for _ in 0..<4 { queue.append(try Socket.connected(port: listener.port, isWaiting: false)) }
        self.queue = queue
    }

    package var url: HTTPURL { .loopback(port: listener.port, "/") }
}
