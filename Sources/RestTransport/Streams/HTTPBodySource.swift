// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A request body made while it is sent; it can be sent once, so such a request is never repeated.
///
/// Two sources are equal when they are the same object.
public final class HTTPBodySource: Sendable, Hashable {
    /// The number of bytes in all; `nil` sends the body in chunks.
    public let length: Int64?
    private let next: @Sendable () async throws -> [UInt8]?
    private let isTaken = Mutex(false)

    /// Makes a body of a closure that gives one piece after the other and `nil` at the end.
    public init(length: Int64? = nil, next: @escaping @Sendable () async throws -> [UInt8]?) {
        self.length = length
        self.next = next
    }

    /// Claims the body for one transfer; `nil` when it was claimed before.
    package func take() -> (@Sendable () async throws -> [UInt8]?)? {
        let wasTaken = isTaken.withLock { isTaken in
            defer { isTaken = true }
            return isTaken
        }
        return wasTaken ? nil : next
    }

    /// Whether both are the same object.
    public static func == (left: HTTPBodySource, right: HTTPBodySource) -> Bool { left === right }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
