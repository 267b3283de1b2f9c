// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestTransport

/// `/services/oauth2/userinfo` (OpenID Connect Core §5.3) and the identity URL `/id/ORG/USER`.
struct IdentityEndpoints {
    let tokens: TokenService
    let users: UserLogin
    let store: RecordStore

    private var identity: OrgIdentity { tokens.identity }

    func userInfo(_ request: ServerRequest) -> ServerResponse {
        guard let login = login(of: request) else { return refusal(of: request) }
        let user = user(login.subject)
        return .unstored(
            .object { writer in
                writer.member("sub", identity.identityURL(of: login.subject))
                writer.member("user_id", login.subject)
                writer.member("organization_id", identity.organizationID)
                writer.member("preferred_username", name(of: login.subject, user))
                writer.member("nickname", user["Alias"]?.string ?? "")
                writer.member("name", user["Name"]?.string ?? "")
                writer.member("given_name", user["FirstName"]?.string ?? "")
                writer.member("family_name", user["LastName"]?.string ?? "")
                writer.member("email", user["Email"]?.string ?? "")
                writer.member("email_verified", true)
                common(login.subject, user, &writer)
            })
    }

    func identity(_ request: ServerRequest, organization: String, user userID: String) -> ServerResponse {
        guard RecordID.normalized(organization) == identity.organizationID, let id = RecordID.normalized(userID),
            case let user = user(id), !user.isNull
        else { return .text(404, "Bad_Id") }
        guard login(of: request) != nil else { return refusal(of: request) }
        return .unstored(
            .object { writer in
                writer.member("id", identity.identityURL(of: id))
                writer.member("asserted_user", true)
                writer.member("user_id", id)
                writer.member("organization_id", identity.organizationID)
                writer.member("username", name(of: id, user))
                writer.member("nick_name", user["Alias"]?.string ?? "")
                writer.member("display_name", user["Name"]?.string ?? "")
                writer.member("first_name", user["FirstName"]?.string ?? "")
                writer.member("last_name", user["LastName"]?.string ?? "")
                writer.member("email", user["Email"]?.string ?? "")
                writer.member("email_verified", true)
                writer.member("active", user["IsActive"]?.bool ?? true)
                writer.member("timezone", user["TimeZoneSidKey"]?.string ?? "")
                common(id, user, &writer)
            })
    }

    /// What both documents have under the same names.
    private func common(_ id: String, _ user: JSONValue, _ writer: inout JSONWriter) {
        writer.member("user_type", "STANDARD")
        writer.member("language", user["LanguageLocaleKey"]?.string ?? "")
        writer.member("locale", user["LocaleSidKey"]?.string ?? "")
        writer.member("utcOffset", 0)
        let data = identity.instanceURL + "/services/data/v{version}/"
        writer.member(
            "urls",
            object: [
                ("rest", data), ("sobjects", data + "sobjects/"), ("query", data + "query/"),
                ("recent", data + "recent/"), ("profile", "\(identity.instanceURL)/\(id)"),
            ])
    }

    /// The name that a user logs in with, or that of the record.
    private func name(of id: String, _ user: JSONValue) -> String {
        let name = users.username(of: id)
        return name.isEmpty ? user["Username"]?.string ?? "" : name
    }

    /// The user's record; null for none.
    private func user(_ id: String) -> JSONValue {
        guard let object = store.schema.object(named: "User"),
            let bytes = try? store.read(id, object.fields, of: object, version: .latest)
        else { return .null }
        return (try? JSONValue(parsing: bytes)) ?? .null
    }

    /// The platform says in plain text, with 403, that there is no token or a bad one.
    private func refusal(of request: ServerRequest) -> ServerResponse {
        .text(403, token(of: request) == nil ? "Missing_OAuth_Token" : "Bad_OAuth_Token")
    }

    /// The token may stand in the address too, as jsforce sends it.
    private func token(of request: ServerRequest) -> String? {
        request.bearerToken ?? request.path?.parameter("oauth_token")
    }

    private func login(of request: ServerRequest) -> TokenRegistry.Login? {
        token(of: request).flatMap(tokens.login)
    }
}

extension ServerResponse {
    static func text(_ status: Int, _ text: String) -> ServerResponse {
        .unstored(
            ServerResponse(
                status: status, fields: [("Content-Type", "text/plain;charset=UTF-8")], body: Array(text.utf8)))
    }
}

extension ServerRequest {
    /// The token of `Authorization: Bearer` or of the platform's older `OAuth`, in any case.
    var bearerToken: String? {
        let parts = (fields["Authorization"] ?? "").utf8.split(separator: UInt8(ascii: " "))
        guard parts.count == 2, let scheme = String(parts[0]), let token = String(parts[1]),
            ["bearer", "oauth"].contains(scheme.lowercased())
        else { return nil }
        return token
    }
}
