// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation

/// The process of one area, with its own home and temporary directories.
///
/// User settings do not affect a metric: the locale, terminal, pager and directories are always the same.
struct AreaProcess {
    /// The variables that select the subject of an area.
    private static let chosen = [
        "SOQL_PROGRAM", "JSFORCE", "DROPBOX_API_SPEC", "SYNC_SCHEDULES", "SYNC_FIRST", "SYNC_SEED",
    ]
    /// The maximum time of an area, in seconds.
    static let limit: UInt32 = 3_600

    let area: String
    let journal: FigureJournal

    /// Runs the area.
    ///
    /// - Throws: ``CommandFailed`` if the process failed or timed out, and ``FilesLeft`` if it left files.
    func perform() throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        for folder in ["/home", "/tmp"] {
            try FileManager.default.createDirectory(atPath: root + folder, withIntermediateDirectories: true)
        }
        let form = Extent.isShort ? [Extent.argument] : []
        let settings = [
            "HOME": root + "/home", "TMPDIR": root + "/tmp", "PAGER": "", "NO_COLOR": "1",
            FigureJournal.variable: journal.path,
        ]
        let inherited = ProcessInfo.processInfo.environment.filter { Self.chosen.contains($0.key) }
        try run(
            CommandLine.arguments[0], [area] + form, inheriting: inherited,
            environment: Process.toolEnvironment(adding: settings), output: nil)
        let left = try FileManager.default.contentsOfDirectory(atPath: root + "/tmp")
        guard left.isEmpty else { throw FilesLeft(names: left) }
    }

    struct FilesLeft: Error {
        let names: [String]
    }
}
