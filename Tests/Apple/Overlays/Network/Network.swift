// SPDX-License-Identifier: Apache-2.0

// Declarations of an Apple module, which are documented there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

public enum NWEndpoint: Hashable, Sendable, CustomDebugStringConvertible {
    public struct Port: Hashable, RawRepresentable, ExpressibleByIntegerLiteral, Sendable {
        public let rawValue: UInt16
        public init?(rawValue: UInt16) { nil }
        public init?(_ s: String) { nil }
        public init(integerLiteral v: UInt16) { rawValue = v }
    }
    public enum Host: Hashable, Sendable, ExpressibleByStringLiteral {
        case name(String, Int?)
        public init(_ string: String) { self = .name(string, nil) }
        public init(stringLiteral: String) { self = .name(stringLiteral, nil) }
    }
    case hostPort(host: NWEndpoint.Host, port: NWEndpoint.Port)
    case unix(path: String)
    public var debugDescription: String { "" }
}
open class NWProtocolOptions {}
public class NWProtocolTLS { public class Options: NWProtocolOptions { public override init() {} } }
public struct ProxyConfiguration: Hashable, Sendable {
    public init(httpCONNECTProxy proxyEndpoint: NWEndpoint, tlsOptions: NWProtocolTLS.Options? = nil) {}
    public init(socksv5Proxy: NWEndpoint) {}
    public var excludedDomains: [String] {
        get { [] }
        set {}
    }
    public var matchDomains: [String] {
        get { [] }
        set {}
    }
    public var allowFailover: Bool {
        get { false }
        set {}
    }
    public mutating func applyCredential(username: String, password: String) {}
}
extension URLSessionConfiguration {
    @nonobjc public var proxyConfigurations: [ProxyConfiguration] {
        get { [] }
        set {}
    }
}
