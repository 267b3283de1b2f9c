// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// The authorization codes given out, as a value without I/O (RFC 6749 §4.1.2, RFC 7636).
///
/// A code is valid once, for the client, the redirect URI and the challenge it was made for. An attempt of its client
/// uses it up, even a failed one; an attempt of another client does not.
package struct AuthorizationCodes: Sendable {
    /// What a code stands for.
    package struct Entry: Sendable {
        package let clientID: String
        package let redirectURI: String
        /// The S256 challenge, if the request had one.
        package let challenge: String?
        package let scopes: [String]
        /// Whether the login goes on after its access token.
        package let isLasting: Bool
        /// The user who agreed, in the server's own words.
        package let subject: String
        package let expiry: ContinuousClock.Instant

        package init(
            clientID: String, redirectURI: String, challenge: String?, scopes: [String], isLasting: Bool = false,
            subject: String = "", expiry: ContinuousClock.Instant
        ) {
            self.subject = subject
            self.clientID = clientID
            self.redirectURI = redirectURI
            self.challenge = challenge
            self.scopes = scopes
            self.isLasting = isLasting
            self.expiry = expiry
        }
    }

    /// What the client says with the code.
    package struct Claim {
        package let clientID: String
        package let redirectURI: String?
        package let verifier: String?
        /// Whether a verifier may be longer or shorter than RFC 7636 §4.1 allows; many clients' are.
        package let takesAnyVerifier: Bool

        package init(clientID: String, redirectURI: String?, verifier: String?, takesAnyVerifier: Bool = false) {
            self.takesAnyVerifier = takesAnyVerifier
            self.clientID = clientID
            self.redirectURI = redirectURI
            self.verifier = verifier
        }
    }

    fileprivate enum State {
        case unused(Entry)
        /// Spent by its client; the login it gave, if it gave one.
        case spent(clientID: String, family: UInt64?, expiry: ContinuousClock.Instant)
    }

    package enum Outcome {
        case granted(Entry)
        case refused(String)
        /// Used a second time by its client: what it gave must be revoked.
        case replayed(family: UInt64?)
    }

    private var codes: [TokenRegistry.Key: State] = [:]
    private static let capacity = 10_000

    package init() {}

    package mutating func add(_ code: String, _ entry: Entry, now: ContinuousClock.Instant) {
        if codes.count >= Self.capacity { codes = codes.filter { $0.value.expiry > now } }
        if codes.count >= Self.capacity, let first = codes.min(by: { $0.value.expiry < $1.value.expiry })?.key {
            codes[first] = nil
        }
        codes[TokenRegistry.key(code)] = .unused(entry)
    }

    package mutating func redeem(_ code: String, _ claim: Claim, now: ContinuousClock.Instant) -> Outcome {
        let key = TokenRegistry.key(code)
        switch codes[key] {
        case .unused(let entry) where entry.clientID == claim.clientID:
            codes[key] = .spent(clientID: entry.clientID, family: nil, expiry: entry.expiry)
            return Self.check(entry, claim, now)
        case .spent(claim.clientID, let family, _): return .replayed(family: family)
        default: return .refused("invalid authorization code")
        }
    }

    /// Notes the login that a code gave.
    package mutating func note(_ family: UInt64, of code: String) {
        let key = TokenRegistry.key(code)
        guard case .spent(let clientID, _, let expiry) = codes[key] else { return }
        codes[key] = .spent(clientID: clientID, family: family, expiry: expiry)
    }

    package mutating func removeAll() { codes.removeAll() }

    private static func check(_ entry: Entry, _ claim: Claim, _ now: ContinuousClock.Instant) -> Outcome {
        guard entry.expiry > now else { return .refused("expired authorization code") }
        guard claim.redirectURI == entry.redirectURI else { return .refused("redirect_uri must match configuration") }
        guard entry.challenge != nil || claim.verifier == nil else {
            return .refused("code_verifier without a code_challenge")  // RFC 9700 §2.1.1
        }
        guard let challenge = entry.challenge else { return .granted(entry) }
        guard let verifier = claim.verifier, claim.takesAnyVerifier || ProofKey.isVerifier(verifier),
            Digest.areEqual(ProofKey.challenge(of: verifier), challenge)
        else { return .refused("invalid code verifier") }
        return .granted(entry)
    }
}

extension AuthorizationCodes.State {
    fileprivate var expiry: ContinuousClock.Instant {
        switch self {
        case .unused(let entry): entry.expiry
        case .spent(_, _, let expiry): expiry
        }
    }
}

/// PKCE with S256 (RFC 7636 §4).
package enum ProofKey {
    package static func challenge(of verifier: String) -> String { Base64.encodeForURL(Digest.sha256(verifier.utf8)) }

    package static func isVerifier(_ text: String) -> Bool {
        (43...128).contains(text.utf8.count) && text.utf8.allSatisfy(isUnreserved)
    }

    /// Whether the text can be an S256 challenge: 32 bytes in base 64 for URLs.
    package static func isChallenge(_ text: String) -> Bool {
        text.utf8.count == 43 && Base64.decodeForURL(text)?.count == 32
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-._~".utf8.contains(byte)
        }
    }
}
