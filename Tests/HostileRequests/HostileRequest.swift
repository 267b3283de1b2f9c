// SPDX-License-Identifier: Apache-2.0

package import RestTransport

/// A request as nobody should send it, or nearly.
package struct HostileRequest: Sendable, CustomStringConvertible {
    package var method: String
    package var target: String
    package var fields = HTTPFields()
    package var body: [UInt8]

    package init(method: String, target: String, body: [UInt8] = []) {
        (self.method, self.target, self.body) = (method, target, body)
    }

    /// Whether its method must change nothing.
    package var isSafe: Bool { ["GET", "HEAD", "OPTIONS"].contains(method) }

    /// Whether it has a query whose records count as looked at.
    package var isLook: Bool {
        guard isSafe, let text = try? PercentEncoding.decodeForm(target).uppercased() else { return false }
        return text.contains("FOR VIEW") || text.contains("FOR REFERENCE")
    }

    /// The request as one can send it again.
    package var description: String {
        let lines = fields.map { "\($0.name): \($0.value.prefix(200))" }
        return "\(method) \(target.prefix(300)) \(lines) \(String(decoding: body.prefix(600), as: UTF8.self))"
    }
}

/// What an org has, for requests that go deeper than its first checks.
package struct KnownNames: Sendable {
    /// An id of a few objects.
    package var ids: [String: [String]] = [:]
    /// Locators, job ids and other names that the org has made.
    package var locators: [String] = []
    package var jobs: [String] = []
    package var token = ""
    package var clientID = ""
    package var clientSecret = ""

    package init() {}
}
