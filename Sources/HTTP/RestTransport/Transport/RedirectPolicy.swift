// SPDX-License-Identifier: Apache-2.0

/// Decides whether to follow a redirect.
///
/// Only a few harmless headers, and never a body or a write, are sent to another origin. A redirect never leads from
/// https to http. A redirect from outside never leads to this machine or its network by address: private (RFC 1918),
/// carrier-grade NAT (RFC 6598) and unique local addresses (RFC 4193) belong to its network.
public struct RedirectPolicy: Sendable, Hashable {
    /// The reason why a redirect is not followed, which is an open set whose label is safe as a metric name.
    public struct Rejection: RawRepresentable, Error, Sendable, Hashable {
        /// The fixed label of the reason.
        public let rawValue: String

        /// Wraps a label.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The maximum number of redirects has been reached.
        public static let tooManyHops = Rejection(rawValue: "tooManyHops")
        /// The `Location` header is missing, repeated or not an http(s) URL.
        public static let badLocation = Rejection(rawValue: "badLocation")
        /// The redirect leads from https to http.
        public static let insecure = Rejection(rawValue: "insecure")
        /// The redirect leads to another origin, and the policy does not allow that.
        public static let otherOrigin = Rejection(rawValue: "otherOrigin")
        /// The org's data would come from another origin, which is allowed only for the content of files.
        public static let otherOriginData = Rejection(rawValue: "otherOriginData")
        /// A write would be sent to another origin.
        public static let otherOriginWrite = Rejection(rawValue: "otherOriginWrite")
        /// A body would be sent to another origin.
        public static let otherOriginBody = Rejection(rawValue: "otherOriginBody")
        /// The redirect leads from outside to this machine, its link or its network.
        public static let internalAddress = Rejection(rawValue: "internalAddress")
        /// The body must be sent again but cannot be.
        public static let bodyNotReplayable = Rejection(rawValue: "bodyNotReplayable")
    }

    /// The decision about a response.
    public enum Decision: Sendable, Hashable {
        /// Deliver the response, because it is not a redirect.
        case deliver
        /// Send this request.
        case follow(HTTPRequest)
        /// Fail without sending anything.
        case refuse(Rejection)
    }

    /// The maximum number of consecutive redirects.
    public var maximumHops: Int
    /// Whether reads may be redirected to other origins, always without credentials and custom headers.
    ///
    /// A client of the REST API follows such redirects only for the content of files.
    public var followsOtherOrigins: Bool

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - maximumHops: the maximum number of consecutive redirects, by default five.
    ///   - followsOtherOrigins: whether reads may be redirected to other origins.
    public init(maximumHops: Int = 5, followsOtherOrigins: Bool = true) {
        self.maximumHops = maximumHops
        self.followsOtherOrigins = followsOtherOrigins
    }

    /// Decides how to handle the response to a request.
    ///
    /// - Parameters:
    ///   - request: the request that was sent.
    ///   - response: the head of the response.
    ///   - hops: the number of redirects that this call has already followed.
    /// - Returns: the next step.
    public func decision(for request: HTTPRequest, response: HTTPResponse.Head, hops: Int) -> Decision {
        guard [301, 302, 303, 307, 308].contains(response.status) else { return .deliver }
        do throws(Rejection) {
            guard hops < maximumHops else { throw Rejection.tooManyHops }
            let target = try target(of: response, from: request.url)
            try checkOrigin(of: target, for: request)
            return .follow(try redirected(request, to: target, status: response.status))
        } catch {
            return .refuse(error)
        }
    }

    private func target(of response: HTTPResponse.Head, from url: HTTPURL) throws(Rejection) -> HTTPURL {
        let locations = response.fields.values(of: "Location")
        guard locations.count == 1 else { throw .badLocation }
        do {
            return try url.resolving(locations[0])
        } catch {
            throw .badLocation
        }
    }

    private func checkOrigin(of target: HTTPURL, for request: HTTPRequest) throws(Rejection) {
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
    ) throws(Rejection) -> HTTPRequest {
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
    /// Removes all headers that are not known to be free of secrets, because they must not reach another origin.
    mutating func keepWhatAnyoneMaySee() {
        removeAll { name in !Self.harmlessNames.contains { $0.isEqualIgnoringASCIICase(to: name) } }
    }

    /// Headers that describe the wanted representation and not the client.
    private static let harmlessNames = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "content-type", "if-match",
        "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "range", "user-agent",
    ]
}

extension String {
    fileprivate func hasPrefixIgnoringASCIICase(_ prefix: String) -> Bool {
        String(self.prefix(prefix.count)).isEqualIgnoringASCIICase(to: prefix)
    }
}
