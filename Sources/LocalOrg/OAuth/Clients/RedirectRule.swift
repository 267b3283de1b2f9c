// SPDX-License-Identifier: Apache-2.0

/// Whether a redirect URI is a registered one.
struct RedirectRule: Sendable {
    private let registered: String

    /// `nil` for what cannot be registered: no scheme, a fragment (RFC 6749 §3.1.2), a scheme that runs code, or
    /// characters that a header field cannot hold.
    init?(_ uri: String) {
        let scheme = uri.prefix { $0 != ":" }.lowercased()
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
        for host in ["http://127.0.0.1", "http://[::1]", "http://localhost"] where uri.hasPrefix(host) {
            var rest = uri.dropFirst(host.count)
            if rest.first == ":" {
                let digits = rest.dropFirst().prefix { "0123456789".contains($0) }
                // bounded: only whether it is one is asked
                guard UInt16(digits) != nil else { return nil }
                rest = rest.dropFirst(digits.count + 1)
            }
            return rest.isEmpty || rest.first == "/" ? host + rest : nil
        }
        return nil
    }
}
