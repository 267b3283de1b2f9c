// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// A job of the org, as the org tells of it.
public struct BulkJob: Sendable, Hashable {
    /// Which way a job moves records.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// Out of the org.
        case query
        /// Into the org.
        case ingest
    }

    /// How far a job is: an open set.
    public struct State: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The platform's word for it.
        public let rawValue: String

        /// Wraps a word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The platform's word for it.
        public var description: String { rawValue }

        /// It waits for its records; nothing is done before all of them are there.
        public static let open = State(rawValue: "Open")
        /// It waits for its turn.
        public static let uploadComplete = State(rawValue: "UploadComplete")
        /// It is worked on.
        public static let inProgress = State(rawValue: "InProgress")
        /// All of it was worked on; single records may have failed.
        public static let jobComplete = State(rawValue: "JobComplete")
        /// It ended early; records may have been written.
        public static let failed = State(rawValue: "Failed")
        /// Somebody ended it; records may have been written.
        public static let aborted = State(rawValue: "Aborted")

        /// Whether nothing changes any more.
        public var isFinal: Bool { [.jobComplete, .failed, .aborted].contains(self) }
    }

    /// The job's id.
    public let id: String
    /// Which way it moves records.
    public let kind: Kind
    /// What it does, such as `query` or `insert`.
    public let operation: String
    /// The object's name.
    public let object: String
    /// How far it is.
    public let state: State
    /// When it was made, as the platform writes it.
    public let created: String
    /// The id of the user who made it.
    public let createdBy: String
    /// The version of the API that it was made in.
    public let version: APIVersion?
    /// How its texts are put together.
    public let dialect: CSVDialect
    /// How many records it has worked on.
    public let recordsProcessed: Int
    /// How many of them failed.
    public let recordsFailed: Int
    /// Why it failed, if the platform says.
    public let errorMessage: String?
}

extension BulkJob {
    /// Reads an answer.
    init(_ answer: JSONValue, _ kind: Kind) throws(BulkError) {
        guard let id = answer["id"]?.string, id.isRecordID, let state = answer["state"]?.string else {
            throw BulkError(.answer, "the server described a job without id or state")
        }
        func count(_ name: String) throws(BulkError) -> Int {
            guard let value = answer[name], !value.isNull else { return 0 }
            guard let count = value.int.flatMap({ Int(outside: $0, in: .count) }) else {
                throw BulkError(.answer, "the server says a number as \(name) that no job has", job: id)
            }
            return count
        }
        (self.id, self.kind, self.state) = (id, kind, State(rawValue: state))
        operation = answer["operation"]?.string ?? ""
        object = answer["object"]?.string ?? ""
        created = answer["createdDate"]?.string ?? ""
        createdBy = answer["createdById"]?.string ?? ""
        version = answer["apiVersion"].flatMap { $0.string ?? $0.numberText }.flatMap { APIVersion($0) }
        let ending = answer["lineEnding"]?.string.flatMap { CSVDialect.LineEnding(rawValue: $0) }
        let delimiter = CSVDialect.Delimiter.platformNames[answer["columnDelimiter"]?.string ?? "COMMA"]
        guard let delimiter else { throw BulkError(.answer, "the job has a delimiter that is not known", job: id) }
        dialect = .platform(delimiter: delimiter, lineEnding: ending ?? .lf)
        recordsProcessed = try count("numberRecordsProcessed")
        recordsFailed = try count("numberRecordsFailed")
        errorMessage = answer["errorMessage"]?.string
    }

    /// Why a job that ended is of no more use; `nil` for one that was worked on as a whole.
    var failure: BulkError? {
        switch state {
        case .failed:
            BulkError(.jobFailed, errorMessage ?? "the org ended the job and does not say why", job: id)
        case .aborted: BulkError(.jobAborted, "somebody ended the job", job: id)
        default: nil
        }
    }
}

extension CSVDialect.Delimiter {
    /// The name that jobs use; `nil` for one that the platform does not know.
    var platformName: String? { Self.platformNames.first { $0.value == self }?.key }
}
