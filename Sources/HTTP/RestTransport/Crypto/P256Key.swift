// SPDX-License-Identifier: Apache-2.0

import RestBase

/// A public key on the curve P-256, as in a JWK (RFC 7518 §6.2.1).
package struct P256PublicKey: Sendable, Hashable {
    /// The coordinates x and y, 32 bytes each.
    let point: [UInt8]

    init?(point: [UInt8]) {
        guard point.count == 64 else { return nil }
        self.point = point
    }

    /// Reads the coordinates of a JWK, or returns `nil` unless each has 32 bytes in base64url.
    package init?(x: String, y: String) {
        guard let x = Base64.decodeForURL(x), let y = Base64.decodeForURL(y), x.count == 32, y.count == 32 else {
            return nil
        }
        point = x + y
    }

    /// The coordinate x in base64url.
    package var x: String { Base64.encodeForURL(Array(point.prefix(32))) }
    /// The coordinate y in base64url.
    package var y: String { Base64.encodeForURL(Array(point.suffix(32))) }

    /// The thumbprint of the key (RFC 7638), or `nil` if SHA-256 is not available.
    package var thumbprint: String? {
        MessageDigest.sha256(Array(#"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#.utf8))
            .map(Base64.encodeForURL)
    }
}

#if canImport(COpenSSL)
import COpenSSL

extension P256PublicKey {
    /// Whether the key made the signature with `ES256` (RFC 7518 §3.4): the numbers r and s, 32 bytes each.
    package func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        Libcrypto.prepare()
        guard signature.count == 64 else { return false }
        let numbers = [signature.prefix(32), signature.suffix(32)].flatMap(Self.integer)
        let der = [0x30, UInt8(numbers.count)] + numbers
        let encoded = Self.header + point
        // A point outside of the curve is rejected here.
        let key = unsafe encoded.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return unsafe d2i_PUBKEY(nil, &next, bytes.count)
        }
        guard let key = unsafe key else { return false }
        defer { unsafe EVP_PKEY_free(key) }
        guard let context = unsafe EVP_MD_CTX_new() else { return false }
        defer { unsafe EVP_MD_CTX_free(context) }
        guard unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else { return false }
        return unsafe EVP_DigestVerify(context, der, der.count, message, message.count) == 1
    }

    /// A SubjectPublicKeyInfo up to the coordinates of an uncompressed point (RFC 5480 §2).
    private static let header: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
        0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
    ]

    /// A positive DER integer of at most 33 bytes.
    private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let digits = bytes.drop { $0 == 0 }
        let sign: [UInt8] = digits.first.map { $0 < 0x80 } == true ? [] : [0]
        return [0x02, UInt8(sign.count + digits.count)] + sign + digits
    }
}

/// A private key on the curve P-256, in libcrypto.
///
/// `@unchecked Sendable`: the pointer is set once and freed with the last reference. In between, the key is only read,
/// which libcrypto allows from several threads at a time (openssl-threads(7)), each with its own context.
@safe
package final class P256PrivateKey: @unchecked Sendable {
    private let key: OpaquePointer
    package let publicKey: P256PublicKey

    /// Takes over the key, or frees it if it is not on P-256.
    private init?(_ key: OpaquePointer) {
        var point: UnsafeMutablePointer<UInt8>?
        let count = unsafe EVP_PKEY_get1_encoded_public_key(key, &point)
        defer { unsafe CRYPTO_free(point, nil, 0) }
        let bytes = unsafe Array(UnsafeBufferPointer(start: point, count: count))
        // Other curves have keys of 256 bits too.
        var (name, size) = ([CChar](repeating: 0, count: 32), 0)
        guard unsafe EVP_PKEY_get_group_name(key, &name, name.count, &size) == 1, bytes.first == 4,
            unsafe strcmp(name, OBJ_nid2sn(NID_X9_62_prime256v1)) == 0,
            let publicKey = P256PublicKey(point: Array(bytes.dropFirst()))
        else {
            unsafe EVP_PKEY_free(key)
            return nil
        }
        (unsafe self.key, self.publicKey) = unsafe (key, publicKey)
    }

    deinit { unsafe EVP_PKEY_free(key) }

    /// Creates a key, or returns `nil` if libcrypto cannot.
    package convenience init?() {
        Libcrypto.prepare()
        guard let context = unsafe EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil) else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_keygen_init(context) == 1,
            unsafe EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1,
            unsafe EVP_PKEY_keygen(context, &key) == 1, let key = unsafe key
        else { return nil }
        unsafe self.init(key)
    }

    /// Reads a key that ``stored`` returned, or returns `nil` for anything else.
    package convenience init?(stored bytes: [UInt8]) {
        Libcrypto.prepare()
        let key = unsafe bytes.withUnsafeBufferPointer { buffer in
            var next = buffer.baseAddress
            return unsafe d2i_PrivateKey(EVP_PKEY_EC, nil, &next, buffer.count)
        }
        guard let key = unsafe key else { return nil }
        unsafe self.init(key)
    }

    /// The key for a store: an ECPrivateKey in DER (RFC 5915).
    package var stored: [UInt8]? {
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_PrivateKey(key, &bytes)
        defer { unsafe CRYPTO_free(bytes, nil, 0) }
        return count > 0 ? unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(count))) : nil
    }

    /// The signature with `ES256` (RFC 7518 §3.4): the numbers r and s, 32 bytes each.
    package func signature(of message: [UInt8]) -> [UInt8]? {
        guard let context = unsafe EVP_MD_CTX_new() else { return nil }
        defer { unsafe EVP_MD_CTX_free(context) }
        var (der, size) = ([UInt8](repeating: 0, count: 80), 80)
        guard unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
            unsafe EVP_DigestSign(context, &der, &size, message, message.count) == 1
        else { return nil }
        var outer = DERReader(der[..<size])
        guard var numbers = outer.reader(of: .sequence), let r = numbers.value(of: .integer),
            let s = numbers.value(of: .integer)
        else { return nil }
        return Self.padded(r) + Self.padded(s)
    }

    private static func padded(_ number: ArraySlice<UInt8>) -> [UInt8] {
        let digits = number.drop { $0 == 0 }
        return [UInt8](repeating: 0, count: max(0, 32 - digits.count)) + digits
    }
}
#endif
