// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestTransport

/// Inserts generated records without the checks of the API, inside one transaction of its caller.
struct SampleWriter {
    let connection: SQLiteConnection
    let schema: Schema
    var generator: SplitMix64
    private let offset: Int64
    private var counts: [String: Int64] = [:]

    /// All sample records seem to have been made from this day on: 2026-01-05, in days since 1970.
    static let firstDay: Int64 = 20_458

    init(connection: SQLiteConnection, schema: Schema, seed: UInt64) {
        self.connection = connection
        self.schema = schema
        generator = SplitMix64(seed: seed)
        offset = RecordID.offset(seed: seed)
    }

    /// The id of an object's n-th record, counted from 1.
    func id(_ object: String, _ number: Int64) -> SQLValue {
        .text(RecordID.make(prefix: schema.object(named: object)?.keyPrefix ?? "000", number: offset + number))
    }

    func count(_ object: String) -> Int64 { counts[object] ?? 0 }

    /// One of an object's records so far.
    mutating func any(_ object: String) -> SQLValue {
        id(object, Int64(generator.below(Int(count(object)))) + 1)
    }

    mutating func pick(_ list: [String]) -> SQLValue { .text(generator.pick(list)) }

    /// A day so many days around the first.
    mutating func day(_ range: Range<Int>) -> SQLValue {
        .text(WireTime.date(days: Self.firstDay + Int64(range.lowerBound + generator.below(range.count))))
    }

    mutating func moment(_ range: Range<Int>) -> Int64 {
        let days = Self.firstDay + Int64(range.lowerBound + generator.below(range.count))
        return days * 86_400_000 + Int64(generator.below(86_400)) * 1_000
    }

    /// Inserts a record; the org's own fields are added.
    ///
    /// Gives its number.
    @discardableResult
    mutating func add(_ object: String, _ values: KeyValuePairs<String, SQLValue>) throws(DatabaseError) -> Int64 {
        let number = count(object) + 1
        counts[object] = number
        let created = SQLValue.text(WireTime.datetime(milliseconds: moment(0..<120)))
        let user = id("User", 1)
        let names = values.map { "\"\($0.key)\"" }.joined(separator: ", ")
        let places = values.indices.map { "?\($0 + 5)" }.joined(separator: ", ")
        try connection.run(
            """
            INSERT INTO "\(object)" (rowid, "Id", "CreatedDate", "LastModifiedDate", "SystemModstamp", "CreatedById",
            "LastModifiedById", \(names)) VALUES (?1, ?2, ?3, ?3, ?3, ?4, ?4, \(places))
            """, [.integer(offset + number), id(object, number), created, user] + values.map(\.value))
        return number
    }

    /// Keeps the bytes of a file, given in base 64.
    func keep(_ bytes: SQLValue, in field: String, of object: String, _ number: Int64) throws(DatabaseError) {
        guard case .text(let text) = bytes, case .text(let record) = id(object, number) else { return }
        try Blob.keep(Base64.decode(text) ?? [], record, field, connection)
    }
}

extension SplitMix64 {
    /// A number below the bound; the bias of the remainder does not matter for sample data.
    mutating func below(_ bound: Int) -> Int {
        bound <= 0 ? 0 : Int(truncatingIfNeeded: next() >> 1) % bound
    }

    /// One of the list.
    mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }
}

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
