// SPDX-License-Identifier: Apache-2.0

// Declarations of an Apple module, which are documented there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

public enum _GenericObjCError: Error { case nilError }
extension NSError: Error {}
public protocol LocalizedError: Error {
    var errorDescription: String? { get }
    var failureReason: String? { get }
    var recoverySuggestion: String? { get }
    var helpAnchor: String? { get }
}
extension LocalizedError {
    public var errorDescription: String? { nil }
    public var failureReason: String? { nil }
    public var recoverySuggestion: String? { nil }
    public var helpAnchor: String? { nil }
}
public protocol CustomNSError: Error {
    static var errorDomain: String { get }
    var errorCode: Int { get }
    var errorUserInfo: [String: Any] { get }
}
extension CustomNSError {
    public static var errorDomain: String { "" }
    public var errorCode: Int { 0 }
    public var errorUserInfo: [String: Any] { [:] }
}
extension Error { public var localizedDescription: String { "" } }
public protocol _ObjectiveCBridgeableError: Error { init?(_bridgedNSError error: NSError) }
public protocol _BridgedNSError: Hashable, Error, _ObjectiveCBridgeableError {
    static var _nsErrorDomain: String { get }
}
public protocol _BridgedStoredNSError: _BridgedNSError, CustomNSError {
    associatedtype Code: _ErrorCodeProtocol, RawRepresentable where Code.RawValue: FixedWidthInteger
    var _nsError: NSError { get }
    init(_nsError error: NSError)
}
public protocol _ErrorCodeProtocol: Equatable {
    associatedtype _ErrorType: _BridgedStoredNSError where _ErrorType.Code == Self
}
extension _BridgedStoredNSError {
    public var code: Code { fatalError() }
    public init(_ code: Code, userInfo: [String: Any] = [:]) { fatalError() }
    public var userInfo: [String: Any] { [:] }
    public init?(_bridgedNSError error: NSError) { nil }
    public static func == (a: Self, b: Self) -> Bool { true }
    public func hash(into h: inout Hasher) {}
    public var errorCode: Int { 0 }
    public var errorUserInfo: [String: Any] { [:] }
}
extension _BridgedNSError { public static var _nsErrorDomain: String { "" } }
public struct URLError: _BridgedStoredNSError, Sendable {
    public let _nsError: NSError
    public init(_nsError error: NSError) { _nsError = error }
    public static var errorDomain: String { "" }
    public struct Code: RawRepresentable, Hashable, Sendable, _ErrorCodeProtocol {
        public typealias _ErrorType = URLError
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
    }
}
extension URLError.Code {
    public static var unknown: Self { Self(rawValue: -1) }
    public static var cancelled: Self { Self(rawValue: -999) }
    public static var badURL: Self { Self(rawValue: -1000) }
    public static var timedOut: Self { Self(rawValue: -1001) }
    public static var unsupportedURL: Self { Self(rawValue: -1002) }
    public static var cannotFindHost: Self { Self(rawValue: -1003) }
    public static var cannotConnectToHost: Self { Self(rawValue: -1004) }
    public static var dataLengthExceedsMaximum: Self { Self(rawValue: -1103) }
    public static var networkConnectionLost: Self { Self(rawValue: -1005) }
    public static var dnsLookupFailed: Self { Self(rawValue: -1006) }
    public static var httpTooManyRedirects: Self { Self(rawValue: -1007) }
    public static var resourceUnavailable: Self { Self(rawValue: -1008) }
    public static var notConnectedToInternet: Self { Self(rawValue: -1009) }
    public static var redirectToNonExistentLocation: Self { Self(rawValue: -1010) }
    public static var badServerResponse: Self { Self(rawValue: -1011) }
    public static var userCancelledAuthentication: Self { Self(rawValue: -1012) }
    public static var userAuthenticationRequired: Self { Self(rawValue: -1013) }
    public static var zeroByteResource: Self { Self(rawValue: -1014) }
    public static var cannotDecodeRawData: Self { Self(rawValue: -1015) }
    public static var cannotDecodeContentData: Self { Self(rawValue: -1016) }
    public static var cannotParseResponse: Self { Self(rawValue: -1017) }
    public static var appTransportSecurityRequiresSecureConnection: Self { Self(rawValue: -1022) }
    public static var fileDoesNotExist: Self { Self(rawValue: -1100) }
    public static var fileIsDirectory: Self { Self(rawValue: -1101) }
    public static var noPermissionsToReadFile: Self { Self(rawValue: -1102) }
    public static var secureConnectionFailed: Self { Self(rawValue: -1200) }
    public static var serverCertificateHasBadDate: Self { Self(rawValue: -1201) }
    public static var serverCertificateUntrusted: Self { Self(rawValue: -1202) }
    public static var serverCertificateHasUnknownRoot: Self { Self(rawValue: -1203) }
    public static var serverCertificateNotYetValid: Self { Self(rawValue: -1204) }
    public static var clientCertificateRejected: Self { Self(rawValue: -1205) }
    public static var clientCertificateRequired: Self { Self(rawValue: -1206) }
    public static var internationalRoamingOff: Self { Self(rawValue: -1018) }
    public static var callIsActive: Self { Self(rawValue: -1019) }
    public static var dataNotAllowed: Self { Self(rawValue: -1020) }
    public static var requestBodyStreamExhausted: Self { Self(rawValue: -1021) }
}
public struct CocoaError: _BridgedStoredNSError, Sendable {
    public let _nsError: NSError
    public init(_nsError error: NSError) { _nsError = error }
    public var underlying: (any Error)? { nil }
    public struct Code: RawRepresentable, Hashable, Sendable, _ErrorCodeProtocol {
        public typealias _ErrorType = CocoaError
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        public static var fileWriteUnknown: Code { Code(rawValue: 512) }
        public static var fileReadUnknown: Code { Code(rawValue: 256) }
        public static var fileReadNoSuchFile: Code { Code(rawValue: 260) }
        public static var fileNoSuchFile: Code { Code(rawValue: 4) }
        public static var featureUnsupported: Code { Code(rawValue: 3328) }
    }
}
public struct POSIXErrorCode: RawRepresentable, Hashable, Sendable, _ErrorCodeProtocol {
    public typealias _ErrorType = POSIXError
    public let rawValue: Int32
    public init?(rawValue: Int32) { self.rawValue = rawValue }
    public static var ENOENT: POSIXErrorCode { fatalError() }
    public static var EINVAL: POSIXErrorCode { fatalError() }
    public static var EIO: POSIXErrorCode { fatalError() }
    public static var ENOSPC: POSIXErrorCode { fatalError() }
}
public struct POSIXError: _BridgedStoredNSError, Sendable {
    public let _nsError: NSError
    public init(_nsError error: NSError) { _nsError = error }
    public typealias Code = POSIXErrorCode
}
