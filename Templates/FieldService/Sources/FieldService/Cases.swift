// SPDX-License-Identifier: Apache-2.0

import RestSync

/// The part of the org that the app stores, shows and edits.
enum Cases {
    /// The objects of the copy, including the parents that a query uses.
    static let objects = ["Case", "Account", "Contact"]

    private static let fields = """
        CaseNumber, Subject, Status, Priority, Description, Account.Name, Contact.Name, Contact.Phone
        """

    /// The records of the copy, which a case leaves at a sync after it was closed.
    static let subset: SOQL = "SELECT \(raw: fields) FROM Case WHERE IsClosed = false AND Priority = 'High'"

    static let list: SOQL = "SELECT Id, \(raw: fields) FROM Case ORDER BY CaseNumber NULLS LAST, Id"

    static func one(_ id: String) -> SOQL { "SELECT \(raw: fields) FROM Case WHERE Id = \(id)" }

    /// The fields of a new case, which is in the subset.
    static func new(_ subject: String) -> JSONObject {
        ["Subject": JSONValue(subject), "Status": "New", "Priority": "High"]
    }
}

extension SyncStore {
    /// Opens the copy of the cases in a file.
    ///
    /// The org describes the objects of a new copy. Later, no network is needed.
    static func cases(in file: String, from client: RestClient) async throws(SyncError) -> SyncStore {
        let store: SyncStore
        do throws(SyncError) {
            store = try await SyncStore.open(file)
        } catch  where error.code == .schema {
            let schema = try await SyncSchema.describing(Cases.objects, of: client)
            store = try await SyncStore.open(file, schema: schema)
        }
        try store.add(Cases.subset)
        return store
    }
}
