// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport

/// The key with which `sf` encrypts stored tokens.
///
/// The key is in the keyring, or in `key.json` if there is no keyring or the user does not want to use it. The
/// authentication tag shows which key fits. The format is that of `sf` (forcedotcom/sfdx-core, `src/crypto`): nonce and
/// ciphertext as hexadecimal digits, a colon, and the tag. A key of 32 characters and its nonce of 12 are used as
/// written. A key of 64 characters and its nonce of 24 are hexadecimal digits.
struct SalesforceCLIKeys: Sendable {
    /// The key in `key.json`, or `nil` if the file does not exist.
    let inFile: @Sendable () throws(OAuthError) -> String?
    /// The key in the keyring, or `nil` if there is no key or no keyring.
    let inRing: @Sendable () async -> String?

    /// Decrypts strings, with `nil` for an empty string and no change for a string that was never encrypted.
    ///
    /// - Throws: ``OAuthError`` with `.unusableLogin` if no key fits, or the error of `inFile`.
    func open(_ texts: [String]) async throws(OAuthError) -> [String?] {
        guard texts.contains(where: Self.isSealed) else { return texts.map { $0.isEmpty ? nil : $0 } }
        if let key = try inFile(), let opened = Self.open(texts, by: key) { return opened }
        if let key = await inRing(), let opened = Self.open(texts, by: key) { return opened }
        throw OAuthError(
            .unusableLogin,
            "the key of sf is unavailable or does not match; unlock the keyring, or log in with sf again")
    }

    private static func open(_ texts: [String], by key: String) -> [String?]? {
        var opened: [String?] = []
        for text in texts {
            guard isSealed(text) else {
                opened.append(text.isEmpty ? nil : text)
                continue
            }
            guard let plain = open(text, by: key) else { return nil }
            opened.append(plain)
        }
        return opened
    }

    private static func open(_ text: String, by key: String) -> String? {
        let parts = text.split(byte: ":", omittingEmptySubsequences: false).map { Array($0.utf8) }
        let isHexadecimal = key.utf8.count == 64
        let nonceLength = isHexadecimal ? 24 : 12
        guard parts.count == 2, parts[0].count >= nonceLength,
            let bytes = isHexadecimal ? Hexadecimal.decode(Array(key.utf8)) : Array(key.utf8),
            let nonce = isHexadecimal
                ? Hexadecimal.decode(Array(parts[0].prefix(nonceLength))) : Array(parts[0].prefix(nonceLength)),
            let sealed = Hexadecimal.decode(Array(parts[0].dropFirst(nonceLength))),
            let tag = Hexadecimal.decode(parts[1]),
            let plain = AESGCM.open(sealed, key: bytes, nonce: nonce, tag: tag)
        else { return nil }
        return String(validating: plain, as: UTF8.self)
    }

    /// Whether a string looks encrypted: it ends with a colon and a tag of 32 hexadecimal digits.
    private static func isSealed(_ text: String) -> Bool {
        let parts = text.split(byte: ":", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[1].utf8.count == 32
            && Hexadecimal.decode(Array(parts[1].utf8)) != nil
    }
}

extension SalesforceCLIKeys {
    /// The keys of this machine, which are read when required.
    static func system(folder: String, environment: [String: String]? = nil) -> SalesforceCLIKeys {
        SalesforceCLIKeys(
            inFile: { () throws(OAuthError) in try key(inFile: folder + "/key.json") },
            inRing: {
                // A keyring that does not respond counts as one without the key, because the error mentions both.
                guard let bytes = try? await ring(environment).read("local") else { return nil }
                return text(bytes)
            })
    }

    #if canImport(Security)
    private static func ring(_ environment: [String: String]?) -> KeychainVault {
        KeychainVault(service: "sfdx", accessGroup: nil, usesDataProtection: false)
    }
    #elseif canImport(Glibc) || canImport(Musl)
    private static func ring(_ environment: [String: String]?) -> SecretToolVault {
        SecretToolVault(
            service: "sfdx", attributeNames: (service: "domain", item: "user"), tool: "/usr/bin/secret-tool",
            environment: environment ?? SecretToolVault.sessionEnvironment, timeout: .seconds(3),
            clock: ContinuousClock())
    }
    #endif

    /// Removes whitespace, because a keyring may append a line end.
    private static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self)
    }

    private static func key(inFile path: String) throws(OAuthError) -> String? {
        let file: PlainFile
        do throws(PlainFile.Failure) {
            file = try PlainFile(path: path, limit: 65_536)
        } catch {
            guard case .absent = error else {
                throw OAuthError(.unusableLogin, "the key of sf in \(path) cannot be read: \(error.reason)")
            }
            return nil
        }
        guard !file.isShared else {
            throw OAuthError(
                .sharedKeyFile, "the key of sf in \(path) can be read by others; run: chmod 600 \(path.shellQuoted)")
        }
        return (try? JSONValue(parsing: file.bytes))?["key"]?.string
    }
}
