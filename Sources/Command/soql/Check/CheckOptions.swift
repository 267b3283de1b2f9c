// SPDX-License-Identifier: Apache-2.0

extension Verb {
    static let check = Verb(
        "check", operands: ["FILE…"], "checks files of queries, without an org",
        notes: [
            """
            Each file may have several statements, which end with ';'; - is standard input. Without --schema the grammar \
            is checked. With the schema of 'soql schema pull', or with describes as an org gives them, objects, fields, \
            relationships and the types of literals are checked too. A variable such as :name fits everywhere.
            """,
            "Exit codes: 0 no errors (there may be warnings), 1 errors, 2 usage.",
        ],
        [.checkSchema, .checkFormat]
    ) { CheckCommand(options: try CheckOptions($0)) }
}

extension Option {
    static let checkSchema = Option("--schema", .input, "the objects that queries are about; may be repeated")
    static let checkFormat = Option(
        "--format", .choice("FORMAT", CheckOptions.Format.allCases.map(\.rawValue)),
        "text or json; text by default")
}

/// The options of `soql check`.
struct CheckOptions {
    /// How findings are printed.
    enum Format: String, CaseIterable {
        case text, json
    }

    let files: [String]
    let schemas: [String]
    let format: Format

    init(_ arguments: Arguments) throws(UsageError) {
        files = arguments.words
        schemas = arguments.all(.checkSchema)
        format = arguments[.checkFormat].flatMap { Format(rawValue: $0) } ?? .text
        guard !files.isEmpty else { throw UsageError("give the files to check; - is standard input") }
    }
}
