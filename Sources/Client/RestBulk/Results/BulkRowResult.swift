// SPDX-License-Identifier: Apache-2.0

import RestBase

/// The result of one row of a load.
public struct BulkRowResult: Sendable {
    /// The outcome of a row.
    public enum Outcome: Sendable, Hashable {
        /// A record was created.
        case created(id: String)
        /// A record was updated or deleted.
        case changed(id: String)
        /// The org rejected the row.
        case failed(Fault)
        /// The org did not process the row, which can be sent again safely.
        case unprocessed
        /// The org does not report the outcome, so check the record before you send the row again.
        case unknown
    }

    /// The reason why the org rejected a row.
    public struct Fault: Sendable, Hashable, CustomStringConvertible {
        /// Salesforce's error code, such as `REQUIRED_FIELD_MISSING`.
        public let code: String
        /// The error message.
        public let message: String
        /// The names of the fields with errors.
        public let fields: [String]
        /// The ID of the record, if the org could identify it.
        public let id: String?

        /// The code and the message.
        public var description: String { message.isEmpty ? code : "\(code): \(message)" }
    }

    /// The row's number in the load, starting at 1, without a header.
    ///
    /// It is `nil` if the contents of the row in the result match no row of the load.
    public let number: Int?
    /// Whether other rows of the job have the same contents.
    ///
    /// If so, it is unknown which of the equal rows has this result.
    public let isOneOfEqual: Bool
    /// The ID of the row's job.
    public let jobID: String?
    /// The outcome of the row.
    public let outcome: Outcome
    /// The row with the columns that the org returned, or as in the load if the outcome is ``Outcome/unknown``.
    public let row: CSVRow

    /// The reason if the org rejected the row.
    public var error: Fault? { if case .failed(let fault) = outcome { fault } else { nil } }

    /// The ID of the row's record, if known.
    public var id: String? {
        switch outcome {
        case .created(let id), .changed(let id): id
        case .failed(let fault): fault.id
        case .unprocessed, .unknown: nil
        }
    }
}

extension BulkRowResult.Fault {
    /// Parses `CODE:message:fields --`, where the fields and the space before the dashes may be missing.
    init(_ text: String, id: String?) {
        // Splits bytes, because a colon before a combining mark is still a colon.
        let parts = text.utf8.split(separator: Self.colon, maxSplits: 1, omittingEmptySubsequences: false)
        code = String(parts.first ?? text.utf8[...]) ?? ""
        self.id = id.flatMap { $0.isEmpty ? nil : $0 }
        var (rest, names) = (parts.count == 2 ? parts[1] : "".utf8[...], "".utf8[...])
        if rest.suffix(2).elementsEqual("--".utf8) {
            rest = rest.dropLast(2)
            if let end = rest.lastIndex(of: Self.colon) {
                (rest, names) = (rest[..<end], rest[rest.index(after: end)...])
            }
        }
        message = String(rest) ?? ""
        fields = (String(names) ?? "").split(anyOf: ", ").map(String.init)
    }

    private static let colon = UInt8(ascii: ":")
}

/// The three files with the results of a job's rows.
enum ResultFile {
    enum Kind: String, CaseIterable, Sendable {
        case successful
        case failed
        case unprocessed

        /// The last segment of the file's path.
        var resource: String {
            switch self {
            case .successful: "successfulResults"
            case .failed: "failedResults"
            case .unprocessed: "unprocessedrecords"
            }
        }

        func outcome(_ row: CSVRow) -> BulkRowResult.Outcome {
            let id = row["sf__Id"] ?? ""
            switch self {
            case .successful:
                return row["sf__Created"] == "true" ? .created(id: id) : .changed(id: id)
            case .failed: return .failed(BulkRowResult.Fault(row["sf__Error"] ?? "", id: id))
            case .unprocessed: return .unprocessed
            }
        }
    }
}
