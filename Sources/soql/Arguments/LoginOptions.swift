// SPDX-License-Identifier: Apache-2.0

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
    var clientID: String?
    var username: String?
    var secret: SecretSource?
    var scopes = ["api", "refresh_token"]
    var port: UInt16 = 0
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
    }

    private mutating func read(_ option: String, from reader: inout WordReader) throws(UsageError) {
        switch option {
        case "--device": try choose(.device)
        case "--client-credentials": try choose(.clientCredentials)
        case "--jwt-key": try choose(.jwt(keyFile: reader.value(of: option)))
        case "--account": account = try reader.value(of: option)
        case "--login-url": loginURL = try reader.value(of: option)
        case "--client-id": clientID = try reader.value(of: option)
        case "--username": username = try reader.value(of: option)
        case "--client-secret-file": secret = .file(try reader.value(of: option))
        case "--client-secret": secret = .commandLine(try reader.value(of: option))
        case "--scopes": scopes = try reader.value(of: option).split(separator: " ").map(String.init)
        case "--port": port = UInt16(try reader.number(of: option, in: 1...65_535))
        case "--no-browser": opensBrowser = false
        case "--timeout": timeoutSeconds = try reader.number(of: option, in: 1...86_400)
        default: throw UsageError("there is no option \(option)")
        }
    }

    private mutating func choose(_ other: Method) throws(UsageError) {
        guard method == .browser else {
            throw UsageError("choose one of --device, --jwt-key and --client-credentials")
        }
        method = other
    }
}
