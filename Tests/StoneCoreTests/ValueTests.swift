// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotesAPI
import Testing

/// Values of every type of the notes spec are for generated code what they are for Python's Stone.
///
/// `.ci/stone` does the same with all of Dropbox's spec.
@Suite struct ValueTests {
    @Test func valuesMeanTheSame() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "values-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let specs = try Specs.files(in: Specs.notes).map(\.path)
        _ = try StonePython.lines("make_values.py", [folder.path, "2000"] + specs)
        let cases = try String(contentsOf: folder.appending(path: "cases.jsonl"), encoding: .utf8)
            .split(separator: "\n")
        #expect(cases.count > 4_000)
        let answers = ValueAnswers(NotesAPITypes.all)
        let lines = try cases.map { try answers.line($0) }
        try lines.joined(separator: "\n").write(
            to: folder.appending(path: "answers.jsonl"), atomically: true, encoding: .utf8)
        let verdict = try StonePython.lines("check_values.py", [folder.path])
        #expect(verdict.last == "0 complaints")
    }
}
