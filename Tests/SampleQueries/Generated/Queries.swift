// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by soqlgen 1 (module: SampleQueries) from queries and a schema.
// Do not change it; change the queries and run soqlgen again.

public import OrgModels
public import RestModels

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// MARK: Activities

nonisolated extension RestClient {
    /// Runs the query in `Activities.soql`.
    ///
    /// - Parameters:
    ///   - about: compared with `Task.WhatId`; an empty list is rejected.
    ///   - owner: compared with `Task.OwnerId`; `nil` finds records without a value.
    /// - Returns: the rows, which are fetched page by page as they are read.
    public func activities(about: [RecordID<AnyRecord>], owner: RecordID<User>?) -> QueryRecords<ActivitiesRow> {
        self.records(.activities(about: about, owner: owner), as: ActivitiesRow.self)
    }
}

nonisolated extension SOQL {
    /// The query in `Activities.soql` with its values.
    public static func activities(about: [RecordID<AnyRecord>], owner: RecordID<User>?) -> SOQL {
        """
        SELECT Id, Subject, ActivityDate, Who.Name, toLabel(Status),
          TYPEOF What WHEN Account THEN Name, Industry WHEN Opportunity THEN Name, Amount ELSE Name END
        FROM Task
        WHERE WhatId IN \(about)                               AND OwnerId = \(owner)
        ORDER BY Id
        """
    }
}

/// One row of the query in `Activities.soql`.
public struct ActivitiesRow: SOQL.Row, Equatable {
    /// Record ID (`Task.Id`).
    public let id: RecordID<TaskRecord>
    /// Subject (`Task.Subject`).
    public let subject: String?
    /// Activity Date (`Task.ActivityDate`).
    public let activityDate: SOQLDate?
    /// The record of `Who`, if it exists.
    public let who: WhoRow?
    /// The value of `Status`.
    public let status: String?
    /// The record of `What`, as a case for its object.
    public let what: WhatRow?

    /// Reads the values of a row.
    public init(row: SOQL.RowReader) throws(SOQL.RowReader.Fault) {
        id = try row["Id"]
        subject = try row["Subject"]
        activityDate = try row["ActivityDate"]
        who = try row["Who"]
        status = try row["Status"]
        what = try row["What"]
    }

    /// The selected fields of `Who`.
    public struct WhoRow: SOQL.Row, Equatable {
        /// The value of `Name`.
        public let name: String?

        /// Reads the values of a row.
        public init(row: SOQL.RowReader) throws(SOQL.RowReader.Fault) {
            name = try row["Name"]
        }
    }

    /// A record that `What` refers to.
    public enum WhatRow: SOQL.Row, Equatable {
        case account(AccountRow)
        case opportunity(OpportunityRow)
        /// A record of another object.
        case other(OtherRow)

        /// Reads the values of a row according to its object.
        public init(row: SOQL.RowReader) throws(SOQL.RowReader.Fault) {
            switch row.object {
            case "Account": self = .account(try AccountRow(row: row))
            case "Opportunity": self = .opportunity(try OpportunityRow(row: row))
            default: self = .other(try OtherRow(row: row))
            }
        }

        /// The selected fields of a record of `Account`.
        public struct AccountRow: SOQL.Row, Equatable {
            /// Name (`Account.Name`).
            public let name: String
            /// Industry (`Account.Industry`).
            public let industry: Account.Industry?

            /// Reads the values of a row.
            public init(row: SOQL.RowReader) throws(SOQL.RowReader.Fault) {
                name = try row["Name"]
                industry = try row["Industry"]
            }
        }

        /// The selected fields of a record of `Opportunity`.
        public struct OpportunityRow: SOQL.Row, Equatable {
            /// Name (`Opportunity.Name`).
            public let name: String
            /// Amount (`Opportunity.Amount`).
            public let amount: Decimal?

            /// Reads the values of a row.
            public init(row: SOQL.RowReader) throws(SOQL.RowReader.Fault) {
                name = try row["Name"]
                amount = try row["Amount"]
            }
        }

        /// The selected fields of any other record.
        public struct OtherRow: SOQL.Row, Equatable {
            /// The value of `Name`.
            public let name: String?

            /// Reads the values of a row.
            public init(row: SOQL.RowReader) throws(SOQL.RowReader.Fault) {
                name = try row["Name"]
            }
        }
    }
}

// MARK: BankAccounts

nonisolated extension RestClient {
    /// The accounts of an industry, the largest first, with their contacts.
    ///
    /// - Parameters:
    ///   - industry: compared with `Account.Industry`; `nil` finds records without a value.
    ///   - most: a number of rows, 0 or more.
    /// - Returns: the rows, which are fetched page by page as they are read.
    public func bankAccounts(industry: Account.Industry?, most: Int) -> QueryRecords<BankAccountsRow> {
        self.records(.bankAccounts(industry: industry, most: most), as: BankAccountsRow.self)
    }
}

nonisolated extension SOQL {
    /// The query in `BankAccounts.soql` with its values.
    public static func bankAccounts(industry: Account.Industry?, most: Int) -> SOQL {
        """
        SELECT Id, Name, AnnualRevenue, Owner.Name, (SELECT LastName FROM Contacts ORDER BY LastName)
        FROM Account
        WHERE Industry = \(industry)
        ORDER BY AnnualRevenue DESC NULLS LAST
        LIMIT \(most)
        """
    }
}

/// One row of the query in `BankAccounts.soql`.
public struct BankAccountsRow: SOQL.Row, Equatable {
    /// Record ID (`Account.Id`).
    public let id: RecordID<Account>
    /// Name (`Account.Name`).
    public let name: String
    /// Annual Revenue (`Account.AnnualRevenue`).
    public let annualRevenue: Decimal?
    /// The record of `Owner`, if it exists.
    public let owner: OwnerRow?
    /// All records of `Contacts`.
    public let contacts: [ContactsRow]

    /// Reads the values of a row.
    public init(row: SOQL.RowReader) throws(SOQL.RowReader.Fault) {
        id = try row["Id"]
        name = try row["Name"]
        annualRevenue = try row["AnnualRevenue"]
        owner = try row["Owner"]
        contacts = try row["Contacts"]
    }

    /// The selected fields of `Owner`.
    public struct OwnerRow: SOQL.Row, Equatable {
        /// Name (`User.Name`).
        public let name: String

        /// Reads the values of a row.
        public init(row: SOQL.RowReader) throws(SOQL.RowReader.Fault) {
            name = try row["Name"]
        }
    }

    /// The selected fields of `Contacts`.
    public struct ContactsRow: SOQL.Row, Equatable {
        /// Last Name (`Contact.LastName`).
        public let lastName: String

        /// Reads the values of a row.
        public init(row: SOQL.RowReader) throws(SOQL.RowReader.Fault) {
            lastName = try row["LastName"]
        }
    }
}

// MARK: EveryField

nonisolated extension RestClient {
    /// Runs the query in `EveryField.soql`.
    ///
    /// - Parameter id: compared with `Account.Id`.
    /// - Returns: the rows, which are fetched page by page as they are read.
    public func everyField(id: RecordID<Account>) -> QueryRecords<EveryFieldRow> {
        self.records(.everyField(id: id), as: EveryFieldRow.self)
    }
}

nonisolated extension SOQL {
    /// The query in `EveryField.soql` with its values.
    public static func everyField(id: RecordID<Account>) -> SOQL {
        """
        SELECT FIELDS(STANDARD) FROM Account WHERE Id = \(id)
        """
    }
}

/// One row of the query in `EveryField.soql`.
public struct EveryFieldRow: SOQL.Row, Equatable {
    /// Account Number (`Account.AccountNumber`).
    public let accountNumber: String?
    /// Account Source (`Account.AccountSource`).
    public let accountSource: Account.AccountSource?
    /// Annual Revenue (`Account.AnnualRevenue`).
    public let annualRevenue: Decimal?
    /// Billing Address (`Account.BillingAddress`).
    public let billingAddress: RecordAddress?
    /// Billing City (`Account.BillingCity`).
    public let billingCity: String?
    /// Billing Country (`Account.BillingCountry`).
    public let billingCountry: String?
    /// Billing Latitude (`Account.BillingLatitude`).
    public let billingLatitude: Decimal?
    /// Billing Longitude (`Account.BillingLongitude`).
    public let billingLongitude: Decimal?
    /// Billing Postal Code (`Account.BillingPostalCode`).
    public let billingPostalCode: String?
    /// Billing State (`Account.BillingState`).
    public let billingState: String?
    /// Billing Street (`Account.BillingStreet`).
    public let billingStreet: String?
    /// Created By ID (`Account.CreatedById`).
    public let createdByID: RecordID<User>
    /// Created Date (`Account.CreatedDate`).
    public let createdDate: Date
    /// Description (`Account.Description`).
    public let description: String?
    /// Fax (`Account.Fax`).
    public let fax: String?
    /// Record ID (`Account.Id`).
    public let id: RecordID<Account>
    /// Industry (`Account.Industry`).
    public let industry: Account.Industry?
    /// Deleted (`Account.IsDeleted`).
    public let isDeleted: Bool
    /// Last Modified By ID (`Account.LastModifiedById`).
    public let lastModifiedByID: RecordID<User>
    /// Last Modified Date (`Account.LastModifiedDate`).
    public let lastModifiedDate: Date
    /// Last Referenced Date (`Account.LastReferencedDate`).
    public let lastReferencedDate: Date?
    /// Last Viewed Date (`Account.LastViewedDate`).
    public let lastViewedDate: Date?
    /// Master Record ID (`Account.MasterRecordId`).
    public let masterRecordID: RecordID<Account>?
    /// Name (`Account.Name`).
    public let name: String
    /// Number Of Employees (`Account.NumberOfEmployees`).
    public let numberOfEmployees: Int?
    /// Owner ID (`Account.OwnerId`).
    public let ownerID: RecordID<User>?
    /// Ownership (`Account.Ownership`).
    public let ownership: Account.Ownership?
    /// Parent ID (`Account.ParentId`).
    public let parentID: RecordID<Account>?
    /// Phone (`Account.Phone`).
    public let phone: String?
    /// Rating (`Account.Rating`).
    public let rating: Account.Rating?
    /// Record Type ID (`Account.RecordTypeId`).
    public let recordTypeID: RecordID<RecordType>?
    /// Shipping Address (`Account.ShippingAddress`).
    public let shippingAddress: RecordAddress?
    /// Shipping City (`Account.ShippingCity`).
    public let shippingCity: String?
    /// Shipping Country (`Account.ShippingCountry`).
    public let shippingCountry: String?
    /// Shipping Latitude (`Account.ShippingLatitude`).
    public let shippingLatitude: Decimal?
    /// Shipping Longitude (`Account.ShippingLongitude`).
    public let shippingLongitude: Decimal?
    /// Shipping Postal Code (`Account.ShippingPostalCode`).
    public let shippingPostalCode: String?
    /// Shipping State (`Account.ShippingState`).
    public let shippingState: String?
    /// Shipping Street (`Account.ShippingStreet`).
    public let shippingStreet: String?
    /// Site (`Account.Site`).
    public let site: String?
    /// System Modstamp (`Account.SystemModstamp`).
    public let systemModstamp: Date
    /// Type (`Account.Type`).
    public let type: Account.TypeValue?
    /// Website (`Account.Website`).
    public let website: String?

    /// Reads the values of a row.
    public init(row: SOQL.RowReader) throws(SOQL.RowReader.Fault) {
        accountNumber = try row["AccountNumber"]
        accountSource = try row["AccountSource"]
        annualRevenue = try row["AnnualRevenue"]
        billingAddress = try row["BillingAddress"]
        billingCity = try row["BillingCity"]
        billingCountry = try row["BillingCountry"]
        billingLatitude = try row["BillingLatitude"]
        billingLongitude = try row["BillingLongitude"]
        billingPostalCode = try row["BillingPostalCode"]
        billingState = try row["BillingState"]
        billingStreet = try row["BillingStreet"]
        createdByID = try row["CreatedById"]
        createdDate = try row["CreatedDate"]
        description = try row["Description"]
        fax = try row["Fax"]
        id = try row["Id"]
        industry = try row["Industry"]
        isDeleted = try row["IsDeleted"]
        lastModifiedByID = try row["LastModifiedById"]
        lastModifiedDate = try row["LastModifiedDate"]
        lastReferencedDate = try row["LastReferencedDate"]
        lastViewedDate = try row["LastViewedDate"]
        masterRecordID = try row["MasterRecordId"]
        name = try row["Name"]
        numberOfEmployees = try row["NumberOfEmployees"]
        ownerID = try row["OwnerId"]
        ownership = try row["Ownership"]
        parentID = try row["ParentId"]
        phone = try row["Phone"]
        rating = try row["Rating"]
        recordTypeID = try row["RecordTypeId"]
        shippingAddress = try row["ShippingAddress"]
        shippingCity = try row["ShippingCity"]
        shippingCountry = try row["ShippingCountry"]
        shippingLatitude = try row["ShippingLatitude"]
        shippingLongitude = try row["ShippingLongitude"]
        shippingPostalCode = try row["ShippingPostalCode"]
        shippingState = try row["ShippingState"]
        shippingStreet = try row["ShippingStreet"]
        site = try row["Site"]
        systemModstamp = try row["SystemModstamp"]
        type = try row["Type"]
        website = try row["Website"]
    }
}

// MARK: Stages

nonisolated extension RestClient {
    /// The stages of opportunities with a name that is not this one, and what they are worth.
    ///
    /// - Parameters:
    ///   - pattern: a pattern in which `%` matches any text and `_` one character.
    ///   - years: the number of a date formula, 0 or more.
    ///   - day: compared with `Opportunity.CloseDate`.
    /// - Returns: the rows, which are fetched page by page as they are read.
    public func stages(pattern: String, years: Int, day: SOQLDate) -> QueryRecords<StagesRow> {
        self.records(.stages(pattern: pattern, years: years, day: day), as: StagesRow.self)
    }
}

nonisolated extension SOQL {
    /// The query in `Stages.soql` with its values.
    public static func stages(pattern: String, years: Int, day: SOQLDate) -> SOQL {
        #"""
        SELECT StageName, COUNT(Id) number, SUM(Amount), MAX(CloseDate) latest, Account.Industry
        FROM Opportunity
        WHERE Name != 'it\'s "\\"' AND Name LIKE \#(pattern) AND (CloseDate = LAST_N_YEARS:\#(years) OR CloseDate >= \#(day))
        GROUP BY StageName, Account.Industry
        ORDER BY StageName
        """#
    }
}

/// One row of the query in `Stages.soql`.
public struct StagesRow: SOQL.Row, Equatable {
    /// Stage Name (`Opportunity.StageName`).
    public let stageName: Opportunity.StageName
    /// The value of `number`.
    public let number: Int
    /// A value of Amount (`Opportunity.Amount`).
    public let expr0: Decimal?
    /// A value of Close Date (`Opportunity.CloseDate`).
    public let latest: SOQLDate?
    /// Industry (`Account.Industry`).
    public let industry: Account.Industry?

    /// Reads the values of a row.
    public init(row: SOQL.RowReader) throws(SOQL.RowReader.Fault) {
        stageName = try row["StageName"]
        number = try row["number"]
        expr0 = try row["expr0"]
        latest = try row["latest"]
        industry = try row["Industry"]
    }
}

// MARK: account-count

nonisolated extension RestClient {
    /// How many accounts the industries have together.
    ///
    /// - Parameters:
    ///   - in: compared with `Account.Industry`; an empty list is rejected.
    ///   - since: compared with `Account.CreatedDate`.
    /// - Returns: the number of records.
    /// - Throws: `RestError`.
    public func accountCount(in: [Account.Industry], since: Date) async throws(RestError) -> Int {
        try await self.send(.count(.accountCount(in: `in`, since: since)))
    }
}

nonisolated extension SOQL {
    /// The query in `account-count.soql` with its values.
    public static func accountCount(in: [Account.Industry], since: Date) -> SOQL {
        """
        SELECT COUNT() FROM Account WHERE Industry IN \(`in`) AND CreatedDate > \(since)
        """
    }
}
