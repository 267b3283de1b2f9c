// SPDX-License-Identifier: Apache-2.0

/// The error thrown when an embedded server does not start.
public struct StartError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of errors, an open set.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// A stable name of the kind.
        public let rawValue: String

        /// Wraps a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Another program listens on the port.
        public static let portInUse = Code(rawValue: "portInUse")
        /// The port is not between 0 and 65535, or this user may not bind it.
        public static let portRefused = Code(rawValue: "portRefused")
        /// The file is damaged or not an SQLite database.
        public static let notADatabase = Code(rawValue: "notADatabase")
        /// The file or the directory has a database of another program.
        public static let foreignDatabase = Code(rawValue: "foreignDatabase")
        /// The file or the directory cannot be opened or written.
        public static let cannotOpen = Code(rawValue: "cannotOpen")
        /// A connected app has an invalid redirect URI, certificate or ID.
        public static let invalidApp = Code(rawValue: "invalidApp")
        /// The users are invalid, or the record of a user cannot be created.
        public static let invalidUsers = Code(rawValue: "invalidUsers")
        /// A name for TLS is not a host name, or this machine's libraries cannot create a certificate.
        public static let certificateRefused = Code(rawValue: "certificateRefused")
        /// The description of the objects is invalid.
        public static let invalidSchema = Code(rawValue: "invalidSchema")
        /// The records for a new org cannot be read or written.
        public static let invalidRecords = Code(rawValue: "invalidRecords")
        /// The schema lacks objects or fields of the file, or they have another type.
        public static let changedSchema = Code(rawValue: "changedSchema")
        /// The server or the database failed for another reason.
        public static let failed = Code(rawValue: "failed")
    }

    /// The kind of error.
    public let code: Code
    /// The reason, as one sentence.
    public let message: String

    /// Creates an error.
    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    package init(_ code: Code, _ message: String) { self.init(code: code, message: message) }

    /// The message.
    public var description: String { message }
}
