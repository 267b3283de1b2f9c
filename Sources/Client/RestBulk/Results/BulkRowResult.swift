// SPDX-License-Identifier: Apache-2.0

import RestBase

/// What became of one row of a load.
public struct BulkRowResult: Sendable {
    /// What became of it.
    public enum Outcome: Sendable, Hashable {
        /// A record was created.
        case created(id: String)
        /// A record was changed or deleted.
        case changed(id: String)
        /// The org refused it.
        case failed(Fault)
        /// The org did not get to it: sending it again is safe.
        case unprocessed
        /// The org does not tell; look before sending it again.
        case unknown
    }

    /// Why the org refused a row.
    public struct Fault: Sendable, Hashable, CustomStringConvertible {
        /// The platform's code, such as `REQUIRED_FIELD_MISSING`.
        public let code: String
        /// What it says.
        public let message: String
        /// The fields it is about.
        public let fields: [String]
        /// The id of the record, where the org knows which it was.
        public let id: String?

        /// The code and the message.
        public var description: String { message.isEmpty ? code : "\(code): \(message)" }
    }

    /// The row's number among those that were given, from 1, a header not counted; `nil` for one that the org tells of
    /// and that was not given, as far as its contents say.
    public let number: Int?
    /// Whether other rows of the job have the same contents: which of them a result is about cannot be known then, only
    /// of how many.
    public let isOneOfEqual: Bool
    /// The job that had it.
    public let jobID: String?
    /// What became of it.
    public let outcome: Outcome
    /// The row as the org gave it back, with the columns that it knows; for ``Outcome/unknown`` as it was given.
    public let row: CSVRow

    /// Why the org refused it, if it did.
    public var error: Fault? { if case .failed(let fault) = outcome { fault } else { nil } }

    /// The id of its record, if there is one.
    public var id: String? {
        switch outcome {
        case .created(let id), .changed(let id): id
        case .failed(let fault): fault.id
        case .unprocessed, .unknown: nil
        }
    }
}

extension BulkRowResult.Fault {
    /// Reads `CODE:message:fields --`, where fields and the space before the dashes may be missing.
    init(_ text: String, id: String?) {
        // By bytes: a colon is a colon, also before a combining mark.
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

/// One of the three files in which the org tells what became of the rows of a job.
enum ResultFile {
    enum Kind: String, CaseIterable, Sendable {
        case successful
        case failed
        case unprocessed

        /// The last segment of its path.
        var resource: String {
            switch self {
            case .successful: "successfulResults"
            case .failed: "failedResults"
            case .unprocessed: "unprocessedrecords"
            }
        }

        /// What a row of it says.
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
