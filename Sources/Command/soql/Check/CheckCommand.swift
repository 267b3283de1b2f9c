// SPDX-License-Identifier: Apache-2.0

import SOQLCheck

/// Checks files of queries.
struct CheckCommand: Command {
    let options: CheckOptions

    /// There are queries that an org would refuse.
    struct FoundErrors: Error, CustomStringConvertible {
        let files: [CheckedFile]

        private static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

        var description: String {
            let errors = files.reduce(0) { $0 + $1.count(.error) }
            let bad = files.count { $0.count(.error) > 0 }
            return "\(Self.count(errors, "error")) in \(bad) of \(Self.count(files.count, "file"))"
        }
    }

    func run() async throws {
        let schema = options.schemas.isEmpty ? nil : try DescribedObjects.read(options.schemas)
        var files: [CheckedFile] = []
        for name in options.files {
            try Task.checkCancellation()
            files.append(CheckedFile(name: name, text: try Self.text(of: name), schema: schema))
        }
        switch options.format {
        case .text: try StandardOutput.write(CheckText.report(files))
        case .json: try StandardOutput.write(CheckJSON.report(files))
        }
        if files.contains(where: { $0.count(.error) > 0 }) { throw FoundErrors(files: files) }
    }

    private static func text(of name: String) throws(UsageError) -> String {
        name == "-" ? try StandardInput.read(most: maximumSize) : try StandardInput.read(file: name, most: maximumSize)
    }

    /// The longest file of queries, in bytes.
    private static let maximumSize = 64 << 20
}
