// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestBase
import RestTransport

/// The address of a request, parsed: libcurl copies the parts for every transfer, while it would parse a text and write
/// it out again, character by character.
@safe struct ParsedAddress: ~Copyable {
    let raw: OpaquePointer

    /// Makes an empty address; `nil` when memory is exhausted.
    init?() {
        guard let raw = unsafe curl_url() else { return nil }
        unsafe self.raw = raw
    }

    deinit {
        unsafe curl_url_cleanup(raw)
    }

    /// Takes another address in place of the last one.
    ///
    /// - Throws: `.invalidRequest` when libcurl does not take it for an address.
    func parse(_ url: HTTPURL) throws(TransportError) {
        let result = unsafe curl_url_set(raw, CURLUPART_URL, url.description, UInt32(CURLU_PATH_AS_IS))
        guard result != CURLUE_OK else { return }
        let words = unsafe String(cString: curl_url_strerror(result))
        throw .invalidRequest("libcurl refuses the address: \(words)")
    }
}

/// The hosts that are reached without the proxy, as `no_proxy` lists them.
///
/// An entry may end with a port and then means that port alone. libcurl knows no such entries, and gets the list
/// without ports, made for the origin at hand.
struct ProxyExceptions {
    private let entries: [Substring]

    init(_ entries: [String]) {
        self.entries = entries.flatMap { $0.split(anyOf: ", \t") }
    }

    /// What the environment excepts; `nil` when it says nothing.
    static var environment: ProxyExceptions? {
        for name in ["no_proxy", "NO_PROXY"] {
            if let text = unsafe getenv(name) { return ProxyExceptions([unsafe String(cString: text)]) }
        }
        return nil
    }

    /// The hosts that hold for an origin, separated by commas.
    func list(for origin: Origin) -> String {
        entries.compactMap { host(of: $0, at: origin.port) }.joined(separator: ",")
    }

    /// The host that an entry names; `nil` when it names another port.
    private func host(of entry: Substring, at port: Int) -> Substring? {
        guard let colon = entry.lastIndex(byte: ":"), let wanted = Int(outside: entry[colon...].dropFirst(), in: .port)
        else { return entry }
        let host = entry[..<colon]
        // More colons are those of an IPv6 address, whose port stands behind brackets.
        guard !host.hasBytes(":") || host.hasBytes(prefix: "[") && host.hasBytes(suffix: "]") else { return entry }
        return wanted == port ? host : nil
    }
}
