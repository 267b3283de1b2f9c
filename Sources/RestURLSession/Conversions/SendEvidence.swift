// SPDX-License-Identifier: Apache-2.0

/// What is known of how far a request came when URLSession ends it with an error.
///
/// No code of URLSession proves by itself that nothing was sent: a task can lose its network, or fail on a second
/// connection, after its request left on a first one.
struct SendEvidence: Equatable {
    /// Bytes of the body that were handed to a connection.
    var sentBytes: Int64 = 0
    /// Whether the header of an answer came.
    var hasHead = false
    /// Whether the request was begun on any connection; `nil` where URLSession does not tell.
    var hasBegun: Bool?

    /// Whether it is known that no byte of the request left.
    var isUnsent: Bool { sentBytes == 0 && !hasHead && hasBegun == false }
}
