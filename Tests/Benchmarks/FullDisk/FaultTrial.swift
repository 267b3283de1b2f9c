// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTransport

/// One run of a program with a failure, and one without after it.
struct FaultTrial: Sendable {
    /// Which trial of its kind; 0 is the one without a failure.
    let number: Int
    /// The folder whose files meet the failure.
    let folder: String
    /// A folder for everything else.
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

    /// Whether the trial replaces something that the user had before.
    var replaces: Bool { number % 2 == 1 }

    func write(_ bytes: [UInt8], _ name: String, mode: Int = 0o600) throws {
        let isMade = FileManager.default.createFile(
            atPath: path(name), contents: Data(bytes), attributes: [.posixPermissions: mode])
        if !isMade { throw CommandFailed(command: path(name), status: 1) }
    }

    func bytes(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: path(name)).map(Array.init) }

    /// The names of all files below the folder, hidden ones too.
    var names: [String] { Self.names(below: folder) }

    /// The names of all files below a folder, in order.
    static func names(below folder: String) -> [String] {
        let all = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return all.filter { name in
            let facts = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
            return facts?[.type] as? FileAttributeType == .typeRegular
        }.sorted()
    }

    var counts: FaultShim.Counts { get throws { try FaultShim.counts(in: "\(side)/counts") } }

    /// Counts from 0 again.
    func forgetCounts() { try? FileManager.default.removeItem(atPath: "\(side)/counts") }

    func environment(_ point: FaultPoint?) -> [String: String] {
        shim.environment(folder: folder, log: "\(side)/counts", point)
    }

    /// Runs a program to its end.
    ///
    /// - Returns: whether it said that it succeeded.
    func launch(
        _ program: String, _ arguments: [String], _ settings: [String: String] = [:], _ point: FaultPoint?
    ) async -> Bool {
        // A worker that ends with an error tells it, and not where each of its threads is.
        let more = ["FAULT_ERRORS": "\(side)/errors", "SWIFT_BACKTRACE": "enable=no"]
        let own = environment(point).merging(settings) { $1 }.merging(more) { $1 }
        // Only the program itself meets the failures, not the shell.
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

/// What is wrong after a run.
enum FaultDamage: Error, Sendable {
    /// The program reported success, and the result is not what it should be.
    case falseSuccess(String)
    /// What the user had is gone, or the work cannot be completed.
    case lost(String)
    /// There are bytes or files that should not be there.
    case extra(String)
}

/// A kind of file, how a program writes it, and what is right.
protocol FaultKind: Sendable {
    /// The name in the figure's note.
    var name: String { get }
    /// How many points are tried.
    var points: Int { get }
    /// Puts into the folder what the user has before.
    func prepare(_ trial: FaultTrial) async throws
    /// Runs the program; returns whether it said that it succeeded.
    func attempt(_ trial: FaultTrial, _ point: FaultPoint?) async throws -> Bool
    /// Looks at what there is after a run.
    ///
    /// - Parameters:
    ///   - trial: the trial.
    ///   - isDone: whether the run reported success.
    ///   - isLast: whether nothing comes after it, so that nothing may be left.
    /// - Throws: ``FaultDamage``.
    func inspect(_ trial: FaultTrial, isDone: Bool, isLast: Bool) async throws
}

extension FaultTrial {
    /// Compares files with what they should be after a run: all as expected after a success; each as before or as
    /// expected after a failure.
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
