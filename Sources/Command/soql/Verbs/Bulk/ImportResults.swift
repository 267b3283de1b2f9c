// SPDX-License-Identifier: Apache-2.0

import RestBulk
import RestTransport

/// The files that tell what became of the rows of an import; each appears when it is complete.
struct ImportResults {
    private enum Kind: String, CaseIterable {
        case successful, failed, unprocessed, unknown
    }

    private struct File {
        let writer: FileWriter
        var rows: CSVWriter
        let columns: [String]
        var count = 0
    }

    private let source: String
    private let isQuiet: Bool
    private var files: [Kind: File] = [:]

    /// Results of an import of this file.
    init(_ source: String, isQuiet: Bool) { (self.source, self.isQuiet) = (source, isQuiet) }

    /// The files of an import of a file.
    static func paths(of source: String) -> [String] { Kind.allCases.map { path($0, source) } }

    private static func path(_ kind: Kind, _ source: String) -> String { "\(source).\(kind.rawValue).csv" }

    private func path(_ kind: Kind) -> String { Self.path(kind, source) }

    /// Adds what became of a row.
    mutating func add(_ result: BulkRowResult) throws {
        let kind: Kind =
            switch result.outcome {
            case .created, .changed: .successful
            case .failed: .failed
            case .unprocessed: .unprocessed
            case .unknown: .unknown
            }
        var file = try files[kind] ?? open(kind, result.row.header?.names ?? [])
        // Files of several jobs may have their columns in another order.
        for name in file.columns {
            if let column = result.row.header?[name], column < result.row.count {
                file.rows.append(result.row[column])
            } else {
                file.rows.appendEmpty()
            }
        }
        try file.rows.endRow()
        file.count += 1
        if file.rows.count > 1 << 18 { try file.writer.write(file.rows.takeBytes()) }
        files[kind] = file
    }

    private func open(_ kind: Kind, _ columns: [String]) throws -> File {
        File(
            writer: try FileWriter(path: path(kind)), rows: try CSVWriter(.init(lineEnding: .lf), columns: columns),
            columns: columns)
    }

    /// Puts the files in their places, and takes away those of an earlier import that would be taken for ones of this.
    ///
    /// - Parameter rows: how many rows there were; each must be told of.
    /// - Throws: ``CommandFailure`` when the org did not tell of all.
    mutating func finish(rows: Int) throws {
        for kind in Kind.allCases {
            guard var file = files[kind] else {
                FileFacts.remove(path(kind))
                continue
            }
            try file.writer.write(file.rows.takeBytes())
            try file.writer.finish()
            guard !isQuiet else { continue }
            StandardOutput.note("\(records(file.count)) \(kind.rawValue): \(path(kind))")
        }
        let told = files.values.reduce(0) { $0 + $1.count }
        guard told >= rows else {
            throw CommandFailure("the org told of \(told) of \(records(rows))", status: .partial)
        }
    }

    /// - Throws: ``CommandFailure`` when not all rows were written.
    func judge() throws {
        let written = files[.successful]?.count ?? 0
        let all = files.values.reduce(0) { $0 + $1.count }
        guard written < all else { return }
        let isPartial = written > 0 || files[.unknown] != nil
        throw CommandFailure("\(written) of \(records(all)) written", status: isPartial ? .partial : .failure)
    }
}

extension BulkOperation {
    /// The platform's word for it, as the command line has it.
    var word: String {
        switch self {
        case .insert: "insert"
        case .update: "update"
        case .upsert: "upsert"
        case .delete: "delete"
        case .hardDelete: "hardDelete"
        }
    }
}
