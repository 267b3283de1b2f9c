// SPDX-License-Identifier: Apache-2.0

import RestSDK

extension Option {
    /// The options of every verb that talks to an org.
    static let connection = [account, timeout, apiVersion]

    static let account = Option("--account", .account, "the login to use, by its name or its user's name")
    static let timeout = Option("--timeout", .number(1...86_400), "seconds that one request may take")
    static let apiVersion = Option(
        "--api-version", .text("N"), "the API version, such as 66.0; by default the newest that both sides support")
}

/// Which org is asked, and how.
struct ConnectionOptions {
    /// `nil`: the org of the environment, else of the current account, else the embedded one.
    var account: String?
    var timeoutSeconds: Int?
    /// `nil`: the newest that this command and the server know.
    var apiVersion: APIVersion?

    init(_ arguments: Arguments) throws(UsageError) {
        account = arguments[.account]
        timeoutSeconds = arguments.number(.timeout)
        if let text = arguments[.apiVersion] { apiVersion = try Self.version(text) }
    }

    private static func version(_ text: String) throws(UsageError) -> APIVersion {
        guard let version = APIVersion(text) else {
            throw UsageError("--api-version takes a version such as 66.0, not '\(text)'")
        }
        return version
    }
}
