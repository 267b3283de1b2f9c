// SPDX-License-Identifier: Apache-2.0

/// TLS for an org, with a certificate that is made when the org starts.
///
/// The certificate is its own issuer: a client trusts the org, and nothing else, by trusting it. The key never leaves
/// the process.
public struct OrgSecurity: Sendable, Hashable {
    /// The names that the certificate and the org have beside `127.0.0.1` and `localhost`.
    ///
    /// A name may begin with `*.`, for one further label in its place. Clients with fixed names of hosts reach the org
    /// by such a name and a proxy.
    public var names: [String]
    /// Where the certificate is written as PEM, or `nil` for nowhere; ``LocalOrg/certificate`` has it in any case.
    public var certificateFile: String?

    /// Asks for TLS.
    public init(names: [String] = [], certificateFile: String? = nil) {
        self.names = names
        self.certificateFile = certificateFile
    }
}
