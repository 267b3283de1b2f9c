// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSQLite
import RestTransport
import SOQLStore

/// Inserts generated records without the checks of the API, in the caller's transaction.
struct SampleWriter {
    let connection: SQLiteConnection
    let schema: Schema
    var generator: SplitMix64
    private let offset: Int64
    private var counts: [String: Int64] = [:]

    /// The creation day of the first sample records: 2026-01-05, in days since 1970.
    static let firstDay: Int64 = 20_458

    init(connection: SQLiteConnection, schema: Schema, seed: UInt64) {
        self.connection = connection
        self.schema = schema
        generator = SplitMix64(seed: seed)
        offset = RecordID.offset(seed: seed)
    }

    /// Returns the ID of an object's n-th record, counted from 1.
    func id(_ object: String, _ number: Int64) -> SQLValue {
        .text(RecordID.make(prefix: schema.object(named: object)?.keyPrefix ?? "000", number: offset + number))
    }

    func count(_ object: String) -> Int64 { counts[object] ?? 0 }

    /// Returns one of an object's records so far.
    mutating func any(_ object: String) -> SQLValue {
        id(object, Int64(generator.below(Int(count(object)))) + 1)
    }

    mutating func pick(_ list: [String]) -> SQLValue { .text(generator.pick(list)) }

    /// Returns a day within a range around the first day.
    mutating func day(_ range: Range<Int>) -> SQLValue {
        .text(WireTime.date(days: Self.firstDay + Int64(range.lowerBound + generator.below(range.count))))
    }

    mutating func moment(_ range: Range<Int>) -> Int64 {
        let days = Self.firstDay + Int64(range.lowerBound + generator.below(range.count))
        return days * 86_400_000 + Int64(generator.below(86_400)) * 1_000
    }

    /// Inserts a record with the system fields and returns its number.
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

    /// Stores the bytes of a file, given in base64.
    func keep(_ bytes: SQLValue, in field: String, of object: String, _ number: Int64) throws(DatabaseError) {
        guard case .text(let text) = bytes, case .text(let record) = id(object, number) else { return }
        do throws(OrgError) { try Blob.keep(Base64.decode(text) ?? [], record, field, connection) } catch {
            throw DatabaseError(kind: .other, message: error.message)
        }
    }
}

extension RecordID {
    private static let seeds: UInt64 = 238_266  // 62³ less the last 62, so that the last org has numbers left too

    /// Returns the offset of an org's row numbers.
    ///
    /// The offset is 0 for the default seed. Two seeds that differ by less than 238,266 never have the same offset.
    package static func offset(seed: UInt64) -> Int64 {
        let place = (seed % seeds + seeds - LocalOrgConfiguration.defaultSeed) % seeds
        return Int64(place) * rowsPerSeed
    }

    /// Returns the seed if it has this offset, or the lowest seed with the offset, for an org that had another seed.
    static func seed(offset: Int64, like seed: UInt64) -> UInt64 {
        let place = UInt64(max(0, offset)) / UInt64(rowsPerSeed)
        return self.offset(seed: seed) == offset ? seed : (place + LocalOrgConfiguration.defaultSeed) % seeds
    }
}

extension SplitMix64 {
    /// Returns a number below the bound, with a bias that does not matter for sample data.
    mutating func below(_ bound: Int) -> Int {
        bound <= 0 ? 0 : Int(truncatingIfNeeded: next() >> 1) % bound
    }

    mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }
}

/// Creates many records fast: one prepared statement, few columns, no child records.
struct ManyRecords {
    private let connection: SQLiteConnection
    private let owners: [SQLValue]
    private let seed: UInt64

    init(seed: UInt64, owners count: Int64, on connection: SQLiteConnection) {
        let first = RecordID.offset(seed: seed) + 1
        owners = (0..<max(1, count)).map { .text(RecordID.make(prefix: "005", number: first + $0)) }
        (self.seed, self.connection) = (seed, connection)
    }

    private func write(
        _ object: String, prefix: String, _ columns: [String], _ count: Int, _ generator: SplitMix64,
        _ values: (_ number: Int64, _ generator: inout SplitMix64) -> [SQLValue]
    ) throws(DatabaseError) {
        var generator = generator
        let last = try connection.number("SELECT coalesce(max(rowid), 0) FROM \"\(object)\"")
        let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        let places = columns.indices.map { "?\($0 + 6)" }.joined(separator: ", ")
        let sql = """
            INSERT INTO "\(object)" (rowid, "Id", "CreatedDate", "LastModifiedDate", "SystemModstamp", "CreatedById",
            "LastModifiedById", "OwnerId", \(names)) VALUES (?1, ?2, ?3, ?3, ?3, ?4, ?4, ?5, \(places))
            """
        for number in 1...Int64(max(1, count)) {
            let id = RecordID.make(prefix: prefix, number: last + number)
            let moment = Self.moment(number, of: count, &generator)
            let more = values(last + number, &generator)
            try connection.run(
                sql,
                [.integer(last + number), .text(id), moment, owners[0], generator.pick(owners)] + more)
        }
    }

    /// Returns the creation time of a record, within the first 120 days.
    ///
    /// As in every org, records with greater IDs are newer, within an hour.
    private static func moment(_ number: Int64, of count: Int, _ generator: inout SplitMix64) -> SQLValue {
        let span: Int64 = 120 * 86_400 - 3_600
        let (step, rest) = span.quotientAndRemainder(dividingBy: Int64(max(1, count)))
        let second = (number - 1) * step + (number - 1) * rest / Int64(max(1, count)) + Int64(generator.below(3_600))
        return .text(WireTime.datetime(milliseconds: (SampleWriter.firstDay * 86_400 + second) * 1_000))
    }

    private static let places = WordLists.places.map { (SQLValue.text($0.city), SQLValue.text($0.country)) }

    func writeAccounts(_ count: Int) throws(DatabaseError) {
        let types = ["Prospect", "Customer - Direct", "Customer - Channel", "Other"].map(SQLValue.text)
        let ratings = Catalogue.ratings.map(SQLValue.text) + [.null]
        let industries = Catalogue.industries.map(SQLValue.text)
        let names = WordLists.companyHeads.flatMap { head in WordLists.companyTails.map { "\(head) \($0) " } }
        let columns = [
            "BillingCity", "BillingCountry", "Name", "Industry", "Type", "Rating", "AnnualRevenue", "NumberOfEmployees",
        ]
        try write("Account", prefix: "001", columns, count, SplitMix64(seed: seed ^ 0xACC0)) { number, generator in
            let place = generator.pick(Self.places)
            return [
                place.0, place.1, .text(generator.pick(names) + String(number)), generator.pick(industries),
                generator.pick(types), generator.pick(ratings), .real(Double(generator.below(500_000)) * 1_000),
                .integer(Int64(generator.below(50_000))),
            ]
        }
    }

    func writeContacts(_ count: Int) throws(DatabaseError) {
        let (titles, departments) = (WordLists.titles.map(SQLValue.text), WordLists.departments.map(SQLValue.text))
        let sources = Catalogue.leadSources.map(SQLValue.text) + [.null]
        let givenNames = WordLists.givenNames.map { ($0, SampleData.ascii($0)) }
        let familyNames = WordLists.familyNames.map { ($0, SampleData.ascii($0)) }
        let first = try connection.number("SELECT min(rowid) FROM \"Account\"")
        let accounts = max(1, try connection.number("SELECT max(rowid) FROM \"Account\"") - first + 1)
        var account: Int64 = 0
        let columns = [
            "FirstName", "LastName", "Name", "MailingCity", "MailingCountry", "Birthdate", "Title", "Department",
            "Email", "LeadSource", "AccountId",
        ]
        try write("Contact", prefix: "003", columns, count, SplitMix64(seed: seed ^ 0xC047)) { number, generator in
            let (given, family) = (generator.pick(givenNames), generator.pick(familyNames))
            let place = generator.pick(Self.places)
            let birthday = WireTime.date(days: Int64(generator.below(13_000)) - 1_542)
            defer { account = (account + 1) % accounts }
            return [
                .text(given.0), .text(family.0), .text("\(given.0) \(family.0)"), place.0, place.1, .text(birthday),
                generator.pick(titles), generator.pick(departments),
                .text("\(given.1).\(family.1)\(number)@example.com"), generator.pick(sources),
                .text(RecordID.make(prefix: "001", number: first + account)),
            ]
        }
    }
}
