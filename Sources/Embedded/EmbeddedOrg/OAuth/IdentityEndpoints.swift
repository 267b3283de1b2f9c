// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestTransport
import SOQLStore

/// `/services/oauth2/userinfo` (OpenID Connect Core §5.3) and the identity URL `/id/ORG/USER`.
struct IdentityEndpoints {
    let tokens: TokenService
    let users: UserLogin
    let store: RecordStore

    private var identity: OrgIdentity { tokens.identity }

    func userInfo(_ request: ServerRequest) -> ServerResponse {
        respond(to: request) { document(of: $0.subject, user($0.subject), isOpenID: true) }
    }

    func identity(_ request: ServerRequest, organization: String, user userID: String) -> ServerResponse {
        guard RecordID.normalized(organization) == identity.organizationID, let id = RecordID.normalized(userID),
            case let user = user(id), !user.isNull
        else { return .text(404, "Bad_Id") }
        return respond(to: request) { _ in document(of: id, user, isOpenID: false) }
    }

    /// Returns one of the documents, which have the same values under different names.
    private func document(of id: String, _ user: JSONValue, isOpenID: Bool) -> ServerResponse {
        func text(_ field: String) -> String { user[field]?.string ?? "" }
        let login = users.username(of: id)
        let (url, data) = (identity.identityURL(of: id), identity.instanceURL + "/services/data/v{version}/")
        return .unstored(
            .object { writer in
                for (openID, own, value) in [
                    ("sub", "id", url), ("user_id", "user_id", id),
                    ("organization_id", "organization_id", identity.organizationID),
                    ("preferred_username", "username", login.isEmpty ? text("Username") : login),
                    ("nickname", "nick_name", text("Alias")), ("name", "display_name", text("Name")),
                    ("given_name", "first_name", text("FirstName")), ("family_name", "last_name", text("LastName")),
                    ("email", "email", text("Email")), ("user_type", "user_type", "STANDARD"),
                    ("language", "language", text("LanguageLocaleKey")), ("locale", "locale", text("LocaleSidKey")),
                ] {
                    writer.member(isOpenID ? openID : own, value)
                }
                writer.member("email_verified", true)
                writer.member("utcOffset", 0)
                if !isOpenID {
                    writer.member("asserted_user", true)
                    writer.member("active", user["IsActive"]?.bool ?? true)
                    writer.member("timezone", text("TimeZoneSidKey"))
                }
                writer.member(
                    "urls",
                    object: [
                        ("rest", data), ("sobjects", data + "sobjects/"), ("query", data + "query/"),
                        ("recent", data + "recent/"), ("profile", "\(identity.instanceURL)/\(id)"),
                        ("custom_domain", identity.instanceURL),
                    ])
            })
    }

    private func user(_ id: String) -> JSONValue {
        guard let object = store.schema.object(named: "User"),
            let bytes = try? store.read(id, object.fields, of: object, below: APIVersion.latest.path)
        else { return .null }
        return (try? JSONValue(parsing: bytes)) ?? .null
    }

    /// Like Salesforce, the response to a missing or an invalid token is a plain text with status 403.
    private func respond(
        to request: ServerRequest, _ document: (TokenIssuer.Login) -> ServerResponse
    ) -> ServerResponse {
        do throws(OAuthRejection) {
            if let login = try tokens.login(of: request) { return document(login) }
            let isMissing = (request.bearerToken ?? request.boundToken) == nil
            return .text(403, isMissing ? "Missing_OAuth_Token" : "Bad_OAuth_Token")
        } catch {
            var response = ServerResponse.text(401, "Bad_OAuth_Token")
            response.fields.append(("WWW-Authenticate", error.challenge))
            return response
        }
    }
}

extension ServerRequest {
    /// The token of `Authorization: Bearer` or of Salesforce's older scheme `OAuth`, ignoring case.
    var bearerToken: String? { token(of: "bearer", "oauth") }

    /// The token of `Authorization: DPoP`, ignoring case.
    var boundToken: String? { token(of: "dpop") }

    private func token(of schemes: String...) -> String? {
        let parts = (fields["Authorization"] ?? "").utf8.split(separator: UInt8(ascii: " "))
        guard parts.count == 2, let scheme = String(parts[0]), let token = String(parts[1]),
            schemes.contains(scheme.lowercased())
        else { return nil }
        return token
    }
}
