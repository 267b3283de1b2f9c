// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import RestTransport

/// A network and a token endpoint that a director drives.
struct ScheduledNetwork: HTTPTransport {
    private enum Answer: CaseIterable, Sendable {
        case success, page, expired, missing, throttled, failing, lost, refused, silence
    }

    let director: ScheduleDirector

    func shutdown() async {}

    func send(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        let isToken = request.url.path.hasSuffix("/token")
        if !isToken { director.note { $0.sent() } }
        let answer = draw(isToken: isToken)
        let interruption = await director.visit(isToken ? .token : .flight, isCertain: answer == .silence)
        return isToken ? try token(answer) : try call(answer, interruption)
    }

    /// Most answers are good, so that calls get far.
    private func draw(isToken: Bool) -> Answer {
        director.draw { random in
            let isGood = random.unit() < (isToken ? 0.75 : 0.35)
            return isGood ? .success : Answer.allCases.randomElement(using: &random) ?? .success
        }
    }

    private func token(_ answer: Answer) throws(TransportError) -> HTTPResponse {
        switch answer {
        case .success, .page, .silence, .expired:
            director.note { $0.loggedIn() }
            let nothing = director.draw { ["null", #""""#].randomElement(using: &$0) ?? "null" }
            let members = ["error", "token_type", "refresh_token", "id", "scope"].map { #","\#($0)":\#(nothing)"# }
            let instance = #""instance_url":"https://example.my.salesforce.com""#
            return .json(200, #"{"access_token":"a",\#(instance)\#(members.joined())}"#)
        case .missing:
            director.note { $0.loginRefused() }
            return .json(400, #"{"error":"invalid_grant"}"#)
        case .throttled, .failing:
            director.note { $0.heard(.failed(.server)) }
            return .json(503, "")
        case .lost:
            director.note { $0.heard(.failed(.transport)) }
            throw TransportError(.connectionLost, "schedule", mayHaveReachedServer: true)
        case .refused:
            director.note { $0.heard(.failed(.notConnected)) }
            throw TransportError(.notConnected, "schedule", mayHaveReachedServer: false)
        }
    }

    private func call(_ answer: Answer, _ interruption: ScheduledInterruption?) throws(TransportError) -> HTTPResponse {
        let reaches = director.draw { Bool.random(using: &$0) }
        let breaksOff = director.draw { Bool.random(using: &$0) } || answer == .silence
        guard let interruption, breaksOff else { return try respond(answer, reaches) }
        let isLate = interruption == .deadline
        director.note { truth in
            truth.attemptEnded(isApplied: reaches, knownAs: reaches ? .unknown : .notApplied)
            truth.heard(isLate ? .timedOut : .cancelled)
        }
        throw TransportError(isLate ? .timedOut : .cancelled, "schedule", mayHaveReachedServer: reaches)
    }

    private func respond(_ answer: Answer, _ reaches: Bool) throws(TransportError) -> HTTPResponse {
        switch answer {
        case .success, .silence:
            return end(.loaded, true, .applied, .json(200, #"{"id":"001000000000001","success":true}"#))
        case .page: return end(.failed(.decoding), true, .applied, .json(200, "<h1>maintenance</h1>"))
        case .expired:
            let body = #"[{"errorCode":"INVALID_SESSION_ID","message":"Session expired or invalid"}]"#
            return end(.failed(.unauthorized), false, .notApplied, .json(401, body))
        case .missing: return end(.failed(.notFound), false, .notApplied, .json(404, ""))
        case .throttled: return end(.failed(.server), reaches, .unknown, .json(503, "", ["Retry-After": "1"]))
        case .failing: return end(.failed(.server), reaches, .unknown, .json(500, ""))
        case .lost:
            director.note { truth in
                truth.attemptEnded(isApplied: reaches, knownAs: .unknown)
                truth.heard(.failed(.transport))
            }
            throw TransportError(.connectionLost, "schedule", mayHaveReachedServer: true)
        case .refused:
            director.note { $0.heard(.failed(.notConnected)) }
            throw TransportError(.notConnected, "schedule", mayHaveReachedServer: false)
        }
    }

    private func end(
        _ kind: CallKind, _ isApplied: Bool, _ outcome: RestError.WriteOutcome, _ response: HTTPResponse
    ) -> HTTPResponse {
        director.note { truth in
            truth.attemptEnded(isApplied: isApplied, knownAs: outcome)
            truth.heard(kind)
        }
        return response
    }
}

extension HTTPResponse {
    fileprivate static func json(_ status: Int, _ body: String, _ fields: HTTPFields = [:]) -> HTTPResponse {
        HTTPResponse(head: HTTPResponse.Head(status: status, fields: fields), body: Array(body.utf8))
    }
}
