// SPDX-License-Identifier: Apache-2.0

/// Decides what to do with a redirect; a pure value, so that every rule can be tested as a table.
///
/// No field but a few harmless ones reaches another origin, nor does a body, https never becomes http, a write is never
/// sent to another origin, and a redirect from the outside never reaches this machine or its network by address:
/// private addresses (RFC 1918), those of carriers (RFC 6598) and unique local ones (RFC 4193) are its network.
public struct RedirectPolicy: Sendable, Hashable {
    /// Why a redirect is not followed, an open set whose label is safe as a metric name.
    public struct Refusal: RawRepresentable, Error, Sendable, Hashable {
        /// The fixed label of the reason.
        public let rawValue: String

        /// Wraps a label.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// As many redirects were followed as the policy allows.
        public static let tooManyHops = Refusal(rawValue: "tooManyHops")
        /// The location is missing, repeated or no http(s) URL.
        public static let badLocation = Refusal(rawValue: "badLocation")
        /// The redirect leads from https to http.
        public static let insecure = Refusal(rawValue: "insecure")
        /// The redirect leads to another origin, which the policy does not allow.
        public static let otherOrigin = Refusal(rawValue: "otherOrigin")
        /// The org's data would come from another origin; only the content of files may.
        public static let otherOriginData = Refusal(rawValue: "otherOriginData")
        /// A request that changes something would go to another origin.
        public static let otherOriginWrite = Refusal(rawValue: "otherOriginWrite")
        /// A body would go to another origin.
        public static let otherOriginBody = Refusal(rawValue: "otherOriginBody")
        /// The redirect leads from farther away to this machine, its link or its network.
        public static let internalAddress = Refusal(rawValue: "internalAddress")
        /// The body would have to be sent again and cannot.
        public static let bodyNotReplayable = Refusal(rawValue: "bodyNotReplayable")
    }

    /// What to do with a response.
    public enum Decision: Sendable, Hashable {
        /// It is not a redirect: deliver it.
        case deliver
        /// Send this request instead.
        case follow(HTTPRequest)
        /// Fail; nothing must be sent.
        case refuse(Refusal)
    }

    /// How many redirects are followed one after the other.
    public var maximumHops: Int
    /// Whether reads may be redirected to other origins, always without credentials and fields of one's own.
    ///
    /// A client of the REST API follows such redirects for the content of files alone.
    public var followsOtherOrigins: Bool

    /// Makes a policy; the default follows up to five redirects.
    ///
    /// - Parameters:
    ///   - maximumHops: how many redirects are followed one after the other.
    ///   - followsOtherOrigins: whether reads may be redirected to other origins.
    public init(maximumHops: Int = 5, followsOtherOrigins: Bool = true) {
        self.maximumHops = maximumHops
        self.followsOtherOrigins = followsOtherOrigins
    }

    /// Decides about the response to a request.
    ///
    /// - Parameters:
    ///   - request: the request that was sent.
    ///   - response: its answer.
    ///   - hops: the redirects followed so far for this call.
    /// - Returns: what to do next.
    public func decision(for request: HTTPRequest, response: HTTPResponse.Head, hops: Int) -> Decision {
        guard [301, 302, 303, 307, 308].contains(response.status) else { return .deliver }
        do throws(Refusal) {
            guard hops < maximumHops else { throw Refusal.tooManyHops }
            let target = try target(of: response, from: request.url)
            try checkOrigin(of: target, for: request)
            return .follow(try redirected(request, to: target, status: response.status))
        } catch {
            return .refuse(error)
        }
    }

    private func target(of response: HTTPResponse.Head, from url: HTTPURL) throws(Refusal) -> HTTPURL {
        let locations = response.fields.values(of: "Location")
        guard locations.count == 1 else { throw .badLocation }
        do {
            return try url.resolving(locations[0])
        } catch {
            throw .badLocation
        }
    }

    private func checkOrigin(of target: HTTPURL, for request: HTTPRequest) throws(Refusal) {
        let source = request.url.origin
        guard target.origin != source else { return }
        guard source.scheme == .http || target.origin.scheme == .https else { throw .insecure }
        guard source.isLoopback || target.origin.distance >= max(source.distance, .network) else {
            throw .internalAddress
        }
        guard target.origin.scheme == .https || target.origin.isLoopback else { throw .insecure }
        guard followsOtherOrigins else { throw .otherOrigin }
        guard [.get, .head].contains(request.method) else { throw .otherOriginWrite }
    }

    private func redirected(
        _ request: HTTPRequest, to target: HTTPURL, status: Int
    ) throws(Refusal) -> HTTPRequest {
        var next = request
        next.url = target
        if target.origin != request.url.origin { next.fields.keepWhatAnyoneMaySee() }
        let becomesGet = request.method != .head && (status == 303 || (request.method == .post && status <= 302))
        if becomesGet {
            next.method = .get
            next.body = .empty
            next.fields.removeAll { $0.hasPrefixIgnoringASCIICase("content-") }
        } else if request.body != .empty, target.origin != request.url.origin {
            throw .otherOriginBody
        } else if !request.body.isReplayable {
            throw .bodyNotReplayable
        }
        return next
    }
}

extension HTTPFields {
    /// Removes what must not reach another origin: all that is not known to be free of secrets.
    mutating func keepWhatAnyoneMaySee() {
        removeAll { name in !Self.harmlessNames.contains { $0.isEqualIgnoringASCIICase(to: name) } }
    }

    /// Fields that say what is wanted and in which form, and nothing about who wants it.
    private static let harmlessNames = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "content-type", "if-match",
        "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "range", "user-agent",
    ]
}

extension String {
    /// Whether the text begins with the prefix, letters compared without case.
    fileprivate func hasPrefixIgnoringASCIICase(_ prefix: String) -> Bool {
        String(self.prefix(prefix.count)).isEqualIgnoringASCIICase(to: prefix)
    }
}
