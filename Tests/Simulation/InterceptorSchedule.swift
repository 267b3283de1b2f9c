// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import RestTransport

/// One call through interceptors and handlers of an app that do whatever a seed decides, over a network that knows what
/// was applied.
///
/// The pipeline is the real one. Interceptors call `next` up to three times, answer by themselves, throw, swap errors,
/// wait, and ignore the end of the call.
package struct InterceptorSchedule: Sendable {
    private let seed: UInt64

    /// Makes the schedule of a seed.
    package init(seed: UInt64) {
        self.seed = seed
    }

    /// Runs the call.
    ///
    /// - Returns: what was wrong; empty if nothing was.
    package func run() async throws -> [String] {
        let clock = ManualClock(alarmsBeyond: .seconds(30))
        let requests = Self.requests
        let request = requests[Int(seed % UInt64(requests.count))]
        let stage = InterceptorStage(seed: seed, request, clock)
        let client = try client(stage, clock)
        let task = Task { () -> Result<RestResponse, RestError> in
            do throws(RestError) { return .success(try await client.send(request)) } catch { return .failure(error) }
        }
        stage.begin { task.cancel() }
        let result = await task.value
        // Code of the app that was left behind goes on, and nothing may come of it.
        while stage.isBusy { await Task.yield() }
        return stage.faults(of: result)
    }

    private static let requests: [RestRequest] = [
        .create("Account", ["Name": "A"]), .upsert("Account", externalID: "E__c", "1", ["Name": "A"]),
        .create("Account", ["Name": "A"]), .limits,
    ]

    private func client(_ stage: InterceptorStage, _ clock: ManualClock) throws -> RestClient {
        let hasOuter = stage.chance(0.4)
        let inner = RandomInterceptor(stage: stage, isOutermost: !hasOuter, isInnermost: true)
        let outer = RandomInterceptor(stage: stage, isOutermost: true, isInnermost: false)
        let client = try RestClient(
            loginURL: "https://example.my.salesforce.com", clientID: "id", clientSecret: "secret",
            configuration: RestClient.Configuration(
                interceptors: hasOuter ? [outer, inner] : [inner], transport: TruthfulNetwork(stage: stage),
                clock: clock))
        guard stage.chance(0.6) else { return client }
        client.onError(of: RestError.self) { error, _ in stage.decision(on: error) }
        return client
    }
}

/// Code of an app that does what a seed decides.
private struct RandomInterceptor: Interceptor {
    let stage: InterceptorStage
    let isOutermost: Bool
    let isInnermost: Bool

    func intercept(
        _ request: HTTPRequest, context: RequestContext, next: Next
    ) async throws(RestError) -> HTTPResponse {
        stage.enters(isOutermost: isOutermost)
        defer { stage.leaves() }
        await stage.pause()
        if stage.chance(0.05) { throw InterceptorStage.appError }
        var answers: [HTTPResponse] = []
        var failure: RestError?
        for _ in 0..<stage.draw([0, 1, 1, 1, 2, 2, 3]) {
            await stage.pause()
            do {
                answers.append(try await send(request, next))
                failure = nil
            } catch {
                failure = error
                if stage.chance(0.3) { break }
            }
        }
        await stage.pause()
        return try result(answers, failure)
    }

    private func send(_ request: HTTPRequest, _ next: Next) async throws(RestError) -> HTTPResponse {
        guard isInnermost else { return try await next(request) }
        let before = stage.counts
        defer { stage.checkNext(since: before) }
        return try await next(request)
    }

    /// What the interceptor makes of what `next` gave it.
    private func result(_ answers: [HTTPResponse], _ failure: RestError?) throws(RestError) -> HTTPResponse {
        switch stage.draw(Array(0..<10)) {
        case 0: return stage.ownAnswer()
        case 1: throw InterceptorStage.appError
        case 2: throw InterceptorStage.swappedError
        case 3, 4: if let first = answers.first { return first }
        case 5:
            if var last = answers.last {
                last.head.fields["X-App"] = "seen"
                return last
            }
        default: break
        }
        if let failure { throw failure }
        return answers.last ?? stage.ownAnswer()
    }
}

/// A server and a token endpoint whose answers a seed decides.
private struct TruthfulNetwork: HTTPTransport {
    private enum Answer: CaseIterable {
        case created, createdAndLost, lost, neverLeft, expired, unavailable, failing, refused, missing, throttled
        case timedOut, falseSuccess, faulty, page
    }

    let stage: InterceptorStage

    func shutdown() async {}

    func send(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        guard !request.url.path.hasSuffix("/token") else {
            guard stage.chance(0.9) else { return .json(503, "") }
            return .json(200, #"{"access_token":"a","instance_url":"https://example.my.salesforce.com"}"#)
        }
        stage.sends()
        if stage.chance(0.04) { stage.endCall() }
        if Task.isCancelled, stage.chance(0.5) {
            stage.apply(stage.chance(0.5))
            throw TransportError(.cancelled, "schedule", mayHaveReachedServer: true)
        }
        return try respond(stage.chance(0.35) ? .created : stage.draw(Answer.allCases))
    }

    private func respond(_ answer: Answer) throws(TransportError) -> HTTPResponse {
        switch answer {
        case .created:
            stage.apply(true)
            return .json(201, #"{"id":"001000000000001","success":true,"errors":[]}"#)
        case .page:
            stage.apply(true)
            return .json(200, "<h1>maintenance</h1>")
        case .createdAndLost, .lost:
            stage.apply(answer == .createdAndLost)
            throw TransportError(.connectionLost, "schedule", mayHaveReachedServer: true)
        case .timedOut:
            stage.apply(stage.chance(0.5))
            throw TransportError(.timedOut, "schedule", mayHaveReachedServer: true)
        case .neverLeft: throw TransportError(.notConnected, "schedule", mayHaveReachedServer: false)
        case .expired:
            return .json(401, #"[{"errorCode":"INVALID_SESSION_ID","message":"Session expired or invalid"}]"#)
        case .unavailable, .failing:
            stage.apply(stage.chance(0.5))
            return .json(answer == .failing ? 500 : 503, "")
        case .refused: return .json(400, #"[{"errorCode":"REQUIRED_FIELD_MISSING","message":"Name"}]"#)
        case .missing: return .json(404, "")
        case .throttled: return .json(429, "")
        case .falseSuccess:
            return .json(200, #"{"success":false,"errors":[{"statusCode":"DUPLICATE_VALUE","message":"twice"}]}"#)
        case .faulty:
            stage.apply(stage.chance(0.5))
            return .json(200, #"[{"errorCode":"UNKNOWN_EXCEPTION","message":"gateway"}]"#)
        }
    }
}

extension HTTPResponse {
    static func json(_ status: Int, _ body: String) -> HTTPResponse {
        HTTPResponse(head: HTTPResponse.Head(status: status), body: Array(body.utf8))
    }
}
