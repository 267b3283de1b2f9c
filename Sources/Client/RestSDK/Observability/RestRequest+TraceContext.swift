// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

extension RestRequest {
    /// Which trace a call belongs to (W3C Trace Context), so that what happens to it in several systems is found
    /// together.
    ///
    /// It goes in the header fields `traceparent` and `tracestate`. A client makes one for each of its calls where
    /// ``RestClient/Configuration/tracesCalls`` says so; a call that has ``RestRequest/trace`` is a step of that one.
    public struct TraceContext: Sendable, Hashable, CustomStringConvertible {
        /// The trace: 32 hexadecimal digits, not all of them zero.
        public let traceID: String
        /// The step of it: 16 hexadecimal digits, not all of them zero.
        public let spanID: String
        /// Whether who began the trace keeps it.
        public let isSampled: Bool
        /// What systems on the way noted, as it came.
        public let state: String?

        /// A new trace.
        ///
        /// - Parameter isSampled: whether it is kept.
        public init(isSampled: Bool = true) {
            traceID = Self.digits() + Self.digits()
            spanID = Self.digits()
            self.isSampled = isSampled
            state = nil
        }

        /// Reads header fields, such as those of a request that this process answers; `nil` for a text that is not of
        /// the form, which begins no trace.
        ///
        /// - Parameters:
        ///   - parent: `traceparent`.
        ///   - state: `tracestate`.
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

        /// A further step of the same trace.
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

        /// Sixteen digits by chance, not all of them zero.
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
    /// The request as a step of a trace; a `traceparent` of its own stays.
    func tracing(_ trace: RestRequest.TraceContext?) -> HTTPRequest {
        guard let trace, fields["traceparent"] == nil else { return self }
        var request = self
        request.fields["traceparent"] = trace.parent
        if let state = trace.state { request.fields["tracestate"] = state }
        return request
    }
}
