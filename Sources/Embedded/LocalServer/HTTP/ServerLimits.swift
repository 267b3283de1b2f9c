// SPDX-License-Identifier: Apache-2.0

/// What the server allows its clients.
package struct ServerLimits: Sendable {
    /// How long a connection may do nothing while it waits for its client, in whole seconds.
    package var idleTime: Duration = .seconds(60)
    /// Open connections; each also has at most half of the process's descriptors to share.
    package var connections = 2_048
    /// The longest body of a request that may have a long one, in bytes.
    package var body = 50 << 20
    /// The longest body of a login or of any other request without a session; a form may have half of it.
    package var openBody = 128 << 10
    /// The bytes of all bodies that are being received or answered.
    package var bodyMemory = 64 << 20

    package init() {}
}
