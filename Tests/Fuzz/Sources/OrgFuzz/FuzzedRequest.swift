// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import RestTransport

struct FuzzedRequest: Sendable {
    private static let root = "/services/data/v66.0"
    private static let resources = [
        ("POST", "/sobjects/Account"), ("PATCH", "/sobjects/Contact/003000000000001AAA"), ("POST", "/composite"),
        ("POST", "/composite/batch"), ("POST", "/composite/sobjects"), ("PATCH", "/composite/sobjects"),
        ("POST", "/composite/tree/Account"), ("POST", "/parameterizedSearch"), ("POST", "/composite/sobjects/Account"),
        ("PATCH", "/sobjects/Account/ExternalId__c/1"), ("POST", "/sobjects/ContentVersion"),
        ("PUT", "/jobs/ingest/JOB/batches"), ("POST", "/composite/graph"), ("POST", "/jobs/query"),
        ("POST", "/jobs/ingest"), ("POST", "/graphql"), ("POST", "/sobjects/User/005000000000001AAA/password"),
    ]
    /// The content types of resources whose bodies are not JSON.
    private static let types = [
        "/sobjects/ContentVersion": "multipart/form-data; boundary=b", "/jobs/ingest/JOB/batches": "text/csv",
    ]

    var request = HostileRequest(method: "GET", target: "/")
    var isAuthorized = true
    private(set) var isUpload = false

    init(_ choice: UInt8, _ bytes: ArraySlice<UInt8>) {
        switch choice % 8 {
        case 0: readWhole(bytes)
        case 1: isAuthorized = false; readWhole(bytes)
        case 2, 3:
            request.target =
                "\(Self.root)/query?q=\(PercentEncoding.queryComponent(String(decoding: bytes, as: UTF8.self)))"
        case 4:
            request.target =
                "\(Self.root)/search?q=\(PercentEncoding.queryComponent(String(decoding: bytes, as: UTF8.self)))"
        case 5 where bytes.first == UInt8(ascii: "{"):
            // A plain GraphQL document, without JSON around it.
            let document = JSONValue(String(decoding: bytes, as: UTF8.self))
            request = HostileRequest(
                method: "POST", target: Self.root + "/graphql", body: JSONValue(["query": document]).bytes())
            request.fields.append("Content-Type", "application/json")
        case 5:
            request = HostileRequest(method: "POST", target: "/services/oauth2/token", body: Array(bytes))
            isAuthorized = false
            request.fields.append("Content-Type", "application/x-www-form-urlencoded")
        default:
            let resource = Self.resources[Int(choice / 8) % Self.resources.count]
            request = HostileRequest(method: resource.0, target: Self.root + resource.1, body: Array(bytes))
            isUpload = resource.0 == "PUT"
            request.fields.append("Content-Type", Self.types[resource.1] ?? "application/json")
        }
    }

    /// Parses a line with method and target, header lines, an empty line and the body.
    private mutating func readWhole(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        func line() -> String? {
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            defer { rest = rest[(end + 1)...] }
            return String(decoding: rest[..<end], as: UTF8.self)
        }
        let words = line()?.split(separator: " ", maxSplits: 1).map(String.init) ?? []
        if words.count == 2 { (request.method, request.target) = (words[0], words[1]) }
        while let field = line(), !field.isEmpty {
            let parts = field.split(separator: ":", maxSplits: 1).map(String.init)
            if parts.count == 2 { request.fields.append(parts[0], String(parts[1].drop { $0 == " " })) }
        }
        request.body = Array(rest)
    }

    private static func fields(_ token: String) -> HTTPFields {
        ["Authorization": "Bearer \(token)", "Content-Type": "application/json"]
    }

    mutating func openJob(in org: LocalOrg, _ token: String) {
        let body = Array(#"{"object":"Account","operation":"upsert","externalIdFieldName":"ExternalId__c"}"#.utf8)
        let made = org.respond("POST", "\(Self.root)/jobs/ingest", fields: Self.fields(token), body: body)
        let id = (try? JSONValue(parsing: made.body))?["id"]?.string ?? ""
        request.target = "\(Self.root)/jobs/ingest/\(id)/batches"
    }

    /// Processes the upload, and deletes the job.
    func closeJob(in org: LocalOrg, _ token: String) {
        let job = String(request.target.dropLast("/batches".count))
        let body = Array(#"{"state":"UploadComplete"}"#.utf8)
        _ = org.respond("PATCH", job, fields: Self.fields(token), body: body)
        org.finishJobs()
        for results in ["successfulResults", "failedResults", "unprocessedrecords"] {
            _ = org.respond("GET", "\(job)/\(results)", fields: Self.fields(token))
        }
        _ = org.respond("DELETE", job, fields: Self.fields(token))
    }
}
