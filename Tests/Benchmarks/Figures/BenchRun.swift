// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Complete runs of some areas, each in its own process, so that no area pays for another area's memory.
struct BenchRun {
    let areas: [String]
    let runs: Int

    /// Performs the runs, one after another, continuing after areas that fail.
    func perform() throws -> FigureReport {
        var (records, failed): ([[FigureRecord]], [String]) = ([], [])
        for run in 1...runs {
            if runs > 1 { printNow("bench: run \(run) of \(runs)") }
            let journal = try FigureJournal(path: temporaryFile())
            defer { try? FileManager.default.removeItem(atPath: journal.path) }
            for area in areas where !isWhole(area, journal) && !failed.contains(area) { failed.append(area) }
            records.append(try journal.records())
        }
        return FigureReport(
            date: Date.now.formatted(.iso8601), machine: .present, commit: Self.commit, runs: records,
            failedAreas: failed)
    }

    private func isWhole(_ area: String, _ journal: FigureJournal) -> Bool {
        do {
            try AreaProcess(area: area, journal: journal).perform()
            return true
        } catch {
            printNow("bench: the area \(area) ended with an error: \(error)")
            return false
        }
    }

    private func temporaryFile() throws -> String {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("figures-\(UUID().uuidString)")
        try Data().write(to: file)
        return file.path
    }

    /// The commit of the working directory's repository, if there is one.
    private static var commit: String? {
        let command = "git describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null"
        let text = try? output("/bin/sh", ["-c", command], environment: [:])
        return text.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
    }
}

/// Prints a line before the output of the next process, and before a signal ends this one.
func printNow(_ line: String) {
    print(line)
    fflush(nil)
}
