// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by soql models 1 (kind: models; object: Odd_Thing__c; describe: 71eb1b82023b43b3).
// Do not change it; run soql models again when the org has changed.

public import RestModels

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Odd "Thing" */ (`Odd_Thing__c`).
public struct OddThing: RecordModel {
    /// The values of the record and their changes.
    public var record: ModelRecord

    /// Creates the model of a record.
    public init(record: ModelRecord) { self.record = record }

    /// Creates a new record with its required fields.
    public init(nameCustom: String, _ fill: (inout OddThing) -> Void = { _ in }) {
        record = ModelRecord()
        self.nameCustom = nameCustom
        fill(&self)
    }

    /// A new record needs values for its required fields.
    @available(*, unavailable, message: "a new OddThing needs nameCustom")
    public init(_ fill: (inout OddThing) -> Void = { _ in }) { record = ModelRecord() }

    /// The fields and relationships of the object.
    public static let shape = ModelShape(
        "Odd_Thing__c",
        """
        At__c time
        Class__c picklist
        Colours__c multipicklist
        Day__c date
        Elsewhere__c reference
        Extra__c anytype
        Foo_Bar__c percent
        FooBar__c percent
        Id id read
        Name string read
        Name__c string
        Once__c long create
        Place__c location read
        Record__c textarea
        Self__c reference
        What__c reference
        """,
        parents: [
            "Self__r": OddThing.self,
            "What__r": AnyRecord.self,
        ],
        children: [
            "Things__r": OddThing.self,
        ])

    /// At (`At__c`, time).
    public var at: SOQLTime? {
        get { record["At__c"] }
        set { record["At__c"] = newValue }
    }

    /// Class (`Class__c`, picklist).
    public var `class`: OddThing.Class? {
        get { record["Class__c"] }
        set { record["Class__c"] = newValue }
    }

    /// Colours (`Colours__c`, multipicklist).
    public var colours: MultiPicklist<OddThing.Colours>? {
        get { record["Colours__c"] }
        set { record["Colours__c"] = newValue }
    }

    /// Day (`Day__c`, date).
    public var day: SOQLDate? {
        get { record["Day__c"] }
        set { record["Day__c"] = newValue }
    }

    /// Elsewhere (`Elsewhere__c`, reference, of `Unknown__c`).
    public var elsewhereID: RecordID<Unknown>? {
        get { record["Elsewhere__c"] }
        set { record["Elsewhere__c"] = newValue }
    }

    /// Extra (`Extra__c`, anytype).
    public var extra: JSONValue? {
        get { record["Extra__c"] }
        set { record["Extra__c"] = newValue }
    }

    /// Foo Bar (`Foo_Bar__c`, percent).
    public var fooBar: Decimal? {
        get { record["Foo_Bar__c"] }
        set { record["Foo_Bar__c"] = newValue }
    }

    /// FooBar (`FooBar__c`, percent).
    public var fooBar_2: Decimal? {
        get { record["FooBar__c"] }
        set { record["FooBar__c"] = newValue }
    }

    /// Auto Number (`Name`, string, read only).
    public var name: String? { record["Name"] }

    /// Name (`Name__c`, string, external id, unique).
    public var nameCustom: String? {
        get { record["Name__c"] }
        set { record["Name__c"] = newValue }
    }

    /// Once (`Once__c`, long, set in new records only).
    public var once: Int? {
        get { record["Once__c"] }
        set { record["Once__c"] = newValue }
    }

    /// Place (`Place__c`, location, read only).
    public var place: RecordLocation? { record["Place__c"] }

    /// Record (`Record__c`, textarea).
    ///
    /// Ends */ a comment,
    ///
    /// begins /* one, goes back,
    ///
    /// and `tells` \(nothing).
    public var recordField: String? {
        get { record["Record__c"] }
        set { record["Record__c"] = newValue }
    }

    /// Self (`Self__c`, reference, of `Odd_Thing__c`).
    public var selfID: RecordID<OddThing>? {
        get { record["Self__c"] }
        set { record["Self__c"] = newValue }
    }

    /// What (`What__c`, reference, of `Account`, `Contact`).
    public var whatID: RecordID<AnyRecord>? {
        get { record["What__c"] }
        set { record["What__c"] = newValue }
    }

    /// The record that `Self__c` refers to.
    public var selfParent: OddThing? { record.parent("Self__r") }

    /// The record that `What__c` refers to.
    public var what: AnyRecord? { record.parent("What__r") }

    /// The records of `Odd_Thing__c` whose `Self__c` refers to this record.
    public var things: [OddThing]? { record.children("Things__r") }

    /// The values of `Class__c`.
    public enum Class: Picklist {
        /// self.
        case selfValue
        /// 1-10.
        case _1_10
        /// Summer.
        case été
        /// Été-' (inactive).
        case été_2
        /// +.
        case value
        /// A value that the org did not list when this code was generated.
        case unlisted(String)

        /// Creates the value with this API name.
        public init(rawValue: String) {
            self = Self.listed.first { $0.rawValue == rawValue } ?? .unlisted(rawValue)
        }

        /// The API name of the value.
        public var rawValue: String {
            switch self {
            case .selfValue: "self"
            case ._1_10: "1-10"
            case .été: "Été \"'\\"
            case .été_2: "Été-'"
            case .value: "+"
            case .unlisted(let value): value
            }
        }

        /// The values that the org lists, in the org's order.
        public static let listed: [Self] = [
            .selfValue,
            ._1_10,
            .été,
            .été_2,
            .value,
        ]
    }

    /// The values of `Colours__c`.
    public enum Colours: Picklist {
        /// Red.
        case red
        /// Green.
        case green
        /// None.
        case noneValue
        /// A value that the org did not list when this code was generated.
        case unlisted(String)

        /// Creates the value with this API name.
        public init(rawValue: String) {
            self = Self.listed.first { $0.rawValue == rawValue } ?? .unlisted(rawValue)
        }

        /// The API name of the value.
        public var rawValue: String {
            switch self {
            case .red: "Red"
            case .green: "Green"
            case .noneValue: "None"
            case .unlisted(let value): value
            }
        }

        /// The values that the org lists, in the org's order.
        public static let listed: [Self] = [
            .red,
            .green,
            .noneValue,
        ]
    }

    /// The fields for use in queries.
    public struct Fields: ModelFields {
        /// The model that has these fields.
        public typealias Model = OddThing
        /// The path of relationships from the object of a query.
        public let _path: ModelPath
        /// Creates the fields at the end of a path.
        public init(_path: ModelPath) { self._path = _path }

        public var at: ModelField<SOQLTime> { _path["At__c"] }
        public var `class`: ModelField<OddThing.Class> { _path["Class__c"] }
        public var colours: ModelField<MultiPicklist<OddThing.Colours>> { _path["Colours__c"] }
        public var day: ModelField<SOQLDate> { _path["Day__c"] }
        public var elsewhereID: ModelField<RecordID<Unknown>> { _path["Elsewhere__c"] }
        public var extra: ModelField<JSONValue> { _path["Extra__c"] }
        public var fooBar: ModelField<Decimal> { _path["Foo_Bar__c"] }
        public var fooBar_2: ModelField<Decimal> { _path["FooBar__c"] }
        public var id: ModelField<RecordID<OddThing>> { _path["Id"] }
        public var name: ModelField<String> { _path["Name"] }
        public var nameCustom: ModelField<String> { _path["Name__c"] }
        public var once: ModelField<Int> { _path["Once__c"] }
        public var place: ModelColumn<RecordLocation> { _path["Place__c"] }
        public var recordField: ModelColumn<String> { _path["Record__c"] }
        public var selfID: ModelField<RecordID<OddThing>> { _path["Self__c"] }
        public var whatID: ModelField<RecordID<AnyRecord>> { _path["What__c"] }
        public var selfParent: OddThing.Fields { _path.parent("Self__r") }
        public var what: AnyRecord.Fields { _path.parent("What__r") }
        public var things: ModelChildren<OddThing> { _path.children("Things__r") }
    }
}
