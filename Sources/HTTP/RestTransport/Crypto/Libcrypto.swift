// SPDX-License-Identifier: Apache-2.0

#if canImport(COpenSSL)
import COpenSSL
#endif

/// The process-wide state of libcrypto.
package enum Libcrypto {
    /// Makes libcrypto outlive `exit`.
    ///
    /// Call it before everything else of libcrypto: the first caller decides, and later calls cost nothing. By default
    /// `exit` frees libcrypto's tables while other threads may still use them, which crashes these threads
    /// (OPENSSL_init_crypto(3), `OPENSSL_INIT_NO_ATEXIT`).
    package static func prepare() { _ = isReady }

    #if canImport(COpenSSL)
    private static let isReady = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1
    #else
    private static let isReady = true
    #endif
}
