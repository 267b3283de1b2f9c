// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by soql models 1 (kind: models; object: Task; describe: 066760e9eb06f99e).
// Do not change it; run soql models again when the org has changed.

public import RestModels

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Task (`Task`).
public struct TaskRecord: RecordModel {
    /// The values of the record and their changes.
    public var record: ModelRecord

    /// Creates the model of a record.
    public init(record: ModelRecord) { self.record = record }

    /// Creates a new record.
    public init(_ fill: (inout TaskRecord) -> Void = { _ in }) {
        record = ModelRecord()
        fill(&self)
    }

    /// The fields and relationships of the object.
    public static let shape = ModelShape(
        "Task",
        """
        AccountId reference
        ActivityDate date
        CreatedById reference read
        CreatedDate datetime read
        Description textarea
        Id id read
        IsClosed boolean read
        IsDeleted boolean read
        LastModifiedById reference read
        LastModifiedDate datetime read
        OwnerId reference
        Priority picklist
        Status picklist
        Subject string
        SystemModstamp datetime read
        WhatId reference
        WhoId reference
        """,
        parents: [
            "Account": Account.self,
            "CreatedBy": User.self,
            "LastModifiedBy": User.self,
            "Owner": User.self,
            "What": AnyRecord.self,
            "Who": AnyRecord.self,
        ])

    /// Account ID (`AccountId`, reference, of `Account`).
    public var accountID: RecordID<Account>? {
        get { record["AccountId"] }
        set { record["AccountId"] = newValue }
    }

    /// Activity Date (`ActivityDate`, date).
    public var activityDate: SOQLDate? {
        get { record["ActivityDate"] }
        set { record["ActivityDate"] = newValue }
    }

    /// Created By ID (`CreatedById`, reference, read only, of `User`).
    public var createdByID: RecordID<User>? { record["CreatedById"] }

    /// Created Date (`CreatedDate`, datetime, read only).
    public var createdDate: Date? { record["CreatedDate"] }

    /// Description (`Description`, textarea).
    public var description: String? {
        get { record["Description"] }
        set { record["Description"] = newValue }
    }

    /// Is Closed (`IsClosed`, boolean, read only).
    public var isClosed: Bool? { record["IsClosed"] }

    /// Deleted (`IsDeleted`, boolean, read only).
    public var isDeleted: Bool? { record["IsDeleted"] }

    /// Last Modified By ID (`LastModifiedById`, reference, read only, of `User`).
    public var lastModifiedByID: RecordID<User>? { record["LastModifiedById"] }

    /// Last Modified Date (`LastModifiedDate`, datetime, read only).
    public var lastModifiedDate: Date? { record["LastModifiedDate"] }

    /// Owner ID (`OwnerId`, reference, of `User`).
    public var ownerID: RecordID<User>? {
        get { record["OwnerId"] }
        set { record["OwnerId"] = newValue }
    }

    /// Priority (`Priority`, picklist).
    public var priority: TaskRecord.Priority? {
        get { record["Priority"] }
        set { record["Priority"] = newValue }
    }

    /// Status (`Status`, picklist).
    public var status: TaskRecord.Status? {
        get { record["Status"] }
        set { record["Status"] = newValue }
    }

    /// Subject (`Subject`, string).
    public var subject: String? {
        get { record["Subject"] }
        set { record["Subject"] = newValue }
    }

    /// System Modstamp (`SystemModstamp`, datetime, read only).
    public var systemModstamp: Date? { record["SystemModstamp"] }

    /// What ID (`WhatId`, reference, of `Account`, `Opportunity`, `Case`, `Campaign`, `Contract`, `Asset`, `Product2`).
    public var whatID: RecordID<AnyRecord>? {
        get { record["WhatId"] }
        set { record["WhatId"] = newValue }
    }

    /// Who ID (`WhoId`, reference, of `Contact`, `Lead`).
    public var whoID: RecordID<AnyRecord>? {
        get { record["WhoId"] }
        set { record["WhoId"] = newValue }
    }

    /// The record that `AccountId` refers to.
    public var account: Account? { record.parent("Account") }

    /// The record that `CreatedById` refers to.
    public var createdBy: User? { record.parent("CreatedBy") }

    /// The record that `LastModifiedById` refers to.
    public var lastModifiedBy: User? { record.parent("LastModifiedBy") }

    /// The record that `OwnerId` refers to.
    public var owner: User? { record.parent("Owner") }

    /// The record that `WhatId` refers to.
    public var what: AnyRecord? { record.parent("What") }

    /// The record that `WhoId` refers to.
    public var who: AnyRecord? { record.parent("Who") }

    /// The values of `Priority`.
    public enum Priority: Picklist {
        /// High.
        case high
        /// Normal.
        case normal
        /// Low.
        case low
        /// A value that the org did not list when this code was generated.
        case unlisted(String)

        /// Creates the value with this API name.
        public init(rawValue: String) {
            self = Self.listed.first { $0.rawValue == rawValue } ?? .unlisted(rawValue)
        }

        /// The API name of the value.
        public var rawValue: String {
            switch self {
            case .high: "High"
            case .normal: "Normal"
            case .low: "Low"
            case .unlisted(let value): value
            }
        }

        /// The values that the org lists, in the org's order.
        public static let listed: [Self] = [
            .high,
            .normal,
            .low,
        ]
    }

    /// The values of `Status`.
    public enum Status: Picklist {
        /// Not Started.
        case notStarted
        /// In Progress.
        case inProgress
        /// Completed.
        case completed
        /// Waiting on someone else.
        case waitingOnSomeoneElse
        /// Deferred.
        case deferred
        /// A value that the org did not list when this code was generated.
        case unlisted(String)

        /// Creates the value with this API name.
        public init(rawValue: String) {
            self = Self.listed.first { $0.rawValue == rawValue } ?? .unlisted(rawValue)
        }

        /// The API name of the value.
        public var rawValue: String {
            switch self {
            case .notStarted: "Not Started"
            case .inProgress: "In Progress"
            case .completed: "Completed"
            case .waitingOnSomeoneElse: "Waiting on someone else"
            case .deferred: "Deferred"
            case .unlisted(let value): value
            }
        }

        /// The values that the org lists, in the org's order.
        public static let listed: [Self] = [
            .notStarted,
            .inProgress,
            .completed,
            .waitingOnSomeoneElse,
            .deferred,
        ]
    }

    /// The fields for use in queries.
    public struct Fields: ModelFields {
        /// The model that has these fields.
        public typealias Model = TaskRecord
        /// The path of relationships from the object of a query.
        public let _path: ModelPath
        /// Creates the fields at the end of a path.
        public init(_path: ModelPath) { self._path = _path }

        public var accountID: ModelField<RecordID<Account>> { _path["AccountId"] }
        public var activityDate: ModelField<SOQLDate> { _path["ActivityDate"] }
        public var createdByID: ModelField<RecordID<User>> { _path["CreatedById"] }
        public var createdDate: ModelField<Date> { _path["CreatedDate"] }
        public var description: ModelColumn<String> { _path["Description"] }
        public var id: ModelField<RecordID<TaskRecord>> { _path["Id"] }
        public var isClosed: ModelField<Bool> { _path["IsClosed"] }
        public var isDeleted: ModelField<Bool> { _path["IsDeleted"] }
        public var lastModifiedByID: ModelField<RecordID<User>> { _path["LastModifiedById"] }
        public var lastModifiedDate: ModelField<Date> { _path["LastModifiedDate"] }
        public var ownerID: ModelField<RecordID<User>> { _path["OwnerId"] }
        public var priority: ModelField<TaskRecord.Priority> { _path["Priority"] }
        public var status: ModelField<TaskRecord.Status> { _path["Status"] }
        public var subject: ModelField<String> { _path["Subject"] }
        public var systemModstamp: ModelField<Date> { _path["SystemModstamp"] }
        public var whatID: ModelField<RecordID<AnyRecord>> { _path["WhatId"] }
        public var whoID: ModelField<RecordID<AnyRecord>> { _path["WhoId"] }
        public var account: Account.Fields { _path.parent("Account") }
        public var createdBy: User.Fields { _path.parent("CreatedBy") }
        public var lastModifiedBy: User.Fields { _path.parent("LastModifiedBy") }
        public var owner: User.Fields { _path.parent("Owner") }
        public var what: AnyRecord.Fields { _path.parent("What") }
        public var who: AnyRecord.Fields { _path.parent("Who") }
    }
}
