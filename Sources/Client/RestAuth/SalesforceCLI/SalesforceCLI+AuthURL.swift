// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestText
public import RestTransport

extension SalesforceCLI {
    /// A login in one line of text, as `sf org display --verbose` prints it and build servers keep it:
    /// `force://CLIENT:SECRET:REFRESH_TOKEN@HOST`.
    ///
    /// Whoever has it is logged in as the user: treat it as a password. Printing it shows no token.
    public struct AuthURL: Sendable, Hashable {
        /// The id of the registered client that logged in; `PlatformCLI` for logins of `sf` itself.
        public let clientID: String
        /// The client's secret; `nil` for a client that has none.
        public let clientSecret: Secret?
        /// What renews the login.
        public let refreshToken: Secret
        /// Where the org is, which is also where the token is renewed.
        public let server: Origin

        /// Reads the text.
        ///
        /// Blanks and line ends around it are left out. A client id, a secret and a token have letters, digits and
        /// `._=-`.
        ///
        /// - Throws: ``OAuthError`` with `.unusableLogin`, which quotes nothing of the text.
        public init(_ text: Secret) throws(OAuthError) {
            let scheme = "force://"
            let line = text.reveal().words
            guard line.count == 1, line[0].utf8.count <= 65_536,
                let (login, host) = line[0].removing(prefix: scheme)?.cut(lastByte: "@")
            else { throw Self.unusable }
            let parts = login.split(byte: ":", omittingEmptySubsequences: false)
            guard parts.count == 3, parts.allSatisfy(Self.isWord), !parts[0].isEmpty, !parts[2].isEmpty,
                let url = try? HTTPURL(parsing: Self.address(of: host)), url.path.isEmpty || url.path == "/",
                url.query == nil, url.isTrustworthy
            else { throw Self.unusable }
            clientID = String(parts[0])
            clientSecret = parts[1].isEmpty ? nil : Secret(String(parts[1]))
            refreshToken = Secret(String(parts[2]))
            server = url.origin
        }

        /// Reads a file: the text alone, or the JSON that `sf org display --verbose --json` printed.
        ///
        /// - Parameter path: the file, which must belong to the user and be readable by the user alone.
        /// - Throws: ``OAuthError``: `.sharedKeyFile` for a file that others can read, `.unusableLogin` for one that
        ///   cannot be read or holds something else.
        public init(contentsOfFile path: String) throws(OAuthError) {
            let file: PlainFile
            do throws(PlainFile.Failure) {
                file = try PlainFile(path: path, limit: 1 << 20)
            } catch {
                throw OAuthError(.unusableLogin, "the login file \(path) cannot be used: \(error.reason)")
            }
            guard !file.isShared else {
                throw OAuthError(
                    .sharedKeyFile, "the login file \(path) can be read by others; run: chmod 600 \(path.shellQuoted)")
            }
            let root = try? JSONValue(parsing: file.bytes)
            let member = (root?["result"]?["sfdxAuthUrl"] ?? root?["sfdxAuthUrl"])?.string
            try self.init(Secret(member ?? String(decoding: file.bytes, as: UTF8.self)))
        }

        /// Spends the refresh token on a first access token.
        ///
        /// - Parameters:
        ///   - transport: what sends the request.
        ///   - deadline: when to give up.
        /// - Returns: the login, with all that a later process needs to renew it.
        /// - Throws: ``OAuthError``.
        public func login(
            transport: any HTTPTransport, deadline: ContinuousClock.Instant
        ) async throws(OAuthError) -> Credential {
            let client = OAuthClient(
                login: server, clientID: clientID, clientSecret: clientSecret, transport: transport)
            var credential = try await client.token(
                for: RefreshTokenGrant(refreshToken: refreshToken), deadline: deadline)
            credential.refreshToken = credential.refreshToken ?? refreshToken
            credential.login = Credential.Login(server: server, clientID: clientID, clientSecret: clientSecret)
            return credential
        }

        /// The host of the text has no scheme: it is https, and http on this machine alone.
        private static func address(of host: Substring) -> String {
            let isLocal = ["127.0.0.1", "[::1]"].contains { host == $0 || host.hasBytes(prefix: $0 + ":") }
            return (isLocal ? "http://" : "https://") + host
        }

        private static func isWord(_ part: Substring) -> Bool {
            part.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"),
                    UInt8(ascii: "="):
                    true
                default: false
                }
            }
        }

        private static let unusable = OAuthError(
            .unusableLogin, "this is no SFDX auth URL; it looks like force://CLIENT:SECRET:REFRESH_TOKEN@HOST")
    }
}

extension SalesforceCLI.AuthURL: CustomStringConvertible {
    /// The client and the host, without token and secret.
    public var description: String { "force://\(clientID)@\(server.host)" }
}
