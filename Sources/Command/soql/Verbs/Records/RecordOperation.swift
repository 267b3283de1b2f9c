// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// What becomes of records.
enum RecordOperation: Equatable {
    case create, update, delete
    case upsert(externalID: String)

    /// The word of a question: `delete 3 records`.
    var word: String {
        switch self {
        case .create: "create"
        case .update: "update"
        case .delete: "delete"
        case .upsert: "upsert"
        }
    }

    /// What was done to a record, for the list of results.
    func done(isCreated: Bool?) -> String {
        switch self {
        case .create: "created"
        case .update: "updated"
        case .delete: "deleted"
        case .upsert: isCreated == true ? "created" : "updated"
        }
    }
}

/// A number of records, in words.
func records(_ count: Int) -> String { count == 1 ? "1 record" : "\(count) records" }
