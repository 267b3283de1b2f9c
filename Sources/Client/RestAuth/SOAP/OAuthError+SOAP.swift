// SPDX-License-Identifier: Apache-2.0

import RestTransport
import RestXML

extension OAuthError {
    /// What a fault means to a login: the server's words, and what to do.
    init(_ fault: SOAPFault, from answer: OAuthAnswer) {
        let name = answer.secrets.line(fault.code, limit: 100)
        let said = answer.secrets.line(fault.message)
        let words = said.contains(name) ? said : "\(name): \(said)"
        let retryAfter = RetryAfter.delay(in: answer.response.head.fields)
        if Self.troubles.contains(fault.code) {
            self.init(.serverUnavailable, "\(words); try again later", retryAfter: retryAfter)
        } else if let (code, remedy) = Self.verdicts[fault.code] {
            self.init(code, "\(words); \(remedy)", retryAfter: retryAfter)
        } else {
            self.init(Code(rawValue: name), words, retryAfter: retryAfter)
        }
    }

    /// The faults of a server that cannot say anything about the login now.
    private static let troubles: Set<String> = [
        "SERVER_UNAVAILABLE", "UNKNOWN_EXCEPTION", "API_CURRENTLY_DISABLED", "ORG_IN_MAINTENANCE",
        "REQUEST_LIMIT_EXCEEDED", "LIMIT_EXCEEDED", "REQUEST_RUNNING_TOO_LONG",
    ]

    private static let verdicts: [String: (code: Code, remedy: String)] = {
        let token: (Code, String) = (
            .securityTokenRequired,
            "add the user's security token, which comes by mail when the user resets it, or have this network trusted"
        )
        let enable: (Code, String) = (.apiDisabled, "ask an administrator to enable the API for the user")
        let place: (Code, String) = (
            .loginRestricted, "ask an administrator for the networks and hours of the user's profile"
        )
        let version: (Code, String) = (
            .unsupportedGrantType, "use another grant, or ask an administrator whether the org still has SOAP logins"
        )
        return [
            "INVALID_LOGIN": (
                .invalidGrant,
                "check user name, password and security token, and the login server: sandboxes have another one"
            ),
            "LOGIN_MUST_USE_SECURITY_TOKEN": token, "LOGIN_CHALLENGE_ISSUED": token, "LOGIN_CHALLENGE_PENDING": token,
            "API_DISABLED_FOR_ORG": enable, "FUNCTIONALITY_NOT_ENABLED": enable,
            "LOGIN_DURING_RESTRICTED_DOMAIN": place, "LOGIN_DURING_RESTRICTED_TIME": place,
            "IP_RANGE_LIMIT_EXCEEDED": place, "UNSUPPORTED_API_VERSION": version, "INVALID_OPERATION": version,
            "INVALID_OPERATION_WITH_EXPIRED_PASSWORD": (.passwordExpired, expiredPassword),
            "PASSWORD_LOCKOUT": (.userLockedOut, "wait, or ask an administrator to unlock the user"),
            "INVALID_SESSION_ID": (.invalidToken, "the session has ended"),
        ]
    }()

    static let expiredPassword = "set a new password in a browser, and get a new security token with it"
}
