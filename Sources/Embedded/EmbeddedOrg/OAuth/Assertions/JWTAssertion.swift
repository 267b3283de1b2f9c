// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import RestTransport

/// A signed assertion, parsed (RFC 7515 §7.1, RFC 7519).
struct JWTAssertion {
    private let header: JSONValue
    private let claims: JSONValue
    private let signed: [UInt8]
    private let signature: [UInt8]

    /// `nil` for anything but three parts in base 64 for URLs, the first two being objects of JSON.
    init?(_ text: String) {
        let parts = text.split(byte: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let signature = Base64.decodeForURL(parts[2])
        else { return nil }
        self.header = header
        self.claims = claims
        self.signature = signature
        signed = Array("\(parts[0]).\(parts[1])".utf8)
    }

    private static func object(_ part: String) -> JSONValue? {
        guard let bytes = Base64.decodeForURL(part),
            let value = try? JSONValue(parsing: bytes, limits: JSONLimits(maximumDepth: 8)), value.object != nil
        else { return nil }
        return value
    }

    /// What identifies it: its `jti`, or everything that was signed if it has none.
    var identifier: TokenRegistry.Key {
        Digest.sha256(claims["jti"]?.string.map { Array("jti \($0)".utf8) } ?? signed)
    }

    /// When it is no longer accepted, in seconds since 1970.
    var end: Int64 { (seconds("exp") ?? 0) + Self.skew }

    var issuer: String? { claims["iss"]?.string }
    var subject: String? { claims["sub"]?.string ?? claims["prn"]?.string }

    /// Whether one of the keys made the signature, with the one algorithm the platform takes.
    func isSigned(by keys: [CertificateKey]) -> Bool {
        header["alg"]?.string == "RS256" && keys.contains { $0.verifies(signature, of: signed) }
    }

    func isMeant(for audiences: [String]) -> Bool {
        let given = claims["aud"]?.array?.compactMap(\.string) ?? [claims["aud"]?.string].compactMap(\.self)
        return given.contains { audiences.contains($0.removing(suffix: "/").map(String.init) ?? $0) }
    }

    /// What is wrong with the times, or `nil` if they are right (RFC 7523 §3); the time is in seconds since 1970.
    func fault(at now: Int64) -> String? {
        guard let expiry = seconds("exp") else { return "exp is missing or not a number" }
        guard expiry > now - Self.skew else { return "it has expired" }
        guard expiry <= now + Self.longestLife + Self.skew else { return "exp is more than five minutes ahead" }
        for name in ["nbf", "iat"] {
            guard claims[name] != nil else { continue }
            guard let time = seconds(name) else { return "\(name) is not a number" }
            guard time <= now + Self.skew else { return "\(name) is in the future" }
        }
        return nil
    }

    /// How far clocks may differ, and how far ahead an assertion may expire, in seconds.
    private static let (skew, longestLife) = (Int64(30), Int64(300))

    /// A time; clients send it as a text too, and the platform takes that.
    private func seconds(_ name: String) -> Int64? {
        if let text = claims[name]?.string { return Int64(outside: text, in: .epochSeconds) }
        // bounded: by its magnitude
        guard let number = claims[name]?.double, number.magnitude < 1e15 else { return nil }
        return Int64(number)
    }
}

/// The assertions that were accepted, remembered until they expire, as a value without I/O.
package struct SpentAssertions: Sendable {
    private struct Name: Hashable {
        let clientID: String
        let identifier: TokenRegistry.Key
    }

    /// When each of them has expired, in seconds since 1970.
    private var ends: [Name: Int64] = [:]
    private let capacity: Int

    /// - Parameter capacity: how many are remembered; beyond it new ones are refused, so that none is forgotten.
    package init(capacity: Int = 10_000) {
        self.capacity = capacity
    }

    /// Accepts an assertion that was not accepted before.
    package mutating func spend(
        _ identifier: TokenRegistry.Key, of clientID: String, until end: Int64, now: Int64
    ) throws(OAuthRefusal) {
        let name = Name(clientID: clientID, identifier: identifier)
        guard ends[name].map({ $0 < now }) ?? true else {
            throw .invalidGrant("invalid assertion: it was used before")
        }
        if ends.count >= capacity { ends = ends.filter { $0.value >= now } }
        guard ends.count < capacity else { throw .rateLimited(.seconds(60)) }
        ends[name] = end
    }
}
