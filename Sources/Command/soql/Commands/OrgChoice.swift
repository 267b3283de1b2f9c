// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// Which org the options and the environment ask for, before any login is looked at.
enum OrgChoice {
    /// A login of this command or of `sf`, by its name.
    case login(String)
    /// The address and the token of the environment.
    case token(url: String, Secret)
    /// The embedded org.
    case sample
    /// Nothing is named: the current login.
    case current

    /// Reads the options, then the environment.
    ///
    /// - Throws: ``UsageError`` for variables that need each other and are not both set, or that name two orgs.
    init(_ options: ConnectionOptions) throws(UsageError) {
        if options.usesSample {
            self = .sample
        } else if let account = options.account {
            self = .login(account)
        } else {
            self = try Self.ofEnvironment()
        }
    }

    private static func ofEnvironment() throws(UsageError) -> OrgChoice {
        let target = Settings.value("SF_TARGET_ORG")
        guard let (url, token) = try addressAndToken() else { return target.map { .login($0) } ?? .current }
        guard target == nil else {
            throw UsageError("SF_TARGET_ORG and SF_ACCESS_TOKEN name two orgs; unset one of them, or use --target-org")
        }
        return .token(url: url, Secret(token))
    }

    /// The address, by its name here or by that of `sf`, and the token.
    ///
    /// One alone is a mistake, and must not lead to another org.
    private static func addressAndToken() throws(UsageError) -> (url: String, token: String)? {
        let (own, other) = (Settings.value("SF_INSTANCE_URL"), Settings.value("SF_ORG_INSTANCE_URL"))
        if let own, let other, own != other {
            throw UsageError("SF_INSTANCE_URL and SF_ORG_INSTANCE_URL differ; unset one of them")
        }
        let name = own == nil && other != nil ? "SF_ORG_INSTANCE_URL" : "SF_INSTANCE_URL"
        switch (own ?? other, Settings.value("SF_ACCESS_TOKEN")) {
        case (nil, nil): return nil
        case (let url?, let token?): return (url, token)
        case (nil, _?): throw UsageError("SF_ACCESS_TOKEN is set but SF_INSTANCE_URL is not; set both or none")
        case (_?, nil): throw UsageError("\(name) is set but SF_ACCESS_TOKEN is not; set both or none")
        }
    }
}
