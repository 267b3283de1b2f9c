// SPDX-License-Identifier: Apache-2.0

#if canImport(COpenSSL)
import COpenSSL
#elseif canImport(CryptoKit)
import CryptoKit
#endif

/// SHA-256 of bytes that come piece by piece (FIPS 180-4); a value, so that a copy goes on by itself.
package struct RunningSHA256: Sendable {
    #if canImport(COpenSSL)
    private var context = DigestContext()
    #elseif canImport(CryptoKit)
    private var hasher = SHA256()
    #endif

    /// Begins with no bytes.
    package init() {}

    /// Goes on with more bytes.
    package mutating func update(_ bytes: ArraySlice<UInt8>) {
        #if canImport(COpenSSL)
        if !isKnownUniquelyReferenced(&context) { context = DigestContext(copying: context) }
        context.update(bytes)
        #elseif canImport(CryptoKit)
        hasher.update(data: bytes)
        #endif
    }

    /// The digest of the bytes so far, 32 bytes; `nil` when libcrypto is out of memory or refuses the algorithm.
    package var digest: [UInt8]? {
        #if canImport(COpenSSL)
        DigestContext(copying: context).finish()
        #elseif canImport(CryptoKit)
        Array(hasher.finalize())
        #endif
    }
}

#if canImport(COpenSSL)
/// A digest under way in libcrypto.
///
/// Sendable: it is changed only by the one value that holds it, or by the function that made it; libcrypto's contexts
/// are bound to no thread.
@safe private final class DigestContext: @unchecked Sendable {
    private let pointer: OpaquePointer?
    private var isGood: Bool

    init() {
        Libcrypto.prepare()
        unsafe pointer = EVP_MD_CTX_new()
        isGood = unsafe pointer != nil && EVP_DigestInit_ex(pointer, EVP_sha256(), nil) == 1
    }

    init(copying other: DigestContext) {
        unsafe pointer = EVP_MD_CTX_new()
        isGood = unsafe other.isGood && pointer != nil && EVP_MD_CTX_copy_ex(pointer, other.pointer) == 1
    }

    deinit { unsafe EVP_MD_CTX_free(pointer) }

    func update(_ bytes: ArraySlice<UInt8>) {
        guard isGood else { return }
        isGood = unsafe bytes.withUnsafeBytes { unsafe EVP_DigestUpdate(pointer, $0.baseAddress, $0.count) == 1 }
    }

    func finish() -> [UInt8]? {
        guard isGood else { return nil }
        var output = [UInt8](repeating: 0, count: 32)
        isGood = false
        return unsafe EVP_DigestFinal_ex(pointer, &output, nil) == 1 ? output : nil
    }
}
#endif
