// SPDX-License-Identifier: Apache-2.0

import RestBase

/// A client that may ask an embedded server for tokens.
package struct RegisteredClient: Sendable {
    package let id: String
    /// The secret, or `nil` for a public client.
    package let secret: String?
    private let redirects: [RedirectRule]

    package init(id: String, secret: String?, redirects: [RedirectRule]) {
        (self.id, self.secret, self.redirects) = (id, secret, redirects)
    }

    package func allows(_ redirectURI: String) -> Bool { redirects.contains { $0.allows(redirectURI) } }
}

/// The clients of an embedded server.
package struct RegisteredClients: Sendable {
    private var clients: [String: RegisteredClient] = [:]

    package init(_ clients: [RegisteredClient] = []) {
        for client in clients { _ = add(client) }
    }

    /// Adds a client, or returns `false` if its ID is taken.
    package mutating func add(_ client: RegisteredClient) -> Bool {
        clients.updateValue(client, forKey: client.id) == nil
    }

    /// The proof that a request comes from a client.
    package enum Proof {
        /// The secret is required, so a public client is rejected.
        case secret
        /// The secret is required if the client has one (RFC 6749 §6, §4.1.3).
        case secretIfAny
        /// A code needs the secret or a verifier (RFC 7636). A refresh token needs neither.
        case secretOrVerifier
    }

    package func client(_ id: String?) throws(OAuthRejection) -> RegisteredClient {
        guard let id, let client = clients[id] else {
            throw OAuthRejection("invalid_client_id", "client identifier invalid")
        }
        return client
    }

    /// Authenticates the client by the body or by HTTP Basic, but not both (RFC 6749 §2.3.1).
    package func authenticate(_ form: OAuthForm, _ proof: Proof) throws(OAuthRejection) -> RegisteredClient {
        if form.basic != nil, form["client_secret"] != nil {
            throw OAuthRejection("invalid_request", "the client's secret is given twice")
        }
        let client = try client(form.clientID)
        guard let secret = form.basic?.secret ?? form["client_secret"] else {
            switch proof {
            case .secretIfAny where client.secret == nil: return client
            case .secretOrVerifier where form["code"] == nil || form["code_verifier"] != nil: return client
            case .secret where client.secret == nil:
                throw OAuthRejection("unauthorized_client", "a public client cannot use this grant")
            default: throw OAuthRejection("invalid_client", "invalid client credentials")
            }
        }
        guard let known = client.secret, Digest.areEqual(secret, known) else {
            throw OAuthRejection("invalid_client", "invalid client credentials")
        }
        return client
    }
}

/// A rule for allowed redirect URIs.
package struct RedirectRule: Sendable {
    /// The registered URI, or `nil` for every loopback address.
    private let registered: String?

    /// Allows every address on this machine.
    package static let loopback = RedirectRule(registered: nil)

    private init(registered: String?) {
        self.registered = registered
    }

    /// Returns `nil` for a URI that cannot be registered: no scheme, a fragment (RFC 6749 §3.1.2), a scheme that runs
    /// code, or characters that a header cannot contain.
    package init?(_ uri: String) {
        let scheme = uri.prefix(before: ":").lowercased()
        guard scheme.utf8.count < uri.utf8.count, scheme.utf8.first.map({ (0x61...0x7A).contains($0) }) == true,
            !["javascript", "data", "vbscript", "file", "about", "blob"].contains(scheme), Self.isPlain(uri)
        else { return nil }
        registered = uri
    }

    private static func isPlain(_ uri: String) -> Bool {
        uri.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
    }

    /// Whether the URI is the registered one, ignoring the port of a loopback address.
    func allows(_ uri: String) -> Bool {
        if uri == registered { return true }
        guard Self.isPlain(uri), let given = Self.withoutPort(uri) else { return false }
        return registered.map { Self.withoutPort($0) == given } ?? true
    }

    /// Returns a loopback address without its port, or `nil` for other addresses.
    private static func withoutPort(_ uri: String) -> String? {
        for host in ["http://127.0.0.1", "http://[::1]", "http://localhost"] {
            guard var rest = uri.removing(prefix: host) else { continue }
            if let port = rest.removing(prefix: ":") {
                let digits = port.prefix { "0123456789".contains($0) }
                // bounded: only whether it is one is asked
                guard UInt16(digits) != nil else { return nil }
                rest = port[digits.endIndex...]
            }
            return rest.isEmpty || rest.hasBytes(prefix: "/") ? host + rest : nil
        }
        return nil
    }
}
