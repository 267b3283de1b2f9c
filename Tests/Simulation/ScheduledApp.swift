// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import RestTransport

/// The app's own code around a scheduled call: an interceptor and a handler of errors, which may end the call, change
/// its outcome and never come back.
struct ScheduledApp: Interceptor {
    /// What a client has beside the SDK's own steps.
    struct Parts: Sendable {
        let hasInterceptor: Bool
        let hasHandler: Bool
        let breaksCircuit: Bool
        let isPaced: Bool

        /// Draws the parts of a client; half of them have none of the app's code.
        init(using random: inout SeededGenerator) {
            hasInterceptor = random.unit() < 0.35
            hasHandler = random.unit() < 0.35
            breaksCircuit = random.unit() < 0.2
            isPaced = random.unit() < 0.4
        }

        /// Three attempts and one replay, and as many attempts again for each of three retries by a handler.
        var maximumSends: Int { hasHandler ? 4 * 3 + 1 : 4 }
    }

    /// The code of the app's own errors.
    private static let code = RestError.Code(rawValue: "app")

    let director: ScheduleDirector

    func intercept(
        _ request: HTTPRequest, context: RequestContext, next: Next
    ) async throws(RestError) -> HTTPResponse {
        await pause(.interceptorBefore)
        if director.draw({ $0.unit() }) < 0.05 {
            director.note { $0.heard(.failed(Self.code)) }
            throw RestError(Self.code, "not today", outcome: context.request.isWrite ? .notApplied : nil)
        }
        do {
            let response = try await next(request)
            await pause(.interceptorAfter)
            return response
        } catch {
            await pause(.interceptorAfter)
            throw error
        }
    }

    /// What the handler decides about a failed call.
    func decision(on error: RestError) async -> FailedCall.Decision {
        await pause(.handler)
        switch director.draw({ Int.random(in: 0..<6, using: &$0) }) {
        case 0, 1:
            director.handlerAsksForWait()
            return .retry(after: .milliseconds(director.draw { Int.random(in: 0...2_000, using: &$0) }))
        case 2:
            director.note { $0.heard(.failed(Self.code)) }
            return .replace(with: RestError(Self.code, "replaced", outcome: error.outcome, underlying: error))
        default: return .propagate
        }
    }

    /// Lets the call be ended here; app code often ignores that.
    private func pause(_ place: ScheduledPlace) async {
        guard await director.visit(place) != nil, director.draw({ $0.unit() }) < 0.5 else { return }
        await director.gate.pass()
    }
}

/// A clock that moves forward at once, and on which a call may be ended during a short sleep.
struct ScheduledClock: MonotonicClock {
    /// Longer sleeps are alarms at deadlines.
    static let longestWait = Duration.seconds(30)

    let base: ManualClock
    let director: ScheduleDirector

    var now: ContinuousClock.Instant { base.now }
    var minimumResolution: Duration { base.minimumResolution }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        let duration = deadline - base.now
        if duration > .zero, duration <= Self.longestWait { await director.visitSleep() }
        try await base.sleep(until: deadline, tolerance: tolerance)
    }
}
