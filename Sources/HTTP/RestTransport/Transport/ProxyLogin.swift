// SPDX-License-Identifier: Apache-2.0

/// Name and password for a proxy that asks for them (Basic, RFC 7617).
///
/// They go in the clear to a proxy whose URL begins with `http`.
public struct ProxyLogin: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
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

extension ProxyLogin: CustomReflectable {
    /// A mirror that shows no password.
    public var customMirror: Mirror { Mirror(self, children: ["user": user], displayStyle: .struct) }
}
