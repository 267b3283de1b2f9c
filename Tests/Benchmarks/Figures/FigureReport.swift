// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestJSON

/// The metrics of one invocation, with the information that a comparison needs.
///
/// The file format is described in docs/performance.md.
struct FigureReport: Codable, Equatable {
    /// The version of the file format.
    static let presentFormat = 1

    private(set) var format = presentFormat
    /// The end time of the runs (RFC 3339).
    let date: String
    let machine: Machine
    /// The measured commit, with `-dirty` for changed files, or `nil` outside a repository.
    let commit: String?
    /// The number of complete runs, of which each metric is the median.
    let runs: Int
    let figures: [FigureRecord]
    /// The areas that failed, whose metrics may be missing.
    let failedAreas: [String]

    /// Creates a report of complete runs.
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

    /// The reason why a file is not a report.
    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

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

    func write(to file: String) throws {
        let url = URL(fileURLWithPath: file)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(try json() + [UInt8(ascii: "\n")]).write(to: url, options: .atomic)
    }
}

struct Machine: Codable, Equatable {
    let processor: String
    let cores: Int
    let memoryBytes: Int
    let system: String

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
