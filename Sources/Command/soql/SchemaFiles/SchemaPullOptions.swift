// SPDX-License-Identifier: Apache-2.0

extension Verb {
    static let schemaPull = Verb(
        "schema pull", operands: ["[OBJECT…]"], "saves what an org tells of its objects, for 'soql check'",
        notes: [
            """
            Without names all objects that queries can read are saved. The same org gives the same bytes: names are \
            sorted, and what is usual is left out. --output takes a file, or a folder that is there, in which each \
            object gets a file of its own. All is written, or nothing.
            """
        ],
        [.schemaOutput] + Option.connection
    ) { SchemaPullCommand(options: try SchemaPullOptions($0)) }
}

extension Option {
    static let schemaOutput = Option(
        "--output", short: "-o", .output, "the file or the folder to write; standard output by default")
}

/// The options of `soql schema pull`.
struct SchemaPullOptions {
    /// No names: all that queries can read.
    let objects: [String]
    /// `nil`: standard output.
    let output: String?
    let connection: ConnectionOptions

    init(_ arguments: Arguments) throws(UsageError) {
        objects = arguments.words
        output = arguments[.schemaOutput].flatMap { $0 == "-" ? nil : $0 }
        connection = try ConnectionOptions(arguments)
    }
}
