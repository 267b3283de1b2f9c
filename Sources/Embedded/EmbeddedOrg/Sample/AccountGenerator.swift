// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestTransport

/// Makes many accounts fast: the one statement prepared once, few columns, no child records.
enum AccountGenerator {
    private static let sql = """
        INSERT INTO "Account" (rowid, "Id", "Name", "Industry", "Type", "Rating", "AnnualRevenue", "NumberOfEmployees",
        "BillingCity", "BillingCountry", "OwnerId", "CreatedDate", "LastModifiedDate", "SystemModstamp", "CreatedById",
        "LastModifiedById") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?12, ?12, ?13, ?13)
        """

    /// Adds so many accounts.
    static func write(
        _ count: Int, seed: UInt64, owners: Int64, on connection: SQLiteConnection
    ) throws(DatabaseError) {
        var generator = SplitMix64(seed: seed ^ 0xACC0)
        var last: Int64 = 0
        try connection.rows("SELECT coalesce(max(rowid), 0) FROM \"Account\"") { last = $0.integer(0) }
        let ownerIDs = Self.owners(owners, seed: seed)
        for number in 1...Int64(max(1, count)) {
            try connection.run(sql, values(last + number, ownerIDs, moment(number, of: count, &generator), &generator))
        }
    }

    /// The ids of the first users.
    static func owners(_ count: Int64, seed: UInt64) -> [SQLValue] {
        let first = RecordID.offset(seed: seed) + 1
        return (0..<max(1, count)).map { .text(RecordID.make(prefix: "005", number: first + $0)) }
    }

    /// When a record was created, within the sample data's first 120 days.
    ///
    /// As in every org it is later than those with smaller ids, give or take an hour.
    static func moment(_ number: Int64, of count: Int, _ generator: inout SplitMix64) -> SQLValue {
        let span: Int64 = 120 * 86_400 - 3_600
        let (step, rest) = span.quotientAndRemainder(dividingBy: Int64(max(1, count)))
        let second = (number - 1) * step + (number - 1) * rest / Int64(max(1, count)) + Int64(generator.below(3_600))
        return .text(WireTime.datetime(milliseconds: (SampleWriter.firstDay * 86_400 + second) * 1_000))
    }

    private static let types = ["Prospect", "Customer - Direct", "Customer - Channel", "Other"].map(SQLValue.text)
    private static let ratings = Catalogue.ratings.map(SQLValue.text) + [.null]
    private static let industries = Catalogue.industries.map(SQLValue.text)
    private static let places = WordLists.places.map { (SQLValue.text($0.city), SQLValue.text($0.country)) }
    private static let names = WordLists.companyHeads.flatMap { head in
        WordLists.companyTails.map { "\(head) \($0) " }
    }

    private static func values(
        _ number: Int64, _ owners: [SQLValue], _ moment: SQLValue, _ generator: inout SplitMix64
    ) -> [SQLValue] {
        let place = generator.pick(places)
        return [
            .integer(number), .text(RecordID.make(prefix: "001", number: number)),
            .text(generator.pick(names) + String(number)), generator.pick(industries), generator.pick(types),
            generator.pick(ratings), .real(Double(generator.below(500_000)) * 1_000),
            .integer(Int64(generator.below(50_000))), place.0, place.1, generator.pick(owners),
            moment, owners[0],
        ]
    }
}
