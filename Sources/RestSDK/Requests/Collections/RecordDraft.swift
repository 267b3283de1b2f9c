// SPDX-License-Identifier: Apache-2.0

public import RestJSON

/// A record to be written together with others.
public struct RecordDraft: Sendable, Hashable {
    /// The object's name.
    public var type: String
    /// The id of the record to change; `nil` for a new one, and where an external id names it.
    public var id: String?
    /// The fields to set.
    public var fields: JSONObject

    /// Makes a draft.
    public init(_ type: String, id: String? = nil, _ fields: JSONObject) {
        self.type = type
        self.id = id
        self.fields = fields
    }

    /// The record as the server takes it.
    var json: JSONValue {
        var members: JSONObject = ["attributes": ["type": JSONValue(type)]]
        if let id { members["Id"] = JSONValue(id) }
        for (name, value) in fields { members[name] = value }
        return JSONValue(members)
    }
}
