// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestJSON

/// The file to which the areas of a run append their metrics, one JSON object per line.
///
/// Each area has its own process, and an environment variable contains the file's path.
struct FigureJournal {
    static let variable = "RESTSDK_FIGURES"

    let path: String

    /// The journal of this process's run, if it has one.
    static let ofRun = ProcessInfo.processInfo.environment[variable].map(FigureJournal.init)

    /// Appends a metric, or prints an error if that fails.
    func append(_ record: FigureRecord) {
        do {
            let line = try record.json() + [UInt8(ascii: "\n")]
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            defer { try? file.close() }
            try file.seekToEnd()
            try file.write(contentsOf: Data(line))
        } catch {
            print("bench: \(record.name) is not in the table: \(error)")
        }
    }

    /// All metrics so far, in order.
    func records() throws -> [FigureRecord] {
        try Array(Data(contentsOf: URL(fileURLWithPath: path))).split(separator: UInt8(ascii: "\n"))
            .map { try FigureRecord(json: Array($0)) }
    }
}
