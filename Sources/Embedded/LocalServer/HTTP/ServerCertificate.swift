// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

#if canImport(COpenSSL)
import COpenSSL
#endif

/// A new self-signed certificate for this machine and its key, valid for a year.
package struct ServerCertificate: Sendable {
    package let certificate: String
    /// The private key as PEM.
    let key: String
    /// The names in addition to those of the loopback address, in lower case.
    package let names: [String]

    /// Creates a certificate with a new key.
    ///
    /// - Parameter names: names in addition to `127.0.0.1` and `localhost`. A name may begin with `*.`.
    /// - Throws: `StartError` with `.certificateRefused`.
    package init(names: [String]) throws(StartError) {
        let names = names.map { $0.lowercased() }
        if let wrong = names.first(where: { !Self.isName($0) }) {
            throw StartError(.certificateRefused, "'\(wrong.prefix(100))' is not the name of a host")
        }
        self.names = names
        guard let made = Self.make(names) else {
            throw StartError(
                .certificateRefused, "no certificate can be created; install OpenSSL and GnuTLS, which TLS needs")
        }
        (certificate, key) = made
    }

    /// Writes the certificate for clients that trust it.
    package func write(to file: String) throws(StartError) {
        do throws(TransportError) {
            try FileWriter.write(Array(certificate.utf8), to: file, access: .usual, isKept: false)
        } catch {
            throw StartError(.certificateRefused, "the certificate cannot be written to '\(file)'")
        }
    }

    /// Letters, digits, hyphens and dots, optionally with one leading star.
    private static func isName(_ name: String) -> Bool {
        let labels = name.split(byte: ".", omittingEmptySubsequences: false)
        let own = labels.first == "*" ? labels.dropFirst() : labels[...]
        return !own.isEmpty && name.utf8.count <= 253
            && own.allSatisfy { label in
                (1...63).contains(label.utf8.count)
                    && label.utf8.allSatisfy {
                        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
                    }
            }
    }
}

#if canImport(COpenSSL)
extension ServerCertificate {
    private static let lifetime = 365 * 86_400

    private static func make(_ names: [String]) -> (certificate: String, key: String)? {
        Libcrypto.prepare()
        guard let key = unsafe makeKey() else { return nil }
        defer { unsafe EVP_PKEY_free(key) }
        guard let certificate = unsafe X509_new() else { return nil }
        defer { unsafe X509_free(certificate) }
        guard unsafe fill(certificate, names, key), unsafe X509_sign(certificate, key, EVP_sha256()) > 0 else {
            return nil
        }
        guard let text = unsafe pem({ unsafe PEM_write_bio_X509($0, certificate) }),
            let secret = unsafe pem({ unsafe PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) })
        else { return nil }
        return (text, secret)
    }

    private static func makeKey() -> OpaquePointer? {
        guard let context = unsafe EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil) else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_keygen_init(context) == 1,
            unsafe EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1,
            unsafe EVP_PKEY_keygen(context, &key) == 1
        else { return nil }
        return unsafe key
    }

    private static func fill(_ certificate: OpaquePointer, _ names: [String], _ key: OpaquePointer) -> Bool {
        let serial = UInt64.random(in: 1...UInt64(Int64.max))
        guard unsafe X509_set_version(certificate, 2) == 1,
            unsafe ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial) == 1,
            unsafe X509_gmtime_adj(X509_getm_notBefore(certificate), -86_400) != nil,
            unsafe X509_gmtime_adj(X509_getm_notAfter(certificate), lifetime) != nil,
            unsafe X509_set_pubkey(certificate, key) == 1, let subject = unsafe X509_get_subject_name(certificate)
        else { return false }
        let name = Array("RestSDK embedded server".utf8)
        guard
            unsafe X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, name, CInt(name.count), -1, 0) == 1,
            unsafe X509_set_issuer_name(certificate, subject) == 1
        else { return false }
        let hosts = ["IP:127.0.0.1", "DNS:localhost"] + names.map { "DNS:\($0)" }
        return [
            (NID_basic_constraints, "critical,CA:TRUE"), (NID_key_usage, "critical,digitalSignature,keyCertSign"),
            (NID_ext_key_usage, "serverAuth"), (NID_subject_key_identifier, "hash"),
            (NID_subject_alt_name, hosts.joined(separator: ",")),
        ].allSatisfy { unsafe add($0, $1, to: certificate) }
    }

    private static func add(_ kind: CInt, _ value: String, to certificate: OpaquePointer) -> Bool {
        var context = unsafe X509V3_CTX()
        unsafe X509V3_set_ctx(&context, certificate, certificate, nil, nil, 0)
        guard let made = unsafe X509V3_EXT_conf_nid(nil, &context, kind, value) else { return false }
        defer { unsafe X509_EXTENSION_free(made) }
        return unsafe X509_add_ext(certificate, made, -1) == 1
    }

    private static func pem(_ write: (OpaquePointer) -> CInt) -> String? {
        guard let memory = unsafe BIO_new(BIO_s_mem()) else { return nil }
        defer { unsafe BIO_free(memory) }
        guard unsafe write(memory) == 1 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = unsafe BIO_read(memory, &bytes, CInt(bytes.count))
        return count > 0 ? String(decoding: bytes.prefix(Int(count)), as: UTF8.self) : nil
    }
}
#else
extension ServerCertificate {
    /// Apple's libraries do not create certificates.
    private static func make(_ names: [String]) -> (certificate: String, key: String)? { nil }
}
#endif
