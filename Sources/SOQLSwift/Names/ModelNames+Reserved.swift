// SPDX-License-Identifier: Apache-2.0

extension ModelNames {
    /// Names of types that written code uses, that Swift needs, or that an app would miss if one of its own hid them.
    static let reservedTypes: Set = [
        "Actor", "Any", "AnyRecord", "Array", "AsyncSequence", "Batch", "Bool", "Bundle", "Button", "Calendar",
        "CaseIterable", "Character", "Clock", "Codable", "Collection", "Color", "Comparable", "Composite", "Data",
        "Date", "Decimal", "Decodable", "Decoder", "Dictionary", "Double", "Duration", "Encodable", "Encoder",
        "Endpoint", "Equatable", "Error", "Field", "FieldValue", "Float", "Foundation", "Form", "Group", "Hashable",
        "ID", "Identifiable", "Image", "Int", "Iterator", "JSONObject", "JSONValue", "KeyPath", "Label", "Link", "List",
        "Locale", "Menu", "ModelColumn", "ModelCondition", "ModelField", "ModelFields", "ModelRecord", "ModelShape",
        "MultiPicklist", "Never", "Notification", "Observable", "Operation", "Optional", "OtherObjects", "Picker",
        "Picklist",
        "Process", "Progress", "Protocol", "Range", "Record", "RecordAddress", "RecordID", "RecordLocation",
        "RecordModel", "RecordObject", "Result", "RestClient", "RestError", "RestModels", "RestRequest", "RestSDK",
        "SOQL",
        "SOQLDate", "SOQLTime", "SOSL", "Section", "Self", "Sendable", "Sequence", "Set", "State", "String", "Swift",
        "Task", "TaskGroup", "Testing", "Text", "TimeZone", "Timer", "Toggle", "Type", "UInt", "UInt8", "URL", "UUID",
        "Unit", "View", "Void",
    ]

    /// Names of types inside the type of an object.
    static let reservedNestedTypes: Set = ["Fields", "CodingKeys", "RawValue"]

    /// Names of members that the runtime, or the language itself, needs.
    static let reservedMembers: Set = [
        "customMirror", "debugDescription", "encode", "hash", "hashValue", "init", "record", "self", "shape",
        "unsafelyUnwrapped",
    ]

    /// Names of an enum's cases that mean something else.
    static let reservedCases: Set = [
        "allCases", "description", "encode", "fieldJSON", "hash", "hashValue", "init", "listed", "none", "rawValue",
        "self", "soqlLiteral", "some", "unlisted",
    ]
}
