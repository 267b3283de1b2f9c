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
        case server(HTTPURL, except: [String] = [], login: Login? = nil)

        /// Name and password for a proxy that asks for them (Basic, RFC 7617).
        ///
        /// They go in the clear to a proxy whose URL begins with `http`.
        public struct Login: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
            /// The name, without a colon.
            public var user: String
            /// The password.
            public var password: String

            /// Makes a login of a name and a password.
            public init(user: String, password: String) {
                self.user = user
                self.password = password
            }

            /// The name; the password is left out.
            public var description: String { "\(user) «redacted»" }
            /// The same as `description`.
            public var debugDescription: String { description }
        }
    }
}

extension CurlConfiguration.Proxy.Login: CustomReflectable {
    /// A mirror that shows no password.
    public var customMirror: Mirror { Mirror(self, children: ["user": user], displayStyle: .struct) }
}
