// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

#if canImport(COpenSSL)
import COpenSSL
#elseif canImport(Security)
import Security
#endif

/// Where unguessable bytes come from.
///
/// A source that fails ends what needed the bytes: there is no weaker one to fall back to. It is a value, so that the
/// failure can be tested.
package struct RandomSource: Sendable {
    private let make: @Sendable (Int) -> [UInt8]?

    /// Makes a source.
    ///
    /// - Parameter make: gives so many bytes, or `nil` when it cannot.
    package init(_ make: @escaping @Sendable (Int) -> [UInt8]?) {
        self.make = make
    }

    /// So many bytes.
    ///
    /// - Throws: ``OAuthError`` with `.cryptographyUnavailable`.
    package func bytes(_ count: Int) throws(OAuthError) -> [UInt8] {
        guard let bytes = make(count), bytes.count == count else {
            throw OAuthError(.cryptographyUnavailable, "the system gives no random numbers; nothing was sent")
        }
        return bytes
    }

    /// The generator of the platform's own cryptography: libcrypto or Security.
    package static let system = RandomSource { count in
        Libcrypto.prepare()
        var bytes = [UInt8](repeating: 0, count: count)
        #if canImport(COpenSSL)
        return unsafe RAND_bytes(&bytes, CInt(clamping: count)) == 1 ? bytes : nil
        #elseif canImport(Security)
        return unsafe SecRandomCopyBytes(kSecRandomDefault, count, &bytes) == errSecSuccess ? bytes : nil
        #endif
    }
}

/// The time of day, which people and other clocks set; never used to measure how long something took.
package struct WallClock: Sendable {
    private let read: @Sendable () -> Int64

    /// Makes a clock from a function that gives milliseconds since the beginning of 1970 in UTC.
    package init(milliseconds read: @escaping @Sendable () -> Int64) {
        self.read = read
    }

    /// Milliseconds since the beginning of 1970 in UTC.
    package var milliseconds: Int64 { read() }
    /// Whole seconds since the beginning of 1970 in UTC.
    package var seconds: Int64 { read() / 1_000 }

    /// The system's clock.
    package static let system = WallClock {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
