// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTesting

/// A random query page as an org sends it: 2,000 records of 575 bytes with escapes and non-ASCII text.
struct JSONPage {
    /// The page, without whitespace between tokens.
    let bytes: [UInt8]

    /// The string fields that the benchmarks read of each record, in addition to a decimal, an integer and a Boolean
    /// field.
    static let textFields = ["Id", "Name", "Industry", "Phone", "BillingCity", "Description", "CreatedDate"]

    private static let names = [
        "Müller & Söhne", "Acme Corporation", "東京電気", "O'Neil \"Sons\"", "Società Générale", "Blue River Trading",
        "Łódź Works",
        "Grand Hotels & Resorts", "Edge Communications", "Pyramid Construction",
    ]
    private static let cities = [
        "Zürich", "San Francisco", "København", "Austin", "München", "Singapore", "Montréal", "Leeds",
    ]
    private static let industries = ["Manufacturing", "Energy", "Banking", "Education", "Biotechnology", "Retail"]
    private static let sentences = [
        "Met the buyer on Tuesday; follow up next quarter.", "Quote sent:\n- 200 seats\n- support \"gold\"",
        "Prefers e-mail to calls.",
        "Größere Bestellung erwartet, Lieferung nach Übersee.", "Path C:\\Sales\\2026\tready",
        "Renewal is due in the spring of next year.",
        "Asked for references in the same industry and region.",
    ]

    init(records count: Int = 2_000, seed: UInt64 = 42) throws {
        var random = SeededGenerator(seed: seed)
        var writer = JSONWriter(reservingCapacity: count * 600)
        writer.beginObject()
        writer.key("totalSize")
        writer.number(count)
        writer.key("done")
        writer.bool(true)
        writer.key("records")
        writer.beginArray()
        for index in 0..<count { try JSONPage.write(record: index, to: &writer, &random) }
        writer.endArray()
        writer.endObject()
        bytes = writer.bytes
    }

    private static func write(record index: Int, to writer: inout JSONWriter, _ random: inout SeededGenerator) throws {
        let id = "001xx0000" + String(1_000_000 + index, radix: 36).uppercased() + "AAG"
        writer.beginObject()
        writer.key("attributes")
        writer.value(["type": "Account", "url": JSONValue("/services/data/v60.0/sobjects/Account/\(id)")])
        let members: [(String, JSONValue)] = [
            ("Id", JSONValue(id)),
            ("Name", JSONValue("\(names.pick(&random)) \(random.next(below: 10_000))")),
            ("Industry", random.next(below: 8) == 0 ? .null : JSONValue(industries.pick(&random))),
            ("AnnualRevenue", JSONValue(Double(random.next(below: 1_000_000_000)) / 100) ?? .null),
            ("NumberOfEmployees", JSONValue(random.next(below: 50_000))),
            ("IsActive__c", JSONValue(random.next(below: 2) == 0)),
            ("Phone", JSONValue("+49 30 \(1_000_000 + random.next(below: 9_000_000))")),
            ("BillingCity", JSONValue(cities.pick(&random))),
            ("Description", JSONValue((0..<3).map { _ in sentences.pick(&random) }.joined(separator: " "))),
            (
                "CreatedDate",
                JSONValue("2026-0\(1 + random.next(below: 9))-1\(random.next(below: 10))T10:11:12.000+0000")
            ),
            ("ParentId", .null),
            (
                "Website",
                JSONValue("https://www.example.com/accounts/\(random.next(below: 1_000_000))/overview.html?lang=de")
            ),
        ]
        for (name, value) in members {
            writer.key(name)
            writer.value(value)
        }
        writer.endObject()
    }
}

/// A record of the page, as an app would declare it.
struct JSONAccount: Codable, Sendable, Equatable {
    let id: String
    let name: String
    let industry: String?
    let annualRevenue: Double
    let numberOfEmployees: Int
    let isActive: Bool
    let phone: String
    let billingCity: String
    let description: String
    let createdDate: String

    enum CodingKeys: String, CodingKey {
        case id = "Id"
        case name = "Name"
        case industry = "Industry"
        case annualRevenue = "AnnualRevenue"
        case numberOfEmployees = "NumberOfEmployees"
        case isActive = "IsActive__c"
        case phone = "Phone"
        case billingCity = "BillingCity"
        case description = "Description"
        case createdDate = "CreatedDate"
    }
}

struct JSONAccountPage: Codable, Sendable, Equatable {
    let totalSize: Int
    let done: Bool
    let records: [JSONAccount]
}

extension SeededGenerator {
    /// Returns a random number less than the bound, as in the baselines.
    mutating func next(below bound: Int) -> Int { Int(next() % UInt64(bound)) }
}

extension Array {
    fileprivate func pick(_ random: inout SeededGenerator) -> Element { self[random.next(below: count)] }
}
