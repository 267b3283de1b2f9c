// SPDX-License-Identifier: Apache-2.0

import LocalServer

/// Why a box did not start.
public struct LocalBoxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failure, an open set.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// A stable name of the kind.
        public let rawValue: String

        /// Wraps a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Another program listens on the port.
        public static let portInUse = Code(rawValue: "portInUse")
        /// The port is not between 0 and 65535, or may not be bound by this user.
        public static let portRefused = Code(rawValue: "portRefused")
        /// The folder has a database of something else.
        public static let foreignDatabase = Code(rawValue: "foreignDatabase")
        /// The folder or its database cannot be opened or written.
        public static let cannotOpen = Code(rawValue: "cannotOpen")
        /// The server failed for another reason.
        public static let failed = Code(rawValue: "failed")
    }

    /// The kind of failure.
    public let code: Code
    /// The reason, as one sentence.
    public let message: String

    /// Makes an error.
    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}

extension LocalBoxError: StartError {
    package init(kind: String, message: String) { self.init(code: Code(rawValue: kind), message: message) }
}
