// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Simulation
import Testing

@testable import RestSDK

/// Behaviors of a server, and the results that callers must get in every calling style.
enum Behaviour: CaseIterable {
    case answered, answeredAfterRetry, answeredAfterRenewal, answeredAfterLateLogin
    case faulted, unauthorized, forbidden, missing, throttled, failing, lost, untrusted, page, faultsIn200, redirected
    case invalid, loginRefused, renewalRefused, silent

    static let token = #"{"access_token":"a","instance_url":"https://example.my.salesforce.com"}"#
    static let records = #"{"totalSize":1,"done":true,"records":[{"Id":"001"}]}"#
    static let expired = #"[{"message":"Session expired or invalid","errorCode":"INVALID_SESSION_ID"}]"#

    var request: RestRequest { self == .invalid ? .query("") : .query("SELECT Id FROM Account") }

    /// The code of the error, or `nil` for a success.
    var code: RestError.Code? {
        switch self {
        case .answered, .answeredAfterRetry, .answeredAfterRenewal, .answeredAfterLateLogin: nil
        case .faulted, .faultsIn200: .api
        case .unauthorized: .unauthorized
        case .forbidden: .forbidden
        case .missing: .notFound
        case .throttled: .rateLimited
        case .failing: .server
        case .lost: .transport
        case .untrusted: .tls
        case .page: .decoding
        case .redirected: .redirected
        case .invalid: .invalidRequest
        case .loginRefused: .loginFailed
        case .renewalRefused: .refreshFailed
        case .silent: .timedOut
        }
    }

    func play(on transport: StubTransport) {
        func lose(_ code: TransportError.Code) {
            transport.enqueue(.failure(TransportError(code, "script", mayHaveReachedServer: true)))
        }
        if self == .answeredAfterLateLogin { transport.enqueue(status: 503) }
        if self == .loginRefused { return transport.enqueue(status: 400, #"{"error":"invalid_client"}"#) }
        transport.enqueue(Self.token)
        switch self {
        case .answered, .answeredAfterLateLogin: transport.enqueue(Self.records)
        case .answeredAfterRetry:
            transport.enqueue(status: 502)
            transport.enqueue(Self.records)
        case .answeredAfterRenewal:
            transport.enqueue(status: 401, Self.expired)
            transport.enqueue(#"{"access_token":"b","instance_url":"https://example.my.salesforce.com"}"#)
            transport.enqueue(Self.records)
        case .faulted:
            transport.enqueue(status: 400, #"[{"errorCode":"MALFORMED_QUERY","message":"unexpected token"}]"#)
        case .unauthorized:
            transport.enqueue(status: 401, Self.expired)
            transport.enqueue(#"{"access_token":"b","instance_url":"https://example.my.salesforce.com"}"#)
            transport.enqueue(status: 401, Self.expired)
        case .forbidden: transport.enqueue(status: 403, #"[{"errorCode":"INSUFFICIENT_ACCESS","message":"no"}]"#)
        case .missing: transport.enqueue(status: 404)
        case .throttled: transport.enqueue(status: 429, fields: ["Retry-After": "3600"])
        case .failing: for _ in 0..<3 { transport.enqueue(status: 500) }
        case .lost: for _ in 0..<3 { lose(.connectionLost) }
        case .untrusted: lose(.tls)
        case .page: transport.enqueue(fields: ["Content-Type": "text/html"], "<h1>maintenance</h1>")
        case .faultsIn200: transport.enqueue(#"[{"errorCode":"X","message":"m"}]"#)
        case .redirected: transport.enqueue(status: 302, fields: ["Location": "http://example.com/"])
        case .renewalRefused:
            transport.enqueue(status: 401, Self.expired)
            transport.enqueue(status: 400, #"{"error":"invalid_grant","error_description":"expired"}"#)
        case .silent: transport.enqueue(.silence)
        case .invalid, .loginRefused: break
        }
    }
}

@Suite("Every calling style delivers the same result, once")
@MainActor
struct FrontTests {
    private let transport = StubTransport()

    private func client(
        clock: any MonotonicClock = ManualClock(alarmsBeyond: .seconds(20)), transport: StubTransport? = nil,
        limits: RestClient.RateLimits = RestClient.RateLimits()
    ) throws -> RestClient {
        var configuration = RestClient.Configuration(transport: transport ?? self.transport, clock: clock)
        configuration.limits = limits
        return try RestClient.loggingIn(configuration)
    }

    @Test("each behavior of a server gives the same result", arguments: Front.allCases, Behaviour.allCases)
    func behaviour(front: Front, behaviour: Behaviour) async throws {
        let clock = ManualClock(alarmsBeyond: .seconds(20))
        let transport = StubTransport(clock: SilenceClock(client: clock))
        behaviour.play(on: transport)
        let client = try client(clock: clock, transport: transport)
        let outcomes = await front.outcomes(of: behaviour.request, through: client)
        #expect(outcomes.count == 1)
        let outcome = try #require(outcomes.first)
        #expect(outcome.failure?.code == behaviour.code)
        if behaviour.code == nil { #expect(try outcome.get()["records"]?[0]?["Id"]?.string == "001") }
        #expect(transport.unusedResponses == (behaviour == .invalid ? 1 : 0))
    }

    @Test("an error contains everything that the server reported", arguments: Front.allCases)
    func failure(front: Front) async throws {
        transport.enqueue(Behaviour.token)
        transport.enqueue(status: 400, #"[{"errorCode":"INVALID_FIELD","message":"No such column","fields":["X"]}]"#)
        let outcomes = await front.outcomes(of: .query("SELECT X FROM Account"), through: try client())
        let error = try #require(outcomes.first?.failure)
        #expect(error.status == 400)
        #expect(error.faults == [APIFault(errorCode: "INVALID_FIELD", message: "No such column", fields: ["X"])])
        #expect(error.body.count > 60)
        #expect(error.request?.name == "query")
    }

    @Test(
        "a call cancelled at any point ends at once, reports that once, and sends nothing more",
        arguments: Front.allCases, CallPoint.allCases)
    func cancel(front: Front, point: CallPoint) async throws {
        let stage = try await CallStage(point)
        let outcomes = await front.outcomes(of: stage.request, through: stage.client, cancelWhen: stage.isReached)
        #expect(outcomes.compactMap(\.failure?.code) == (front.tellsCancellation ? [.cancelled] : []))
        #expect(outcomes.count == (front.tellsCancellation ? 1 : 0))
        #expect(await stage.sendsNothingMore())
    }

    @Test("a call that waits in the client's queue times out at its deadline", arguments: Front.allCases)
    func timeoutInLine(front: Front) async throws {
        transport.enqueue(Behaviour.token)
        transport.enqueue(.silence)
        let clock = ManualClock(alarmsBeyond: .zero)
        let client = try client(clock: clock, limits: RestClient.RateLimits(concurrent: 1))
        let (transport, limiter) = (transport, client.runner.limiter)
        let other = client.send(.plainLimits.timeout(.seconds(600))) { _ in }
        while transport.requests.count < 2 { await Task.yield() }
        let advancing = Task {
            while limiter.waiting == 0 { await Task.yield() }
            while clock.alarms == 0 { await Task.yield() }
            clock.advance(by: .seconds(61))
        }
        let outcomes = await front.outcomes(of: .query("SELECT Id FROM Account"), through: client)
        await advancing.value
        #expect(outcomes.map(\.failure?.code) == [.timedOut])
        other.cancel()
    }

    @Test("a delegate that is gone misses its callback, and the call still succeeds")
    func delegateGone() async throws {
        transport.enqueue(fields: ["Content-Type": "application/json"], "[]")
        var delegate: RecordingDelegate? = RecordingDelegate()
        weak let gone = delegate
        let task = try client().send(.versions, delegate: try #require(delegate))
        delegate = nil
        #expect(gone == nil)
        #expect(try await task.value.payload == .array([]))
    }

    /// A delegate without locks and without `Sendable`, whose methods are called on its own actor.
    private final class PlainHost: RestClientDelegate {
        var loaded = 0

        func request(_ request: RestRequest, didLoadResponse payload: RestPayload, rawResponse: HTTPResponse.Head) {
            MainActor.assertIsolated()
            loaded += 1
        }
        func request(_ request: RestRequest, didFailLoadWithError error: RestError) {}
        func requestDidCancelLoad(_ request: RestRequest) {}
        func requestDidTimeout(_ request: RestRequest) {}
    }

    @Test("a delegate class does not have to be Sendable")
    func plainHost() async throws {
        transport.enqueue(fields: ["Content-Type": "application/json"], "[]")
        let host = PlainHost()
        _ = try await client().send(.versions, delegate: host).value
        #expect(host.loaded == 1)
    }

    @Test("a callback may cancel its call and send another call")
    func reentrant() async throws {
        transport.enqueue("[]")
        transport.enqueue("[]")
        let client = try client()
        var first: CallTask<RestResponse, RestError>?
        var second: CallTask<RestResponse, RestError>?
        first = client.send(.versions) { _ in
            first?.cancel()
            second = client.send(.versions) { _ in }
        }
        #expect(try await first?.value.payload == .array([]))
        #expect(try await second?.value.payload == .array([]))
    }
}

/// The clock of a silent server, whose silence advances the client's clock to the end of the call.
///
/// The client's own delays, for example for a token, are alarms on its clock, and nothing else advances it that far.
private struct SilenceClock: MonotonicClock {
    let client: ManualClock

    var now: ContinuousClock.Instant { client.now }
    var minimumResolution: Duration { client.minimumResolution }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        client.advance(by: deadline - client.now)
    }
}

@Suite("Callers see the same in every calling style")
@MainActor
struct FrontParityTests {
    @Test("each case gives its expected result in every style", arguments: Front.allCases, FrontCase.all)
    func parity(front: Front, behaviour: FrontCase) async throws {
        guard front.reads(behaviour.response) else { return }
        let transport = StubTransport()
        var configuration = RestClient.Configuration(
            transport: transport, clock: ManualClock(alarmsBeyond: .seconds(20)))
        behaviour.configure(&configuration)
        let client = try RestClient.of(configuration)
        behaviour.play(transport)
        await behaviour.prepare(client)
        let outcomes = await front.outcomes(of: behaviour.request, through: client)
        #expect(outcomes.count == 1)
        switch (behaviour.expected, try #require(outcomes.first)) {
        case (.payload(let expected), .success(let payload)): #expect(payload == expected)
        case (.failure(let code, let check), .failure(let error)):
            #expect(error.code == code)
            #expect(check(error), "\(error)")
        case (_, let outcome): Issue.record("another outcome: \(outcome)")
        }
        #expect(transport.unusedResponses == 0)
    }
}

/// Calls that wait for the default transport of the operating system.
@Suite("Ending calls at the transport")
@MainActor
struct InterruptedTransportTests {
    @Test(
        "shutting down a client, or cancelling all its calls, ends the call in flight and closes its connection",
        arguments: Front.allCases, [RestError.Code.shutDown, .cancelled])
    func ended(front: Front, code: RestError.Code) async throws {
        let server = try ScriptServer([.readRequest, .readToEnd])
        let transport = PlatformTransport.make(RestClient.TransportLimits())
        let client = try RestClient(
            instanceURL: "\(server.url().origin)", accessToken: "t",
            configuration: RestClient.Configuration(transport: transport))
        let outcomes = await front.outcomes(
            of: .query("SELECT Id FROM A"), through: client, cancelWhen: { server.journal.requests.count == 1 }
        ) {
            if code == .shutDown { client.shutdown() } else { client.cancelAll() }
        }
        #expect(outcomes.map(\.failure?.code) == [code])
        let journal = await server.wait { $0.connections.allSatisfy(\.isClosedByPeer) }
        #expect(journal.requests.count == 1)
        await transport.shutdown()
        await server.stop()
    }
}

@Suite("A delegate that implements only the required methods")
@MainActor
struct DelegateDefaultsTests {
    private final class SmallHost: RestClientDelegate {
        var loaded = 0
        var failures: [RestError] = []

        func request(_ request: RestRequest, didLoadResponse payload: RestPayload, rawResponse: HTTPResponse.Head) {
            loaded += 1
        }
        func request(_ request: RestRequest, didFailLoadWithError error: RestError) { failures.append(error) }
    }

    private let transport = StubTransport()
    private let host = SmallHost()

    private func client(timeout: Duration = .seconds(60)) throws -> RestClient {
        try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "t",
            configuration: RestClient.Configuration(
                timeout: timeout, transport: transport, clock: ManualClock(alarmsBeyond: .zero)))
    }

    @Test("a timeout is reported as an error")
    func timeout() async throws {
        transport.enqueue(.silence)
        let task = try client(timeout: .milliseconds(20)).send(.create("Account", [:]), delegate: host)
        await #expect(throws: RestError.self) { try await task.value }
        #expect(host.failures.map(\.code) == [.timedOut])
        #expect(host.failures.first?.outcome == .unknown)
        #expect(host.loaded == 0)
    }

    @Test("a cancelled call is not reported")
    func cancel() async throws {
        transport.enqueue(.silence)
        let task = try client().send(.plainLimits, delegate: host)
        while transport.requests.isEmpty { await Task.yield() }
        task.cancel()
        await #expect(throws: RestError.self) { try await task.value }
        #expect(host.failures.isEmpty && host.loaded == 0)
    }
}
