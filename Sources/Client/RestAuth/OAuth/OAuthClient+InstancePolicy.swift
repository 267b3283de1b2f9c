// SPDX-License-Identifier: Apache-2.0

import RestText
import RestTransport

extension OAuthClient {
    /// Which `instance_url` of a token response is believed.
    ///
    /// The field is untrusted input: whoever controls it receives the token.
    public struct InstancePolicy: Sendable, Hashable {
        /// Host suffixes, each with its leading dot, that an instance may have beside the login host itself.
        public var allowedHostSuffixes: [String]

        /// The platform's own domains.
        public static let platform = OAuthClient.InstancePolicy(allowedHostSuffixes: [
            ".salesforce.com", ".force.com", ".cloudforce.com", ".database.com", ".salesforce.mil",
        ])

        /// Makes a policy from host suffixes such as `.example.com`.
        public init(allowedHostSuffixes: [String]) {
            self.allowedHostSuffixes = allowedHostSuffixes
        }

        /// The origin to use for a login at `login` that named `instanceURL`.
        ///
        /// - Throws: ``OAuthError`` with `.invalidResponse` for another scheme, host or port than the policy allows.
        func instance(named instanceURL: String?, login: Origin) throws(OAuthError) -> Origin {
            guard let instanceURL else { return login }
            guard let url = try? HTTPURL(parsing: instanceURL), url.path == "/" || url.path.isEmpty, url.query == nil
            else {
                throw OAuthError(.invalidResponse, "the token endpoint named an instance_url that is not an origin")
            }
            return try instance(at: url.origin, login: login)
        }

        /// The origin that a server named as the instance of a login at `login`.
        func instance(at origin: Origin, login: Origin) throws(OAuthError) -> Origin {
            guard believes(origin, login: login) else {
                throw OAuthError(
                    .invalidResponse, "the login server named the foreign instance \(origin); token refused")
            }
            return origin
        }

        /// Whether the origin may see the token of a login at `login`.
        func believes(_ origin: Origin, login: Origin) -> Bool { origin == login || isAllowed(origin) }

        /// Whether the origin has one of the allowed suffixes, over https at the usual port.
        func isAllowed(_ origin: Origin) -> Bool {
            origin.scheme == .https && origin.port == 443
                && allowedHostSuffixes.contains { $0.hasBytes(prefix: ".") && origin.host.hasBytes(suffix: $0) }
        }
    }
}
