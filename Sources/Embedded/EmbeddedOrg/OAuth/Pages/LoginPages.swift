// SPDX-License-Identifier: Apache-2.0

/// The pages of a login in a browser.
enum LoginPages {
    /// Where all forms but the one for a device's code go.
    static let path = "/services/oauth2/authorize"

    static func login(_ ticket: String, username: String, alert: String? = nil) -> HTMLPage {
        var page = HTMLPage("Log in")
        if let alert { page = page.alert(alert) }
        return page.form(
            "post", path,
            [
                HTMLPage.hidden("ticket", ticket),
                HTMLPage.field("username", "Username", value: username, "autocomplete=\"username\" autofocus"),
                HTMLPage.field("password", "Password", "type=\"password\" autocomplete=\"current-password\""),
                HTMLPage.button("login", "Log in"),
            ])
    }

    static func consent(_ ticket: String, _ request: LoginRequest, username: String) -> HTMLPage {
        var page = HTMLPage("Allow access?")
            .paragraph("\(request.clientID) asks for access as \(username):")
            .list(request.scopes.map(Self.meaning))
        switch request {
        case .redirect(let request): page = page.paragraph("Your browser goes on to \(request.redirectURI).")
        case .device(let code, _):
            page = page.paragraph("Allow it only if your device shows the code \(code.prefix(4))-\(code.suffix(4)).")
        }
        return page.form(
            "post", path, leadingTo: request.redirectURI,
            [
                HTMLPage.hidden("ticket", ticket), HTMLPage.button("allow", "Allow"), HTMLPage.button("deny", "Deny"),
            ])
    }

    static func deviceCode(_ given: String = "", alert: String? = nil) -> HTMLPage {
        var page = HTMLPage("Connect a device").paragraph("Enter the code that your device shows.")
        if let alert { page = page.alert(alert) }
        return page.form(
            "get", DeviceEndpoint.page,
            [
                HTMLPage.field("user_code", "Code", value: given, "autocomplete=\"off\" autocapitalize=\"characters\""),
                "<button>Connect</button>",
            ])
    }

    static func deviceDone(isAllowed: Bool) -> HTMLPage {
        HTMLPage(isAllowed ? "Device connected" : "Access denied")
            .paragraph("You may close this window and go back to your device.")
    }

    static func failure(_ reason: String) -> HTMLPage {
        HTMLPage("This login cannot go on").alert(reason)
    }

    private static func meaning(_ scope: String) -> String {
        switch scope {
        case "api": "Use the API and see your data (api)"
        case "refresh_token", "offline_access": "Do so at any time, until you revoke it (\(scope))"
        case "id", "openid", "profile", "email": "Know who you are (\(scope))"
        default: scope
        }
    }
}
