// SPDX-License-Identifier: Apache-2.0

package import RestTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// SHA-256 and what is built on it.
///
/// If the system's cryptography fails, the result is random bytes, which equal nothing.
package enum Digest {
    /// SHA-256 of the bytes (FIPS 180-4).
    package static func sha256(_ bytes: some Collection<UInt8>) -> [UInt8] {
        MessageDigest.sha256(Array(bytes)) ?? unknown
    }

    /// HMAC-SHA256 of a string (RFC 2104).
    package static func hmacSHA256(key: String, _ text: String) -> [UInt8] {
        MessageDigest.hmacSHA256(key: Array(key.utf8), Array(text.utf8)) ?? unknown
    }

    /// Whether two strings are equal, in a time that does not depend on the position of a difference.
    package static func areEqual(_ left: String, _ right: String) -> Bool {
        MessageDigest.areEqual(sha256(left.utf8), sha256(right.utf8))
    }

    /// A short name that does not reveal the secret: 12 hexadecimal digits of its SHA-256.
    package static func fingerprint(_ secret: String) -> String {
        sha256(secret.utf8).prefix(6).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    private static var unknown: [UInt8] { Array(RandomText.make(32).utf8) }
}

/// Unguessable strings from the system's random generator.
package enum RandomText {
    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

    /// Returns `count` random letters from a set of up to 64 (22 of the default letters have 131 bits).
    package static func make(_ count: Int, of letters: String = Self.letters) -> String {
        let letters = Array(letters.utf8.prefix(64))
        guard !letters.isEmpty else { return "" }
        // The minimum number of bits for a letter. A value without a letter is discarded.
        let width = max(1, UInt8.bitWidth - UInt8(truncatingIfNeeded: letters.count - 1).leadingZeroBitCount)
        var generator = SystemRandomNumberGenerator()
        var (bits, left): (UInt64, Int) = (0, 0)
        var text: [UInt8] = []
        text.reserveCapacity(count)  // bounded: the server decides
        while text.count < count {
            if left < width { (bits, left) = (generator.next(), UInt64.bitWidth) }
            let index = Int(truncatingIfNeeded: bits & (1 << UInt64(width) - 1))
            bits >>= UInt64(width)
            left -= width
            if index < letters.count { text.append(letters[index]) }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

/// The server's time: a monotonic clock for lifetimes, and the time of day.
package struct ServerClock: Sendable {
    private let clock: any MonotonicClock
    private let start: ContinuousClock.Instant
    private let startMilliseconds: Int64

    package init(_ clock: any MonotonicClock) {
        self.clock = clock
        start = clock.now
        startMilliseconds = Self.milliseconds
    }

    package var now: ContinuousClock.Instant { clock.now }

    /// The system's time of day, in milliseconds since 1970.
    static var milliseconds: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    /// Waits until a time, and returns `false` if the task was cancelled.
    package func sleep(until deadline: ContinuousClock.Instant) async -> Bool {
        (try? await clock.sleep(until: deadline, tolerance: nil)) != nil
    }

    /// Milliseconds since 1970 in UTC: the time of day at the start plus the clock's progress.
    package var milliseconds: Int64 {
        startMilliseconds + Int64(clamping: Int((clock.now - start) / .milliseconds(1)))
    }

    package var seconds: Int64 { milliseconds / 1_000 }
}
