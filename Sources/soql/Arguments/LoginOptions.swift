// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// The options of `soql login`.
struct LoginOptions {
    /// How to log in.
    enum Method: Equatable {
        /// The user's browser, on this machine.
        case browser
        /// The user's browser, on any device.
        case device
        /// A statement signed with a private key.
        case jwt(keyFile: String)
        /// The client's own id and secret.
        case clientCredentials
    }

    /// Where the client's secret comes from; the environment and, where one is needed, a prompt otherwise.
    enum SecretSource: Equatable {
        case file(String)
        case commandLine(String)
    }

    var method = Method.browser
    var account: String?
    var loginURL: String?
    /// An authorization server that says where its endpoints are; `nil` for one with the platform's paths.
    var issuer: String?
    /// How the client's secret travels; `nil` as the server says.
    var clientAuthentication: OAuthClient.Authentication?
    var clientID: String?
    var username: String?
    var secret: SecretSource?
    /// `nil`: the usual ones where a user agrees to them, else those that the client is registered for.
    var scopes: [String]?
    /// Where the browser comes back to.
    var callback = LoopbackPresenter.Options()
    var opensBrowser = true
    var timeoutSeconds = 300

    init(_ words: [String]) throws(UsageError) {
        var reader = WordReader(words)
        while let item = try reader.next() {
            switch item {
            case .option(let option): try read(option, from: &reader)
            case .word(let word): throw UsageError("'\(word)' makes no sense here")
            }
        }
        if issuer != nil, loginURL != nil { throw UsageError("name --login-url or --issuer, not both") }
    }

    private mutating func read(_ option: String, from reader: inout WordReader) throws(UsageError) {
        switch option {
        case "--device": try choose(.device)
        case "--client-credentials": try choose(.clientCredentials)
        case "--jwt-key": try choose(.jwt(keyFile: reader.value(of: option)))
        case "--account": account = try reader.value(of: option)
        case "--login-url": loginURL = try reader.value(of: option)
        case "--issuer": issuer = try reader.value(of: option)
        case "--client-auth": clientAuthentication = try Self.authentication(reader.value(of: option))
        case "--client-id": clientID = try reader.value(of: option)
        case "--username": username = try reader.value(of: option)
        case "--client-secret-file": secret = .file(try reader.value(of: option))
        case "--client-secret": secret = .commandLine(try reader.value(of: option))
        case "--scopes": scopes = try reader.value(of: option).split(separator: " ").map(String.init)
        case "--port": callback.ports = [UInt16(try reader.number(of: option, in: 1...65_535))]
        case "--callback-url": callback = try Self.callback(reader.value(of: option))
        case "--no-browser": opensBrowser = false
        case "--timeout": timeoutSeconds = try reader.number(of: option, in: 1...86_400)
        default: throw UsageError("there is no option \(option)")
        }
    }

    private static func authentication(_ name: String) throws(UsageError) -> OAuthClient.Authentication {
        switch name {
        case "post": return .post
        case "basic": return .basic
        default: throw UsageError("--client-auth takes post or basic, not '\(name)'")
        }
    }

    private static func callback(_ url: String) throws(UsageError) -> LoopbackPresenter.Options {
        do {
            return try LoopbackPresenter.Options(redirectURI: url)
        } catch {
            throw UsageError("--callback-url makes no sense: \(error.message)")
        }
    }

    private mutating func choose(_ other: Method) throws(UsageError) {
        guard method == .browser else {
            throw UsageError("choose one of --device, --jwt-key and --client-credentials")
        }
        method = other
    }
}
