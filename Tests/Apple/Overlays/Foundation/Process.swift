// SPDX-License-Identifier: Apache-2.0

// Declarations of an Apple module, which are documented there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

open class ProcessInfo: @unchecked Sendable {
    open class var processInfo: ProcessInfo { fatalError() }
    open var environment: [String: String] { [:] }
    open var processIdentifier: Int32 { 0 }
    open var arguments: [String] { [] }
    open var hostName: String { "" }
    open var activeProcessorCount: Int { 0 }
    open var operatingSystemVersionString: String { "" }
    open var systemUptime: TimeInterval { 0 }
    open var processorCount: Int { 0 }
    open var physicalMemory: UInt64 { 0 }
}
open class NSLock: @unchecked Sendable {
    public init() {}
    open func lock() {}
    open func unlock() {}
}
open class NSRecursiveLock: @unchecked Sendable {
    public init() {}
    open func lock() {}
    open func unlock() {}
    public func withLock<R>(_ body: () throws -> R) rethrows -> R { try body() }
}
extension NSLock { public func withLock<R>(_ body: () throws -> R) rethrows -> R { try body() } }
@available(iOS, unavailable) @available(tvOS, unavailable) @available(watchOS, unavailable)
open class Process: NSObject, @unchecked Sendable {
    public override init() {}
    open var executableURL: URL?
    open var arguments: [String]?
    open var environment: [String: String]?
    open var currentDirectoryURL: URL?
    open var standardInput: Any?
    open var standardOutput: Any?
    open var standardError: Any?
    open func run() throws {}
    open func terminate() {}
    open func interrupt() {}
    open func waitUntilExit() {}
    open var isRunning: Bool { false }
    open var processIdentifier: Int32 { 0 }
    open var terminationStatus: Int32 { 0 }
    public enum TerminationReason: Int, Sendable {
        case exit = 1
        case uncaughtSignal = 2
    }
    open var terminationReason: TerminationReason { .exit }
    @preconcurrency open var terminationHandler: (@Sendable (Process) -> Void)?
    open class func run(_ url: URL, arguments: [String], terminationHandler: (@Sendable (Process) -> Void)? = nil)
        throws
        -> Process
    { fatalError() }
}
open class Pipe: NSObject, @unchecked Sendable {
    public override init() {}
    open var fileHandleForReading: FileHandle { fatalError() }
    open var fileHandleForWriting: FileHandle { fatalError() }
}
open class Thread: NSObject, @unchecked Sendable {
    public class var isMainThread: Bool { false }
    public class func sleep(forTimeInterval: TimeInterval) {}
    @preconcurrency public class func detachNewThread(_ block: @escaping @Sendable () -> Void) {}
    public class var current: Thread { fatalError() }
    @preconcurrency public init(block: @escaping @Sendable () -> Void) {}
    open func start() {}
    open var stackSize: Int {
        get { 0 }
        set {}
    }
    open var name: String?
    open var isMainThread: Bool { false }
}
