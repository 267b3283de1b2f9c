// SPDX-License-Identifier: Apache-2.0

public import RestTransport

extension RestRequest {
    /// What sending a call does to the server: the one thing that decides what its failures say of an outcome, and when
    /// it may be sent again.
    public enum Effect: Sendable, Hashable {
        /// Nothing is changed, so the call can be sent as often as anybody likes, and its failures have no outcome.
        case reads
        /// Something is changed.
        ///
        /// A call that is idempotent has the same effect sent twice as sent once, so it is sent again also when nobody
        /// knows what became of it; another one only when it provably was not applied. Its failures say in
        /// ``RestError/outcome`` what is known.
        case writes(idempotent: Bool)

        /// What a method promises (RFC 9110 §9.2): GET, HEAD, OPTIONS and TRACE read; PUT and DELETE write, and may be
        /// repeated; every other one writes, and may not.
        public init(of method: HTTPMethod) {
            switch method.rawValue {
            case "GET", "HEAD", "OPTIONS", "TRACE": self = .reads
            default: self = .writes(idempotent: method.isIdempotent)
            }
        }
    }

    /// What sending the call does to the server; what its method promises, unless it was set.
    public var effect: Effect {
        get { chosenEffect ?? Effect(of: method) }
        set { chosenEffect = newValue }
    }

    /// The same call with another effect, such as a POST that only reads.
    public func effect(_ effect: Effect) -> RestRequest {
        var copy = self
        copy.effect = effect
        return copy
    }

    /// Whether the call changes something on the server.
    package var isWrite: Bool { effect != .reads }

    /// Whether the call may be sent again after an unknown outcome.
    package var isIdempotent: Bool { effect != .writes(idempotent: false) }
}
