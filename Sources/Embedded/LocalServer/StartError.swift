// SPDX-License-Identifier: Apache-2.0

/// Why an embedded server did not start.
public struct StartError: Error, Sendable, Hashable, CustomStringConvertible {
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
        /// An embedded server listens on 127.0.0.1 only.
        public static let addressRefused = Code(rawValue: "addressRefused")
        /// The file is not an SQLite database, or is damaged.
        public static let notADatabase = Code(rawValue: "notADatabase")
        /// The file or the folder has a database of another program.
        public static let foreignDatabase = Code(rawValue: "foreignDatabase")
        /// The file or the folder cannot be opened or written.
        public static let cannotOpen = Code(rawValue: "cannotOpen")
        /// A connected app's redirect URI, certificate or id is not valid.
        public static let invalidApp = Code(rawValue: "invalidApp")
        /// The users are not valid, or a record of one cannot be made.
        public static let invalidUsers = Code(rawValue: "invalidUsers")
        /// A name for TLS is not one of a host, or this machine's libraries cannot make a certificate.
        public static let certificateRefused = Code(rawValue: "certificateRefused")
        /// The description of the objects cannot be used.
        public static let invalidSchema = Code(rawValue: "invalidSchema")
        /// The records for a new org cannot be read or written.
        public static let invalidRecords = Code(rawValue: "invalidRecords")
        /// The file has objects or fields that the schema lacks, or has as another type.
        public static let changedSchema = Code(rawValue: "changedSchema")
        /// The server or the database failed for another reason.
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

    init(_ code: Code, _ message: String) { self.init(code: code, message: message) }

    /// The message.
    public var description: String { message }
}
