// SPDX-License-Identifier: Apache-2.0

public import RestTransport

extension CurlConfiguration {
    /// How to reach other hosts.
    public enum Proxy: Sendable, Hashable {
        /// As the variables `https_proxy`, `all_proxy` and `no_proxy` say.
        case environment
        /// Directly.
        case none
        /// Through this proxy, except for hosts that end with one of the given names.
        ///
        /// Requests go through a tunnel (RFC 9110 §9.3.6), so that the proxy learns hosts and ports and nothing else.
        case server(HTTPURL, except: [String] = [], login: ProxyLogin? = nil)
    }
}
