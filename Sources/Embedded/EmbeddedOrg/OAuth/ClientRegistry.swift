// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase

struct ClientRegistry: Sendable {
    private(set) var clients = RegisteredClients()
    private(set) var keys: [String: [CertificateKey]] = [:]

    /// Reads the connected apps.
    ///
    /// - Throws: `StartError` with `.invalidApp` for an invalid app.
    init(_ apps: [ConnectedApp]) throws(StartError) {
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
            for text in app.certificates {
                guard let key = CertificateKey(pem: text) else {
                    throw Self.fault("a certificate of \(id) is not a PEM file with an RSA key of 2048 bits or more")
                }
                keys[id, default: []].append(key)
            }
            guard clients.add(RegisteredClient(id: id, secret: app.clientSecret, redirects: redirects)) else {
                throw Self.fault("\(id) is registered twice")
            }
        }
    }

    private static func fault(_ message: String) -> StartError {
        StartError(.invalidApp, message)
    }
}
