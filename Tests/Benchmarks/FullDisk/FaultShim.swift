// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestBase
import RestTransport

/// A library that is loaded into a process and makes one of its file operations fail.
///
/// It counts the operations on files below a folder, and fails those that a ``FaultPoint`` names. SQLite and libcurl
/// meet it as well.
struct FaultShim: Sendable {
    /// The operations that are counted, in the order of the counters.
    enum Operation: Int32, CaseIterable {
        case write, sync, name, cut, close
    }

    /// What the operations of a process came to.
    struct Counts {
        /// How many there were of each ``Operation``.
        let operations: [Int]
        /// How many of them failed.
        let failures: Int
    }

    private let library: String

    /// Compiles the library; `nil` if there is no compiler.
    init?(folder: String) throws {
        let source = folder + "/faults.c"
        library = folder + "/faults.so"
        try Self.source.write(toFile: source, atomically: false, encoding: .utf8)
        let arguments = ["-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"]
        guard ["clang", "cc", "gcc"].contains(where: { (try? run("/usr/bin/env", [$0] + arguments)) != nil }) else {
            return nil
        }
    }

    /// The settings that load it into a process.
    ///
    /// - Parameters:
    ///   - folder: the folder whose files are watched; no link leads to it.
    ///   - log: the file that takes the counts; it is elsewhere.
    ///   - point: what fails; `nil` to count only.
    /// - Returns: the settings, for a shell that makes `LD_PRELOAD` of `FAULT_LIBRARY`.
    func environment(folder: String, log: String, _ point: FaultPoint?) -> [String: String] {
        var settings = ["FAULT_LIBRARY": library, "FAULT_FOLDER": folder, "FAULT_LOG": log, "FAULT_KIND": "-1"]
        guard let point else { return settings }
        settings["FAULT_KIND"] = "\(point.operation.rawValue)"
        settings["FAULT_AT"] = "\(point.number)"
        settings["FAULT_LASTS"] = point.lasts ? "1" : "0"
        settings["FAULT_SHORT"] = point.isShort ? "1" : "0"
        settings["FAULT_ERROR"] = "\(point.operation == .write ? ENOSPC : EIO)"
        return settings
    }

    /// Reads the counts.
    static func counts(in log: String) throws -> Counts {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: log)))
        let numbers = stride(from: 0, to: bytes.count - 3, by: 4).map { start in
            bytes[start..<(start + 4)].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        let kinds = Operation.allCases.count
        guard numbers.count > kinds else { throw CommandFailed(command: "the counts of \(log)", status: 1) }
        return Counts(operations: Array(numbers[..<kinds]), failures: numbers[kinds])
    }
}

/// An operation of a process that fails.
struct FaultPoint: Sendable {
    let operation: FaultShim.Operation
    /// Which one of its kind, from 1.
    let number: Int
    /// Whether all later ones of the kind fail, too, as on a disk that stays full.
    let lasts: Bool
    /// Whether a write takes half of its bytes before the next one fails.
    let isShort: Bool

    /// A random one of those that a run without failures has.
    init?(of counts: FaultShim.Counts, _ random: inout SplitMix64) {
        let kinds = FaultShim.Operation.allCases.filter { counts.operations[Int($0.rawValue)] > 0 }
        guard let operation = kinds.randomElement(using: &random) else { return nil }
        self.operation = operation
        number = Int.random(in: 1...counts.operations[Int(operation.rawValue)], using: &random)
        lasts = Int.random(in: 0..<3, using: &random) == 0
        isShort = Bool.random(using: &random)
    }
}
