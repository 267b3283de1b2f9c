// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import RestSDK
import RestTesting
import RestTransport

/// Measures the effect of hostile numbers, sizes, servers, subscribers and records, with one metric for each kind.
func hostileFigures() async throws {
    try await hostileNumberFigure()
    try await hostileCostFigure()
    try await hostileVerdictFigure()
    try await hostileSubscriberFigure()
    try hostileTerminalFigure()
}

func jsonResponse(_ body: String, status: Int = 200, _ fields: [(String, String)] = []) -> HTTPResponse {
    var all = HTTPFields([HTTPFields.Field(name: "Content-Type", value: "application/json")])
    for (name, value) in fields { all.append(name, value) }
    return HTTPResponse(head: HTTPResponse.Head(status: status, fields: all), body: Array(body.utf8))
}

/// Measures the effect of extreme numbers in every position of a response, or of a request to the embedded org.
///
/// A crash also ends the measurement.
private func hostileNumberFigure() async throws {
    let numbers = [
        "9223372036854775807", "-9223372036854775808", "9223372036854775808", "92233720368547759", "4294967296", "-1",
        "0",
        "0.5", "1e18", "-1e18", "1e400", "0e9223372036854775807", "1e-9223372036854775808",
        "99999999999999999999999999",
    ].prefix(extent(.max, short: 2))
    var (cases, faults) = (0, [String]())
    for number in numbers {
        for (place, responses) in HostilePlace.responses(number) {
            cases += 1
            if let fault = await HostilePlace.fault(of: responses) { faults.append("\(place) \(number): \(fault)") }
        }
    }
    let org = try await LocalOrg.start()
    let token = HTTPFields([
        HTTPFields.Field(name: "Authorization", value: "Bearer \(org.issueCredential().accessToken)")
    ])
    for number in numbers {
        for request in HostilePlace.requests(number) {
            cases += 1
            let fields = HTTPFields(token.map { $0 } + request.fields.map { HTTPFields.Field(name: $0.0, value: $0.1) })
            let response = org.respond(request.method, request.target, fields: fields, body: Array(request.body.utf8))
            if response.head.status >= 500 {
                faults.append("\(request.target) \(request.body): \(response.head.status)")
            }
        }
    }
    await org.stop()
    Figure(
        name: "hostile.numbers", value: Double(faults.count), unit: "faults", relation: .atMost, bound: 0,
        note: faults.first ?? "\(cases) cases"
    ).print()
}

/// Measures whether eight times the input costs about eight times as much, while quadratic growth would cost 64 times.
private func hostileCostFigure() async throws {
    let org = try await LocalOrg.start()
    let times = extent(8, short: 2)
    var worst = (ratio: 0.0, name: "")
    for cost in HostileCost.all(org) {
        let (one, eight) = (processorTime { cost.work(1) }, processorTime { cost.work(times) })
        let ratio = eight / max(one, 1e-9)
        if ratio > worst.ratio { worst = (ratio, cost.name) }
    }
    await org.stop()
    Figure(
        name: "hostile.cost", value: worst.ratio, unit: "x for \(times) times the input", relation: .atMost, bound: 24,
        note: "the worst of \(HostileCost.all(org).count): \(worst.name)"
    ).print()
}

/// Measures whether a server error is retried and never believed, at every endpoint of a login.
private func hostileVerdictFigure() async throws {
    let bodies = [
        "", "{}", "[]", "<html>down</html>", #"{"error":"invalid_grant"}"#, #"{"error":"invalid_client"}"#,
        #"{"error":"expired_token"}"#, #"{"error":"access_denied"}"#, #"{"active":false}"#, #"{"access_token":"x"}"#,
    ]
    var (cases, wrong) = (0, [String]())
    for status in extent([429, 500, 502, 503, 504, 599], short: [503]) {
        for body in bodies {
            for (endpoint, ask) in HostileVerdict.endpoints {
                cases += 1
                let transport = StubTransport()
                for _ in 0..<8 {
                    transport.enqueue(.response(jsonResponse(body, status: status, [("Retry-After", "7")])))
                }
                let code = await ask(transport)
                // A revocation has a special code for a temporary error.
                if code != (endpoint == "revoke" ? .revocationPending : .serverUnavailable) {
                    wrong.append("\(endpoint) \(status) \(body): \(code?.rawValue ?? "-")")
                }
            }
        }
    }
    Figure(
        name: "hostile.verdicts", value: Double(wrong.count), unit: "wrong", relation: .atMost, bound: 0,
        note: wrong.first ?? "\(cases) answers of servers in trouble"
    ).print()
}
