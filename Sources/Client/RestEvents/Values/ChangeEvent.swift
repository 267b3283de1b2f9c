// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
public import RestModels

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The header of a change event (Change Data Capture).
public struct ChangeHeader: Sendable, Hashable {
    /// The kind of a change.
    public enum Kind: Sendable, Hashable {
        /// The records were created.
        case created
        /// The records were updated.
        case updated
        /// The records were deleted.
        case deleted
        /// The records were restored from the recycle bin.
        case undeleted
        /// The records changed in a way that the event cannot describe: read them again.
        ///
        /// The name is Salesforce's type of the change, such as `GAP_UPDATE`.
        case gap(String)
        /// Too many records changed to be listed in the event. Read all records of the object again.
        case overflow
    }

    /// The kind of the change.
    public let kind: Kind
    /// The API name of the object.
    public let object: String
    /// The ids of the records, which an overflow does not have.
    public let recordIDs: [String]
    /// The key of the transaction, which all its events share.
    public let transactionKey: String
    /// The number of the change in its transaction, from 1.
    public let sequenceNumber: Int
    /// The time of the commit.
    public let commitTime: Date
    /// The system change number of the commit.
    public let commitNumber: UInt64?
    /// The id of the user who made the change.
    public let commitUser: String?
    /// The API and the client that made the change, such as `com/salesforce/api/rest/60.0;client=X`.
    public let origin: String
    /// The names of the fields that an update changed.
    public let changedFields: [String]
    /// The names of the fields that were set to null, if the protocol reports them.
    public let nulledFields: [String]
    /// The names of the text fields whose value is a difference, if the protocol reports them.
    public let diffFields: [String]

    /// Whether the event does not have the new values, so that the records must be read again.
    public var needsReading: Bool {
        switch kind {
        case .gap, .overflow: true
        default: false
        }
    }

    /// The maximum number of names that are read from a list, which exceeds the number of fields of any object.
    private static let mostNames = 5_000

    init?(_ json: JSONValue) {
        guard let type = json["changeType"]?.string, let object = json["entityName"]?.string else { return nil }
        switch type {
        case "CREATE": kind = .created
        case "UPDATE": kind = .updated
        case "DELETE": kind = .deleted
        case "UNDELETE": kind = .undeleted
        case "GAP_OVERFLOW": kind = .overflow
        case _ where type.hasBytes(prefix: "GAP_"): kind = .gap(type)
        default: return nil
        }
        self.object = object
        let names = { (name: String) in
            json[name]?.array?.prefix(Self.mostNames).compactMap(\.string) ?? []
        }
        recordIDs = names("recordIds")
        transactionKey = json["transactionKey"]?.string ?? ""
        sequenceNumber = json["sequenceNumber"]?.int.flatMap { Int(outside: $0, in: .count) } ?? 0
        let time = json["commitTimestamp"]?.int.flatMap { Int64(outside: $0, in: .epochMilliseconds) } ?? 0
        commitTime = Date(timeIntervalSince1970: Double(time) / 1_000)
        commitNumber = json["commitNumber"]?.uint
        commitUser = json["commitUser"]?.string
        origin = json["changeOrigin"]?.string ?? ""
        changedFields = names("changedFields")
        nulledFields = names("nulledFields")
        diffFields = names("diffFields")
    }
}

/// A change of records of a model's object (Change Data Capture).
public struct ChangeEvent<Model: RecordModel>: Sendable {
    /// The event as received.
    public let event: ReceivedEvent
    /// The header of the event.
    public let header: ChangeHeader
    /// The fields in the event, with the parts of compound fields under their own names.
    ///
    /// An event has only the fields that changed, and `LastModifiedDate`. Its `id` is set if one record
    /// changed.
    public let record: Model

    /// Reads a change event, or returns `nil` for other events and events of another object.
    public init?(_ event: ReceivedEvent) {
        guard let header = event.changeHeader, header.object.hasSameBytes(as: Model.objectName) else { return nil }
        (self.event, self.header) = (event, header)
        var fields = CompoundFields.flattened(event.fields)
        fields["ChangeEventHeader"] = JSONValue?.none
        let ids = header.recordIDs.compactMap { RecordID<Model>($0) }
        if ids.count == 1, let id = ids.first { fields["Id"] = JSONValue(id.text) }
        record = Model(record: ModelRecord(fields: fields))
        recordIDs = ids
    }

    /// The ids of the records, usually one, which an overflow does not have.
    public let recordIDs: [RecordID<Model>]

    /// The position of a subscription that has handled this event.
    public var position: EventPosition { event.position }
    /// The kind of the change.
    public var kind: ChangeHeader.Kind { header.kind }
    /// Whether the event does not have the new values, so that the records must be read again.
    public var needsReading: Bool { header.needsReading }
    /// The new values: `change.changed[\.phone]`.
    public var changed: Changed { Changed(record: record.record) }

    /// Whether the event has a new value of a field, or sets the field to null.
    public func isChanged<Value>(_ field: KeyPath<Model.Fields, ModelField<Value>>) -> Bool {
        isChanged(Self.name(field))
    }

    /// Whether the event sets a field to null.
    public func isNulled<Value: FieldValue>(_ field: KeyPath<Model.Fields, ModelField<Value>>) -> Bool {
        let name = Self.name(field)
        if header.nulledFields.contains(where: { CompoundFields.name(of: $0).hasSameBytes(as: name) }) { return true }
        return header.kind == .updated && isChanged(name) && record.record.fields[name]?.isNull != false
    }

    private func isChanged(_ name: String) -> Bool {
        if record.record.has(name) { return true }
        return header.changedFields.contains { CompoundFields.name(of: $0).hasSameBytes(as: name) }
    }

    fileprivate static func name<Value>(_ field: KeyPath<Model.Fields, ModelField<Value>>) -> String {
        Model.Fields.root[keyPath: field].path
    }

    /// The new values of a change.
    public struct Changed: Sendable {
        let record: ModelRecord

        /// The new value of a field, or `nil` if the field did not change or was set to null.
        ///
        /// ``ChangeEvent/isNulled(_:)`` distinguishes the two.
        public subscript<Value: FieldValue>(_ field: KeyPath<Model.Fields, ModelField<Value>>) -> Value? {
            record[ChangeEvent<Model>.name(field)]
        }
    }
}

/// The names of the parts of compound fields, which a change event nests and a record does not.
enum CompoundFields {
    /// The parts of a name: `Name: {FirstName, LastName}`.
    private static let nameParts = [
        "Salutation", "FirstName", "MiddleName", "LastName", "InformalName", "Suffix",
    ]

    /// Returns the fields in which the parts of addresses and names are fields of their own.
    static func flattened(_ fields: JSONObject) -> JSONObject {
        guard fields.contains(where: { $0.value.kind == .object }) else { return fields }
        var members: [JSONObject.Element] = []
        for (name, value) in fields {
            // A large text is an object with a difference.
            if let parts = value.object, name != "ChangeEventHeader", parts["diff"] == nil {
                members += parts.map { (key: self.name(of: "\(name).\($0.key)"), value: $0.value) }
            } else {
                members.append((key: name, value: value))
            }
        }
        return JSONObject(members: members)
    }

    /// Returns the record's name of a field: `BillingAddress.City` is `BillingCity`, and `Name.LastName` is `LastName`.
    static func name(of path: String) -> String {
        guard let (field, part) = path.cut(byte: ".") else { return path }
        if field == "Name", nameParts.contains(String(part)) { return String(part) }
        if let name = field.removing(suffix: "__c") { return "\(name)__\(part)__s" }
        if let kind = field.removing(suffix: "Address") { return "\(kind)\(part)" }
        return path
    }
}
