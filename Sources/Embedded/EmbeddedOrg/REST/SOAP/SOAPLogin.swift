// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestXML

/// `login` of the partner and enterprise SOAP APIs, for clients that support nothing else.
///
/// The platform is retiring it, see ``APIVersion/Feature/soapLogin``.
struct SOAPLogin {
    let tokens: TokenService
    let users: UserLogin

    func logIn(
        _ call: XMLElement, _ version: String, _ number: Int, _ service: String
    ) throws(OAuthRefusal) -> String {
        guard APIVersion(number: number).has(.soapLogin) else {
            throw OAuthRefusal("UNSUPPORTED_API_VERSION", "login() is not available in version \(version)")
        }
        let user: String
        do throws(OAuthRefusal) {
            user = try users.check(call["username"]?.text ?? "", call["password"]?.text ?? "", by: .soap)
        } catch {
            var refusal = OAuthRefusal(
                "INVALID_LOGIN", "Invalid username, password, security token; or user locked out.")
            (refusal.status, refusal.retryAfter) = (error.status, error.retryAfter)
            throw refusal
        }
        let grant = tokens.login("SOAP", user: user, scopes: ["api"], isLasting: false)
        return success(grant.accessToken, user, version, service)
    }

    private func success(_ session: String, _ user: String, _ version: String, _ service: String) -> String {
        let identity = tokens.identity
        let (organization, base) = (identity.organizationID.prefix(15), identity.instanceURL)
        let members = [
            ("metadataServerUrl", "\(base)/services/Soap/m/\(version)/\(organization)"), ("passwordExpired", "false"),
            ("sandbox", "false"), ("serverUrl", "\(base)/services/Soap/\(service)/\(version)/\(organization)"),
            ("sessionId", session), ("userId", user),
        ]
        let text =
            members.map { XMLText.element($0.0, $0.1) }.joined()
            + "<userInfo>\(SOAPUser(identity: identity, id: user, name: users.username(of: user)).elements)</userInfo>"
        return "<loginResponse><result>\(text)</result></loginResponse>"
    }
}
