// SPDX-License-Identifier: Apache-2.0

import RestSDK

extension Option {
    /// The options of every verb that talks to an org.
    static let connection = [account, targetOrg, sample, timeout, retries, maxRate, apiVersion, verbose]

    static let account = Option("--account", .account, "the login to use, by its name or its user's name")
    static let targetOrg = Option(
        "--target-org", .account, "the same, as sf names it: also a login of sf, by its alias or user")
    static let sample = Option("--sample", "ask the embedded org with its sample data")
    static let timeout = Option("--timeout", .number(1...86_400), "seconds that one request may take")
    static let retries = Option(
        "--retries", .number(0...20), "how often a request is sent again after a fault that passes; 2 by default")
    static let maxRate = Option("--max-rate", .number(1...1_000), "send no more than N requests in any second")
    static let apiVersion = Option(
        "--api-version", .text("N"),
        "the API version, such as 66.0; the default is SF_ORG_API_VERSION, else the newest that both sides know")
    static let verbose = Option("--verbose", "print each request on standard error, as a line for curl without secrets")
}

/// Which org is asked, and how.
struct ConnectionOptions: Sendable {
    /// `nil`: the org of the environment, else of the current login, else of `sf`.
    var account: String?
    /// Whether the embedded org is asked.
    var usesSample = false
    var timeoutSeconds: Int?
    /// How often a request is sent again; `nil` for the usual number.
    var retries: Int?
    /// Requests in a second; `nil` for no limit.
    var maximumRate: Int?
    /// `nil`: the newest that this command and the server know.
    var apiVersion: APIVersion?
    /// Whether requests are printed.
    var isVerbose = false

    init() {}

    init(_ arguments: Arguments) throws(UsageError) {
        account = arguments[.account] ?? arguments[.targetOrg]
        usesSample = arguments.has(.sample)
        let ways = [Option.account, .targetOrg, .sample].filter(arguments.has)
        guard ways.count <= 1 else {
            throw UsageError("give one of \(ways.map(\.name).joined(separator: " and ")), not both")
        }
        timeoutSeconds = arguments.number(.timeout)
        retries = arguments.number(.retries)
        maximumRate = arguments.number(.maxRate)
        if let text = arguments[.apiVersion] {
            apiVersion = try Self.version(text, of: "--api-version")
        } else if let text = Settings.value("SF_ORG_API_VERSION") {
            apiVersion = try Self.version(text, of: "SF_ORG_API_VERSION")
        }
        isVerbose = arguments.has(.verbose)
    }

    private static func version(_ text: String, of name: String) throws(UsageError) -> APIVersion {
        guard let version = APIVersion(text) else {
            throw UsageError("\(name) takes a version such as 66.0, not '\(text)'")
        }
        return version
    }

    /// The settings of a client.
    var configuration: RestClient.Configuration {
        var configuration = RestClient.Configuration(
            apiVersion: apiVersion ?? .current, userAgent: "soql/\(RestClient.version)")
        if let timeoutSeconds { configuration.timeout = .seconds(timeoutSeconds) }
        if let retries { configuration.retryPolicy.maximumAttempts = retries + 1 }
        configuration.limits.perSecond = maximumRate
        if isVerbose { configuration.transport = TracingTransport(base: PlatformTransport.shared) }
        return configuration
    }
}
