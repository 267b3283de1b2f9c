// SPDX-License-Identifier: Apache-2.0

// Declarations of an Apple module, which are documented there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

public struct URL: Hashable, Sendable, Codable, CustomStringConvertible {
    public enum DirectoryHint: Sendable { case isDirectory, notDirectory, checkFileSystem, inferFromPath }
    public init?(string: String) { nil }
    public init(fileURLWithPath: String) {}
    public init(fileURLWithPath: String, isDirectory: Bool) {}
    public init(filePath: String, directoryHint: DirectoryHint = .inferFromPath, relativeTo: URL? = nil) {}
    public var absoluteString: String { "" }
    public var path: String { "" }
    public var host: String? { nil }
    public var scheme: String? { nil }
    public var query: String? { nil }
    public var lastPathComponent: String { "" }
    public var pathExtension: String { "" }

    public func appendingPathComponent(_ s: String) -> URL { self }
    public func appending(path: String, directoryHint: DirectoryHint = .inferFromPath) -> URL { self }
    public func deletingLastPathComponent() -> URL { self }
    public func appending(component: String) -> URL { self }
    public func resolvingSymlinksInPath() -> URL { self }
    public var standardizedFileURL: URL { self }
    public static var homeDirectory: URL { fatalError() }
    public static var temporaryDirectory: URL { fatalError() }
    public var description: String { "" }
}
extension URL: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSURL { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSURL, result: inout URL?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSURL, result: inout URL?) -> Bool { false }
    public static func _unconditionallyBridgeFromObjectiveC(_ x: NSURL?) -> URL { fatalError() }
}
public struct URLComponents: Hashable, Sendable {
    public init?(string: String) { nil }
    public init() {}
    public var scheme: String?
    public var host: String? {
        get { nil }
        set {}
    }
    public var path: String {
        get { "" }
        set {}
    }
    public var url: URL? { nil }
    public var query: String?
}
public struct URLRequest: Hashable, Sendable {
    public typealias CachePolicy = NSURLRequest.CachePolicy
    public init(url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy, timeoutInterval: TimeInterval = 60) {}
    public var url: URL?
    public var cachePolicy: CachePolicy {
        get { fatalError() }
        set {}
    }
    public var timeoutInterval: TimeInterval {
        get { 0 }
        set {}
    }
    public var httpMethod: String?
    public var allHTTPHeaderFields: [String: String]?
    public var httpBody: Data?
    public var httpBodyStream: InputStream? {
        get { nil }
        set {}
    }
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {}
    public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {}
    public func value(forHTTPHeaderField field: String) -> String? { nil }
}
extension URLRequest: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSURLRequest { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSURLRequest, result: inout URLRequest?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSURLRequest, result: inout URLRequest?) -> Bool {
        false
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ x: NSURLRequest?) -> URLRequest { fatalError() }
}
extension URLSession { @nonobjc public var allTasks: [URLSessionTask] { get async { [] } } }
extension URL {
    public init?(string: String, relativeTo: URL?) { nil }
    public func checkResourceIsReachable() throws -> Bool { false }
    public var isFileURL: Bool { true }
    public mutating func append(path: String) {}
    public func appendingPathExtension(_ s: String) -> URL { self }
    public func deletingPathExtension() -> URL { self }
    public var port: Int? { nil }
    public var user: String? { nil }
    public var password: String? { nil }
    public var fragment: String? { nil }
    public static func currentDirectory() -> URL { fatalError() }
    public var pathComponents: [String] { [] }
    public func path(percentEncoded: Bool = true) -> String { "" }
}
extension URLSession {
    public func data(from url: URL) async throws -> (Data, URLResponse) { fatalError() }
    public func data(for r: URLRequest) async throws -> (Data, URLResponse) { fatalError() }
}
public struct URLQueryItem: Hashable, Sendable {
    public var name: String
    public var value: String?
    public init(name: String, value: String?) {
        self.name = name
        self.value = value
    }
}
extension URLComponents {
    public var queryItems: [URLQueryItem]? {
        get { nil }
        set {}
    }
    public var percentEncodedQuery: String? {
        get { nil }
        set {}
    }
    public var fragment: String? {
        get { nil }
        set {}
    }
    public var port: Int? {
        get { nil }
        set {}
    }
    public init?(url: URL, resolvingAgainstBaseURL: Bool) { nil }
}
extension URL { public var standardized: URL { self } }
