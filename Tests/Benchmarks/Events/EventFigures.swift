// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import EventWire
import Foundation
import RestBase
import RestJSON

/// Prints the metrics of events.
func eventFigures() async throws {
    if try await EventOrg.serveIfAsked() { return }
    try await avroFigures()
    try await listeningFigures()
}

private func avroFigures() async throws {
    let sample = try ChangeEventSample(count: extent(200, short: 4))
    print("events: \(sample.payloads.count) change events, \(sample.payloads.joined().count) bytes")
    let directory = FileManager.default.temporaryDirectory.appending(path: "event-peers-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    guard let peer = try sample.fastavro(in: directory) else {
        return Figure.absent("events.avro-vs-fastavro", peer: "fastavro")
    }
    try await Pairs(
        7, peerSeconds: { peer.seconds() ?? .nan }, ourSeconds: { try meanSeconds { consume(try sample.read()) } }
    ).figure("events.avro-vs-fastavro", atLeast: 5).print()
}

/// Change events of accounts as the Pub/Sub API sends them: records created with many fields, and updates of a few.
struct ChangeEventSample {
    let schema: String
    let payloads: [[UInt8]]
    private let reader: AvroReader

    init(count: Int, seed: UInt64 = 42) throws {
        schema = Self.makeSchema()
        let parsed = try AvroSchema(parsing: schema)
        let writer = AvroWriter(parsed)
        reader = AvroReader(parsed)
        var random = SplitMix64(seed: seed)
        var payloads: [[UInt8]] = []
        for number in 0..<count {
            let event = Self.event(number, &random)
            payloads.append(try writer.bytes(of: event))
            guard try reader.read(payloads[number])["Phone"] == event["Phone"] else {
                throw JSONBenchmarkError.differentResults
            }
        }
        self.payloads = payloads
    }

    /// Reads all events, and returns the sum of their commit numbers.
    func read() throws -> Int {
        var sum = 0
        for payload in payloads { sum &+= try reader.read(payload)["ChangeEventHeader"]?["commitNumber"]?.int ?? 0 }
        return sum
    }

    /// The Python package fastavro, which is a module in C, or `nil` if it is missing.
    func fastavro(in directory: URL) throws -> JSONPeer? {
        let (script, file) = (directory.appending(path: "peer.py"), directory.appending(path: "events.json"))
        try Data(Self.script.utf8).write(to: script)
        let events = JSONArray(payloads.map { JSONValue(String(decoding: Hexadecimal.encode($0), as: UTF8.self)) })
        let text: JSONValue = ["schema": JSONValue(schema), "events": JSONValue(events)]
        try Data(text.bytes()).write(to: file)
        guard FileManager.default.isExecutableFile(atPath: Python.interpreter.path) else { return nil }
        return JSONPeer([Python.interpreter.path, script.path, file.path])
    }

    private static let script = """
        import io, json, sys, time
        from fastavro import parse_schema, schemaless_reader

        file = json.load(open(sys.argv[1]))
        schema = parse_schema(json.loads(file["schema"]))
        events = [bytes.fromhex(event) for event in file["events"]]

        def work():
            total = 0
            for event in events:
                total += schemaless_reader(io.BytesIO(event), schema)["ChangeEventHeader"]["commitNumber"]
            return total

        for line in sys.stdin:
            start, calls, elapsed = time.perf_counter(), 0, 0
            while elapsed < 0.1:
                assert work()
                calls += 1
                elapsed = time.perf_counter() - start
            print(elapsed / calls, flush=True)
        """

    // MARK: - The events

    private static let texts = [
        "Name", "Type", "ParentId", "Phone", "Fax", "AccountNumber", "Website", "Sic", "Industry", "Ownership",
        "TickerSymbol", "Description", "Rating", "Site", "OwnerId", "CreatedById", "LastModifiedById", "Jigsaw",
        "AccountSource", "CleanStatus", "DunsNumber", "Tradestyle", "NaicsCode", "NaicsDesc", "YearStarted", "SicDesc",
        "Region__c", "Segment__c", "Contract_Number__c", "Support_Level__c", "External_Id__c", "Comments__c",
    ]

    private static func makeSchema() -> String {
        func field(_ name: String, _ type: String) -> String {
            #"{"name":"\#(name)","type":["null",\#(type)],"doc":"Data:\#(name)","default":null}"#
        }
        let list = #"{"type":"array","items":"string"}"#
        let changes = [
            "CREATE", "UPDATE", "DELETE", "UNDELETE", "GAP_CREATE", "GAP_UPDATE", "GAP_DELETE", "GAP_OVERFLOW",
        ]
        let header = [
            ("entityName", #""string""#), ("recordIds", list),
            ("changeType", #"{"type":"enum","name":"ChangeType","symbols":\#(changes)}"#),
            ("changeOrigin", #""string""#), ("transactionKey", #""string""#), ("sequenceNumber", #""int""#),
            ("commitTimestamp", #""long""#), ("commitNumber", #""long""#), ("commitUser", #""string""#),
            ("nulledFields", list), ("diffFields", list), ("changedFields", list),
        ].map { #"{"name":"\#($0.0)","type":\#($0.1)}"# }
        let address =
            ["Street", "City", "State", "PostalCode", "Country", "StateCode", "CountryCode", "GeocodeAccuracy"]
            .map { field($0, #""string""#) } + ["Latitude", "Longitude"].map { field($0, #""double""#) }
        let fields =
            [
                #"{"name":"ChangeEventHeader","type":{"type":"record","name":"ChangeEventHeader","fields":[\#(header.joined(separator: ","))]}}"#,
                field(
                    "BillingAddress",
                    #"{"type":"record","name":"Address","fields":[\#(address.joined(separator: ","))]}"#),
                field("ShippingAddress", #""Address""#), field("AnnualRevenue", #""double""#),
                field("NumberOfEmployees", #""int""#), field("CreatedDate", #""long""#),
                field("LastModifiedDate", #""long""#), field("IsActive__c", #""boolean""#),
            ] + texts.map { field($0, #""string""#) }
        return
            #"{"type":"record","name":"AccountChangeEvent","namespace":"com.sforce.eventbus","fields":[\#(fields.joined(separator: ","))]}"#
    }

    private static func event(_ number: Int, _ random: inout SplitMix64) -> JSONValue {
        let isNew = number.isMultiple(of: 2)
        let time = 1_769_681_472_000 + number * 1_234
        let header: JSONValue = [
            "entityName": "Account", "recordIds": [JSONValue("001xx000003DG\(1_000 + number)AAY")],
            "changeType": isNew ? "CREATE" : "UPDATE", "changeOrigin": "com/salesforce/api/rest/60.0;client=Accounting",
            "transactionKey": JSONValue("0000eb57-06b5-9ac9-69e6-\(100_000 + number)"), "sequenceNumber": 1,
            "commitTimestamp": JSONValue(time), "commitNumber": JSONValue(10_000_000_000 + number),
            "commitUser": "005xx000001X8UzAAK", "nulledFields": [], "diffFields": [], "changedFields": ["0x410008"],
        ]
        var event: JSONObject = [
            "ChangeEventHeader": header, "LastModifiedDate": JSONValue(time),
            "Phone": JSONValue("+49 30 \(Int.random(in: 1_000_000...9_999_999, using: &random))"),
            "Description": "Met the buyer on Tuesday; follow up next quarter – “soon”.",
        ]
        guard isNew else { return JSONValue(event) }
        event["Name"] = JSONValue("Blue River Trading \(number)")
        event["AnnualRevenue"] = JSONValue(Double(Int.random(in: 0...1_000_000_000, using: &random)) / 100)
        event["NumberOfEmployees"] = JSONValue(Int.random(in: 1...50_000, using: &random))
        event["CreatedDate"] = JSONValue(time)
        event["IsActive__c"] = true
        event["BillingAddress"] = [
            "Street": "12 Long Road", "City": "Austin", "State": "Texas", "Country": "United States",
        ]
        for name in texts[1...] where event[name] == nil && Int.random(in: 0..<3, using: &random) == 0 {
            event[name] = JSONValue("A value of \(name)")
        }
        return JSONValue(event)
    }
}
