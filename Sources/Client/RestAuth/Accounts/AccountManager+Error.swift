// SPDX-License-Identifier: Apache-2.0

extension AccountManager {
    /// Why an account cannot be added, chosen or ended.
    public struct Error: Swift.Error, Sendable, Hashable, CustomStringConvertible {
        /// The kind of failure, an open set whose label is safe as a metric name.
        public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
            /// The fixed label of the kind.
            public let rawValue: String

            /// Wraps a label.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// The label.
            public var description: String { rawValue }

            /// There is no such account, or no current one.
            public static let noAccount = Code(rawValue: "noAccount")
            /// Another user is linked under this key; unlink that account first, as its clients belong to it for life.
            public static let otherUser = Code(rawValue: "otherUser")
            /// The store failed and nothing was changed; ``AccountManager/Error/store`` says why.
            public static let store = Code(rawValue: "store")
        }

        /// The kind of failure.
        public let code: Code
        /// What happened and what to do, free of secrets.
        public let message: String
        /// The store's failure behind `.store`.
        public let store: CredentialStoreError?

        /// Makes an error.
        public init(_ code: Code, _ message: String, store: CredentialStoreError? = nil) {
            self.code = code
            self.message = message
            self.store = store
        }

        init(_ error: CredentialStoreError) {
            self.init(.store, "the credential store failed: \(error)", store: error)
        }

        static func noAccount(_ id: String) -> AccountManager.Error {
            AccountManager.Error(.noAccount, "no account '\(id)' is linked; log in first")
        }

        /// The value as text, for people and logs.
        public var description: String { "\(code.rawValue): \(message)" }
    }
}
