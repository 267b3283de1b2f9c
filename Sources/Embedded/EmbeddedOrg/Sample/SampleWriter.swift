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
