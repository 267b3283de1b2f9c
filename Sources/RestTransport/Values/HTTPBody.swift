// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A request body; all but a stream can be sent again from their start, so that a replay is possible.
public enum HTTPBody: Sendable, Hashable {
    /// No body at all.
    case empty
    /// Bytes held in memory.
    case bytes([UInt8])
    /// The content of the file at this path, read while it is sent.
    case file(path: String)
    /// Bytes made while they are sent, once.
    case stream(HTTPBody.Source)

    /// The bytes of a body in memory, none where there is no body; `nil` for a file and for a stream.
    public var inMemory: [UInt8]? {
        switch self {
        case .empty: []
        case .bytes(let bytes): bytes
        case .file, .stream: nil
        }
    }

    /// Whether the body can be sent again from its start.
    public var isReplayable: Bool {
        if case .stream = self { return false }
        return true
    }
}

extension HTTPBody {
    /// A request body made while it is sent; it can be sent once, so such a request is never repeated.
    ///
    /// Two sources are equal when they are the same object.
    public final class Source: Sendable, Hashable {
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
        public static func == (left: HTTPBody.Source, right: HTTPBody.Source) -> Bool { left === right }

        /// Hashes the object's identity.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(self))
        }
    }
}
