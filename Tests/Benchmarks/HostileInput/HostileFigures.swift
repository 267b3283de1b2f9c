// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import RestSDK
import RestTesting
import RestTransport

/// What hostile numbers, sizes, servers in trouble, subscribers and records come to: one figure for each kind.
func hostileFigures() async throws {
    try await hostileNumberFigure()
    try await hostileCostFigure()
    try await hostileVerdictFigure()
    try await hostileSubscriberFigure()
    try hostileTerminalFigure()
}

/// An answer of JSON.
func jsonAnswer(_ body: String, status: Int = 200, _ fields: [(String, String)] = []) -> HTTPResponse {
    var all = HTTPFields([HTTPFields.Field(name: "Content-Type", value: "application/json")])
    for (name, value) in fields { all.append(name, value) }
    return HTTPResponse(head: HTTPResponse.Head(status: status, fields: all), body: Array(body.utf8))
}

/// The worst numbers, in every place where an answer or a request to the embedded org has one.
///
/// A number that ends the process ends the figure with it.
private func hostileNumberFigure() async throws {
    let numbers = [
        "9223372036854775807", "-9223372036854775808", "9223372036854775808", "92233720368547759", "4294967296", "-1",
        "0",
        "0.5", "1e18", "-1e18", "1e400", "0e9223372036854775807", "1e-9223372036854775808",
        "99999999999999999999999999",
    ].prefix(extent(.max, short: 2))
    var (cases, faults) = (0, [String]())
    for number in numbers {
        for (place, answers) in HostilePlace.answers(number) {
            cases += 1
            if let fault = await HostilePlace.fault(of: answers) { faults.append("\(place) \(number): \(fault)") }
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
            let answer = org.answer(request.method, request.target, fields: fields, body: Array(request.body.utf8))
            if answer.head.status >= 500 { faults.append("\(request.target) \(request.body): \(answer.head.status)") }
        }
    }
    await org.stop()
    Figure(
        name: "hostile.numbers", value: Double(faults.count), unit: "faults", relation: .atMost, bound: 0,
        note: faults.first ?? "\(cases) cases"
    ).print()
}

/// Eight times the input costs eight times as much, or a little more; a cost that grows with the square shows as 64.
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

/// A server in trouble is asked again later and never believed, whatever it says, at every endpoint of a login.
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
                    transport.enqueue(.response(jsonAnswer(body, status: status, [("Retry-After", "7")])))
                }
                let code = await ask(transport)
                // A revocation has a code of its own for "not now, again later".
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
