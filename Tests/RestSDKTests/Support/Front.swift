// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RestTesting
import Simulation
import Synchronization

@testable import RestSDK

#if canImport(Combine)
import Combine
#endif

/// The calling styles, so that a test can run in each of them.
enum Front: CaseIterable {
    case async, delegate, delegateOnQueue, closure, closureOnQueue, twoClosures
    /// Results typed by status, and the content of an endpoint.
    case typed, endpoint
    /// Requests with a typed response.
    case typedRequest, typedClosure, modelledOnQueue
    /// The sequences of a query's pages and records, only for requests that return pages.
    case pages, records
    /// The work that the Combine publisher runs.
    case coldWork
    #if canImport(Combine)
    case publisher
    #endif

    /// Whether a cancelled call reports the cancellation, unlike a cancelled Combine subscription.
    var tellsCancellation: Bool {
        switch self {
        case .async, .delegate, .delegateOnQueue, .closure, .closureOnQueue, .twoClosures, .typed, .endpoint,
            .typedRequest, .typedClosure, .modelledOnQueue, .pages, .records:
            true
        default: false
        }
    }

    func reads(_ response: FrontCase.Response) -> Bool {
        switch (self, response) {
        case (.pages, .json), (.pages, .anything), (.records, .json), (.records, .anything): false
        case (.typed, .anything), (.typedRequest, .anything), (.typedClosure, .anything),
            (.modelledOnQueue, .anything):
            false
        default: true
        }
    }

    /// Sends the request in this style and returns all outcomes, of which there must be one.
    ///
    /// The call ends with `end`, or is cancelled, as soon as `point` is true.
    @MainActor
    func outcomes(
        of request: RestRequest, through client: RestClient, cancelWhen point: (() -> Bool)? = nil,
        by end: (() -> Void)? = nil
    ) async -> [Result<RestPayload, RestError>] {
        let delivered = Delivered()
        let call = start(request, through: client, into: delivered)
        if let point {
            let limit = ContinuousClock.now + .seconds(60)
            while !point(), ContinuousClock.now < limit { await Task.yield() }
            (end ?? call.cancel)()
        }
        await call.end(tellsCancellation || point == nil || end != nil)
        return delivered.outcomes
    }

    private struct Started {
        let cancel: () -> Void
        /// Waits for the end of the call, given whether there will be an outcome.
        let end: (Bool) async -> Void
    }

    @MainActor
    private func start(_ request: RestRequest, through client: RestClient, into delivered: Delivered) -> Started {
        switch self {
        case .async:
            return structured(delivered) { () async throws(RestError) in try await client.send(request).payload }
        case .pages:
            return structured(delivered) { () async throws(RestError) in
                var iterator = QueryPages(client: client, first: request, completesChildren: false).makeAsyncIterator()
                var payload: JSONObject = [:]
                while let page = try await iterator.next() {
                    payload = [
                        "totalSize": JSONValue(page.totalSize), "done": true, "records": JSONValue(page.records),
                    ]
                }
                return .dictionary(payload)
            }
        case .records:
            return structured(delivered) { () async throws(RestError) in
                let pages = QueryPages(client: client, first: request, completesChildren: false)
                var iterator = QueryRecords(pages, read: Record.init(reading:at:)).makeAsyncIterator()
                let total = try await iterator.totalSize()
                var records: [JSONValue] = []
                while let record = try await iterator.next() { records.append(JSONValue(record.fields)) }
                return .dictionary([
                    "totalSize": JSONValue(total), "done": true, "records": JSONValue(JSONArray(records)),
                ])
            }
        case .typed:
            return structured(delivered) { () async throws(RestError) in
                do throws(CallError<NoFailure>) {
                    return RestPayload(try await client.send(request.as(JSONValue.self, errors: NoFailure.self)))
                } catch {
                    throw error.asRest
                }
            }
        case .endpoint:
            return structured(delivered) { () async throws(RestError) in
                do throws(CallError<NoFailure>) {
                    return try await client.send(WholeResponse(request: request))
                } catch {
                    throw error.asRest
                }
            }
        case .typedRequest:
            return structured(delivered) { () async throws(RestError) in
                RestPayload(try await client.send(request.as(JSONValue.self)))
            }
        case .typedClosure:
            return callback(
                client.send(request.as(JSONValue.self)) { delivered.add(payload: $0.map { RestPayload($0) }) })
        case .modelledOnQueue:
            return callback(
                client.send(request.as(JSONValue.self, errors: NoFailure.self), on: .global()) { result in
                    delivered.add(payload: result.map { RestPayload($0) }.mapError { $0.asRest })
                })
        case .delegate: return callback(client.send(request, delegate: delivered))
        case .delegateOnQueue: return callback(client.send(request, delegate: delivered, on: .global()))
        case .closure: return callback(client.send(request) { delivered.add($0) })
        case .closureOnQueue: return callback(client.send(request, on: .global()) { delivered.add($0) })
        case .twoClosures:
            return callback(
                client.send(
                    request, success: { delivered.add(.success($0)) }, failure: { delivered.add(.failure($0)) }))
        case .coldWork:
            let call = ColdWork(ColdSource(request, of: client)) { event in
                switch event {
                case .element(let response): delivered.add(.success(response))
                case .failed(let error): delivered.add(.failure(error))
                case .finished: break
                }
                return 0
            }
            call.attach()
            call.request(1)
            return Started(cancel: { call.cancel() }, end: { await delivered.wait($0) })
        #if canImport(Combine)
        case .publisher:
            let call = client.publisher(for: request).sink { completion in
                if case .failure(let error) = completion { delivered.add(.failure(error)) }
            } receiveValue: {
                delivered.add(.success($0))
            }
            return Started(cancel: { call.cancel() }, end: { await delivered.wait($0) })
        #endif
        }
    }

    private func structured(
        _ delivered: Delivered, _ body: @escaping @Sendable () async throws(RestError) -> RestPayload
    ) -> Started {
        let task = Task { delivered.add(payload: await Result(catching: body)) }
        return Started(cancel: { task.cancel() }, end: { _ in await task.value })
    }

    private func callback<Value, Failure>(_ task: CallTask<Value, Failure>) -> Started {
        Started(cancel: { task.cancel() }, end: { _ in _ = try? await task.value })
    }
}

/// A typed error that matches no response.
private struct NoFailure: Error, Decodable {
    init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no answer is one"))
    }
}

extension CallError where RouteError == NoFailure {
    fileprivate var asRest: RestError {
        switch self {
        case .rest(let error): error
        case .route(let failure, _): RestError(.init(rawValue: "route"), "\(failure)")
        }
    }
}

/// An endpoint that accepts every response.
private struct WholeResponse: Endpoint {
    typealias RouteError = NoFailure
    let request: RestRequest

    func makeRequest() -> RestRequest { request }
    func content(from response: RestResponse) throws(RestError) -> RestPayload { response.payload }
}

extension RestPayload {
    fileprivate init(_ value: JSONValue) {
        if let object = value.object {
            self = .dictionary(object)
        } else {
            self = value.array.map(RestPayload.array) ?? .empty
        }
    }
}

/// Collects the results of callbacks from any thread.
private final class Delivered: RestClientDelegate, Sendable {
    private let results = Mutex<[Result<RestPayload, RestError>]>([])

    var outcomes: [Result<RestPayload, RestError>] { results.withLock { $0 } }

    func add(_ result: Result<RestResponse, RestError>) { add(payload: result.map(\.payload)) }
    func add(payload result: Result<RestPayload, RestError>) { results.withLock { $0.append(result) } }

    /// Waits for a result, or long enough to notice one that should not be delivered.
    func wait(_ expectsOutcome: Bool) async {
        let limit = ContinuousClock.now + .seconds(60)
        while expectsOutcome, outcomes.isEmpty, ContinuousClock.now < limit { await Task.yield() }
        for _ in 0..<50 { await Task.yield() }
    }

    func request(_ request: RestRequest, didLoadResponse payload: RestPayload, rawResponse: HTTPResponse.Head) {
        add(payload: .success(payload))
    }
    func request(_ request: RestRequest, didFailLoadWithError error: RestError) { add(payload: .failure(error)) }
    // These two callbacks have no error, so their codes are recorded.
    func requestDidCancelLoad(_ request: RestRequest) { add(payload: .failure(RestError(.cancelled, ""))) }
    func requestDidTimeout(_ request: RestRequest) { add(payload: .failure(RestError(.timedOut, ""))) }
}

extension Result where Failure == RestError {
    var failure: RestError? {
        guard case .failure(let error) = self else { return nil }
        return error
    }

    init(catching body: () async throws(RestError) -> Success) async {
        do throws(RestError) {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}

/// The point at which a call is ended from outside.
enum CallPoint: CaseIterable {
    case beforeStart, login, line, flight, renewal, backOff
    /// In app code that ignores the end: an interceptor, or an error handler.
    case interceptor, handler
    /// In the delay that a handler requested.
    case handlerWait
}

/// A client whose server brings a call to one point and keeps it there.
@MainActor
final class CallStage {
    let client: RestClient
    let request = RestRequest.query("SELECT Id FROM Account")
    private let point: CallPoint
    private let transport = StubTransport()
    private let clock = ManualClock(alarmsBeyond: .zero)  // sleeps last until they are cancelled
    private var other: CallTask<RestResponse, RestError>?
    private let gate = Gate()

    init(_ point: CallPoint) async throws {
        self.point = point
        var configuration = RestClient.Configuration(transport: transport, clock: clock)
        configuration.limits = RestClient.RateLimits(concurrent: 1)
        if point == .interceptor { configuration.interceptors = [GatedInterceptor(gate: gate)] }
        client = try RestClient.loggingIn(configuration)
        if point != .login { transport.enqueue(Behaviour.token) }
        switch point {
        case .beforeStart: break
        case .login, .flight: transport.enqueue(.silence)
        case .line:
            transport.enqueue(.silence)
            other = client.send(.plainLimits) { _ in }
            while transport.requests.count < 2 { await Task.yield() }
        case .renewal:
            transport.enqueue(status: 401, Behaviour.expired)
            transport.enqueue(.silence)
        case .backOff: transport.enqueue(status: 502)
        case .interceptor: transport.enqueue(Behaviour.records)
        case .handler, .handlerWait:
            transport.enqueue(status: 404)
            client.onError(of: RestError.self) { [gate] _, _ in
                if point == .handler { await gate.pass() }
                return .retry(after: .seconds(1))
            }
        }
    }

    deinit {
        gate.open()
    }

    func isReached() -> Bool {
        switch point {
        case .beforeStart: true
        case .login: transport.requests.count == 1
        case .line: client.runner.limiter.waiting == 1
        case .flight: transport.requests.count == 2
        case .renewal: transport.requests.count == 3
        case .backOff: transport.requests.count == 2 && clock.alarms == 1
        case .interceptor: gate.hasVisitor
        case .handler: gate.hasVisitor
        // One alarm is the deadline of the call, which a handler may ignore, and the other one is the delay.
        case .handlerWait: transport.requests.count == 2 && clock.alarms == 2
        }
    }

    /// Ends the other call, which used the only slot, and checks whether another call is sent.
    func sendsNothingMore() async -> Bool {
        let sent = callCount
        other?.cancel()
        gate.open()
        for _ in 0..<50 { await Task.yield() }
        return callCount == sent
    }

    /// The number of calls sent, without logins, which belong to the account and continue for later calls.
    private var callCount: Int { transport.requests.count { !$0.url.path.hasSuffix("/token") } }
}
