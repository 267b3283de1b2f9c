// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestTransport
import RestXML
import SOQLStore

enum LoginPages {
    /// The target of all forms except that for a device's code.
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
        case .redirect(let request): page = page.paragraph("Your browser continues to \(request.redirectURI).")
        case .device(let login):
            let code = login.userCode
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
            .paragraph("You can close this window and return to your device.")
    }

    static func failure(_ reason: String) -> HTMLPage {
        HTMLPage("This login cannot continue").alert(reason)
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

/// An HTML page for users with escaped parts.
struct HTMLPage {
    let title: String
    private var content = ""
    /// The targets of forms in addition to the org, because browsers also check the redirect after a form.
    private var formTargets: [String] = []

    init(_ title: String) {
        self.title = title
        content = "<h1>\(Self.escaped(title))</h1>"
    }

    static func escaped(_ text: String) -> String { XMLText.escaped(text) }

    func paragraph(_ text: String) -> HTMLPage { adding("<p>\(Self.escaped(text))</p>") }
    func alert(_ text: String) -> HTMLPage { adding("<p role=\"alert\">\(Self.escaped(text))</p>") }

    func list(_ items: [String]) -> HTMLPage {
        adding("<ul>\(items.map { "<li>\(Self.escaped($0))</li>" }.joined())</ul>")
    }

    /// Returns an input field with constant attributes, which are not escaped.
    static func field(_ name: String, _ label: String, value: String = "", _ attributes: StaticString = "") -> String {
        """
        <label for="\(name)">\(escaped(label))</label>\
        <input id="\(name)" name="\(name)" value="\(escaped(value))" required \(attributes)>
        """
    }

    static func hidden(_ name: String, _ value: String) -> String {
        "<input type=\"hidden\" name=\"\(name)\" value=\"\(escaped(value))\">"
    }

    static func button(_ action: String, _ label: String) -> String {
        "<button name=\"action\" value=\"\(action)\">\(escaped(label))</button>"
    }

    func form(_ method: String, _ path: String, leadingTo target: String? = nil, _ parts: [String]) -> HTMLPage {
        var page = adding("<form method=\"\(method)\" action=\"\(path)\">\(parts.joined())</form>")
        if let source = target.flatMap(Self.source) { page.formTargets.append(source) }
        return page
    }

    private func adding(_ text: String) -> HTMLPage {
        var page = self
        page.content += text
        return page
    }

    /// Returns the origin or the scheme of a URL as a source of a content security policy (CSP 3 2.3.1).
    private static func source(_ address: String) -> String? {
        let parts = address.split(byte: "/", maxSplits: 3, omittingEmptySubsequences: false)
        let scheme = address.prefix(before: ":")
        guard scheme == "http" || scheme == "https" else { return "\(scheme):" }
        guard parts.count > 2, parts[1].isEmpty, !parts[2].utf8.contains(where: "[;, '\"".utf8.contains) else {
            return "\(scheme):"  // A policy has no form for IPv6 addresses.
        }
        return "\(scheme)://\(parts[2])"
    }

    private static let style = """
        body{font:16px/1.5 system-ui,sans-serif;background:#f3f4f6;color:#1f2937;margin:0}\
        main{max-width:24rem;margin:4rem auto;padding:2rem;background:#fff;border:1px solid #d1d5db;border-radius:8px}\
        h1{font-size:1.4rem;margin-top:0}label{display:block;margin-top:1rem}\
        input{width:100%;box-sizing:border-box;padding:.5rem;font:inherit}\
        button{margin:1.5rem .5rem 0 0;padding:.5rem 1.25rem;font:inherit}\
        [role=alert]{color:#b91c1c;font-weight:600}footer{margin-top:2rem;font-size:.85rem;color:#6b7280}
        """
    private static let styleSource = "'sha256-\(Base64.encode(Digest.sha256(style.utf8)))'"

    func response(_ status: Int = 200) -> ServerResponse {
        let text = """
            <!DOCTYPE html><html lang="en"><head><meta charset="utf-8">\
            <meta name="viewport" content="width=device-width,initial-scale=1"><title>\(Self.escaped(title))</title>\
            <style>\(Self.style)</style></head><body><main>\(content)\
            <footer>An embedded org on this machine.</footer></main></body></html>
            """
        let targets = (["'self'"] + formTargets).joined(separator: " ")
        var response = ServerResponse(status: status, body: Array(text.utf8))
        response.fields = [
            ("Content-Type", "text/html;charset=utf-8"),
            (
                "Content-Security-Policy",
                "default-src 'none'; style-src \(Self.styleSource); form-action \(targets); frame-ancestors 'none'; "
                    + "base-uri 'none'"
            ),
            ("X-Frame-Options", "DENY"), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "same-origin"),
        ]
        return .unstored(response)
    }
}
