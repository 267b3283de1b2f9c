// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestJSON

/// The figures of one call of the bench, with what one must know to compare them; docs/performance.md describes the
/// file.
struct FigureReport: Codable, Equatable {
    /// The version of the file's shape.
    static let presentFormat = 1

    private(set) var format = presentFormat
    /// When the runs ended, by RFC 3339.
    let date: String
    let machine: Machine
    /// The commit that was measured, with `-dirty` when files were changed; `nil` outside of a working copy.
    let commit: String?
    /// How many whole runs there were: each figure is the median of so many.
    let runs: Int
    /// In the order in which they were made.
    let figures: [FigureRecord]
    /// The areas that ended with an error, so that figures are missing.
    let failedAreas: [String]

    /// Makes a report of whole runs.
    init(date: String, machine: Machine, commit: String?, runs: [[FigureRecord]], failedAreas: [String]) {
        (self.date, self.machine, self.commit, self.failedAreas) = (date, machine, commit, failedAreas)
        self.runs = runs.count
        let all = runs.joined()
        let byName = Dictionary(grouping: all, by: \.name)
        var seen = Set<String>()
        figures = all.compactMap { record in
            seen.insert(record.name).inserted ? FigureRecord(medianOf: byName[record.name] ?? []) : nil
        }
    }

    /// Why a file is not a report.
    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

    /// Reads a report from a file.
    init(file: String) throws {
        let bytes: [UInt8]
        do {
            bytes = Array(try Data(contentsOf: URL(fileURLWithPath: file)))
        } catch {
            throw Unreadable(description: "\(file) cannot be read")
        }
        guard let root = try? JSONValue(parsing: bytes), let format = root["format"]?.int else {
            throw Unreadable(description: "\(file) is no report of figures")
        }
        guard format == Self.presentFormat else {
            throw Unreadable(description: "\(file) has format \(format); this program reads \(Self.presentFormat)")
        }
        self = try FigureReport(json: bytes)
    }

    /// Writes the report into a file.
    func write(to file: String) throws {
        let url = URL(fileURLWithPath: file)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(try json() + [UInt8(ascii: "\n")]).write(to: url, options: .atomic)
    }
}

/// The machine that figures were measured on.
struct Machine: Codable, Equatable {
    let processor: String
    let cores: Int
    let memoryBytes: Int
    let system: String

    /// The machine that this process runs on.
    static var present: Machine {
        let process = ProcessInfo.processInfo
        let cpu = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
        let model = cpu?.split(separator: "\n").first { $0.hasPrefix("model name") }?.split(separator: ":").last
        return Machine(
            processor: model?.trimmingCharacters(in: .whitespaces) ?? "unknown", cores: process.activeProcessorCount,
            memoryBytes: Int(clamping: process.physicalMemory), system: process.operatingSystemVersionString)
    }
}

extension Machine: CustomStringConvertible {
    var description: String { "\(processor), \(cores) cores, \(memoryBytes >> 20) MiB, \(system)" }
}
