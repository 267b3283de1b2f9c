// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by soql models 1 (kind: models; object: Opportunity; describe: 483a62017b27f38b).
// Do not change it; run soql models again when the org has changed.

public import RestModels

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Opportunity (`Opportunity`).
public struct Opportunity: RecordModel {
    /// The values of the record and their changes.
    public var record: ModelRecord

    /// Creates the model of a record.
    public init(record: ModelRecord) { self.record = record }

    /// Creates a new record with its required fields.
    public init(
        closeDate: SOQLDate, name: String, stageName: Opportunity.StageName,
        _ fill: (inout Opportunity) -> Void = { _ in }
    ) {
        record = ModelRecord()
        self.closeDate = closeDate
        self.name = name
        self.stageName = stageName
        fill(&self)
    }

    /// A new record needs values for its required fields.
    @available(*, unavailable, message: "a new Opportunity needs closeDate, name, stageName")
    public init(_ fill: (inout Opportunity) -> Void = { _ in }) { record = ModelRecord() }

    /// The fields and relationships of the object.
    public static let shape = ModelShape(
        "Opportunity",
        """
        AccountId reference
        Amount currency
        CampaignId reference
        CloseDate date
        CreatedById reference read
        CreatedDate datetime read
        Description textarea
        ForecastCategoryName picklist
        Id id read
        IsClosed boolean read
        IsDeleted boolean read
        IsWon boolean read
        LastModifiedById reference read
        LastModifiedDate datetime read
        LastReferencedDate datetime read
        LastViewedDate datetime read
        LeadSource picklist
        Name string
        NextStep string
        OwnerId reference
        Pricebook2Id reference
        Probability percent
        RecordTypeId reference
        StageName picklist
        SystemModstamp datetime read
        Type picklist
        """,
        parents: [
            "Account": Account.self,
            "CreatedBy": User.self,
            "LastModifiedBy": User.self,
            "Owner": User.self,
        ],
        children: [
            "Tasks": TaskRecord.self,
        ])

    /// Account ID (`AccountId`, reference, of `Account`).
    public var accountID: RecordID<Account>? {
        get { record["AccountId"] }
        set { record["AccountId"] = newValue }
    }

    /// Amount (`Amount`, currency).
    public var amount: Decimal? {
        get { record["Amount"] }
        set { record["Amount"] = newValue }
    }

    /// Campaign ID (`CampaignId`, reference, of `Campaign`).
    public var campaignID: RecordID<Campaign>? {
        get { record["CampaignId"] }
        set { record["CampaignId"] = newValue }
    }

    /// Close Date (`CloseDate`, date).
    public var closeDate: SOQLDate? {
        get { record["CloseDate"] }
        set { record["CloseDate"] = newValue }
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

    /// Forecast Category Name (`ForecastCategoryName`, picklist).
    public var forecastCategoryName: Opportunity.ForecastCategoryName? {
        get { record["ForecastCategoryName"] }
        set { record["ForecastCategoryName"] = newValue }
    }

    /// Is Closed (`IsClosed`, boolean, read only).
    public var isClosed: Bool? { record["IsClosed"] }

    /// Deleted (`IsDeleted`, boolean, read only).
    public var isDeleted: Bool? { record["IsDeleted"] }

    /// Is Won (`IsWon`, boolean, read only).
    public var isWon: Bool? { record["IsWon"] }

    /// Last Modified By ID (`LastModifiedById`, reference, read only, of `User`).
    public var lastModifiedByID: RecordID<User>? { record["LastModifiedById"] }

    /// Last Modified Date (`LastModifiedDate`, datetime, read only).
    public var lastModifiedDate: Date? { record["LastModifiedDate"] }

    /// Last Referenced Date (`LastReferencedDate`, datetime, read only).
    public var lastReferencedDate: Date? { record["LastReferencedDate"] }

    /// Last Viewed Date (`LastViewedDate`, datetime, read only).
    public var lastViewedDate: Date? { record["LastViewedDate"] }

    /// Lead Source (`LeadSource`, picklist).
    public var leadSource: Opportunity.LeadSource? {
        get { record["LeadSource"] }
        set { record["LeadSource"] = newValue }
    }

    /// Name (`Name`, string).
    public var name: String? {
        get { record["Name"] }
        set { record["Name"] = newValue }
    }

    /// Next Step (`NextStep`, string).
    public var nextStep: String? {
        get { record["NextStep"] }
        set { record["NextStep"] = newValue }
    }

    /// Owner ID (`OwnerId`, reference, of `User`).
    public var ownerID: RecordID<User>? {
        get { record["OwnerId"] }
        set { record["OwnerId"] = newValue }
    }

    /// Pricebook2Id (`Pricebook2Id`, reference, of `Pricebook2`).
    public var pricebook2ID: RecordID<Pricebook2>? {
        get { record["Pricebook2Id"] }
        set { record["Pricebook2Id"] = newValue }
    }

    /// Probability (`Probability`, percent).
    public var probability: Decimal? {
        get { record["Probability"] }
        set { record["Probability"] = newValue }
    }

    /// Record Type ID (`RecordTypeId`, reference, of `RecordType`).
    public var recordTypeID: RecordID<RecordType>? {
        get { record["RecordTypeId"] }
        set { record["RecordTypeId"] = newValue }
    }

    /// Stage Name (`StageName`, picklist).
    public var stageName: Opportunity.StageName? {
        get { record["StageName"] }
        set { record["StageName"] = newValue }
    }

    /// System Modstamp (`SystemModstamp`, datetime, read only).
    public var systemModstamp: Date? { record["SystemModstamp"] }

    /// Type (`Type`, picklist).
    public var type: Opportunity.TypeValue? {
        get { record["Type"] }
        set { record["Type"] = newValue }
    }

    /// The record that `AccountId` refers to.
    public var account: Account? { record.parent("Account") }

    /// The record that `CreatedById` refers to.
    public var createdBy: User? { record.parent("CreatedBy") }

    /// The record that `LastModifiedById` refers to.
    public var lastModifiedBy: User? { record.parent("LastModifiedBy") }

    /// The record that `OwnerId` refers to.
    public var owner: User? { record.parent("Owner") }

    /// The records of `Task` whose `WhatId` refers to this record.
    public var tasks: [TaskRecord]? { record.children("Tasks") }

    /// The values of `ForecastCategoryName`.
    public enum ForecastCategoryName: Picklist {
        /// Omitted.
        case omitted
        /// Pipeline.
        case pipeline
        /// Best Case.
        case bestCase
        /// Commit.
        case commit
        /// Closed.
        case closed
        /// A value that the org did not list when this code was generated.
        case unlisted(String)

        /// Creates the value with this API name.
        public init(rawValue: String) {
            self = Self.listed.first { $0.rawValue == rawValue } ?? .unlisted(rawValue)
        }

        /// The API name of the value.
        public var rawValue: String {
            switch self {
            case .omitted: "Omitted"
            case .pipeline: "Pipeline"
            case .bestCase: "Best Case"
            case .commit: "Commit"
            case .closed: "Closed"
            case .unlisted(let value): value
            }
        }

        /// The values that the org lists, in the org's order.
        public static let listed: [Self] = [
            .omitted,
            .pipeline,
            .bestCase,
            .commit,
            .closed,
        ]
    }

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

    /// The values of `StageName`.
    public enum StageName: Picklist {
        /// Prospecting.
        case prospecting
        /// Qualification.
        case qualification
        /// Needs Analysis.
        case needsAnalysis
        /// Value Proposition.
        case valueProposition
        /// Id. Decision Makers.
        case idDecisionMakers
        /// Perception Analysis.
        case perceptionAnalysis
        /// Proposal/Price Quote.
        case proposalPriceQuote
        /// Negotiation/Review.
        case negotiationReview
        /// Closed Won.
        case closedWon
        /// Closed Lost.
        case closedLost
        /// A value that the org did not list when this code was generated.
        case unlisted(String)

        /// Creates the value with this API name.
        public init(rawValue: String) {
            self = Self.listed.first { $0.rawValue == rawValue } ?? .unlisted(rawValue)
        }

        /// The API name of the value.
        public var rawValue: String {
            switch self {
            case .prospecting: "Prospecting"
            case .qualification: "Qualification"
            case .needsAnalysis: "Needs Analysis"
            case .valueProposition: "Value Proposition"
            case .idDecisionMakers: "Id. Decision Makers"
            case .perceptionAnalysis: "Perception Analysis"
            case .proposalPriceQuote: "Proposal/Price Quote"
            case .negotiationReview: "Negotiation/Review"
            case .closedWon: "Closed Won"
            case .closedLost: "Closed Lost"
            case .unlisted(let value): value
            }
        }

        /// The values that the org lists, in the org's order.
        public static let listed: [Self] = [
            .prospecting,
            .qualification,
            .needsAnalysis,
            .valueProposition,
            .idDecisionMakers,
            .perceptionAnalysis,
            .proposalPriceQuote,
            .negotiationReview,
            .closedWon,
            .closedLost,
        ]
    }

    /// The values of `Type`.
    public enum TypeValue: Picklist {
        /// New Customer.
        case newCustomer
        /// Existing Customer - Upgrade.
        case existingCustomerUpgrade
        /// A value that the org did not list when this code was generated.
        case unlisted(String)

        /// Creates the value with this API name.
        public init(rawValue: String) {
            self = Self.listed.first { $0.rawValue == rawValue } ?? .unlisted(rawValue)
        }

        /// The API name of the value.
        public var rawValue: String {
            switch self {
            case .newCustomer: "New Customer"
            case .existingCustomerUpgrade: "Existing Customer - Upgrade"
            case .unlisted(let value): value
            }
        }

        /// The values that the org lists, in the org's order.
        public static let listed: [Self] = [
            .newCustomer,
            .existingCustomerUpgrade,
        ]
    }

    /// The fields for use in queries.
    public struct Fields: ModelFields {
        /// The model that has these fields.
        public typealias Model = Opportunity
        /// The path of relationships from the object of a query.
        public let _path: ModelPath
        /// Creates the fields at the end of a path.
        public init(_path: ModelPath) { self._path = _path }

        public var accountID: ModelField<RecordID<Account>> { _path["AccountId"] }
        public var amount: ModelField<Decimal> { _path["Amount"] }
        public var campaignID: ModelField<RecordID<Campaign>> { _path["CampaignId"] }
        public var closeDate: ModelField<SOQLDate> { _path["CloseDate"] }
        public var createdByID: ModelField<RecordID<User>> { _path["CreatedById"] }
        public var createdDate: ModelField<Date> { _path["CreatedDate"] }
        public var description: ModelColumn<String> { _path["Description"] }
        public var forecastCategoryName: ModelField<Opportunity.ForecastCategoryName> { _path["ForecastCategoryName"] }
        public var id: ModelField<RecordID<Opportunity>> { _path["Id"] }
        public var isClosed: ModelField<Bool> { _path["IsClosed"] }
        public var isDeleted: ModelField<Bool> { _path["IsDeleted"] }
        public var isWon: ModelField<Bool> { _path["IsWon"] }
        public var lastModifiedByID: ModelField<RecordID<User>> { _path["LastModifiedById"] }
        public var lastModifiedDate: ModelField<Date> { _path["LastModifiedDate"] }
        public var lastReferencedDate: ModelField<Date> { _path["LastReferencedDate"] }
        public var lastViewedDate: ModelField<Date> { _path["LastViewedDate"] }
        public var leadSource: ModelField<Opportunity.LeadSource> { _path["LeadSource"] }
        public var name: ModelField<String> { _path["Name"] }
        public var nextStep: ModelField<String> { _path["NextStep"] }
        public var ownerID: ModelField<RecordID<User>> { _path["OwnerId"] }
        public var pricebook2ID: ModelField<RecordID<Pricebook2>> { _path["Pricebook2Id"] }
        public var probability: ModelField<Decimal> { _path["Probability"] }
        public var recordTypeID: ModelField<RecordID<RecordType>> { _path["RecordTypeId"] }
        public var stageName: ModelField<Opportunity.StageName> { _path["StageName"] }
        public var systemModstamp: ModelField<Date> { _path["SystemModstamp"] }
        public var type: ModelField<Opportunity.TypeValue> { _path["Type"] }
        public var account: Account.Fields { _path.parent("Account") }
        public var createdBy: User.Fields { _path.parent("CreatedBy") }
        public var lastModifiedBy: User.Fields { _path.parent("LastModifiedBy") }
        public var owner: User.Fields { _path.parent("Owner") }
        public var tasks: ModelChildren<TaskRecord> { _path.children("Tasks") }
    }
}
