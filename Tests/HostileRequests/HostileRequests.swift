// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Requests over all resources of an org that a seed drives: hostile ids, parameters, fields and bodies among good
/// ones.
package struct HostileRequests: Sendable {
    private static let root = "/services/data/v66.0"
    private static let objects = [
        "Account", "Contact", "Lead", "Opportunity", "Task", "User", "ContentVersion", "Case",
    ]
    private static let names = [
        "Id", "Name", "ExternalId__c", "OwnerId", "Owner", "Contacts", "VersionData", "Website",
    ]
    private static let methods = [
        "GET", "POST", "PATCH", "DELETE", "PUT", "HEAD", "OPTIONS", "TRACE", "get", "G€T", "",
    ]
    private static let fields = [
        "Accept", "Accept-Encoding", "Content-Type", "Content-Encoding", "If-Match", "If-None-Match",
        "If-Modified-Since",
        "If-Unmodified-Since", "Range", "Sforce-Query-Options", "Sforce-Call-Options", "Sforce-Auto-Assign",
        "Sforce-Duplicate-Rule-Header", "X-PrettyPrint", "X-HTTP-Method-Override", "SOAPAction", "X-SFDC-Session",
        "Origin",
        "Expect", "Cookie", "Content-Disposition",
    ]
    private static let fieldValues = [
        "gzip", "identity;q=0", "batchSize=99999999999999999999", "batchSize=-1", "batchSize=", "client=x", "bytes=0-0",
        "bytes=-0", "bytes=5-2", "bytes=0-18446744073709551616", "bytes=" + String(repeating: "0-0,", count: 1_000),
        "W/\"x\"",
        "\"", "*", "Sun, 06 Nov 0000 08:49:37 GMT", "Sun, 32 Feb 9999 25:61:61 GMT", "application/xml", "text/plain",
        "multipart/form-data", "multipart/form-data; boundary=", "application/json; charset=utf-16", "login", "1",
        "true",
    ]

    /// What makes a record of each object.
    private static let records = [
        "Account": #"{"Name":"Good"}"#, "Contact": #"{"LastName":"Good"}"#,
        "Lead": #"{"LastName":"Good","Company":"Good"}"#,
        "Opportunity": #"{"Name":"Good","StageName":"Prospecting","CloseDate":"2026-01-01"}"#,
        "Task": #"{"Subject":"Good"}"#, "Case": #"{"Subject":"Good"}"#,
    ]
    private static let tameTexts = ["Good", "Acme", "Name", "1"]

    private var known: KnownNames
    private var generator: SplitMix64
    /// The object that the request is about.
    private var object = "Account"
    /// Whether the request is to be a good one.
    private var isTame = false

    /// The requests of a seed, with names that the org knows.
    package init(seed: UInt64, _ known: KnownNames) {
        generator = SplitMix64(seed: seed)
        self.known = known
    }

    /// Adds what the org has named in an answer.
    package mutating func learn(locator: String? = nil, job: String? = nil, record: (object: String, id: String)? = nil)
    {
        if let record { known.ids[record.object, default: []].append(record.id) }
        if let locator { known.locators.append(locator) }
        if let job { known.jobs.append(job) }
    }

    /// Goes on with another session, since one of the requests has ended the last one.
    package mutating func renew(_ token: String) { known.token = token }

    /// The next request.
    package mutating func next() -> HostileRequest {
        isTame = chance(40)
        object = pick(Self.objects)
        let route = pick(HostileRoute.all)
        var request = HostileRequest(method: method(of: route), target: target(of: route))
        let isOpen = route.path.hasPrefix("/services/oauth2") || chance(1)
        if !isOpen {
            let isClassic = route.path.hasPrefix("/services/async")
            request.fields.append(
                isClassic ? "X-SFDC-Session" : "Authorization", (isClassic ? "" : "Bearer ") + known.token)
        }
        if let body = body(of: route) {
            request.body = body
            request.fields.append("Content-Type", hits(3) ? pick(Self.fieldValues) : route.type)
        }
        if hits(15) { request.fields.append(pick(Self.fields), chance(70) ? pick(Self.fieldValues) : text()) }
        return request
    }

    // MARK: Chance

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    /// Like `chance`, and never in a good request.
    private mutating func hits(_ percent: Int) -> Bool { !isTame && chance(percent) }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &generator)]
    }

    // MARK: Parts

    private mutating func method(of route: HostileRoute) -> String {
        hits(7) ? pick(Self.methods) : pick(route.methods)
    }

    private mutating func target(of route: HostileRoute) -> String {
        let isWhole = route.path.hasPrefix("/")
        let version =
            hits(5) ? "/services/data/" + pick(["v31.0", "v66", "v0.0", "v-1.0", "vv", "", "v69.0"]) : Self.root
        var segments = (isWhole ? String(route.path.dropFirst()) : route.path).split(separator: "/").map { segment in
            segment.contains("{") ? filled(String(segment), encoded: true) : String(segment)
        }
        if hits(3) { segments.append(pick(HostileWords.raw)) }
        var target = (isWhole ? "" : version) + "/" + segments.joined(separator: "/")
        var pairs: [String] = []
        for name in route.parameters where chance(60) {
            pairs.append(
                "\(name)=\(hits(4) ? pick(HostileWords.raw) : PercentEncoding.queryComponent(value(of: name)))")
        }
        if hits(2) { pairs.append(pick(HostileWords.raw)) }
        if !pairs.isEmpty { target += "?" + pairs.joined(separator: "&") }
        return target
    }

    /// The value of a query parameter.
    private mutating func value(of name: String) -> String {
        switch name {
        case "q", "explain": chance(90) ? query() : text()
        case "fields", "Account.fields": chance(50) ? pick(Self.names) + "," + pick(Self.names) : text()
        case "ids": chance(60) ? id() + "," + id() : text()
        case "start", "end": chance(50) ? "2026-01-0\(Int.random(in: 1...9, using: &generator))T00:00:00Z" : text()
        case "_HttpMethod": pick(Self.methods)
        case "client_id": chance(50) ? known.clientID : text()
        case "redirect_uri": chance(50) ? "http://localhost:1717/callback" : text()
        case "response_type": chance(70) ? "code" : text()
        default: chance(20) ? pick(Self.objects) : text()
        }
    }

    /// The body; `nil` for a request without one.
    private mutating func body(of route: HostileRoute) -> [UInt8]? {
        guard !route.bodies.isEmpty, !hits(4) else { return nil }
        let good = isTame ? route.bodies.filter { !$0.contains("{value}") } : []
        var bytes = Array(filled(pick(good.isEmpty ? route.bodies : good), encoded: false).utf8)
        guard !bytes.isEmpty, hits(20) else { return bytes }
        let position = Int.random(in: bytes.indices, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes.removeSubrange(position...)
        case 1: bytes[position] = UInt8.random(in: 0...255, using: &generator)
        case 2: bytes.insert(contentsOf: pick(HostileWords.raw).utf8, at: position)
        default: bytes = [0xEF, 0xBB, 0xBF] + bytes
        }
        return bytes
    }

    // MARK: Places

    /// The text with its places filled; those in a path are percent-encoded, or are what no encoder writes.
    private mutating func filled(_ template: String, encoded: Bool) -> String {
        var (result, rest) = ("", template[...])
        while let open = rest.firstIndex(of: "{") {
            result += rest[..<open]
            let end = rest[open...].firstIndex { !$0.isLetter && $0 != "{" } ?? rest.endIndex
            let name = rest[rest.index(after: open)..<end]
            guard end < rest.endIndex, rest[end] == "}", let value = value(at: String(name)) else {
                result += "{"
                rest = rest[rest.index(after: open)...]
                continue
            }
            result += !encoded ? value : hits(4) ? pick(HostileWords.raw) : PercentEncoding.pathSegment(value)
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private mutating func value(at name: String) -> String? {
        switch name {
        case "object": hits(10) ? text() : object
        case "id": hits(30) ? text() : id()
        case "field": hits(20) ? text() : pick(Self.names)
        case "text": text()
        case "record": Self.records[object] ?? "{}"
        case "value": filled(hits(60) ? pick(HostileWords.values) : pick(HostileWords.goodValues), encoded: false)
        case "locator": chance(60) ? pick(known.locators + ["0r8AAAAAAAAAAAAAAA-2000"]) : text()
        case "job": chance(80) ? pick(known.jobs + ["750000000000001AAA"]) : text()
        case "file":
            pick((known.ids["ContentDocument"] ?? []) + ["069000000000001AAA"]) + (hits(20) ? "," + text() : "")
        case "user": hits(50) ? text() : "me"
        case "batch": pick(["result", "request", "x"])
        case "results": pick(["successfulResults", "failedResults", "unprocessedrecords", "x"])
        case "layout": pick(["layouts", "compactLayouts", "namedLayouts", "approvalLayouts", "x"])
        case "view": pick(["results", "describe", "defaultValues", "x"])
        case "client": chance(60) ? known.clientID : text()
        case "token": chance(70) ? known.token : text()
        case "soap": pick(["66.0", "31.0", "0", "x"])
        case "method": pick(Self.methods)
        case "url": filled("\(Self.root)/\(pick(HostileRoute.all).path)", encoded: true)
        case "query": query()
        default: nil
        }
    }

    private mutating func text() -> String { pick(isTame ? Self.tameTexts : HostileWords.texts) }

    private mutating func id() -> String {
        pick(known.ids[hits(20) ? pick(Self.objects) : object] ?? ["001000000000001AAA"])
    }

    private mutating func query() -> String { filled(pick(HostileWords.queries), encoded: false) }
}
