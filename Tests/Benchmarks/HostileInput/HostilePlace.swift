// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import RestTransport

/// The positions of a number in responses to a client, and in requests to the embedded org.
enum HostilePlace {
    private static let root = "/services/data/v66.0"

    /// The responses that a client receives while it reads all pages of a query.
    static func responses(_ number: String) -> [(String, [HTTPResponse])] {
        let page = #"{"totalSize":1,"done":true,"records":[{"Id":"1"}]}"#
        let limits = ["\(number)/5", "5/\(number)", "\(number)/\(number)"]
        return limits.map { limit in
            ("api-usage", Array(repeating: jsonResponse(page, [("Sforce-Limit-Info", "api-usage=\(limit)")]), count: 3))
        } + [
            ("Retry-After", [jsonResponse("", status: 503, [("Retry-After", number)]), jsonResponse(page)]),
            ("totalSize", [jsonResponse(#"{"totalSize":\#(number),"done":true,"records":[]}"#)]),
            (
                "totalSize of a page",
                [
                    jsonResponse(
                        #"{"totalSize":\#(number),"done":false,"nextRecordsUrl":"\#(root)/query/a","records":[{}]}"#),
                    jsonResponse(page),
                ]
            ),
            (
                "totalSize of children",
                [
                    jsonResponse(
                        #"{"totalSize":1,"done":true,"records":[{"C":{"totalSize":\#(number),"done":true,"records":[]}}]}"#
                    )
                ]
            ),
            (
                "position",
                [
                    jsonResponse(
                        #"[{"errorCode":"X","message":"ERROR at Row:\#(number):Column:\#(number)\nx"}]"#, status: 400)
                ]
            ),
            ("status of a part", [jsonResponse(#"{"compositeResponse":[{"httpStatusCode":\#(number)}]}"#)]),
        ]
    }

    /// Returns the error in the client's handling of the responses, or `nil` for a value or a typed error.
    static func fault(of responses: [HTTPResponse]) async -> String? {
        let transport = StubTransport()
        for response in responses + responses { transport.enqueue(.response(response)) }
        let clock = ManualClock(alarmsBeyond: .seconds(20))
        let configuration = RestClient.Configuration(
            transport: transport, clock: clock)
        do throws(RestError) {
            let client = try RestClient(
                instanceURL: "https://example.my.salesforce.com", accessToken: "token", configuration: configuration)
            for _ in 0..<2 {
                _ = try await client.records("SELECT Id FROM Account").collect(limit: .max)
            }
            return nil
        } catch {
            if let position = error.faults.first?.position, position.row < 1 || position.column < 1 {
                return "a position"
            }
            return error.message.isEmpty ? "an error without a message" : nil
        }
    }

    struct Request {
        var method = "GET"
        var target: String
        var fields: [(String, String)] = []
        var body = ""
    }

    static func requests(_ number: String) -> [Request] {
        let queries = [
            "WHERE AnnualRevenue > \(number)", "LIMIT \(number)", "LIMIT 1 OFFSET \(number)",
            "WHERE CreatedDate = LAST_N_DAYS:\(number)", "WHERE CreatedDate > NEXT_N_FISCAL_YEARS:\(number)",
            "WHERE AnnualRevenue > EUR\(number)",
        ].map { condition in
            let text = PercentEncoding.queryComponent("SELECT Id FROM Account \(condition)")
            return Request(target: "\(root)/query?q=\(text)")
        }
        let json = [("Content-Type", "application/json")]
        let bodies = [
            ("/sobjects/Account", #"{"Name":"x","AnnualRevenue":\#(number),"NumberOfEmployees":\#(number)}"#),
            ("/parameterizedSearch", #"{"q":"aa","overallLimit":\#(number),"defaultLimit":\#(number)}"#),
            (
                "/composite",
                #"{"compositeRequest":[{"method":"GET","url":"\#(root)/limits","referenceId":\#(number)}]}"#
            ),
        ].map { Request(method: "POST", target: root + $0, fields: json, body: $1) }
        let fields = [
            Request(
                target: "\(root)/query?q=SELECT+Id+FROM+Account",
                fields: [("Sforce-Query-Options", "batchSize=\(number)")]),
            Request(target: "\(root)/query/0r8-\(number)"), Request(target: "/services/data/v\(number)/limits"),
        ]
        return queries + bodies + fields
    }
}
