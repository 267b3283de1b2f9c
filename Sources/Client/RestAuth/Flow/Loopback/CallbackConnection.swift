// SPDX-License-Identifier: Apache-2.0

/// One connection to the browser's way back.
struct CallbackConnection {
    /// Who waits for whom.
    enum Phase: Equatable {
        /// We wait for the rest of the header, until `limit`.
        case reading(limit: ContinuousClock.Instant)
        /// We wait for the system to take the rest of the answer, until `limit`.
        case writing(ArraySlice<UInt8>, limit: ContinuousClock.Instant)
        /// We wait for the peer to close, until `limit`, because closing on unread bytes would throw the answer away.
        case draining(limit: ContinuousClock.Instant)
        /// Nobody waits.
        case closed
    }

    let socket: LoopbackSocket
    private(set) var phase: Phase
    private var received: [UInt8] = []
    private let patience: Duration

    /// How long the peer may take to close.
    static let drainingTime = Duration.seconds(1)

    init(_ socket: LoopbackSocket, at now: ContinuousClock.Instant, patience: Duration) {
        self.socket = socket
        self.patience = patience
        phase = .reading(limit: now + patience)
    }

    /// The moment at which waiting ends.
    var limit: ContinuousClock.Instant? {
        switch phase {
        case .reading(let limit), .writing(_, let limit), .draining(let limit): limit
        case .closed: nil
        }
    }

    /// Whether it waits to write rather than to read.
    var isWriting: Bool {
        if case .writing = phase { return true }
        return false
    }

    /// Takes what has arrived.
    ///
    /// - Returns: the outcome of the wait when this was the awaited request; it is answered already.
    mutating func advance(
        by rules: CallbackRules, isOver: Bool, at now: ContinuousClock.Instant
    ) -> Result<String, OAuthError>? {
        switch phase {
        case .reading:
            let known = received.count
            guard socket.read(into: &received) != .over else {
                phase = .closed
                return nil
            }
            guard let answer = rules.answer(to: CallbackRequest.read(received, lookingFrom: known)) else { return nil }
            let isLate = isOver && answer.outcome != nil
            respond(isLate ? CallbackPage.stray.response(400) : answer.page.response(answer.status), at: now)
            return isLate ? nil : answer.outcome
        case .writing(let bytes, let limit): write(bytes, until: limit, at: now)
        case .draining: drain()
        case .closed: break
        }
        return nil
    }

    /// Ends a wait that took too long.
    mutating func expire(at now: ContinuousClock.Instant) {
        guard let limit, limit <= now else { return }
        if case .reading = phase { respond(CallbackPage.refused.response(408), at: now) } else { phase = .closed }
    }

    private mutating func respond(_ response: [UInt8], at now: ContinuousClock.Instant) {
        received = []
        write(response[...], until: now + patience, at: now)
    }

    private mutating func write(
        _ bytes: ArraySlice<UInt8>, until limit: ContinuousClock.Instant, at now: ContinuousClock.Instant
    ) {
        var rest = bytes
        while !rest.isEmpty {
            switch socket.write(rest) {
            case .some(let count): rest = rest.dropFirst(count)
            case .later: return phase = .writing(rest, limit: limit)
            case .over: return phase = .closed
            }
        }
        socket.finishWriting()
        phase = .draining(limit: now + Self.drainingTime)
    }

    private mutating func drain() {
        var ignored: [UInt8] = []
        if socket.read(into: &ignored) == .over { phase = .closed }
    }
}
