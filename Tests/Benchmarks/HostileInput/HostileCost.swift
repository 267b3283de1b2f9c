// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import RestSDK
import RestSQLite
import RestTransport

/// Input whose cost must not grow faster than its size.
struct HostileCost {
    let name: String
    /// Does the work for a multiple of the input.
    let work: (Int) -> Void

    /// A list that skips elements that it cannot decode.
    private struct Lossy: Decodable {
        private struct Skipped: Decodable {}

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            while !list.isAtEnd {
                if (try? list.decode(Int.self)) == nil { _ = try? list.decode(Skipped.self) }
            }
        }
    }

    static func all(_ org: LocalOrg) -> [HostileCost] {
        let root = "/services/data/v66.0"
        let token = [HTTPFields.Field(name: "Authorization", value: "Bearer \(org.issueCredential().accessToken)")]
        let json = HTTPFields(token + [HTTPFields.Field(name: "Content-Type", value: "application/json")])
        func query(_ text: String) {
            _ = org.respond("GET", "\(root)/query?q=\(PercentEncoding.queryComponent(text))", fields: HTTPFields(token))
        }
        func rejection(_ body: String, _ type: String) {
            let fields = HTTPFields([HTTPFields.Field(name: "Content-Type", value: type)])
            let response = HTTPResponse(head: HTTPResponse.Head(status: 503, fields: fields), body: Array(body.utf8))
            _ = RestError(rejection: response, isWrite: false).message
        }
        return [
            HostileCost(name: "an error page") { rejection(words(100_000 * $0), "text/html") },
            HostileCost(name: "faults of an answer") {
                rejection(
                    "[" + list(1_000 * $0) { #"{"errorCode":"A\#($0)","message":"m"}"# } + "]", "application/json")
            },
            HostileCost(name: "a list with bad elements") {
                let bytes = Array(("[" + list(2_000 * $0) { _ in #""x""# } + "]").utf8)
                _ = try? JSONValue(parsing: bytes).decode(Lossy.self)
            },
            HostileCost(name: "conditions of a query") { count in
                query(
                    "SELECT Id FROM Account WHERE "
                        + (0..<100 * count).map { "Name = 'x\($0)'" }.joined(separator: " OR "))
            },
            HostileCost(name: "columns of a query") { count in
                query("SELECT " + list(10 * count) { "COUNT(Id) c\($0)" } + " FROM Account")
            },
            HostileCost(name: "words of a search") { count in
                let body = #"{"q":"\#((0..<30 * count).map { "aa\($0)" }.joined(separator: " "))"}"#
                _ = org.respond("POST", "\(root)/parameterizedSearch", fields: json, body: Array(body.utf8))
            },
            HostileCost(name: "references of a composite") { count in
                let text = String(repeating: "@{a.label}", count: 2_000 * count)
                let parts = [
                    #"{"method":"GET","url":"\#(root)/sobjects/Account","referenceId":"a"}"#,
                    #"{"method":"POST","url":"\#(root)/sobjects/Account","referenceId":"b","body":{"Fax":"\#(text)"}}"#,
                ]
                let body = #"{"compositeRequest":[\#(parts.joined(separator: ","))]}"#
                _ = org.respond("POST", "\(root)/composite", fields: json, body: Array(body.utf8))
            },
        ]
    }

    private static func words(_ count: Int) -> String { String(repeating: "ab ", count: count) }

    private static func list(_ count: Int, _ element: (Int) -> String) -> String {
        (0..<count).map(element).joined(separator: ",")
    }
}

/// Returns the CPU time of the work on this thread in seconds, the minimum of three runs.
func processorTime(of work: () -> Void) -> Double {
    (0..<extent(3, short: 1)).map { _ in
        let begin = ProcessorTime.ofThread
        work()
        return (ProcessorTime.ofThread - begin) / .seconds(1)
    }.min() ?? 0
}
