// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport

/// The stored form of an account's credential, in a file or in an item of the system's vault.
struct CredentialRecord: Codable {
    /// The newest format version: that of a record with a key, whose tokens an older library would send as Bearer.
    static let formatVersion = 2
    /// The largest integer that every JSON reader preserves (RFC 8259 §6).
    private static let greatestGeneration: UInt64 = 1 << 53

    private let version: Int
    private let account: String
    let generation: UInt64
    private let accessToken: String
    private let refreshToken: String?
    private let instance: String
    private let identityURL: String?
    private let userID: String?
    private let userClaim: String?
    private let issuedAtMilliseconds: Int64?
    private let lifetimeSeconds: Int64?
    private let scopes: [String]?
    private let login: Login?
    private let mark: String?
    private let renewal: String?
    private let dpopKey: String?

    /// Creates the record after the version `earlier`, or the first record.
    init(_ credential: Credential, of account: String, after earlier: UInt64?, renewal: Credential.RenewalState) {
        self.account = account
        generation = Self.generation(after: earlier)
        accessToken = credential.accessToken.reveal()
        refreshToken = credential.refreshToken?.reveal()
        instance = credential.instance.description
        (identityURL, userID) = (credential.identityURL, credential.userID)
        (userClaim, mark, scopes) = (credential.userClaim, credential.mark, credential.scopes)
        issuedAtMilliseconds = credential.issuedAtMilliseconds
        lifetimeSeconds = credential.lifetime?.components.seconds
        login = credential.login.map { Login($0) }
        self.renewal = renewal.rawValue
        version = credential.dpopKey == nil ? 1 : Self.formatVersion
        dpopKey = credential.dpopKey.map { $0.stored?.reveal() ?? "" }
    }

    /// The next generation, or a random first one, so that a recreated login is not mistaken for the removed one.
    static func generation(after generation: UInt64?) -> UInt64 {
        guard let generation else { return UInt64.random(in: 1...UInt64(UInt32.max)) }
        return generation < greatestGeneration ? generation + 1 : 1
    }

    /// The credential of the record, or `nil` if the record cannot belong to the account.
    ///
    /// A server that must not receive tokens invalidates the record, and so does a key that this device cannot read.
    /// Numbers out of range are ignored. An unknown renewal state counts as `.started`, which claims least.
    private func stored(of account: String) -> Credential.Stored? {
        guard self.account == account, (1...Self.greatestGeneration).contains(generation),
            let url = try? HTTPURL(parsing: instance), url.isTrustworthy
        else { return nil }
        var credential = Credential(
            accessToken: Secret(accessToken), refreshToken: refreshToken.map { Secret($0) }, instance: url.origin,
            identityURL: identityURL, userID: userID,
            issuedAtMilliseconds: issuedAtMilliseconds.flatMap { Int64(outside: $0, in: .epochMilliseconds) },
            lifetime: lifetimeSeconds.flatMap { Int64(outside: $0, in: .seconds) }.map { .seconds($0) },
            scopes: scopes ?? [], login: login?.value)
        (credential.userClaim, credential.mark) = (userClaim, mark)
        if let dpopKey {
            guard let key = Credential.DPoPKey(stored: Secret(dpopKey)) else { return nil }
            credential.dpopKey = key
        }
        return Credential.Stored(
            credential: credential, version: generation,
            renewal: renewal.flatMap { Credential.RenewalState(rawValue: $0) } ?? .started)
    }
}

extension CredentialRecord {
    private struct Login: Codable {
        let server: String
        let endpoints: AuthorizationServer?
        let clientID: String
        let clientSecret: String?
        let username: String?
        let notes: [String: String]?

        init(_ login: Credential.Login) {
            server = login.server.description
            (endpoints, clientID, username) = (login.endpoints, login.clientID, login.username)
            clientSecret = login.clientSecret?.reveal()
            notes = login.notes.isEmpty ? nil : login.notes
        }

        /// The login, or `nil` if its server must not receive secrets.
        var value: Credential.Login? {
            guard let url = try? HTTPURL(parsing: server), url.isTrustworthy, endpoints?.isTrustworthy != false else {
                return nil
            }
            return Credential.Login(
                server: url.origin, endpoints: endpoints, clientID: clientID,
                clientSecret: clientSecret.map { Secret($0) }, username: username, notes: notes ?? [:])
        }
    }

    /// The version and account of a record, which every version of this library can read.
    private struct Label: Decodable {
        let version: Int
        let account: String?
    }

    /// Reads a credential, or returns `nil` if the bytes are not a complete record of the account.
    static func find(in bytes: [UInt8], account: String) throws(Credential.StoreError) -> Credential.Stored? {
        guard let content = RecordEnvelope.open(bytes), let label = try? Label(json: content), label.version > 0 else {
            return nil
        }
        guard label.version <= formatVersion else {
            throw Credential.StoreError(
                .newerVersion, "the record of \(account) has version \(label.version); update this program to use it")
        }
        return (try? CredentialRecord(json: content))?.stored(of: account)
    }

    /// The account of a record of any version, or `nil` if the bytes are damaged.
    static func account(in bytes: [UInt8]) -> String? {
        RecordEnvelope.open(bytes).flatMap { try? Label(json: $0) }?.account
    }

    /// The record's bytes in their envelope.
    ///
    /// - Throws: `.notWritable` if the record could not be read again.
    func sealed() throws(Credential.StoreError) -> [UInt8] {
        guard let bytes = (try? json()).flatMap({ RecordEnvelope.seal($0) }),
            try Self.find(in: bytes, account: account) != nil
        else {
            throw Credential.StoreError(
                .notWritable,
                "the record of \(account) is too large, has a server that must not receive a token, or its checksum cannot be "
                    + "made")
        }
        return bytes
    }
}

extension Credential.Stored {
    /// Reads the bytes of a record, without I/O.
    ///
    /// - Throws: ``Credential/StoreError``: `.newerVersion`, or `.corrupt` for anything but a complete record.
    package init(record bytes: [UInt8], account: String) throws(Credential.StoreError) {
        guard let stored = try CredentialRecord.find(in: bytes, account: account) else {
            throw Credential.StoreError(.corrupt, "the record of \(account) is damaged; log in again")
        }
        self = stored
    }
}

/// The envelope of a stored record: JSON whose first member is the SHA-256 of the bytes of its last member.
///
/// It is the same for all versions of the record, so that damage is never mistaken for a newer version.
package enum RecordEnvelope {
    /// The maximum size of a record in bytes, far more than a token of 16 KiB.
    static let maximumSize = 1 << 20
    private static let opening = Array(#"{"sha256":""#.utf8)
    private static let middle = Array(#"","record":"#.utf8)
    private static let closing = Array("}\n".utf8)

    /// Wraps a record in its envelope, or returns `nil` if the checksum cannot be computed.
    package static func seal(_ content: [UInt8]) -> [UInt8]? {
        guard let checksum = MessageDigest.hexSHA256(content) else { return nil }
        return opening + checksum + middle + content + closing
    }

    /// Extracts the record, or returns `nil` unless every byte of the file is unchanged.
    static func open(_ bytes: [UInt8]) -> [UInt8]? {
        let start = opening.count + 64 + middle.count
        guard bytes.count > start + closing.count, bytes.count <= maximumSize else { return nil }
        let content = Array(bytes[start..<(bytes.count - closing.count)])
        return seal(content) == bytes ? content : nil
    }
}
