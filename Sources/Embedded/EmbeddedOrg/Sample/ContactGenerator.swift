// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestTransport

/// Makes many contacts fast, as `AccountGenerator` does accounts: they belong to the org's accounts in turn.
enum ContactGenerator {
    private static let sql = """
        INSERT INTO "Contact" (rowid, "Id", "FirstName", "LastName", "Name", "Title", "Department", "Email", "LeadSource",
        "Birthdate", "MailingCity", "MailingCountry", "AccountId", "OwnerId", "CreatedDate", "LastModifiedDate",
        "SystemModstamp", "CreatedById", "LastModifiedById")
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?15, ?15, ?16, ?16)
        """

    /// Adds so many contacts.
    static func write(
        _ count: Int, seed: UInt64, owners: Int64, on connection: SQLiteConnection
    ) throws(DatabaseError) {
        var generator = SplitMix64(seed: seed ^ 0xC047)
        var (last, accounts): (Int64, ClosedRange<Int64>) = (0, 0...0)
        try connection.rows("SELECT coalesce(max(rowid), 0) FROM \"Contact\"") { last = $0.integer(0) }
        try connection.rows("SELECT min(rowid), max(rowid) FROM \"Account\"") {
            accounts = $0.integer(0)...max($0.integer(0), $0.integer(1))
        }
        let ownerIDs = AccountGenerator.owners(owners, seed: seed)
        for number in 1...Int64(max(1, count)) {
            let account = accounts.lowerBound + (number - 1) % (accounts.upperBound - accounts.lowerBound + 1)
            try connection.run(
                sql,
                values(
                    last + number, account: account, ownerIDs, AccountGenerator.moment(number, of: count, &generator),
                    &generator))
        }
    }

    private static let titles = WordLists.titles.map(SQLValue.text)
    private static let departments = WordLists.departments.map(SQLValue.text)
    private static let sources = Catalogue.leadSources.map(SQLValue.text) + [.null]
    private static let places = WordLists.places.map { (SQLValue.text($0.city), SQLValue.text($0.country)) }
    private static let givenNames = WordLists.givenNames.map { ($0, SampleData.ascii($0)) }
    private static let familyNames = WordLists.familyNames.map { ($0, SampleData.ascii($0)) }

    private static func values(
        _ number: Int64, account: Int64, _ owners: [SQLValue], _ moment: SQLValue, _ generator: inout SplitMix64
    ) -> [SQLValue] {
        let (first, last) = (generator.pick(givenNames), generator.pick(familyNames))
        let place = generator.pick(places)
        let birthday = WireTime.date(days: Int64(generator.below(13_000)) - 1_542)
        return [
            .integer(number), .text(RecordID.make(prefix: "003", number: number)), .text(first.0), .text(last.0),
            .text("\(first.0) \(last.0)"), generator.pick(titles), generator.pick(departments),
            .text("\(first.1).\(last.1)\(number)@example.com"), generator.pick(sources), .text(birthday), place.0,
            place.1, .text(RecordID.make(prefix: "001", number: account)), generator.pick(owners),
            moment, owners[0],
        ]
    }
}
