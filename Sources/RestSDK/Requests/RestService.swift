// SPDX-License-Identifier: Apache-2.0

public import RestTransport

/// One of an account's servers, by the name under which requests ask for it.
///
/// ```swift
/// let content = RestService.service("content")
/// let configuration = RestClientConfiguration(
///     services: [content: .init(origin: try Origin(parsing: "https://content.example.com"), basePath: "/2")])
/// ```
public struct RestService: Sendable, Hashable, CustomStringConvertible {
    private let name: String

    /// The server that the account's token belongs to: the org's instance.
    public static let instance = RestService(name: "instance")
    /// The authorization server that the client logs in at; the account's token may go there too, it came from there.
    public static let login = RestService(name: "login")
    /// A server of any other name, which ``RestClientConfiguration/services`` gives an address.
    ///
    /// - Parameter name: the name, such as `content`.
    public static func service(_ name: String) -> RestService { RestService(name: name) }

    /// The name as text, for people and logs.
    public var description: String { name }

    /// Where a service is, and what every request to it has in common.
    public struct Address: Sendable, Hashable {
        /// Scheme, host and port; `nil` for the account's own instance or login server.
        public var origin: Origin?
        /// What stands before the path of every resource, percent-encoded: empty, or `/2`; `nil` stands for the
        /// platform's own, `/services/data/vXX.X`.
        public var basePath: String?
        /// Header fields of every request to the service; those of the request itself win.
        public var fields: HTTPFields

        /// Makes an address.
        public init(origin: Origin? = nil, basePath: String? = nil, fields: HTTPFields = [:]) {
            self.origin = origin
            self.basePath = basePath
            self.fields = fields
        }
    }
}

/// The addresses of an account's services.
struct ServiceMap: Sendable {
    private let addresses: [RestService: RestService.Address]

    init(_ addresses: [RestService: RestService.Address]) {
        self.addresses = addresses
    }

    /// The service's address; one that nobody named is the account's own.
    subscript(service: RestService) -> RestService.Address { addresses[service] ?? RestService.Address() }

    /// The first address with which no call can be sent.
    var problem: InvalidArgument? {
        for (service, address) in addresses.sorted(by: { "\($0.key)" < "\($1.key)" }) {
            let argument = "services.\(service)"
            if service != .instance, service != .login, address.origin == nil {
                return InvalidArgument(argument: argument, reason: "must have an origin")
            }
            if let path = address.basePath, !path.isEmpty, !path.isBasePath {
                return InvalidArgument(
                    argument: argument,
                    reason: "basePath must begin with a slash, end without one, and be percent-encoded without '..'")
            }
        }
        return nil
    }
}

extension String {
    fileprivate var isBasePath: Bool {
        hasPrefix("/") && !hasPrefix("//") && !hasSuffix("/") && !contains("?") && !contains("#")
            && !PercentEncoding.hasDotSegment(self)
            && (try? HTTPURL(parsing: "https://example.com\(self)"))?.path == self
    }
}
