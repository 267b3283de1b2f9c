// SPDX-License-Identifier: Apache-2.0

import RestTesting
package import RestTransport

extension LoginPeer {
    /// Logs the user in on a page and agrees to everything, as somebody does who fills in the forms.
    ///
    /// - Parameters:
    ///   - url: the page of a login.
    ///   - userCode: what to type where a device's code is asked for.
    /// - Throws: the failure of the browser.
    package func agree(at url: HTTPURL, userCode: String = "") async throws {
        let browser = FormBrowser(transport: LocalhostTransport())
        var page = try await browser.open(url)
        for _ in 0..<6 {
            guard page.url.origin == url.origin, let form = page.forms.first else { break }
            let values: [String: String] =
                if page.text.contains(#"name="password""#) {
                    ["username": "user", "password": password, "user_code": userCode, "allow": "yes"]
                } else if page.text.contains(#"name="user_code""#) {
                    ["user_code": userCode]
                } else {
                    ["allow": "yes", "action": "accept"]
                }
            page = try await browser.submit(form, of: page, values)
        }
        guard page.status == 200, page.url.origin != url.origin || page.forms.isEmpty else {
            throw Failure("\(page.url) answered \(page.status): \(page.text.prefix(300))")
        }
    }
}
