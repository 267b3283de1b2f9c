// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by soql models 1 (kind: models; object: Contact; describe: 1ffaaad1bfc7374b).
// Do not change it; run soql models again when the org has changed.

public import RestModels

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Contact (`Contact`).
public struct Contact: RecordModel {
    /// The values of the record and their changes.
    public var record: ModelRecord

    /// Creates the model of a record.
    public init(record: ModelRecord) { self.record = record }

    /// Creates a new record with its required fields.
    public init(lastName: String, _ fill: (inout Contact) -> Void = { _ in }) {
        record = ModelRecord()
        self.lastName = lastName
        fill(&self)
    }

    /// A new record needs values for its required fields.
    @available(*, unavailable, message: "a new Contact needs lastName")
    public init(_ fill: (inout Contact) -> Void = { _ in }) { record = ModelRecord() }

    /// The fields and relationships of the object.
    public static let shape = ModelShape(
        "Contact",
        """
        AccountId reference
        Birthdate date
        CreatedById reference read
        CreatedDate datetime read
        Department string
        Description textarea
        DoNotCall boolean
        Email email
        ExternalId__c string
        FirstName string
        Id id read
        IsDeleted boolean read
        LastModifiedById reference read
        LastModifiedDate datetime read
        LastName string
        LastReferencedDate datetime read
        LastViewedDate datetime read
        LeadSource picklist
        MailingAddress address read
        MailingCity string
        MailingCountry string
        MailingLatitude double
        MailingLongitude double
        MailingPostalCode string
        MailingState string
        MailingStreet textarea
        MasterRecordId reference read
        MobilePhone phone
        Name string read
        OwnerId reference
        Phone phone
        RecordTypeId reference
        ReportsToId reference
        Salutation picklist
        SystemModstamp datetime read
        Title string
        """,
        parents: [
            "Account": Account.self,
            "CreatedBy": User.self,
            "LastModifiedBy": User.self,
            "MasterRecord": Contact.self,
            "Owner": User.self,
            "ReportsTo": Contact.self,
        ],
        children: [
            "Tasks": TaskRecord.self,
        ])

    /// Account ID (`AccountId`, reference, of `Account`).
    public var accountID: RecordID<Account>? {
        get { record["AccountId"] }
        set { record["AccountId"] = newValue }
    }

    /// Birthdate (`Birthdate`, date).
    public var birthdate: SOQLDate? {
        get { record["Birthdate"] }
        set { record["Birthdate"] = newValue }
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

    /// Description (`Description`, textarea).
    public var description: String? {
        get { record["Description"] }
        set { record["Description"] = newValue }
    }

    /// Do Not Call (`DoNotCall`, boolean).
    public var doNotCall: Bool? {
        get { record["DoNotCall"] }
        set { record["DoNotCall"] = newValue }
    }

    /// Email (`Email`, email).
    public var email: String? {
        get { record["Email"] }
        set { record["Email"] = newValue }
    }

    /// External ID (`ExternalId__c`, string, external id, unique).
    public var externalID: String? {
        get { record["ExternalId__c"] }
        set { record["ExternalId__c"] = newValue }
    }

    /// First Name (`FirstName`, string).
    public var firstName: String? {
        get { record["FirstName"] }
        set { record["FirstName"] = newValue }
    }

    /// Deleted (`IsDeleted`, boolean, read only).
    public var isDeleted: Bool? { record["IsDeleted"] }

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

    /// Lead Source (`LeadSource`, picklist).
    public var leadSource: Contact.LeadSource? {
        get { record["LeadSource"] }
        set { record["LeadSource"] = newValue }
    }

    /// Mailing Address (`MailingAddress`, address, read only).
    public var mailingAddress: RecordAddress? { record["MailingAddress"] }

    /// Mailing City (`MailingCity`, string).
    public var mailingCity: String? {
        get { record["MailingCity"] }
        set { record["MailingCity"] = newValue }
    }

    /// Mailing Country (`MailingCountry`, string).
    public var mailingCountry: String? {
        get { record["MailingCountry"] }
        set { record["MailingCountry"] = newValue }
    }

    /// Mailing Latitude (`MailingLatitude`, double).
    public var mailingLatitude: Decimal? {
        get { record["MailingLatitude"] }
        set { record["MailingLatitude"] = newValue }
    }

    /// Mailing Longitude (`MailingLongitude`, double).
    public var mailingLongitude: Decimal? {
        get { record["MailingLongitude"] }
        set { record["MailingLongitude"] = newValue }
    }

    /// Mailing Postal Code (`MailingPostalCode`, string).
    public var mailingPostalCode: String? {
        get { record["MailingPostalCode"] }
        set { record["MailingPostalCode"] = newValue }
    }

    /// Mailing State (`MailingState`, string).
    public var mailingState: String? {
        get { record["MailingState"] }
        set { record["MailingState"] = newValue }
    }

    /// Mailing Street (`MailingStreet`, textarea).
    public var mailingStreet: String? {
        get { record["MailingStreet"] }
        set { record["MailingStreet"] = newValue }
    }

    /// Master Record ID (`MasterRecordId`, reference, read only, of `Contact`).
    public var masterRecordID: RecordID<Contact>? { record["MasterRecordId"] }

    /// Mobile Phone (`MobilePhone`, phone).
    public var mobilePhone: String? {
        get { record["MobilePhone"] }
        set { record["MobilePhone"] = newValue }
    }

    /// Name (`Name`, string, read only).
    public var name: String? { record["Name"] }

    /// Owner ID (`OwnerId`, reference, of `User`).
    public var ownerID: RecordID<User>? {
        get { record["OwnerId"] }
        set { record["OwnerId"] = newValue }
    }

    /// Phone (`Phone`, phone).
    public var phone: String? {
        get { record["Phone"] }
        set { record["Phone"] = newValue }
    }

    /// Record Type ID (`RecordTypeId`, reference, of `RecordType`).
    public var recordTypeID: RecordID<RecordType>? {
        get { record["RecordTypeId"] }
        set { record["RecordTypeId"] = newValue }
    }

    /// Reports To ID (`ReportsToId`, reference, of `Contact`).
    public var reportsToID: RecordID<Contact>? {
        get { record["ReportsToId"] }
        set { record["ReportsToId"] = newValue }
    }

    /// Salutation (`Salutation`, picklist).
    public var salutation: Contact.Salutation? {
        get { record["Salutation"] }
        set { record["Salutation"] = newValue }
    }

    /// System Modstamp (`SystemModstamp`, datetime, read only).
    public var systemModstamp: Date? { record["SystemModstamp"] }

    /// Title (`Title`, string).
    public var title: String? {
        get { record["Title"] }
        set { record["Title"] = newValue }
    }

    /// The record that `AccountId` refers to.
    public var account: Account? { record.parent("Account") }

    /// The record that `CreatedById` refers to.
    public var createdBy: User? { record.parent("CreatedBy") }

    /// The record that `LastModifiedById` refers to.
    public var lastModifiedBy: User? { record.parent("LastModifiedBy") }

    /// The record that `MasterRecordId` refers to.
    public var masterRecord: Contact? { record.parent("MasterRecord") }

    /// The record that `OwnerId` refers to.
    public var owner: User? { record.parent("Owner") }

    /// The record that `ReportsToId` refers to.
    public var reportsTo: Contact? { record.parent("ReportsTo") }

    /// The records of `Task` whose `WhoId` refers to this record.
    public var tasks: [TaskRecord]? { record.children("Tasks") }

    /// The values of `LeadSource`.
    public enum LeadSource: Picklist {
        /// Web.
        case web
        /// Phone Inquiry.
        case phoneInquiry
        /// Partner Referral.
        case partnerReferral
        /// Purchased List.
        case purchasedList
        /// Trade Show.
        case tradeShow
        /// Other.
        case other
        /// A value that the org did not list when this code was generated.
        case unlisted(String)

        /// Creates the value with this API name.
        public init(rawValue: String) {
            self = Self.listed.first { $0.rawValue == rawValue } ?? .unlisted(rawValue)
        }

        /// The API name of the value.
        public var rawValue: String {
            switch self {
            case .web: "Web"
            case .phoneInquiry: "Phone Inquiry"
            case .partnerReferral: "Partner Referral"
            case .purchasedList: "Purchased List"
            case .tradeShow: "Trade Show"
            case .other: "Other"
            case .unlisted(let value): value
            }
        }

        /// The values that the org lists, in the org's order.
        public static let listed: [Self] = [
            .web,
            .phoneInquiry,
            .partnerReferral,
            .purchasedList,
            .tradeShow,
            .other,
        ]
    }

    /// The values of `Salutation`.
    public enum Salutation: Picklist {
        /// Mr..
        case mr
        /// Ms..
        case ms
        /// Mrs..
        case mrs
        /// Dr..
        case dr
        /// Prof..
        case prof
        /// Mx..
        case mx
        /// A value that the org did not list when this code was generated.
        case unlisted(String)

        /// Creates the value with this API name.
        public init(rawValue: String) {
            self = Self.listed.first { $0.rawValue == rawValue } ?? .unlisted(rawValue)
        }

        /// The API name of the value.
        public var rawValue: String {
            switch self {
            case .mr: "Mr."
            case .ms: "Ms."
            case .mrs: "Mrs."
            case .dr: "Dr."
            case .prof: "Prof."
            case .mx: "Mx."
            case .unlisted(let value): value
            }
        }

        /// The values that the org lists, in the org's order.
        public static let listed: [Self] = [
            .mr,
            .ms,
            .mrs,
            .dr,
            .prof,
            .mx,
        ]
    }

    /// The fields for use in queries.
    public struct Fields: ModelFields {
        /// The model that has these fields.
        public typealias Model = Contact
        /// The path of relationships from the object of a query.
        public let _path: ModelPath
        /// Creates the fields at the end of a path.
        public init(_path: ModelPath) { self._path = _path }

        public var accountID: ModelField<RecordID<Account>> { _path["AccountId"] }
        public var birthdate: ModelField<SOQLDate> { _path["Birthdate"] }
        public var createdByID: ModelField<RecordID<User>> { _path["CreatedById"] }
        public var createdDate: ModelField<Date> { _path["CreatedDate"] }
        public var department: ModelField<String> { _path["Department"] }
        public var description: ModelColumn<String> { _path["Description"] }
        public var doNotCall: ModelField<Bool> { _path["DoNotCall"] }
        public var email: ModelField<String> { _path["Email"] }
        public var externalID: ModelField<String> { _path["ExternalId__c"] }
        public var firstName: ModelField<String> { _path["FirstName"] }
        public var id: ModelField<RecordID<Contact>> { _path["Id"] }
        public var isDeleted: ModelField<Bool> { _path["IsDeleted"] }
        public var lastModifiedByID: ModelField<RecordID<User>> { _path["LastModifiedById"] }
        public var lastModifiedDate: ModelField<Date> { _path["LastModifiedDate"] }
        public var lastName: ModelField<String> { _path["LastName"] }
        public var lastReferencedDate: ModelField<Date> { _path["LastReferencedDate"] }
        public var lastViewedDate: ModelField<Date> { _path["LastViewedDate"] }
        public var leadSource: ModelField<Contact.LeadSource> { _path["LeadSource"] }
        public var mailingAddress: ModelColumn<RecordAddress> { _path["MailingAddress"] }
        public var mailingCity: ModelField<String> { _path["MailingCity"] }
        public var mailingCountry: ModelField<String> { _path["MailingCountry"] }
        public var mailingLatitude: ModelField<Decimal> { _path["MailingLatitude"] }
        public var mailingLongitude: ModelField<Decimal> { _path["MailingLongitude"] }
        public var mailingPostalCode: ModelField<String> { _path["MailingPostalCode"] }
        public var mailingState: ModelField<String> { _path["MailingState"] }
        public var mailingStreet: ModelField<String> { _path["MailingStreet"] }
        public var masterRecordID: ModelField<RecordID<Contact>> { _path["MasterRecordId"] }
        public var mobilePhone: ModelField<String> { _path["MobilePhone"] }
        public var name: ModelField<String> { _path["Name"] }
        public var ownerID: ModelField<RecordID<User>> { _path["OwnerId"] }
        public var phone: ModelField<String> { _path["Phone"] }
        public var recordTypeID: ModelField<RecordID<RecordType>> { _path["RecordTypeId"] }
        public var reportsToID: ModelField<RecordID<Contact>> { _path["ReportsToId"] }
        public var salutation: ModelField<Contact.Salutation> { _path["Salutation"] }
        public var systemModstamp: ModelField<Date> { _path["SystemModstamp"] }
        public var title: ModelField<String> { _path["Title"] }
        public var account: Account.Fields { _path.parent("Account") }
        public var createdBy: User.Fields { _path.parent("CreatedBy") }
        public var lastModifiedBy: User.Fields { _path.parent("LastModifiedBy") }
        public var masterRecord: Contact.Fields { _path.parent("MasterRecord") }
        public var owner: User.Fields { _path.parent("Owner") }
        public var reportsTo: Contact.Fields { _path.parent("ReportsTo") }
        public var tasks: ModelChildren<TaskRecord> { _path.children("Tasks") }
    }
}
