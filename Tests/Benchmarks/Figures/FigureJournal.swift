// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestJSON

/// The file into which the areas of a run note their figures, one JSON object on a line.
///
/// Each area has a process of its own, and a variable of its environment names the file.
struct FigureJournal {
    static let variable = "RESTSDK_FIGURES"

    let path: String

    /// The journal of the run that this process is a part of; `nil` when it is none.
    static let ofRun = ProcessInfo.processInfo.environment[variable].map(FigureJournal.init)

    /// Notes a figure; one that cannot be noted is told, and missing in the table.
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

    /// All figures so far, as they were made.
    func records() throws -> [FigureRecord] {
        try Array(Data(contentsOf: URL(fileURLWithPath: path))).split(separator: UInt8(ascii: "\n"))
            .map { try FigureRecord(json: Array($0)) }
    }
}
