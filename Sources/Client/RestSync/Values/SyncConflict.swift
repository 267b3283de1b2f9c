// SPDX-License-Identifier: Apache-2.0

public import RestJSON

/// A local change that was not sent or not accepted, and waits for a decision.
///
/// Nothing is overwritten meanwhile: the copy shows the local values, and the server retains its values. The conflict
/// disappears when it is resolved, or when both sides have the same values again. A field that the schema or the org
/// lacks has its local value only in the conflict.
public struct SyncConflict: Sendable, Hashable, Identifiable {
    /// The reason why a change waits.
    public enum Reason: Sendable, Hashable {
        /// The same fields were changed here and on the server.
        case changedOnBothSides
        /// The record was changed here and deleted on the server.
        case deletedOnServer
        /// The record was changed here, and merged into another record on the server.
        case merged(into: String)
        /// The record was deleted here and changed on the server.
        case changedOnServerDeletedHere
        /// The server rejected the change, for example because of a validation rule.
        case rejected(code: String, message: String)
        /// The user can no longer see the record.
        case notVisible
        /// The schema or the org no longer has a changed field.
        case fieldRemoved
        /// The schema has another type or less room for a changed field.
        case fieldChanged
        /// The schema no longer has the object.
        case objectRemoved
        /// The change belongs to a cycle of new records that require each other.
        case cycle
    }

    /// A field that was changed here.
    public struct Field: Sendable, Hashable {
        /// The name of the field.
        public let name: String
        /// The value before the local change, or `nil` if it was not read.
        public let base: JSONValue?
        /// The value here.
        public let local: JSONValue
        /// The value on the server, or `nil` if it is unknown.
        public let server: JSONValue?
    }

    /// The number of the conflict in the copy.
    public let id: Int64
    /// The object of the record.
    public let object: String
    /// The id of the record, which is temporary for a new record.
    public let recordID: String
    /// The reason.
    public let reason: Reason
    /// Whether the local change deletes the record.
    public let isDeletion: Bool
    /// The changed fields that wait.
    public let fields: [Field]

    /// A decision about a conflict.
    public enum Resolution: Sendable, Hashable {
        /// The server's values, or its deletion. The local change is dropped.
        case server
        /// The local values, which the next sync sends as a change of the server's current values.
        case local
        /// These values for the fields in conflict, sent by the next sync.
        case values(JSONObject)
    }
}

extension SyncConflict {
    /// The handling of a field that was changed here and on the server.
    ///
    /// Changes of different fields merge without a conflict. A policy decides conflicts about values, and a record that
    /// was deleted on one side and changed on the other. All other conflicts wait for
    /// ``SyncStore/resolve(_:with:)``.
    public enum Policy: Sendable {
        /// The server's value replaces the local value.
        case server
        /// The local value is sent.
        case local
        /// Both values are kept until the conflict is resolved.
        case ask
        /// The closure decides about each field and returns its value, or `nil` to keep both values.
        case custom(@Sendable (_ object: String, _ recordID: String, _ field: Field) -> JSONValue?)
    }
}

extension SyncConflict {
    /// Makes a conflict of an outbox row that is held.
    init(_ change: PendingChange) {
        id = change.number
        object = change.object
        recordID = change.record
        reason = change.reason ?? .changedOnBothSides
        isDeletion = change.kind == .delete
        fields = change.fields.map { name, value in
            Field(name: name, base: change.base[name], local: value, server: change.server[name])
        }
    }
}

extension SyncConflict.Reason: CustomStringConvertible {
    /// The reason as text, for people and logs.
    public var description: String {
        switch self {
        case .changedOnBothSides: "changed here and on the server"
        case .deletedOnServer: "changed here, deleted on the server"
        case .merged(let id): "changed here, merged into \(id) on the server"
        case .changedOnServerDeletedHere: "deleted here, changed on the server"
        case .rejected(let code, let message): "rejected by the server: \(code): \(message)"
        case .notVisible: "changed here, no longer visible on the server"
        case .fieldRemoved: "changed here in a field that the schema or the org no longer has"
        case .fieldChanged: "changed here in a field that has another type or less room"
        case .objectRemoved: "changed here, but the schema no longer has the object"
        case .cycle: "in a cycle of new records that require each other"
        }
    }

    /// The reason as JSON, for the outbox.
    var json: JSONValue {
        switch self {
        case .changedOnBothSides: ["kind": "both"]
        case .deletedOnServer: ["kind": "deleted"]
        case .merged(let id): ["kind": "merged", "id": JSONValue(id)]
        case .changedOnServerDeletedHere: ["kind": "deletedHere"]
        case .rejected(let code, let message):
            ["kind": "rejected", "code": JSONValue(code), "message": JSONValue(message)]
        case .notVisible: ["kind": "notVisible"]
        case .fieldRemoved: ["kind": "fieldRemoved"]
        case .fieldChanged: ["kind": "fieldChanged"]
        case .objectRemoved: ["kind": "objectRemoved"]
        case .cycle: ["kind": "cycle"]
        }
    }

    /// Reads the reason of an outbox row, or returns `nil` for any other JSON.
    init?(_ json: JSONValue) {
        switch json["kind"]?.string {
        case "both": self = .changedOnBothSides
        case "deleted": self = .deletedOnServer
        case "merged": self = .merged(into: json["id"]?.string ?? "")
        case "deletedHere": self = .changedOnServerDeletedHere
        case "rejected":
            self = .rejected(code: json["code"]?.string ?? "", message: json["message"]?.string ?? "")
        case "notVisible": self = .notVisible
        case "fieldRemoved": self = .fieldRemoved
        case "fieldChanged": self = .fieldChanged
        case "objectRemoved": self = .objectRemoved
        case "cycle": self = .cycle
        default: return nil
        }
    }
}
