// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by soql models 1 (kind: models; object: Account; describe: e043081f4e0d4a2f).
// Do not change it; run soql models again when the org has changed.

public import RestModels

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Account (`Account`).
public struct Account: RecordModel {
    /// The values of the record and their changes.
    public var record: ModelRecord

    /// Creates the model of a record.
    public init(record: ModelRecord) { self.record = record }

    /// Creates a new record with its required fields.
    public init(name: String, _ fill: (inout Account) -> Void = { _ in }) {
        record = ModelRecord()
        self.name = name
        fill(&self)
    }

    /// A new record needs values for its required fields.
    @available(*, unavailable, message: "a new Account needs name")
    public init(_ fill: (inout Account) -> Void = { _ in }) { record = ModelRecord() }

    /// The fields and relationships of the object.
    public static let shape = ModelShape(
        "Account",
        """
        AccountNumber string
        AccountSource picklist
        AnnualRevenue currency
        BillingAddress address read
        BillingCity string
        BillingCountry string
        BillingLatitude double
        BillingLongitude double
        BillingPostalCode string
        BillingState string
        BillingStreet textarea
        CreatedById reference read
        CreatedDate datetime read
        Description textarea
        ExternalId__c string
        Fax phone
        Id id read
        Industry picklist
        IsDeleted boolean read
        LastModifiedById reference read
        LastModifiedDate datetime read
        LastReferencedDate datetime read
        LastViewedDate datetime read
        MasterRecordId reference read
        Name string
        NumberOfEmployees int
        OwnerId reference
        Ownership picklist
        ParentId reference
        Phone phone
        Rating picklist
        RecordTypeId reference
        ShippingAddress address read
        ShippingCity string
        ShippingCountry string
        ShippingLatitude double
        ShippingLongitude double
        ShippingPostalCode string
        ShippingState string
        ShippingStreet textarea
        Site string
        SystemModstamp datetime read
        Type picklist
        Website url
        """,
        parents: [
            "CreatedBy": User.self,
            "LastModifiedBy": User.self,
            "MasterRecord": Account.self,
            "Owner": User.self,
            "Parent": Account.self,
        ],
        children: [
            "ChildAccounts": Account.self,
            "Contacts": Contact.self,
            "Opportunities": Opportunity.self,
            "Tasks": TaskRecord.self,
        ])

    /// Account Number (`AccountNumber`, string).
    public var accountNumber: String? {
        get { record["AccountNumber"] }
        set { record["AccountNumber"] = newValue }
    }

    /// Account Source (`AccountSource`, picklist).
    public var accountSource: Account.AccountSource? {
        get { record["AccountSource"] }
        set { record["AccountSource"] = newValue }
    }

    /// Annual Revenue (`AnnualRevenue`, currency).
    public var annualRevenue: Decimal? {
        get { record["AnnualRevenue"] }
        set { record["AnnualRevenue"] = newValue }
    }

    /// Billing Address (`BillingAddress`, address, read only).
    public var billingAddress: RecordAddress? { record["BillingAddress"] }

    /// Billing City (`BillingCity`, string).
    public var billingCity: String? {
        get { record["BillingCity"] }
        set { record["BillingCity"] = newValue }
    }

    /// Billing Country (`BillingCountry`, string).
    public var billingCountry: String? {
        get { record["BillingCountry"] }
        set { record["BillingCountry"] = newValue }
    }

    /// Billing Latitude (`BillingLatitude`, double).
    public var billingLatitude: Decimal? {
        get { record["BillingLatitude"] }
        set { record["BillingLatitude"] = newValue }
    }

    /// Billing Longitude (`BillingLongitude`, double).
    public var billingLongitude: Decimal? {
        get { record["BillingLongitude"] }
        set { record["BillingLongitude"] = newValue }
    }

    /// Billing Postal Code (`BillingPostalCode`, string).
    public var billingPostalCode: String? {
        get { record["BillingPostalCode"] }
        set { record["BillingPostalCode"] = newValue }
    }

    /// Billing State (`BillingState`, string).
    public var billingState: String? {
        get { record["BillingState"] }
        set { record["BillingState"] = newValue }
    }

    /// Billing Street (`BillingStreet`, textarea).
    public var billingStreet: String? {
        get { record["BillingStreet"] }
        set { record["BillingStreet"] = newValue }
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

    /// External ID (`ExternalId__c`, string, external id, unique).
    public var externalID: String? {
        get { record["ExternalId__c"] }
        set { record["ExternalId__c"] = newValue }
    }

    /// Fax (`Fax`, phone).
    public var fax: String? {
        get { record["Fax"] }
        set { record["Fax"] = newValue }
    }

    /// Industry (`Industry`, picklist).
    public var industry: Account.Industry? {
        get { record["Industry"] }
        set { record["Industry"] = newValue }
    }

    /// Deleted (`IsDeleted`, boolean, read only).
    public var isDeleted: Bool? { record["IsDeleted"] }

    /// Last Modified By ID (`LastModifiedById`, reference, read only, of `User`).
    public var lastModifiedByID: RecordID<User>? { record["LastModifiedById"] }

    /// Last Modified Date (`LastModifiedDate`, datetime, read only).
    public var lastModifiedDate: Date? { record["LastModifiedDate"] }

    /// Last Referenced Date (`LastReferencedDate`, datetime, read only).
    public var lastReferencedDate: Date? { record["LastReferencedDate"] }

    /// Last Viewed Date (`LastViewedDate`, datetime, read only).
    public var lastViewedDate: Date? { record["LastViewedDate"] }

    /// Master Record ID (`MasterRecordId`, reference, read only, of `Account`).
    public var masterRecordID: RecordID<Account>? { record["MasterRecordId"] }

    /// Name (`Name`, string).
    public var name: String? {
        get { record["Name"] }
        set { record["Name"] = newValue }
    }

    /// Number Of Employees (`NumberOfEmployees`, int).
    public var numberOfEmployees: Int? {
        get { record["NumberOfEmployees"] }
        set { record["NumberOfEmployees"] = newValue }
    }

    /// Owner ID (`OwnerId`, reference, of `User`).
    public var ownerID: RecordID<User>? {
        get { record["OwnerId"] }
        set { record["OwnerId"] = newValue }
    }

    /// Ownership (`Ownership`, picklist).
    public var ownership: Account.Ownership? {
        get { record["Ownership"] }
        set { record["Ownership"] = newValue }
    }

    /// Parent ID (`ParentId`, reference, of `Account`).
    public var parentID: RecordID<Account>? {
        get { record["ParentId"] }
        set { record["ParentId"] = newValue }
    }

    /// Phone (`Phone`, phone).
    public var phone: String? {
        get { record["Phone"] }
        set { record["Phone"] = newValue }
    }

    /// Rating (`Rating`, picklist).
    public var rating: Account.Rating? {
        get { record["Rating"] }
        set { record["Rating"] = newValue }
    }

    /// Record Type ID (`RecordTypeId`, reference, of `RecordType`).
    public var recordTypeID: RecordID<RecordType>? {
        get { record["RecordTypeId"] }
        set { record["RecordTypeId"] = newValue }
    }

    /// Shipping Address (`ShippingAddress`, address, read only).
    public var shippingAddress: RecordAddress? { record["ShippingAddress"] }

    /// Shipping City (`ShippingCity`, string).
    public var shippingCity: String? {
        get { record["ShippingCity"] }
        set { record["ShippingCity"] = newValue }
    }

    /// Shipping Country (`ShippingCountry`, string).
    public var shippingCountry: String? {
        get { record["ShippingCountry"] }
        set { record["ShippingCountry"] = newValue }
    }

    /// Shipping Latitude (`ShippingLatitude`, double).
    public var shippingLatitude: Decimal? {
        get { record["ShippingLatitude"] }
        set { record["ShippingLatitude"] = newValue }
    }

    /// Shipping Longitude (`ShippingLongitude`, double).
    public var shippingLongitude: Decimal? {
        get { record["ShippingLongitude"] }
        set { record["ShippingLongitude"] = newValue }
    }

    /// Shipping Postal Code (`ShippingPostalCode`, string).
    public var shippingPostalCode: String? {
        get { record["ShippingPostalCode"] }
        set { record["ShippingPostalCode"] = newValue }
    }

    /// Shipping State (`ShippingState`, string).
    public var shippingState: String? {
        get { record["ShippingState"] }
        set { record["ShippingState"] = newValue }
    }

    /// Shipping Street (`ShippingStreet`, textarea).
    public var shippingStreet: String? {
        get { record["ShippingStreet"] }
        set { record["ShippingStreet"] = newValue }
    }

    /// Site (`Site`, string).
    public var site: String? {
        get { record["Site"] }
        set { record["Site"] = newValue }
    }

    /// System Modstamp (`SystemModstamp`, datetime, read only).
    public var systemModstamp: Date? { record["SystemModstamp"] }

    /// Type (`Type`, picklist).
    public var type: Account.TypeValue? {
        get { record["Type"] }
        set { record["Type"] = newValue }
    }

    /// Website (`Website`, url).
    public var website: String? {
        get { record["Website"] }
        set { record["Website"] = newValue }
    }

    /// The record that `CreatedById` refers to.
    public var createdBy: User? { record.parent("CreatedBy") }

    /// The record that `LastModifiedById` refers to.
    public var lastModifiedBy: User? { record.parent("LastModifiedBy") }

    /// The record that `MasterRecordId` refers to.
    public var masterRecord: Account? { record.parent("MasterRecord") }

    /// The record that `OwnerId` refers to.
    public var owner: User? { record.parent("Owner") }

    /// The record that `ParentId` refers to.
    public var parent: Account? { record.parent("Parent") }

    /// The records of `Account` whose `ParentId` refers to this record.
    public var childAccounts: [Account]? { record.children("ChildAccounts") }

    /// The records of `Contact` whose `AccountId` refers to this record.
    public var contacts: [Contact]? { record.children("Contacts") }

    /// The records of `Opportunity` whose `AccountId` refers to this record.
    public var opportunities: [Opportunity]? { record.children("Opportunities") }

    /// The records of `Task` whose `WhatId` refers to this record.
    public var tasks: [TaskRecord]? { record.children("Tasks") }

    /// The values of `AccountSource`.
    public enum AccountSource: Picklist {
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

    /// The values of `Industry`.
    public enum Industry: Picklist {
        /// Agriculture.
        case agriculture
        /// Apparel.
        case apparel
        /// Banking.
        case banking
        /// Biotechnology.
        case biotechnology
        /// Chemicals.
        case chemicals
        /// Communications.
        case communications
        /// Construction.
        case construction
        /// Consulting.
        case consulting
        /// Education.
        case education
        /// Electronics.
        case electronics
        /// Energy.
        case energy
        /// Engineering.
        case engineering
        /// Entertainment.
        case entertainment
        /// Finance.
        case finance
        /// Food & Beverage.
        case foodBeverage
        /// Government.
        case government
        /// Healthcare.
        case healthcare
        /// Hospitality.
        case hospitality
        /// Insurance.
        case insurance
        /// Machinery.
        case machinery
        /// Manufacturing.
        case manufacturing
        /// Media.
        case media
        /// Retail.
        case retail
        /// Technology.
        case technology
        /// Telecommunications.
        case telecommunications
        /// Transportation.
        case transportation
        /// Utilities.
        case utilities
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
            case .agriculture: "Agriculture"
            case .apparel: "Apparel"
            case .banking: "Banking"
            case .biotechnology: "Biotechnology"
            case .chemicals: "Chemicals"
            case .communications: "Communications"
            case .construction: "Construction"
            case .consulting: "Consulting"
            case .education: "Education"
            case .electronics: "Electronics"
            case .energy: "Energy"
            case .engineering: "Engineering"
            case .entertainment: "Entertainment"
            case .finance: "Finance"
            case .foodBeverage: "Food & Beverage"
            case .government: "Government"
            case .healthcare: "Healthcare"
            case .hospitality: "Hospitality"
            case .insurance: "Insurance"
            case .machinery: "Machinery"
            case .manufacturing: "Manufacturing"
            case .media: "Media"
            case .retail: "Retail"
            case .technology: "Technology"
            case .telecommunications: "Telecommunications"
            case .transportation: "Transportation"
            case .utilities: "Utilities"
            case .other: "Other"
            case .unlisted(let value): value
            }
        }

        /// The values that the org lists, in the org's order.
        public static let listed: [Self] = [
            .agriculture,
            .apparel,
            .banking,
            .biotechnology,
            .chemicals,
            .communications,
            .construction,
            .consulting,
            .education,
            .electronics,
            .energy,
            .engineering,
            .entertainment,
            .finance,
            .foodBeverage,
            .government,
            .healthcare,
            .hospitality,
            .insurance,
            .machinery,
            .manufacturing,
            .media,
            .retail,
            .technology,
            .telecommunications,
            .transportation,
            .utilities,
            .other,
        ]
    }

    /// The values of `Ownership`.
    public enum Ownership: Picklist {
        /// Public.
        case `public`
        /// Private.
        case `private`
        /// Subsidiary.
        case subsidiary
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
            case .`public`: "Public"
            case .`private`: "Private"
            case .subsidiary: "Subsidiary"
            case .other: "Other"
            case .unlisted(let value): value
            }
        }

        /// The values that the org lists, in the org's order.
        public static let listed: [Self] = [
            .`public`,
            .`private`,
            .subsidiary,
            .other,
        ]
    }

    /// The values of `Rating`.
    public enum Rating: Picklist {
        /// Hot.
        case hot
        /// Warm.
        case warm
        /// Cold.
        case cold
        /// A value that the org did not list when this code was generated.
        case unlisted(String)

        /// Creates the value with this API name.
        public init(rawValue: String) {
            self = Self.listed.first { $0.rawValue == rawValue } ?? .unlisted(rawValue)
        }

        /// The API name of the value.
        public var rawValue: String {
            switch self {
            case .hot: "Hot"
            case .warm: "Warm"
            case .cold: "Cold"
            case .unlisted(let value): value
            }
        }

        /// The values that the org lists, in the org's order.
        public static let listed: [Self] = [
            .hot,
            .warm,
            .cold,
        ]
    }

    /// The values of `Type`.
    public enum TypeValue: Picklist {
        /// Prospect.
        case prospect
        /// Customer - Direct.
        case customerDirect
        /// Customer - Channel.
        case customerChannel
        /// Technology Partner.
        case technologyPartner
        /// Installation Partner.
        case installationPartner
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
            case .prospect: "Prospect"
            case .customerDirect: "Customer - Direct"
            case .customerChannel: "Customer - Channel"
            case .technologyPartner: "Technology Partner"
            case .installationPartner: "Installation Partner"
            case .other: "Other"
            case .unlisted(let value): value
            }
        }

        /// The values that the org lists, in the org's order.
        public static let listed: [Self] = [
            .prospect,
            .customerDirect,
            .customerChannel,
            .technologyPartner,
            .installationPartner,
            .other,
        ]
    }

    /// The fields for use in queries.
    public struct Fields: ModelFields {
        /// The model that has these fields.
        public typealias Model = Account
        /// The path of relationships from the object of a query.
        public let _path: ModelPath
        /// Creates the fields at the end of a path.
        public init(_path: ModelPath) { self._path = _path }

        public var accountNumber: ModelField<String> { _path["AccountNumber"] }
        public var accountSource: ModelField<Account.AccountSource> { _path["AccountSource"] }
        public var annualRevenue: ModelField<Decimal> { _path["AnnualRevenue"] }
        public var billingAddress: ModelColumn<RecordAddress> { _path["BillingAddress"] }
        public var billingCity: ModelField<String> { _path["BillingCity"] }
        public var billingCountry: ModelField<String> { _path["BillingCountry"] }
        public var billingLatitude: ModelField<Decimal> { _path["BillingLatitude"] }
        public var billingLongitude: ModelField<Decimal> { _path["BillingLongitude"] }
        public var billingPostalCode: ModelField<String> { _path["BillingPostalCode"] }
        public var billingState: ModelField<String> { _path["BillingState"] }
        public var billingStreet: ModelField<String> { _path["BillingStreet"] }
        public var createdByID: ModelField<RecordID<User>> { _path["CreatedById"] }
        public var createdDate: ModelField<Date> { _path["CreatedDate"] }
        public var description: ModelColumn<String> { _path["Description"] }
        public var externalID: ModelField<String> { _path["ExternalId__c"] }
        public var fax: ModelField<String> { _path["Fax"] }
        public var id: ModelField<RecordID<Account>> { _path["Id"] }
        public var industry: ModelField<Account.Industry> { _path["Industry"] }
        public var isDeleted: ModelField<Bool> { _path["IsDeleted"] }
        public var lastModifiedByID: ModelField<RecordID<User>> { _path["LastModifiedById"] }
        public var lastModifiedDate: ModelField<Date> { _path["LastModifiedDate"] }
        public var lastReferencedDate: ModelField<Date> { _path["LastReferencedDate"] }
        public var lastViewedDate: ModelField<Date> { _path["LastViewedDate"] }
        public var masterRecordID: ModelField<RecordID<Account>> { _path["MasterRecordId"] }
        public var name: ModelField<String> { _path["Name"] }
        public var numberOfEmployees: ModelField<Int> { _path["NumberOfEmployees"] }
        public var ownerID: ModelField<RecordID<User>> { _path["OwnerId"] }
        public var ownership: ModelField<Account.Ownership> { _path["Ownership"] }
        public var parentID: ModelField<RecordID<Account>> { _path["ParentId"] }
        public var phone: ModelField<String> { _path["Phone"] }
        public var rating: ModelField<Account.Rating> { _path["Rating"] }
        public var recordTypeID: ModelField<RecordID<RecordType>> { _path["RecordTypeId"] }
        public var shippingAddress: ModelColumn<RecordAddress> { _path["ShippingAddress"] }
        public var shippingCity: ModelField<String> { _path["ShippingCity"] }
        public var shippingCountry: ModelField<String> { _path["ShippingCountry"] }
        public var shippingLatitude: ModelField<Decimal> { _path["ShippingLatitude"] }
        public var shippingLongitude: ModelField<Decimal> { _path["ShippingLongitude"] }
        public var shippingPostalCode: ModelField<String> { _path["ShippingPostalCode"] }
        public var shippingState: ModelField<String> { _path["ShippingState"] }
        public var shippingStreet: ModelField<String> { _path["ShippingStreet"] }
        public var site: ModelField<String> { _path["Site"] }
        public var systemModstamp: ModelField<Date> { _path["SystemModstamp"] }
        public var type: ModelField<Account.TypeValue> { _path["Type"] }
        public var website: ModelField<String> { _path["Website"] }
        public var createdBy: User.Fields { _path.parent("CreatedBy") }
        public var lastModifiedBy: User.Fields { _path.parent("LastModifiedBy") }
        public var masterRecord: Account.Fields { _path.parent("MasterRecord") }
        public var owner: User.Fields { _path.parent("Owner") }
        public var parent: Account.Fields { _path.parent("Parent") }
        public var childAccounts: ModelChildren<Account> { _path.children("ChildAccounts") }
        public var contacts: ModelChildren<Contact> { _path.children("Contacts") }
        public var opportunities: ModelChildren<Opportunity> { _path.children("Opportunities") }
        public var tasks: ModelChildren<TaskRecord> { _path.children("Tasks") }
    }
}
