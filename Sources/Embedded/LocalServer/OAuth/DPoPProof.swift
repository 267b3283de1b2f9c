// SPDX-License-Identifier: Apache-2.0

import RestBase
package import RestJSON
import RestTransport

/// A DPoP proof of a request, whose signature has been checked (RFC 9449 §4.3).
package struct DPoPProof: Sendable {
    /// The thumbprint of the key that signed the proof (RFC 7638).
    package let thumbprint: String
    /// The `jti` of the proof.
    package let identifier: String
    /// The `nonce` of the proof, if it has one.
    package let nonce: String?
    /// The time of issue, in seconds since 1970.
    package let issuedAt: Int64
    private let claims: JSONValue

    /// The maximum difference of clocks, and the age of a proof, in seconds.
    package static let window: Int64 = 60
    private static let (mostBytes, mostIdentifier) = (8_192, 200)

    /// Reads the `DPoP` header of a request.
    package init(_ request: ServerRequest) throws(OAuthRejection) {
        let values = request.fields.values(of: "DPoP")
        guard let text = values.first, values.count == 1, text.utf8.count <= Self.mostBytes else {
            throw .invalidProof("one DPoP header is required")
        }
        guard let token = SignedJWT(text), token.header["typ"]?.string == "dpop+jwt" else {
            throw .invalidProof("the proof is not a JWT of the type dpop+jwt")
        }
        let (header, claims) = (token.header, token.claims)
        guard header["alg"]?.string == "ES256", let jwk = header["jwk"], jwk["kty"]?.string == "EC",
            jwk["crv"]?.string == "P-256", jwk["d"] == nil,
            let key = P256PublicKey(x: jwk["x"]?.string ?? "", y: jwk["y"]?.string ?? ""),
            let thumbprint = key.thumbprint
        else { throw .invalidProof("the proof has no public key for ES256") }
        guard key.verifies(token.signature, of: token.signed) else {
            throw .invalidProof("the signature does not match the key")
        }
        guard let identifier = claims["jti"]?.string, (1...Self.mostIdentifier).contains(identifier.utf8.count),
            let issuedAt = claims["iat"]?.integer(as: Int64.self)
        else { throw .invalidProof("jti or iat is missing or malformed") }
        (self.thumbprint, self.identifier, self.issuedAt, self.claims) = (thumbprint, identifier, issuedAt, claims)
        nonce = claims["nonce"]?.string
    }

    /// Checks that the proof was made now, for this request and for its access token.
    package func check(
        _ request: ServerRequest, scheme: String, accessToken: String?, now: Int64
    ) throws(OAuthRejection) {
        guard claims["htm"]?.string == request.method else { throw .invalidProof("htm is not the method") }
        let path = String(request.target.prefix(before: "?"))
        guard let origin = try? Origin(parsing: "\(scheme)://\(request.fields["Host"] ?? "")"),
            let given = claims["htu"]?.string.flatMap({ try? HTTPURL(parsing: $0) }), given.query == nil,
            given.normalizedTarget == HTTPURL(origin: origin, path: path).normalizedTarget
        else { throw .invalidProof("htu is not the URL") }
        guard (now - Self.window...now + Self.window).contains(issuedAt) else {
            throw .invalidProof("iat is not the present time")
        }
        let hash = accessToken.map { Base64.encodeForURL(Digest.sha256($0.utf8)) }
        guard claims["ath"]?.string == hash else { throw .invalidProof("ath is not the hash of the access token") }
    }
}

/// The parts of a signed JWT, whose signature has not been checked (RFC 7515 §7.1, RFC 7519).
package struct SignedJWT: Sendable {
    package let header: JSONValue
    package let claims: JSONValue
    package let signature: [UInt8]
    /// The bytes that the signature is for.
    package let signed: [UInt8]

    /// Returns `nil` unless the text has three parts in base64url, the first two of which are JSON objects.
    package init?(_ text: String) {
        let parts = text.split(byte: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let signature = Base64.decodeForURL(parts[2])
        else { return nil }
        (self.header, self.claims, self.signature) = (header, claims, signature)
        signed = Array("\(parts[0]).\(parts[1])".utf8)
    }

    private static func object(_ part: String) -> JSONValue? {
        guard let bytes = Base64.decodeForURL(part),
            let value = try? JSONValue(parsing: bytes, limits: JSONDocument.Limits(maximumDepth: 8)),
            value.object != nil
        else { return nil }
        return value
    }
}

extension OAuthRejection {
    package static func invalidProof(_ description: String) -> OAuthRejection {
        .init("invalid_dpop_proof", description)
    }
}

/// The nonces of a server, as a value: the newest one, and older ones until they expire.
package struct ServerNonces {
    private var issued: [(nonce: String, end: ContinuousClock.Instant)] = []

    package init() {}

    /// The newest nonce, which is replaced after half of its lifetime.
    package mutating func newest(_ lifetime: Duration, at now: ContinuousClock.Instant) -> String {
        issued.removeAll { $0.end <= now }
        if let last = issued.last, last.end - now > lifetime / 2 { return last.nonce }
        let nonce = RandomText.make(24)
        issued.append((nonce, now + lifetime))
        return nonce
    }

    package func accept(_ nonce: String?, at now: ContinuousClock.Instant) -> Bool {
        issued.contains { $0.nonce == nonce && $0.end > now }
    }
}
