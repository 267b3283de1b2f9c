// SPDX-License-Identifier: Apache-2.0

/// The options of `soql org start`.
struct OrgOptions {
    /// `nil`: any free port.
    var port: Int?
    /// The database file; `nil` keeps the org in memory.
    var dataFile: String?
    /// The file that describes further objects and fields.
    var schemaFile: String?
    /// The files with further records.
    var treeFiles: [String] = []
    /// The time zone of the org; `nil` keeps the one of its file.
    var timeZone: String?
    /// How many accounts to generate in addition to the sample data.
    var records = 0

    init(_ words: [String]) throws(UsageError) {
        var reader = WordReader(words)
        guard case .word("start")? = try reader.next() else { throw UsageError("use 'soql org start'") }
        while let item = try reader.next() {
            switch item {
            case .option("--port"): port = try reader.number(of: "--port", in: 1...65_535)
            case .option("--data"): dataFile = try reader.value(of: "--data")
            case .option("--schema"): schemaFile = try reader.value(of: "--schema")
            case .option("--seed"): treeFiles.append(try reader.value(of: "--seed"))
            case .option("--time-zone"): timeZone = try reader.value(of: "--time-zone")
            case .option("--records"): records = try reader.number(of: "--records", in: 0...10_000_000)
            case .option(let option): throw UsageError("unknown option \(option)")
            case .word(let word): throw UsageError("unexpected argument '\(word)'")
            }
        }
    }
}
