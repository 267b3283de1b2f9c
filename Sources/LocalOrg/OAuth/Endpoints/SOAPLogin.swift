// SPDX-License-Identifier: Apache-2.0

import LocalServer

/// `login` of the partner and enterprise SOAP APIs, for clients that support nothing else.
///
/// The platform is retiring it and has none from version 65 on.
struct SOAPLogin {
    let tokens: TokenService
    let users: UserLogin

    private static let versions = 20...64
    /// No proper call is longer.
    private static let mostBytes = 16 << 10

    func answer(_ request: ServerRequest, version: String) -> ServerResponse {
        var note = JournalEntry.OAuth()
        note.grantType = "soap login"
        var response: ServerResponse
        do throws(OAuthRefusal) {
            response = try call(request, version)
            note.outcome = "granted"
        } catch {
            note.refuse(error)
            response = Self.fault(error)
        }
        response.oauth = note
        return response
    }

    private func call(_ request: ServerRequest, _ version: String) throws(OAuthRefusal) -> ServerResponse {
        // bounded: by the versions there are
        guard version.hasSuffix(".0"), let number = Int(version.dropLast(2)), Self.versions.contains(number) else {
            throw OAuthRefusal("UNSUPPORTED_API_VERSION", "Invalid Api version specified on URL")
        }
        guard request.mediaType == "text/xml", request.body.count <= Self.mostBytes,
            let text = String(validating: request.body, as: UTF8.self)
        else { throw OAuthRefusal("INVALID_OPERATION", "The body must be a SOAP call in XML") }
        if let members = XMLReader.members(of: "login", in: text) { return try logIn(members, version) }
        let names = ["logout", "getUserInfo"]
        guard let name = names.first(where: { XMLReader.members(of: $0, in: text) != nil }) else {
            throw OAuthRefusal(
                "INVALID_OPERATION", "The embedded org knows the SOAP calls login, logout and getUserInfo")
        }
        let session = XMLReader.members(of: "SessionHeader", in: text)?["sessionId"] ?? ""
        guard let login = tokens.login(of: session) else {
            throw OAuthRefusal("INVALID_SESSION_ID", "Invalid Session ID found in SessionHeader: Illegal Session")
        }
        guard name == "getUserInfo" else {
            _ = tokens.revoke(session)
            return Self.envelope(200, "<logoutResponse/>")
        }
        return Self.envelope(
            200, "<getUserInfoResponse><result>\(userInfo(login.subject))</result></getUserInfoResponse>")
    }

    private func logIn(
        _ members: [String: String], _ version: String
    ) throws(OAuthRefusal) -> ServerResponse {
        let user: String
        do throws(OAuthRefusal) {
            user = try users.check(members["username"] ?? "", members["password"] ?? "", by: .soap)
        } catch {
            var refusal = OAuthRefusal(
                "INVALID_LOGIN", "Invalid username, password, security token; or user locked out.")
            (refusal.status, refusal.retryAfter) = (error.status, error.retryAfter)
            throw refusal
        }
        let grant = tokens.login("SOAP", user: user, scopes: ["api"], isLasting: false)
        return Self.envelope(200, success(grant.accessToken, user, version))
    }

    private func success(_ session: String, _ user: String, _ version: String) -> String {
        let identity = tokens.identity
        let (organization, base) = (identity.organizationID.prefix(15), identity.instanceURL)
        let members = [
            ("metadataServerUrl", "\(base)/services/Soap/m/\(version)/\(organization)"), ("passwordExpired", "false"),
            ("sandbox", "false"), ("serverUrl", "\(base)/services/Soap/u/\(version)/\(organization)"),
            ("sessionId", session), ("userId", user),
        ]
        let text = Self.elements(members) + "<userInfo>\(userInfo(user))</userInfo>"
        return "<loginResponse><result>\(text)</result></loginResponse>"
    }

    private func userInfo(_ user: String) -> String {
        let identity = tokens.identity
        let name = users.username(of: user)
        return Self.elements([
            ("organizationId", identity.organizationID), ("organizationName", "Embedded Org"),
            ("sessionSecondsValid", "7200"), ("userFullName", name), ("userEmail", name),
            ("userId", user), ("userLanguage", "en_US"), ("userLocale", "en_US"),
            ("userName", name), ("userTimeZone", "GMT"), ("userType", "Standard"),
        ])
    }

    private static func fault(_ refusal: OAuthRefusal) -> ServerResponse {
        let text = "\(refusal.error): \(refusal.description)"
        var response = envelope(
            refusal.status == 429 ? 429 : 500,
            """
            <soapenv:Fault><faultcode>sf:\(refusal.error)</faultcode><faultstring>\(HTMLPage.escaped(text))</faultstring>\
            <detail><sf:LoginFault xmlns:sf="urn:fault.partner.soap.sforce.com"><sf:exceptionCode>\(refusal.error)\
            </sf:exceptionCode><sf:exceptionMessage>\(HTMLPage.escaped(refusal.description))</sf:exceptionMessage>\
            </sf:LoginFault></detail></soapenv:Fault>
            """)
        response.fields += refusal.response.fields.filter { $0.name == "Retry-After" }
        return response
    }

    private static func elements(_ members: [(String, String)]) -> String {
        members.map { "<\($0)>\(HTMLPage.escaped($1))</\($0)>" }.joined()
    }

    private static func envelope(_ status: Int, _ body: String) -> ServerResponse {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope \
            xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns="urn:partner.soap.sforce.com" \
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><soapenv:Body>\(body)</soapenv:Body></soapenv:Envelope>
            """
        return .unstored(
            ServerResponse(status: status, fields: [("Content-Type", "text/xml;charset=UTF-8")], body: Array(text.utf8))
        )
    }
}
