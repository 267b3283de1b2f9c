// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTransport

/// A run of a program with a failure, followed by a run without one.
struct FaultTrial: Sendable {
    /// The number of the trial of its kind, with 0 for the trial without a failure.
    let number: Int
    /// The directory in which file operations fail.
    let folder: String
    /// A directory for all other files.
    let side: String
    let shim: FaultShim

    init(_ kind: String, _ number: Int, in root: String, _ shim: FaultShim) throws {
        (self.number, self.shim) = (number, shim)
        (folder, side) = ("\(root)/\(kind)-\(number)", "\(root)/\(kind)-\(number)-side")
        for place in [folder, side] {
            try FileManager.default.createDirectory(
                atPath: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
    }

    func close() { for place in [folder, side] { try? FileManager.default.removeItem(atPath: place) } }

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// Whether the trial replaces existing files of the user.
    var replaces: Bool { number % 2 == 1 }

    func write(_ bytes: [UInt8], _ name: String, mode: Int = 0o600) throws {
        let isMade = FileManager.default.createFile(
            atPath: path(name), contents: Data(bytes), attributes: [.posixPermissions: mode])
        if !isMade { throw CommandFailed(command: path(name), status: 1) }
    }

    func bytes(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: path(name)).map(Array.init) }

    /// The names of all files in the directory, including hidden ones.
    var names: [String] { Self.names(below: folder) }

    /// Returns the names of all files in a directory, sorted.
    static func names(below folder: String) -> [String] {
        let all = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return all.filter { name in
            let facts = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
            return facts?[.type] as? FileAttributeType == .typeRegular
        }.sorted()
    }

    var counts: FaultShim.Counts { get throws { try FaultShim.counts(in: "\(side)/counts") } }

    func forgetCounts() { try? FileManager.default.removeItem(atPath: "\(side)/counts") }

    func environment(_ point: FaultPoint?) -> [String: String] {
        shim.environment(folder: folder, log: "\(side)/counts", point)
    }

    /// Runs a program.
    ///
    /// - Returns: whether it reported success.
    func launch(
        _ program: String, _ arguments: [String], _ settings: [String: String] = [:], _ point: FaultPoint?
    ) async -> Bool {
        // A failed worker prints its error, but no backtraces of its threads.
        let more = ["FAULT_ERRORS": "\(side)/errors", "SWIFT_BACKTRACE": "enable=no"]
        let own = environment(point).merging(settings) { $1 }.merging(more) { $1 }
        // Only operations of the program itself fail, not those of the shell.
        let line = #"exec 2>>"$FAULT_ERRORS"; LD_PRELOAD="$FAULT_LIBRARY" exec "$0" "$@""#
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let words = ["-c", line, program] + arguments
                let isDone = (try? run("/bin/sh", words, environment: own)) != nil
                continuation.resume(returning: isDone)
            }
        }
    }
}

/// The damage after a run.
enum FaultDamage: Error, Sendable {
    /// The program reported success, but the result is wrong.
    case falseSuccess(String)
    /// The user's data is lost, or the work cannot be completed.
    case lost(String)
    /// There are unexpected bytes or files.
    case extra(String)
}

/// A kind of file, with the program that writes it and the expected result.
protocol FaultKind: Sendable {
    /// The name in the metric's note.
    var name: String { get }
    /// The number of points to test.
    var points: Int { get }
    /// Creates the user's existing files in the directory.
    func prepare(_ trial: FaultTrial) async throws
    /// Runs the program, and returns whether it reported success.
    func attempt(_ trial: FaultTrial, _ point: FaultPoint?) async throws -> Bool
    /// Verifies the files after a run.
    ///
    /// - Parameters:
    ///   - trial: the trial.
    ///   - isDone: whether the run reported success.
    ///   - isLast: whether this was the last run, after which no temporary files may remain.
    /// - Throws: ``FaultDamage``.
    func inspect(_ trial: FaultTrial, isDone: Bool, isLast: Bool) async throws
}

extension FaultTrial {
    /// Compares files after a run: all as expected after a success, each as before or as expected after a failure.
    func compare(
        _ expected: [String: [UInt8]], before: [String: [UInt8]], besides: Set<String> = [], isDone: Bool,
        isLast: Bool
    ) throws(FaultDamage) {
        for (name, wanted) in expected {
            let found = bytes(name)
            if found == wanted || (!isDone && found == before[name]) { continue }
            let what = "\(name) has \(found.map { "\($0.count)" } ?? "no") bytes of \(wanted.count)"
            guard isDone else { throw .lost(what) }
            throw found.map { $0.starts(with: wanted) } == true ? .extra(what) : .falseSuccess(what)
        }
        let left = Set(names).subtracting(expected.keys).subtracting(besides)
        if isLast, !left.isEmpty { throw .extra("there are \(left.sorted())") }
    }
}
