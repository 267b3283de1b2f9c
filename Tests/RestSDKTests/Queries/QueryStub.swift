// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting

/// An org of canned query pages.
struct QueryStub {
    let transport = StubTransport()

    func client() throws -> RestClient {
        try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "token",
            configuration: RestClient.Configuration(retryPolicy: .never, transport: transport))
    }

    /// The path of a page by the end of its locator.
    static func path(_ locator: String) -> String { "/services/data/v66.0/query/0r8\(locator)" }

    /// Answers the query, or the page at a locator, with these records.
    func enqueue(_ records: [String], total: Int, next: String? = nil, at locator: String? = nil) {
        let body = Self.page(records, total: total, next: next)
        transport.enqueue(
            .response(HTTPResponse(head: HTTPResponse.Head(status: 200), body: Array(body.utf8))),
            when: { $0.url.path == locator.map(Self.path) ?? "/services/data/v66.0/query" })
    }

    /// Answers the page at a locator with a status and a fault.
    func enqueue(status: Int, _ code: APIFault.Code, at locator: String) {
        let body = #"[{"errorCode":"\#(code)","message":"m"}]"#
        transport.enqueue(
            .response(HTTPResponse(head: HTTPResponse.Head(status: status), body: Array(body.utf8))),
            when: { $0.url.path == Self.path(locator) })
    }

    /// A query result; also a list of children.
    static func page(_ records: [String], total: Int, next: String? = nil) -> String {
        let more = next.map { #","nextRecordsUrl":"\#(path($0))""# } ?? ""
        return #"{"totalSize":\#(total),"done":\#(next == nil)\#(more),"records":[\#(records.joined(separator: ","))]}"#
    }

    /// A record, with fields after its id.
    static func record(_ id: String, _ fields: String = "") -> String {
        #"{"attributes":{"type":"T"},"Id":"\#(id)"\#(fields.isEmpty ? "" : ",\(fields)")}"#
    }

    /// The locators asked for, in order; `nil` for the query itself.
    var locators: [String?] {
        transport.requests.map {
            $0.url.path.hasSuffix("/query") ? nil : String($0.url.path.split(separator: "0r8")[1])
        }
    }
}
