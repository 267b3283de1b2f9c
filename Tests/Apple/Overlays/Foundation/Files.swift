// SPDX-License-Identifier: Apache-2.0

// Declarations of an Apple module, which are documented there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

public struct FileAttributeKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let posixPermissions = FileAttributeKey(rawValue: "")
    public static let size = FileAttributeKey(rawValue: "")
    public static let modificationDate = FileAttributeKey(rawValue: "")
}
open class FileManager: @unchecked Sendable {
    open class var `default`: FileManager { fatalError() }
    open var temporaryDirectory: URL { fatalError() }
    @available(iOS, unavailable) @available(tvOS, unavailable) @available(watchOS, unavailable) open
        var homeDirectoryForCurrentUser: URL
    { fatalError() }
    open var currentDirectoryPath: String { "" }
    @discardableResult open func createFile(
        atPath path: String, contents data: Data?, attributes attr: [FileAttributeKey: Any]? = nil
    ) -> Bool { false }
    open func removeItem(at: URL) throws {}
    open func removeItem(atPath: String) throws {}
    open func fileExists(atPath: String) -> Bool { false }
    open func isExecutableFile(atPath: String) -> Bool { false }
    open func createDirectory(
        atPath: String, withIntermediateDirectories: Bool, attributes: [FileAttributeKey: Any]? = nil
    ) throws {}
    open func createDirectory(at: URL, withIntermediateDirectories: Bool, attributes: [FileAttributeKey: Any]? = nil)
        throws
    {}
    open func contentsOfDirectory(atPath: String) throws -> [String] { [] }
    open func destinationOfSymbolicLink(atPath: String) throws -> String { "" }
    open func contents(atPath: String) -> Data? { nil }
    open func attributesOfItem(atPath: String) throws -> [FileAttributeKey: Any] { [:] }
    open func moveItem(atPath: String, toPath: String) throws {}
    open func copyItem(atPath: String, toPath: String) throws {}
    open func setAttributes(_ a: [FileAttributeKey: Any], ofItemAtPath: String) throws {}
    open func createSymbolicLink(atPath: String, withDestinationPath: String) throws {}
}
extension FileHandle {
    public func read(upToCount: Int) throws -> Data? { nil }
    public func readToEnd() throws -> Data? { nil }
    public func seek(toOffset: UInt64) throws {}
    public func write<T: DataProtocol>(contentsOf: T) throws {}
    @discardableResult public func seekToEnd() throws -> UInt64 { 0 }
}
public struct FileAttributeType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let typeDirectory = FileAttributeType(rawValue: "d")
    public static let typeRegular = FileAttributeType(rawValue: "f")
    public static let typeSymbolicLink = FileAttributeType(rawValue: "l")
}
extension FileAttributeKey {
    public static let systemFileNumber = FileAttributeKey(rawValue: "")
    public static let creationDate = FileAttributeKey(rawValue: "")
    public static let referenceCount = FileAttributeKey(rawValue: "")
    public static let type = FileAttributeKey(rawValue: "")
}
extension FileHandle {
    public class var nullDevice: FileHandle { fatalError() }
    public class var standardOutput: FileHandle { fatalError() }
    public class var standardInput: FileHandle { fatalError() }
    public convenience init(forWritingTo u: URL) throws { fatalError() }
    public convenience init(forReadingFrom u: URL) throws { fatalError() }
    public convenience init?(forWritingAtPath p: String) { nil }
    public convenience init?(forReadingAtPath p: String) { nil }
    public func readDataToEndOfFile() -> Data { Data() }
    public var availableData: Data { Data() }
    public var fileDescriptor: Int32 { 0 }
    public func closeFile() {}
    public convenience init(fileDescriptor: Int32, closeOnDealloc: Bool) { fatalError() }
    public convenience init(fileDescriptor: Int32) { fatalError() }
    @preconcurrency public var readabilityHandler: (@Sendable (FileHandle) -> Void)? {
        get { nil }
        set {}
    }
}
extension FileManager {
    public func isWritableFile(atPath: String) -> Bool { false }
    public func isReadableFile(atPath: String) -> Bool { false }
    public func linkItem(atPath: String, toPath: String) throws {}
    public func copyItem(at: URL, to: URL) throws {}
    public func moveItem(at: URL, to: URL) throws {}
    public func contentsOfDirectory(at: URL, includingPropertiesForKeys: [String]?) throws -> [URL] { [] }
    public func subpathsOfDirectory(atPath: String) throws -> [String] { [] }
    public func fileExists(atPath: String, isDirectory: UnsafeMutablePointer<ObjCBool>?) -> Bool { false }
    public func attributesOfFileSystem(forPath: String) throws -> [FileAttributeKey: Any] { [:] }
    @discardableResult public func changeCurrentDirectoryPath(_ p: String) -> Bool { false }
    public func createSymbolicLink(at: URL, withDestinationURL: URL) throws {}
    public func enumerator(atPath: String) -> DirectoryEnumerator? { nil }
    public class DirectoryEnumerator: Sequence, IteratorProtocol {
        public init() {}
        public var allObjects: [Any] { [] }
        public func next() -> Any? { nil }
    }
}
extension FileHandle {
    public func synchronize() throws {}
    public func offset() throws -> UInt64 { 0 }
}
