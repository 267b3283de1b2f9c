// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
public import RestTransport

extension Credential {
    /// The private key that the tokens of a login are bound to (DPoP, RFC 9449).
    ///
    /// A bound token is worthless without the key, because every request needs a new proof that the key has signed. A
    /// login has its own key, which the credential store saves with the tokens and removes with them. On Apple devices
    /// with a Secure Enclave, the key never leaves the enclave, and the store has only a reference. Printing, dumping
    /// or reflecting a key shows a placeholder.
    public struct DPoPKey: Sendable {
        /// The thumbprint of the public key (RFC 7638), which the server stores with the tokens.
        public let thumbprint: String
        private let key: P256PrivateKey
        /// The first part of every proof.
        private let header: String

        /// Creates a key for `ES256`.
        ///
        /// - Throws: ``OAuthError`` with `.cryptographyUnavailable`.
        public init() throws(OAuthError) {
            guard let key = P256PrivateKey().flatMap({ Credential.DPoPKey($0) }) else {
                throw OAuthError(.cryptographyUnavailable, "the system cannot create a key for DPoP; nothing was sent")
            }
            self = key
        }

        /// Reads the form of a key in a store, or returns `nil` if it is damaged or belongs to another device.
        init?(stored: Secret) {
            guard let key = Base64.decode(stored.reveal()).flatMap({ P256PrivateKey(stored: $0) }) else { return nil }
            self.init(key)
        }

        private init?(_ key: P256PrivateKey) {
            guard let thumbprint = key.publicKey.thumbprint else { return nil }
            let jwk: JSONValue = [
                "kty": "EC", "crv": "P-256", "x": JSONValue(key.publicKey.x), "y": JSONValue(key.publicKey.y),
            ]
            let header: JSONValue = ["typ": "dpop+jwt", "alg": "ES256", "jwk": jwk]
            (self.key, self.thumbprint) = (key, thumbprint)
            self.header = Base64.encodeForURL(header.bytes())
        }

        /// The form of the key in a store, or `nil` if the system cannot export it.
        var stored: Secret? { key.stored.map { Secret(Base64.encode($0)) } }

        /// Signs the proof for one request (RFC 9449 §4.2), which is the value of its `DPoP` header.
        ///
        /// The library adds a proof to each of its own requests. Use this method for a request that another HTTP client
        /// sends with a bound token: `Authorization: DPoP` followed by the token, and `DPoP` with the proof. Servers
        /// accept a proof only once and for some seconds.
        ///
        /// - Parameters:
        ///   - method: the method of the request.
        ///   - url: the URL of the request, whose query the proof leaves out.
        ///   - accessToken: the access token in the request, or `nil` for a request to the token endpoint.
        ///   - nonce: the last `DPoP-Nonce` header of the server, or `nil` if it sent none.
        /// - Returns: the proof.
        /// - Throws: ``OAuthError`` with `.cryptographyUnavailable`.
        public func proof(
            for method: HTTPMethod, _ url: HTTPURL, accessToken: Secret? = nil, nonce: String? = nil
        ) throws(OAuthError) -> String {
            try proof(for: method, url, accessToken: accessToken, nonce: nonce, random: .system, clock: .system)
        }

        func proof(
            for method: HTTPMethod, _ url: HTTPURL, accessToken: Secret?, nonce: String?, random: RandomSource,
            clock: WallClock
        ) throws(OAuthError) -> String {
            var claims = JSONObject(members: [
                ("jti", JSONValue(Base64.encodeForURL(try random.bytes(16)))), ("htm", JSONValue(method.rawValue)),
                ("htu", JSONValue(url.normalizedTarget)), ("iat", JSONValue(clock.seconds)),
            ])
            if let accessToken {
                guard let hash = MessageDigest.sha256(Array(accessToken.reveal().utf8)) else { throw Self.unavailable }
                claims["ath"] = JSONValue(Base64.encodeForURL(hash))
            }
            if let nonce { claims["nonce"] = JSONValue(nonce) }
            let statement = "\(header).\(Base64.encodeForURL(JSONValue(claims).bytes()))"
            guard let signature = key.signature(of: Array(statement.utf8)) else { throw Self.unavailable }
            return "\(statement).\(Base64.encodeForURL(signature))"
        }

        private static let unavailable = OAuthError(
            .cryptographyUnavailable, "the system cannot sign with the key of this login; nothing was sent")
    }
}

extension Credential.DPoPKey: Hashable {
    /// Whether two keys have the same public key.
    public static func == (left: Credential.DPoPKey, right: Credential.DPoPKey) -> Bool {
        left.thumbprint == right.thumbprint
    }
    /// Hashes the thumbprint.
    public func hash(into hasher: inout Hasher) { hasher.combine(thumbprint) }
}

extension Credential.DPoPKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A placeholder.
    public var description: String { "«private key»" }
    /// The placeholder, as in `description`.
    public var debugDescription: String { description }
    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
