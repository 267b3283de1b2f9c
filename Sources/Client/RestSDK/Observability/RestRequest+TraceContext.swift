// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

extension RestRequest {
    /// The trace that a call belongs to, which connects its events in several systems (W3C Trace Context).
    ///
    /// It is sent in the headers `traceparent` and `tracestate`. If ``RestClient/Configuration/tracesCalls`` is set, a
    /// client makes a context for each call: a child of the call's ``RestRequest/trace``, or a new trace.
    public struct TraceContext: Sendable, Hashable, CustomStringConvertible {
        /// The trace id: 32 hexadecimal digits, not all zero.
        public let traceID: String
        /// The span id: 16 hexadecimal digits, not all zero.
        public let spanID: String
        /// Whether the system that began the trace records it.
        public let isSampled: Bool
        /// The data of other systems in the trace, unchanged.
        public let state: String?

        /// Makes a new trace.
        ///
        /// - Parameter isSampled: whether the trace is recorded.
        public init(isSampled: Bool = true) {
            traceID = Self.digits() + Self.digits()
            spanID = Self.digits()
            self.isSampled = isSampled
            state = nil
        }

        /// Parses the headers of a request, for example of one that this process handles, and returns `nil` if they are
        /// invalid.
        ///
        /// - Parameters:
        ///   - parent: the value of `traceparent`.
        ///   - state: the value of `tracestate`.
        public init?(parent: String, state: String? = nil) {
            let parts = parent.split(byte: "-", omittingEmptySubsequences: false).map(String.init)
            guard parts.count >= 4, parts.prefix(4).map(\.utf8.count) == [2, 32, 16, 2],
                parts.prefix(4).allSatisfy(\.isLowerHex), parts[0] != "ff", parts[0] != "00" || parts.count == 4,
                !parts[1].without("0").isEmpty, !parts[2].without("0").isEmpty,
                // bounded: two hexadecimal digits
                let flags = UInt8(parts[3], radix: 16)
            else { return nil }
            (traceID, spanID, isSampled) = (parts[1], parts[2], flags & 1 == 1)
            self.state = state.flatMap { text in
                text.utf8.count <= 512 && text.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? text : nil
            }
        }

        /// A new span of the same trace.
        public var child: RestRequest.TraceContext {
            RestRequest.TraceContext(traceID: traceID, spanID: Self.digits(), isSampled: isSampled, state: state)
        }

        /// The value of `traceparent`.
        public var parent: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }

        /// The same as ``parent``.
        public var description: String { parent }

        private init(traceID: String, spanID: String, isSampled: Bool, state: String?) {
            (self.traceID, self.spanID, self.isSampled, self.state) = (traceID, spanID, isSampled, state)
        }

        /// Returns 16 random hexadecimal digits, not all zero.
        private static func digits() -> String {
            let text = String(UInt64.random(in: 1 ... .max), radix: 16)
            return String(repeating: "0", count: 16 - text.utf8.count) + text
        }
    }
}

extension String {
    fileprivate var isLowerHex: Bool {
        utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}

extension HTTPRequest {
    /// Returns a copy of the request with the headers of a trace, unless it already has a `traceparent`.
    func tracing(_ trace: RestRequest.TraceContext?) -> HTTPRequest {
        guard let trace, fields["traceparent"] == nil else { return self }
        var request = self
        request.fields["traceparent"] = trace.parent
        if let state = trace.state { request.fields["tracestate"] = state }
        return request
    }
}
