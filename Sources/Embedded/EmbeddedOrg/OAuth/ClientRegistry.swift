// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestTransport

/// The org's connected apps.
struct ClientRegistry: Sendable {
    /// A registered app, parsed.
    struct Client: Sendable {
        let id: String
        let secret: String?
        let redirects: [RedirectRule]
        let keys: [CertificateKey]
    }

    private var clients: [String: Client] = [:]

    /// Reads the registrations.
    ///
    /// - Throws: `LocalOrgError` with `.invalidApp` for one that could never be used.
    init(_ apps: [ConnectedApp]) throws(LocalOrgError) {
        for app in apps {
            let id = app.clientID
            guard !id.isEmpty, id.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw Self.fault("a client id must have printable characters and no spaces")
            }
            var redirects: [RedirectRule] = []
            for uri in app.redirectURIs {
                guard let rule = RedirectRule(uri) else { throw Self.fault("\(id) cannot redirect to '\(uri)'") }
                redirects.append(rule)
            }
            var keys: [CertificateKey] = []
            for text in app.certificates {
                guard let key = CertificateKey(pem: text) else {
                    throw Self.fault("a certificate of \(id) is not a PEM file with an RSA key of 2048 bits or more")
                }
                keys.append(key)
            }
            let client = Client(id: id, secret: app.clientSecret, redirects: redirects, keys: keys)
            guard clients.updateValue(client, forKey: id) == nil else { throw Self.fault("\(id) is registered twice") }
        }
    }

    private static func fault(_ message: String) -> LocalOrgError {
        LocalOrgError(code: .invalidApp, message: message)
    }

    func client(_ id: String) -> Client? { clients[id] }

    /// How a request proves that it comes from a client.
    enum Proof {
        /// The secret is required; a public client has none and is refused.
        case secret
        /// The secret is required if the client has one (RFC 6749 6, 4.1.3).
        case secretIfAny
    }

    /// Identifies the client by the body or by HTTP Basic, never both (RFC 6749 2.3.1).
    func authenticate(_ form: OAuthForm, _ proof: Proof) throws(OAuthRefusal) -> Client {
        if form.basic != nil, form["client_secret"] != nil {
            throw OAuthRefusal("invalid_request", "the client's secret is given twice")
        }
        let id = form.basic?.id ?? form["client_id"]
        guard let id, let client = clients[id] else {
            throw OAuthRefusal("invalid_client_id", "client identifier invalid")
        }
        guard let secret = form.basic?.secret ?? form["client_secret"] else {
            switch proof {
            case .secretIfAny where client.secret == nil: return client
            case .secret where client.secret == nil:
                throw OAuthRefusal("unauthorized_client", "a public client cannot use this grant")
            default: throw OAuthRefusal("invalid_client", "invalid client credentials")
            }
        }
        guard let known = client.secret, Digest.areEqual(secret, known) else {
            throw OAuthRefusal("invalid_client", "invalid client credentials")
        }
        return client
    }
}

/// Whether a redirect URI is a registered one.
struct RedirectRule: Sendable {
    private let registered: String

    /// `nil` for what cannot be registered: no scheme, a fragment (RFC 6749 3.1.2), a scheme that runs code, or
    /// characters that a header field cannot hold.
    init?(_ uri: String) {
        let scheme = uri.prefix(before: ":").lowercased()
        guard scheme.utf8.count < uri.utf8.count, scheme.utf8.first.map({ (0x61...0x7A).contains($0) }) == true,
            !["javascript", "data", "vbscript", "file", "about", "blob"].contains(scheme),
            uri.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
        else { return nil }
        registered = uri
    }

    /// Whether the URI is the registered one; of loopback addresses the port may differ.
    func allows(_ uri: String) -> Bool {
        if uri == registered { return true }
        guard let known = Self.withoutPort(registered), let given = Self.withoutPort(uri) else { return false }
        return known == given
    }

    /// A loopback address without its port, or `nil` for anything else.
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
