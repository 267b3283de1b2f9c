// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestBase
import RestTransport

/// A library that makes one file operation of a process fail.
///
/// It counts the operations on files in a directory, including those of SQLite and libcurl, and fails those of a
/// ``FaultPoint``.
struct FaultShim: Sendable {
    /// The counted operations, in the order of the counters.
    enum Operation: Int32, CaseIterable {
        case write, sync, name, cut, close
    }

    /// The results of a process's operations.
    struct Counts {
        let operations: [Int]
        let failures: Int
    }

    private let library: String

    /// Compiles the library, or returns `nil` if there is no compiler.
    init?(folder: String) throws {
        let source = folder + "/faults.c"
        library = folder + "/faults.so"
        try Self.source.write(toFile: source, atomically: false, encoding: .utf8)
        let arguments = ["-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"]
        guard ["clang", "cc", "gcc"].contains(where: { (try? run("/usr/bin/env", [$0] + arguments)) != nil }) else {
            return nil
        }
    }

    /// Returns the environment variables that load the library.
    ///
    /// - Parameters:
    ///   - folder: the watched directory, without symbolic links in its path.
    ///   - log: the file for the counts, in another directory.
    ///   - point: the operation that fails, or `nil` to count only.
    /// - Returns: the variables, for a shell that sets `LD_PRELOAD` to `FAULT_LIBRARY`.
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

struct FaultPoint: Sendable {
    let operation: FaultShim.Operation
    /// The number of the operation among those of its kind, from 1.
    let number: Int
    /// Whether all later operations of the kind also fail, as on a disk that stays full.
    let lasts: Bool
    /// Whether a write stores half of its bytes before the next write fails.
    let isShort: Bool

    /// Chooses a random operation of a run without failures.
    init?(of counts: FaultShim.Counts, _ random: inout SplitMix64) {
        let kinds = FaultShim.Operation.allCases.filter { counts.operations[Int($0.rawValue)] > 0 }
        guard let operation = kinds.randomElement(using: &random) else { return nil }
        self.operation = operation
        number = Int.random(in: 1...counts.operations[Int(operation.rawValue)], using: &random)
        lasts = Int.random(in: 0..<3, using: &random) == 0
        isShort = Bool.random(using: &random)
    }
}
