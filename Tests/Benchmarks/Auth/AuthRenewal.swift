// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK
import RestTesting
import RestTransport
import Simulation
import Synchronization

/// Measures whether a token is renewed once if necessary, never otherwise, and not repeatedly in vain.
///
/// The org's journal is authoritative, not the client.
func renewalFigures() async throws {
    try await singleFlightFigure(seeds: extent(50, short: 1), requests: extent(1_000, short: 20))
    try await revokedWritesFigure(rounds: extent(10, short: 1), creates: extent(500, short: 10))
    try await lateRejectionsFigure(requests: extent(1_000, short: 20))
    try await alwaysRefusedFigures(span: .seconds(extent(30, short: 2)))
}

/// An org and a client with a login of the org's user.
struct RenewalBench {
    let org: LocalOrg
    let client: RestClient

    init(transport: any HTTPTransport = PlatformTransport.shared) async throws {
        org = try await LocalOrg.start(LocalOrgConfiguration(refreshRotation: .strict))
        let instance = try HTTPURL(parsing: org.instanceURL).origin
        let issued = org.issueCredential()
        let credential = Credential(
            accessToken: Secret(issued.accessToken), refreshToken: Secret(issued.refreshToken), instance: instance)
        let server = OAuthClient(
            login: instance, clientID: org.clientID, clientSecret: Secret(org.clientSecret), transport: transport)
        client = RestClient(
            tokens: TokenManager(credential: credential, renewal: TokenManager.Renewal(client: server)),
            configuration: RestClient.Configuration(timeout: .seconds(120), transport: transport))
    }

    /// The number of token requests that the org received.
    var renewals: Int { org.journal.entries.filter { $0.pathHasSuffix("/token") }.count }

    /// Sends concurrent calls, each after its own delay, and returns the number that succeed.
    func send(_ requests: [RestRequest], waits: [Duration]) async -> Int {
        await withTaskGroup { group in
            for (request, wait) in zip(requests, waits) {
                group.addTask {
                    try? await Task.sleep(for: wait)
                    return (try? await client.send(request)) != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }
}

/// Measures a thousand calls with an expired token and a slow token endpoint.
private func singleFlightFigure(seeds: Int, requests: Int) async throws {
    var (kept, renewals) = (0, 0)
    for seed in 0..<seeds {
        var random = SeededGenerator(seed: UInt64(seed))
        let bench = try await RenewalBench()
        bench.org.faults.expireAccessTokens()
        bench.org.faults.add(.delay(.milliseconds(Int.random(in: 0...20, using: &random))), matching: "/token")
        let waits = (0..<requests).map { _ in Duration.microseconds(Int.random(in: 0...30_000, using: &random)) }
        let succeeded = await bench.send(Array(repeating: .plainLimits, count: requests), waits: waits)
        if bench.renewals == 1, succeeded == requests { kept += 1 }
        renewals += bench.renewals
        await bench.org.stop()
    }
    Figure(
        name: "auth.single-flight", value: Double(kept), unit: "seeds", relation: .atLeast, bound: Double(seeds),
        note: "\(requests) calls each with an expired token, \(renewals) renewals in all"
    ).print()
}

/// Measures whether each record exists once if the token expires while records are created.
private func revokedWritesFigure(rounds: Int, creates: Int) async throws {
    var (wrong, replayed) = (0, 0)
    for round in 0..<rounds {
        var random = SeededGenerator(seed: UInt64(round))
        let bench = try await RenewalBench()
        let calls = (0..<creates).map { RestRequest.create("Account", ["Name": JSONValue("revoked \($0)")]) }
        let waits = calls.map { _ in Duration.microseconds(Int.random(in: 0...100_000, using: &random)) }
        let moment = Duration.microseconds(Int.random(in: 20_000...80_000, using: &random))
        let org = bench.org
        async let revoking: Void = {
            try? await Task.sleep(for: moment)
            org.faults.expireAccessTokens()
        }()
        let succeeded = await bench.send(calls, waits: waits)
        await revoking
        var names: [String: Int] = [:]
        for try await record in bench.client.records("SELECT Name FROM Account WHERE Name LIKE 'revoked %'") {
            names[record["Name"]?.string ?? "", default: 0] += 1
        }
        wrong += creates - names.count + names.values.reduce(0) { $0 + $1 - 1 } + creates - succeeded
        replayed += org.journal.entries.count { $0.method == "POST" && $0.status == 401 }
        await org.stop()
    }
    Figure(
        name: "auth.revoked-writes", value: Double(wrong), unit: "records", relation: .atMost, bound: 0,
        note: "\(rounds) times \(creates) creates, \(replayed) of them refused once for the ended token; lost or double"
    ).print()
}

/// Measures a thousand calls whose rejections of the old token arrive after the renewal.
private func lateRejectionsFigure(requests: Int) async throws {
    let late = LateRejections()
    let bench = try await RenewalBench(transport: late)
    bench.org.faults.expireAccessTokens()
    async let succeeded = bench.send(
        Array(repeating: .plainLimits, count: requests), waits: Array(repeating: .zero, count: requests))
    while late.held < requests { try await Task.sleep(for: .milliseconds(1)) }
    late.isHolding = false
    _ = try await bench.client.send(.plainLimits)
    let needed = bench.renewals
    late.release()
    let missing = requests - (await succeeded)
    Figure(
        name: "auth.late-401", value: Double(bench.renewals - 1 + missing), unit: "renewals", relation: .atMost,
        bound: 0,
        note:
            "\(late.held) refusals held back until the \(needed == 1 ? "first" : "last") renewal was over; superfluous"
    ).print()
    await bench.org.stop()
}

/// Holds rejections until they are released.
private final class LateRejections: HTTPTransport {
    private struct State {
        var isHolding = true
        var held = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        var isReleased = false
    }

    private let state = Mutex(State())

    var held: Int { state.withLock { $0.held } }

    var isHolding: Bool {
        get { state.withLock { $0.isHolding } }
        set { state.withLock { $0.isHolding = newValue } }
    }

    func release() {
        let waiting = state.withLock { state in
            state.isReleased = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func send(
        _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        let response = try await PlatformTransport.shared.send(
            request, to: destination, deadline: deadline, progress: progress)
        guard response.head.status == 401, isHolding else { return response }
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                state.held += 1
                if !state.isReleased { state.waiting.append(continuation) }
                return state.isReleased
            }
            if isOver { continuation.resume() }
        }
        return response
    }

    func shutdown() async {}
}

/// Counts renewals while the server rejects every token.
private func alwaysRefusedFigures(span: Duration) async throws {
    let bench = try await RenewalBench()
    bench.org.faults.add(
        .status(401, code: "INVALID_SESSION_ID", message: "Session expired or invalid"), next: .max,
        matching: "/services/data")
    let end = ContinuousClock.now + span - .seconds(1)
    var calls = 0
    var typed = 0
    while ContinuousClock.now < end {
        let burst = (0..<10).map { RestRequest.query("SELECT Id FROM Account LIMIT \(raw: "\(calls + $0 + 1)")") }
        calls += burst.count
        typed += await withTaskGroup { group in
            for request in burst { group.addTask { await bench.isTypedRejection(request) } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        try await Task.sleep(for: .milliseconds(200))
    }
    let sends = Dictionary(
        grouping: bench.org.journal.entries.filter { $0.target.contains("/query") }, by: \.target
    ).values.map(\.count)
    Figure(
        name: "auth.always-401.sends", value: Double(sends.max() ?? 0), unit: "sends", relation: .atMost, bound: 2,
        note: "the most of \(calls) calls, of which \(typed) ended with a typed error"
    ).print()
    Figure(
        name: "auth.always-401.refreshes", value: Double(bench.renewals), unit: "refreshes", relation: .atMost,
        bound: 5,
        note: "in \(span)"
    ).print()
    await bench.org.stop()
}

extension RenewalBench {
    /// Whether a call fails with an error that reports the login.
    fileprivate func isTypedRejection(_ request: RestRequest) async -> Bool {
        do {
            _ = try await client.send(request)
            return false
        } catch {
            return error.code.needsLogin
        }
    }
}
