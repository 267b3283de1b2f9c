// SPDX-License-Identifier: Apache-2.0

import Dispatch
import EmbeddedOrg
import RestCurl
import RestSDK
import RestTesting
import RestTransport
import Simulation

/// An org and other servers that block calls at the point of cancellation.
final class CancelBench {
    /// A call that approaches the point.
    private struct Stage {
        let client: RestClient
        /// Whether the call has reached the point, or nearly.
        let isReached: () -> Bool
        /// The random delay before the cancellation, in microseconds.
        var pause: ClosedRange<Int> = 2_000...4_000
    }

    private struct Row: Decodable, Sendable {
        let Id: String
        let Name: String
    }

    private struct NoFailure: Decodable, Error {}

    private let org: LocalOrg
    private let base = CurlTransport()
    /// Responds with the beginning of a body, and then stalls.
    private let stalling: ScriptServer
    private let longResponse: [UInt8]

    init() async throws {
        org = try await LocalOrg.start(LocalOrgConfiguration(records: 1_000))
        let head = "HTTP/1.1 200 X\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n"
        stalling = try ScriptServer([.readRequest, .send(head + #"{"a":[1,2"#), .pause(.seconds(10))])
        let row = #"{"Id":"001000000000001AAA","Name":"Acme and Sons Ltd","Phone":null,"Revenue":1234.5}"#
        longResponse = Array("[\(row)\(String(repeating: "," + row, count: extent(400_000, short: 4_000)))]".utf8)
    }

    func stop() async {
        await base.shutdown()
        await stalling.stop()
        await org.stop()
    }

    /// Cancels a new call at the point.
    func cancel(at point: CancelPoint) async throws -> CancelOutcome {
        let gate = Gate()
        defer { gate.open() }
        let transport = CountingTransport(base)
        let stage = try await stage(point, transport, gate)
        let blocker = point == .line ? stage.client.send(.plainLimits, on: .global()) { _ in } : nil
        if blocker != nil { try await wait(until: stage.isReached) }
        defer { blocker?.cancel() }
        switch point {
        case .decoding:
            let client = stage.client
            return try await cancel(stage) { () async throws(RestError) in
                do throws(CallError<NoFailure>) {
                    _ = try await client.send(.plainLimits.as([Row].self, errors: NoFailure.self))
                } catch {
                    guard case .rest(let error) = error else { throw RestError(.api, "\(error)") }
                    throw error
                }
            }
        case .page:
            let pages = stage.client.pages("SELECT Id FROM Account", batchSize: 200)
            return try await cancel(stage) { () async throws(RestError) in for try await _ in pages {} }
        default: return try await cancel(stage)
        }
    }

    private func cancel(_ stage: Stage) async throws -> CancelOutcome {
        let delegate = RecordingDelegate()
        let task = stage.client.send(.plainLimits, delegate: delegate, on: .global())
        try await arrive(stage)
        let start = ContinuousClock.now
        task.cancel()
        _ = try? await task.value
        let took = ContinuousClock.now - start
        org.faults.clear()
        let end: CancelOutcome.End =
            switch delegate.callbacks.first {
            case .cancelled?: .cancelled
            case .loaded?: .finished
            default: .other
            }
        return CancelOutcome(took: took, end: end, delegate: delegate)
    }

    /// Runs the work in a task and cancels the task at the point.
    private func cancel(
        _ stage: Stage, _ work: @escaping @Sendable () async throws(RestError) -> Void
    ) async throws -> CancelOutcome {
        let task = Task { () -> CancelOutcome.End in
            do throws(RestError) {
                try await work()
                return .finished
            } catch {
                return error.code == .cancelled ? .cancelled : .other
            }
        }
        try await arrive(stage)
        let start = ContinuousClock.now
        task.cancel()
        let end = await task.value
        let took = ContinuousClock.now - start
        org.faults.clear()
        return CancelOutcome(took: took, end: end)
    }

    private func arrive(_ stage: Stage) async throws {
        try await wait(until: stage.isReached)
        guard stage.pause.upperBound > 0 else { return }
        try await Task.sleep(for: .microseconds(Int.random(in: stage.pause)))
    }

    private func wait(until isReached: () -> Bool) async throws {
        let limit = ContinuousClock.now + .seconds(10)
        while !isReached() {
            guard ContinuousClock.now < limit else { throw CommandFailed(command: "cancel", status: 1) }
            await Task.yield()
        }
    }

    private func stage(_ point: CancelPoint, _ transport: CountingTransport, _ gate: Gate) async throws -> Stage {
        switch point {
        case .start:
            // With an existing token, because a login would outlive the call and meet the next call's obstacle.
            let client = try RestClient(
                instanceURL: org.instanceURL, accessToken: Secret(org.issueCredential().accessToken),
                configuration: RestClient.Configuration(transport: transport))
            // Otherwise, the response can be faster than a cancellation whose thread waits for a CPU.
            org.faults.add(.delay(.seconds(1)), matching: "/services/data")
            return Stage(client: client, isReached: { true }, pause: 0...0)
        case .midBody:
            let client = try RestClient(
                instanceURL: "http://127.0.0.1:\(stalling.port)", accessToken: "token",
                configuration: RestClient.Configuration(transport: transport))
            let before = stalling.sent
            return Stage(client: client) { [stalling] in stalling.sent > before }
        case .interceptor:
            var configuration = RestClient.Configuration(transport: transport)
            configuration.interceptors = [GatedInterceptor(gate: gate)]
            return Stage(client: try client(configuration)) { gate.hasVisitor }
        case .handler:
            let client = try client(transport)
            _ = try await client.send(.plainLimits)
            org.faults.add(.status(404), matching: "/services/data")
            client.onError(of: RestError.self) { _, _ in
                await gate.pass()
                return .propagate
            }
            return Stage(client: client) { gate.hasVisitor }
        case .parsing: return try answered(pause: 1_000...25_000)
        case .decoding: return try answered(pause: 40_000...90_000)
        default:
            let client = try client(transport)
            let sends = try await prepare(point, client)
            return Stage(client: client) { transport.count >= sends }
        }
    }

    /// A client whose response is immediate and long.
    private func answered(pause: ClosedRange<Int>) throws -> Stage {
        let transport = StubTransport()
        transport.enqueue(.response(HTTPResponse(head: HTTPResponse.Head(status: 200), body: longResponse)))
        let client = try RestClient(
            instanceURL: org.instanceURL, accessToken: "token",
            configuration: RestClient.Configuration(transport: transport))
        return Stage(client: client, isReached: { !transport.requests.isEmpty }, pause: pause)
    }

    private func client(_ transport: CountingTransport) throws -> RestClient {
        var configuration = RestClient.Configuration(transport: transport)
        configuration.limits = RestClient.RateLimits(concurrent: 1)
        return try client(configuration)
    }

    private func client(_ configuration: RestClient.Configuration) throws -> RestClient {
        try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
            configuration: configuration)
    }

    /// Prepares the obstacle.
    ///
    /// - Returns: the number of requests sent when the call reaches the obstacle.
    private func prepare(_ point: CancelPoint, _ client: RestClient) async throws -> Int {
        let hold = Fault.delay(.seconds(1))
        // Logged in before, because a login would outlive the call and meet the next call's obstacle.
        if point != .login { _ = try await client.send(.plainLimits) }
        switch point {
        case .login:
            org.faults.add(hold, matching: "/token")
            return 1
        case .page:
            org.faults.add(hold, matching: "/query/")
            return 4
        case .renewal:
            org.faults.expireAccessTokens()
            org.faults.add(hold, matching: "/token")
            return 4
        case .backOff:
            org.faults.add(.status(503, fields: ["Retry-After": "20"]), matching: "/services/data")
            return 3
        case .handlerWait:
            org.faults.add(.status(404), matching: "/services/data")
            client.onError(of: RestError.self) { _, _ in .retry(after: .seconds(20)) }
            return 3
        default:
            org.faults.add(hold, matching: "/services/data")
            return 3
        }
    }
}

extension ScriptServer {
    fileprivate var sent: Int { journal.connections.reduce(0) { $0 + $1.sentBytes } }
}
