// SPDX-License-Identifier: Apache-2.0

extension TokenMigration {
    /// Logins in a format of somebody else's, or of an earlier version of your program.
    public struct RecordSource<Record: Sendable>: TokenMigration.Source {
        private let records: [String: Record]
        private let convert: @Sendable (String, Record) async throws(TokenMigration.Failure) -> Credential

        /// Takes records that were read already.
        ///
        /// - Parameters:
        ///   - records: the records by the account's key.
        ///   - convert: makes a record's credential; see ``TokenMigration/Source/credential(of:)``.
        public init(
            _ records: [String: Record],
            convert: @escaping @Sendable (String, Record) async throws(TokenMigration.Failure) -> Credential
        ) {
            self.records = records
            self.convert = convert
        }

        /// The keys of all records.
        public func accounts() async throws(TokenMigration.Failure) -> [String] { records.keys.sorted() }

        /// The credential that the account's record converts to.
        public func credential(of account: String) async throws(TokenMigration.Failure) -> Credential {
            guard let record = records[account] else {
                throw TokenMigration.Failure(account: account, isTemporary: false, "there is no such record")
            }
            return try await convert(account, record)
        }
    }
}
