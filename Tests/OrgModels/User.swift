// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by soql models 1 (kind: models; object: User; describe: 301748fbaf0fe689).
// Do not change it; run soql models again when the org has changed.

public import RestModels

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// User (`User`).
public struct User: RecordModel {
    /// The values of the record and their changes.
    public var record: ModelRecord

    /// Creates the model of a record.
    public init(record: ModelRecord) { self.record = record }

    /// Creates a new record with its required fields.
    public init(
        alias: String, email: String, lastName: String, profileID: RecordID<Profile>, username: String,
        _ fill: (inout User) -> Void = { _ in }
    ) {
        record = ModelRecord()
        self.alias = alias
        self.email = email
        self.lastName = lastName
        self.profileID = profileID
        self.username = username
        fill(&self)
    }

    /// A new record needs values for its required fields.
    @available(*, unavailable, message: "a new User needs alias, email, lastName, profileID, username")
    public init(_ fill: (inout User) -> Void = { _ in }) { record = ModelRecord() }

    /// The fields and relationships of the object.
    public static let shape = ModelShape(
        "User",
        """
        Alias string
        CreatedById reference read
        CreatedDate datetime read
        Department string
        Email email
        FirstName string
        Id id read
        IsActive boolean
        IsDeleted boolean read
        LanguageLocaleKey picklist
        LastModifiedById reference read
        LastModifiedDate datetime read
        LastName string
        LastReferencedDate datetime read
        LastViewedDate datetime read
        LocaleSidKey picklist
        ManagerId reference
        Name string read
        Phone phone
        ProfileId reference
        SystemModstamp datetime read
        TimeZoneSidKey picklist
        Title string
        Username string
        UserRoleId reference
        UserType picklist
        """,
        parents: [
            "CreatedBy": User.self,
            "LastModifiedBy": User.self,
            "Manager": User.self,
        ],
        children: [
            "ManagedUsers": User.self,
        ])

    /// Alias (`Alias`, string).
    public var alias: String? {
        get { record["Alias"] }
        set { record["Alias"] = newValue }
    }

    /// Created By ID (`CreatedById`, reference, read only, of `User`).
    public var createdByID: RecordID<User>? { record["CreatedById"] }

    /// Created Date (`CreatedDate`, datetime, read only).
    public var createdDate: Date? { record["CreatedDate"] }

    /// Department (`Department`, string).
    public var department: String? {
        get { record["Department"] }
        set { record["Department"] = newValue }
    }

    /// Email (`Email`, email).
    public var email: String? {
        get { record["Email"] }
        set { record["Email"] = newValue }
    }

    /// First Name (`FirstName`, string).
    public var firstName: String? {
        get { record["FirstName"] }
        set { record["FirstName"] = newValue }
    }

    /// Is Active (`IsActive`, boolean).
    public var isActive: Bool? {
        get { record["IsActive"] }
        set { record["IsActive"] = newValue }
    }

    /// Deleted (`IsDeleted`, boolean, read only).
    public var isDeleted: Bool? { record["IsDeleted"] }

    /// Language Locale Key (`LanguageLocaleKey`, picklist).
    public var languageLocaleKey: User.LanguageLocaleKey? {
        get { record["LanguageLocaleKey"] }
        set { record["LanguageLocaleKey"] = newValue }
    }

    /// Last Modified By ID (`LastModifiedById`, reference, read only, of `User`).
    public var lastModifiedByID: RecordID<User>? { record["LastModifiedById"] }

    /// Last Modified Date (`LastModifiedDate`, datetime, read only).
    public var lastModifiedDate: Date? { record["LastModifiedDate"] }

    /// Last Name (`LastName`, string).
    public var lastName: String? {
        get { record["LastName"] }
        set { record["LastName"] = newValue }
    }

    /// Last Referenced Date (`LastReferencedDate`, datetime, read only).
    public var lastReferencedDate: Date? { record["LastReferencedDate"] }

    /// Last Viewed Date (`LastViewedDate`, datetime, read only).
    public var lastViewedDate: Date? { record["LastViewedDate"] }

    /// Locale Sid Key (`LocaleSidKey`, picklist).
    public var localeSidKey: User.LocaleSidKey? {
        get { record["LocaleSidKey"] }
        set { record["LocaleSidKey"] = newValue }
    }

    /// Manager ID (`ManagerId`, reference, of `User`).
    public var managerID: RecordID<User>? {
        get { record["ManagerId"] }
        set { record["ManagerId"] = newValue }
    }

    /// Name (`Name`, string, read only).
    public var name: String? { record["Name"] }

    /// Phone (`Phone`, phone).
    public var phone: String? {
        get { record["Phone"] }
        set { record["Phone"] = newValue }
    }

    /// Profile ID (`ProfileId`, reference, of `Profile`).
    public var profileID: RecordID<Profile>? {
        get { record["ProfileId"] }
        set { record["ProfileId"] = newValue }
    }

    /// System Modstamp (`SystemModstamp`, datetime, read only).
    public var systemModstamp: Date? { record["SystemModstamp"] }

    /// Time Zone Sid Key (`TimeZoneSidKey`, picklist).
    public var timeZoneSidKey: User.TimeZoneSidKey? {
        get { record["TimeZoneSidKey"] }
        set { record["TimeZoneSidKey"] = newValue }
    }

    /// Title (`Title`, string).
    public var title: String? {
        get { record["Title"] }
        set { record["Title"] = newValue }
    }

    /// Username (`Username`, string).
    public var username: String? {
        get { record["Username"] }
        set { record["Username"] = newValue }
    }

    /// User Role ID (`UserRoleId`, reference, of `UserRole`).
    public var userRoleID: RecordID<UserRole>? {
        get { record["UserRoleId"] }
        set { record["UserRoleId"] = newValue }
    }

    /// User Type (`UserType`, picklist).
    public var userType: User.UserType? {
        get { record["UserType"] }
        set { record["UserType"] = newValue }
    }

    /// The record that `CreatedById` refers to.
    public var createdBy: User? { record.parent("CreatedBy") }

    /// The record that `LastModifiedById` refers to.
    public var lastModifiedBy: User? { record.parent("LastModifiedBy") }

    /// The record that `ManagerId` refers to.
    public var manager: User? { record.parent("Manager") }

    /// The records of `User` whose `ManagerId` refers to this record.
    public var managedUsers: [User]? { record.children("ManagedUsers") }

    /// The values of `LanguageLocaleKey`.
    public enum LanguageLocaleKey: Picklist {
        /// en_US.
        case enUs
        /// de.
        case de
        /// A value that the org did not list when this code was generated.
        case unlisted(String)

        /// Creates the value with this API name.
        public init(rawValue: String) {
            self = Self.listed.first { $0.rawValue == rawValue } ?? .unlisted(rawValue)
        }

        /// The API name of the value.
        public var rawValue: String {
            switch self {
            case .enUs: "en_US"
            case .de: "de"
            case .unlisted(let value): value
            }
        }

        /// The values that the org lists, in the org's order.
        public static let listed: [Self] = [
            .enUs,
            .de,
        ]
    }

    /// The values of `LocaleSidKey`.
    public enum LocaleSidKey: Picklist {
        /// en_US.
        case enUs
        /// en_GB.
        case enGb
        /// de_DE.
        case deDe
        /// A value that the org did not list when this code was generated.
        case unlisted(String)

        /// Creates the value with this API name.
        public init(rawValue: String) {
            self = Self.listed.first { $0.rawValue == rawValue } ?? .unlisted(rawValue)
        }

        /// The API name of the value.
        public var rawValue: String {
            switch self {
            case .enUs: "en_US"
            case .enGb: "en_GB"
            case .deDe: "de_DE"
            case .unlisted(let value): value
            }
        }

        /// The values that the org lists, in the org's order.
        public static let listed: [Self] = [
            .enUs,
            .enGb,
            .deDe,
        ]
    }

    /// The values of `TimeZoneSidKey`.
    public enum TimeZoneSidKey: Picklist {
        /// GMT.
        case gmt
        /// Europe/London.
        case europeLondon
        /// Europe/Berlin.
        case europeBerlin
        /// America/New_York.
        case americaNewYork
        /// America/Los_Angeles.
        case americaLosAngeles
        /// A value that the org did not list when this code was generated.
        case unlisted(String)

        /// Creates the value with this API name.
        public init(rawValue: String) {
            self = Self.listed.first { $0.rawValue == rawValue } ?? .unlisted(rawValue)
        }

        /// The API name of the value.
        public var rawValue: String {
            switch self {
            case .gmt: "GMT"
            case .europeLondon: "Europe/London"
            case .europeBerlin: "Europe/Berlin"
            case .americaNewYork: "America/New_York"
            case .americaLosAngeles: "America/Los_Angeles"
            case .unlisted(let value): value
            }
        }

        /// The values that the org lists, in the org's order.
        public static let listed: [Self] = [
            .gmt,
            .europeLondon,
            .europeBerlin,
            .americaNewYork,
            .americaLosAngeles,
        ]
    }

    /// The values of `UserType`.
    public enum UserType: Picklist {
        /// Standard.
        case standard
        /// Guest.
        case guest
        /// A value that the org did not list when this code was generated.
        case unlisted(String)

        /// Creates the value with this API name.
        public init(rawValue: String) {
            self = Self.listed.first { $0.rawValue == rawValue } ?? .unlisted(rawValue)
        }

        /// The API name of the value.
        public var rawValue: String {
            switch self {
            case .standard: "Standard"
            case .guest: "Guest"
            case .unlisted(let value): value
            }
        }

        /// The values that the org lists, in the org's order.
        public static let listed: [Self] = [
            .standard,
            .guest,
        ]
    }

    /// The fields for use in queries.
    public struct Fields: ModelFields {
        /// The model that has these fields.
        public typealias Model = User
        /// The path of relationships from the object of a query.
        public let _path: ModelPath
        /// Creates the fields at the end of a path.
        public init(_path: ModelPath) { self._path = _path }

        public var alias: ModelField<String> { _path["Alias"] }
        public var createdByID: ModelField<RecordID<User>> { _path["CreatedById"] }
        public var createdDate: ModelField<Date> { _path["CreatedDate"] }
        public var department: ModelField<String> { _path["Department"] }
        public var email: ModelField<String> { _path["Email"] }
        public var firstName: ModelField<String> { _path["FirstName"] }
        public var id: ModelField<RecordID<User>> { _path["Id"] }
        public var isActive: ModelField<Bool> { _path["IsActive"] }
        public var isDeleted: ModelField<Bool> { _path["IsDeleted"] }
        public var languageLocaleKey: ModelField<User.LanguageLocaleKey> { _path["LanguageLocaleKey"] }
        public var lastModifiedByID: ModelField<RecordID<User>> { _path["LastModifiedById"] }
        public var lastModifiedDate: ModelField<Date> { _path["LastModifiedDate"] }
        public var lastName: ModelField<String> { _path["LastName"] }
        public var lastReferencedDate: ModelField<Date> { _path["LastReferencedDate"] }
        public var lastViewedDate: ModelField<Date> { _path["LastViewedDate"] }
        public var localeSidKey: ModelField<User.LocaleSidKey> { _path["LocaleSidKey"] }
        public var managerID: ModelField<RecordID<User>> { _path["ManagerId"] }
        public var name: ModelField<String> { _path["Name"] }
        public var phone: ModelField<String> { _path["Phone"] }
        public var profileID: ModelField<RecordID<Profile>> { _path["ProfileId"] }
        public var systemModstamp: ModelField<Date> { _path["SystemModstamp"] }
        public var timeZoneSidKey: ModelField<User.TimeZoneSidKey> { _path["TimeZoneSidKey"] }
        public var title: ModelField<String> { _path["Title"] }
        public var username: ModelField<String> { _path["Username"] }
        public var userRoleID: ModelField<RecordID<UserRole>> { _path["UserRoleId"] }
        public var userType: ModelField<User.UserType> { _path["UserType"] }
        public var createdBy: User.Fields { _path.parent("CreatedBy") }
        public var lastModifiedBy: User.Fields { _path.parent("LastModifiedBy") }
        public var manager: User.Fields { _path.parent("Manager") }
        public var managedUsers: ModelChildren<User> { _path.children("ManagedUsers") }
    }
}
