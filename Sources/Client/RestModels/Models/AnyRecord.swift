// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// A record of any object: what an id leads to where a reference can lead to records of several objects.
///
/// It has the fields that queries can ask for through such a reference: `\.what.name`.
public struct AnyRecord: RecordModel {
    /// What is known of such records.
    public static let shape = ModelShape("Name", "Id id read\nName string read\nType string read")

    /// The values.
    public var record: ModelRecord

    /// The model of a record.
    public init(record: ModelRecord) { self.record = record }

    /// The name.
    public var name: String? { record["Name"] }
    /// The API name of the record's object.
    public var type: String? { record["Type"] }

    /// The fields, for queries.
    public struct Fields: ModelFields {
        /// The model.
        public typealias Model = AnyRecord
        /// Where they are.
        public let _path: ModelPath
        /// The fields at a place.
        public init(_path: ModelPath) { self._path = _path }
        /// The id.
        public var id: ModelField<RecordID<AnyRecord>> { _path["Id"] }
        /// The name.
        public var name: ModelField<String> { _path["Name"] }
        /// The API name of the record's object.
        public var type: ModelField<String> { _path["Type"] }
    }
}
