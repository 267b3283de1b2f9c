// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport

/// What the file of one account says.
struct CredentialRecord {
    /// Why bytes are not a record.
    enum Fault: Error {
        /// They are damaged, or are something else.
        case damaged
        /// They are a record of this version, which is newer than ``formatVersion``.
        case newer(version: Int)
    }

    /// What a store holds for an account.
    enum Finding {
        case none
        /// A good record, recovered if need be.
        case record(CredentialRecord)
        /// There was a record, and neither it nor one before can be read.
        case damaged
    }

    /// The version of the record that this library writes.
    static let formatVersion = 1
    /// Numbers up to here pass through every JSON reader unharmed (RFC 8259 §6).
    private static let greatestGeneration: UInt64 = 1 << 53

    let account: String
    var stored: Credential.Stored
    /// The record as it was read, with the fields that this library does not know.
    private let source: JSONObject

    /// Makes a record; `earlier` gives the unknown fields, which are kept.
    init(account: String, stored: Credential.Stored, keeping earlier: CredentialRecord?) {
        self.account = account
        self.stored = stored
        source = earlier?.source ?? JSONObject()
    }

    /// Reads the file of an account.
    init(reading bytes: [UInt8], account: String) throws(Fault) {
        guard let text = RecordEnvelope.open(bytes), let root = try? JSONValue(parsing: text),
            // bounded: it is only compared
            let object = root.object, let version = root["version"]?.int, version > 0
        else { throw .damaged }
        guard version == Self.formatVersion else { throw .newer(version: version) }
        guard root["account"]?.string == account, let generation = root["generation"]?.uint,
            (1...Self.greatestGeneration).contains(generation), let credential = Self.credential(root)
        else { throw .damaged }
        self.account = account
        source = object
        stored = Credential.Stored(
            credential: credential, version: generation, renewal: Self.renewal(root))
    }

    /// Whose record it is, of whatever version; `nil` when the bytes are damaged.
    static func account(in bytes: [UInt8]) -> String? {
        RecordEnvelope.open(bytes).flatMap { try? JSONValue(parsing: $0) }?["account"]?.string
    }

    /// A token for a server that may not see one makes the record worthless; numbers that nobody meant say nothing.
    private static func credential(_ root: JSONValue) -> Credential? {
        guard let token = root["accessToken"]?.string, let instance = root["instance"]?.string,
            let url = try? HTTPURL(parsing: instance), url.isTrustworthy
        else { return nil }
        var credential = Credential(
            accessToken: Secret(token), refreshToken: root["refreshToken"]?.string.map { Secret($0) },
            instance: url.origin, identityURL: root["identityURL"]?.string,
            userID: root["userID"]?.string,
            issuedAtMilliseconds: number(root["issuedAtMilliseconds"], in: .epochMilliseconds),
            lifetime: number(root["lifetimeSeconds"], in: .seconds).map { .seconds($0) },
            scopes: root["scopes"]?.array?.compactMap(\.string) ?? [],
            login: root["login"].flatMap { Credential.Login(record: $0) })
        credential.userClaim = root["userClaim"]?.string
        credential.mark = root["mark"]?.string
        return credential
    }

    private static func number(_ value: JSONValue?, in range: NumberRange) -> Int64? {
        value?.integer(as: Int64.self).flatMap { Int64(outside: $0, in: range) }
    }

    /// What this version cannot read is taken for the state that claims least.
    private static func renewal(_ root: JSONValue) -> Credential.RenewalState {
        root["renewal"]?.string.flatMap { Credential.RenewalState(rawValue: $0) } ?? .started
    }

    /// The record in some bytes; `nil` when they are damaged.
    ///
    /// - Throws: `.newerVersion`.
    static func find(in bytes: [UInt8], account: String) throws(CredentialStoreError) -> CredentialRecord? {
        do throws(Fault) {
            return try CredentialRecord(reading: bytes, account: account)
        } catch {
            guard case .newer(let version) = error else { return nil }
            throw CredentialStoreError(
                .newerVersion, "the record of \(account) has version \(version); update this program to use it")
        }
    }

    /// The record's bytes in their envelope.
    ///
    /// - Throws: `.notWritable` for one that could not be read back.
    func sealed() throws(CredentialStoreError) -> [UInt8] {
        guard let bytes = bytes(), (try? CredentialRecord(reading: bytes, account: account)) != nil else {
            throw CredentialStoreError(
                .notWritable,
                "the record of \(account) is too large, names a server that may see no token, or its checksum cannot be "
                    + "made")
        }
        return bytes
    }

    /// The file's bytes; `nil` when their checksum cannot be made.
    private func bytes() -> [UInt8]? {
        var object = source
        let credential = stored.credential
        object["version"] = JSONValue(Self.formatVersion)
        object["account"] = JSONValue(account)
        object["generation"] = JSONValue(numberText: String(stored.version))
        object["accessToken"] = JSONValue(credential.accessToken.reveal())
        object["refreshToken"] = credential.refreshToken.map { JSONValue($0.reveal()) }
        object["instance"] = JSONValue(credential.instance.description)
        object["identityURL"] = credential.identityURL.map { JSONValue($0) }
        object["userID"] = credential.userID.map { JSONValue($0) }
        object["userClaim"] = credential.userClaim.map { JSONValue($0) }
        object["issuedAtMilliseconds"] = credential.issuedAtMilliseconds.flatMap { JSONValue(numberText: String($0)) }
        object["lifetimeSeconds"] = credential.lifetime.map { JSONValue($0.components.seconds) }
        object["scopes"] = JSONValue(JSONArray(credential.scopes.map { JSONValue($0) }))
        object["login"] = credential.login?.record
        object["mark"] = credential.mark.map { JSONValue($0) }
        object["renewal"] = JSONValue(stored.renewal.rawValue)
        return RecordEnvelope.seal(JSONValue(object).bytes())
    }

    /// The generation that follows, or a first one that hardly ever was another record's, so that a login that was
    /// removed and made again is not mistaken for the old one.
    static func generation(after generation: UInt64?) -> UInt64 {
        guard let generation else { return UInt64.random(in: 1...UInt64(UInt32.max)) }
        return generation < greatestGeneration ? generation + 1 : 1
    }
}

/// The outside of a record file: JSON whose first members are the length and the SHA-256 of the last one's bytes.
///
/// It is the same in all versions of the record, so that damage is never mistaken for news.
package enum RecordEnvelope {
    /// No record is longer: a token has at most 16 KiB.
    static let maximumSize = 1 << 20
    private static let opening = Array(#"{"sha256":""#.utf8)
    private static let middle = Array(#"","length":"#.utf8)
    private static let record = Array(#","record":"#.utf8)
    private static let closing = Array("}\n".utf8)

    /// Puts a record in its envelope; `nil` when the checksum cannot be made.
    package static func seal(_ content: [UInt8]) -> [UInt8]? {
        guard let checksum = MessageDigest.hexSHA256(content) else { return nil }
        return opening + checksum + middle + Array(String(content.count).utf8) + record + content + closing
    }

    /// Takes the record out; `nil` unless every byte of the file is as it was written.
    static func open(_ bytes: [UInt8]) -> [UInt8]? {
        let overhead = opening.count + 64 + middle.count + record.count + closing.count
        guard bytes.count > overhead, bytes.count <= maximumSize else { return nil }
        // The length stands in decimal, so its own digits tell how many bytes are left for the record.
        let digits = bytes.dropFirst(opening.count + 64 + middle.count).prefix { (0x30...0x39).contains($0) }.count
        let start = overhead - closing.count + digits
        guard digits > 0, start + closing.count <= bytes.count else { return nil }
        let content = Array(bytes[start..<(bytes.count - closing.count)])
        return seal(content) == bytes ? content : nil
    }
}

extension Credential.Login {
    /// Reads the details out of a record; `nil` when they are not whole, or when their server is none that may see a
    /// secret.
    init?(record: JSONValue) {
        guard let server = record["server"]?.string, let url = try? HTTPURL(parsing: server), url.isTrustworthy,
            let clientID = record["clientID"]?.string
        else { return nil }
        let endpoints = record["endpoints"].map { AuthorizationServer(record: $0) }
        // Endpoints that cannot be read are not replaced by others.
        if case .some(nil) = endpoints { return nil }
        self.init(
            server: url.origin, endpoints: endpoints ?? nil, clientID: clientID,
            clientSecret: record["clientSecret"]?.string.map { Secret($0) },
            username: record["username"]?.string,
            notes: record["notes"]?.object?.reduce(into: [:]) { $0[$1.key] = $1.value.string } ?? [:])
    }

    /// The details as they stand in a record.
    var record: JSONValue {
        var object = JSONObject()
        object["server"] = JSONValue(server.description)
        object["endpoints"] = endpoints?.record
        object["clientID"] = JSONValue(clientID)
        object["clientSecret"] = clientSecret.map { JSONValue($0.reveal()) }
        object["username"] = username.map { JSONValue($0) }
        var noted = JSONObject()
        for (name, value) in notes.sorted(by: { $0.key < $1.key }) { noted[name] = JSONValue(value) }
        object["notes"] = notes.isEmpty ? nil : JSONValue(noted)
        return JSONValue(object)
    }
}

extension AuthorizationServer {
    /// Reads a server out of a record; `nil` when it is not whole or has an address that no token may travel to.
    init?(record: JSONValue) {
        func url(_ name: String) -> HTTPURL? { record[name]?.string.flatMap { try? HTTPURL(parsing: $0) } }
        func authentication(_ name: String) -> OAuthClient.Authentication? {
            record[name]?.string.flatMap(OAuthClient.Authentication.init(rawValue:))
        }
        guard let issuer = record["issuer"]?.string, let origin = url("origin")?.origin,
            let authorization = url("authorization"), let token = url("token")
        else { return nil }
        self.init(issuer: issuer, origin: origin, authorizationEndpoint: authorization, tokenEndpoint: token)
        (revocationEndpoint, introspectionEndpoint) = (url("revocation"), url("introspection"))
        userInfoEndpoint = url("userInfo")
        deviceEndpoint = url("device").map { .standard($0) } ?? url("platformDevice").map { .platform($0) }
        announcesIssuer = record["announcesIssuer"]?.bool ?? false
        clientAuthentication = authentication("clientAuthentication") ?? .post
        revocationAuthentication = authentication("revocationAuthentication")
        introspectionAuthentication = authentication("introspectionAuthentication")
        signsTokens = record["signsTokens"]?.bool ?? false
        let style = record["revocationStyle"]?.string ?? RevocationStyle.form.rawValue
        guard let style = RevocationStyle(rawValue: style) else { return nil }
        revocationStyle = style
        namesTeams = record["namesTeams"]?.bool ?? false
        for (name, value) in record["tokenParameters"]?.object ?? [:] { tokenParameters[name] = value.string }
        let endpoints = [token, revocationEndpoint, introspectionEndpoint, userInfoEndpoint, url("device")]
        guard endpoints.allSatisfy({ $0?.isTrustworthy != false }) else { return nil }
    }

    /// The server as it stands in a record.
    var record: JSONValue {
        let (device, platformDevice): (HTTPURL?, HTTPURL?) =
            switch deviceEndpoint {
            case .standard(let url): (url, nil)
            case .platform(let url): (nil, url)
            case nil: (nil, nil)
            }
        let texts: [(String, String?)] = [
            ("issuer", issuer), ("origin", origin.description), ("authorization", authorizationEndpoint.description),
            ("token", tokenEndpoint.description), ("revocation", revocationEndpoint?.description),
            ("introspection", introspectionEndpoint?.description), ("userInfo", userInfoEndpoint?.description),
            ("device", device?.description), ("platformDevice", platformDevice?.description),
            ("clientAuthentication", clientAuthentication.rawValue),
            ("revocationAuthentication", revocationAuthentication?.rawValue),
            ("introspectionAuthentication", introspectionAuthentication?.rawValue),
        ]
        var object = JSONObject()
        for (name, text) in texts { object[name] = text.map { JSONValue($0) } }
        object["announcesIssuer"] = JSONValue(announcesIssuer)
        object["signsTokens"] = JSONValue(signsTokens)
        object["revocationStyle"] = revocationStyle == .form ? nil : JSONValue(revocationStyle.rawValue)
        object["namesTeams"] = namesTeams ? JSONValue(true) : nil
        var parameters = JSONObject()
        for (name, value) in tokenParameters.sorted(by: { $0.key < $1.key }) { parameters[name] = JSONValue(value) }
        object["tokenParameters"] = tokenParameters.isEmpty ? nil : JSONValue(parameters)
        return JSONValue(object)
    }
}
