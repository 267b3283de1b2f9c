// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
import RestTransport

/// One error as the server stated it: `{"errorCode": …, "message": …, "fields": […]}`.
public struct APIFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// A place in the text of a query, both counted from 1.
    public struct Position: Sendable, Hashable {
        /// The row.
        public let row: Int
        /// The column.
        public let column: Int

        /// Makes a position.
        public init(row: Int, column: Int) {
            self.row = row
            self.column = column
        }
    }

    /// The server's code, such as ``Code/malformedQuery``; an open set.
    public let errorCode: Code
    /// The server's message; empty where it sent a code alone.
    public let message: String
    /// The fields it is about.
    public let fields: [String]
    /// The part of a composite request or of a tree of records that it is about, by its `referenceId`.
    public let reference: String?

    /// Makes a fault.
    public init(errorCode: Code, message: String, fields: [String] = [], reference: String? = nil) {
        self.errorCode = errorCode
        self.message = message
        self.fields = fields
        self.reference = reference
    }

    /// Returns a copy of the fault that is about another part of its request.
    func about(_ reference: String?) -> APIFault {
        APIFault(errorCode: errorCode, message: message, fields: fields, reference: reference)
    }

    /// Where the query is wrong, read from `ERROR at Row:1:Column:8` in the message; `nil` when there is no such place
    /// in a text of a million rows and columns.
    public var position: Position? {
        guard let start = message.firstRange(bytes: "ERROR at Row:")?.upperBound else { return nil }
        let parts = message[start...].split(byte: ":", maxSplits: 2)
        guard parts.count == 3, parts[1] == "Column", let row = Int(outside: parts[0], in: .textPosition),
            let column = Int(outside: parts[2].prefix { $0.isASCII && $0.isNumber }, in: .textPosition)
        else { return nil }
        return Position(row: row, column: column)
    }

    /// The value as text, for people and logs.
    public var description: String {
        let about = reference.map { "\($0): " } ?? ""
        return message.isEmpty ? "\(about)\(errorCode)" : "\(about)\(errorCode): \(message)"
    }
}

extension APIFault {
    /// A code of the platform: an open set, so a code without a name here works as well.
    ///
    /// The meanings follow the platform's list of status codes; `errorCode` in errors of the REST API and `statusCode`
    /// in save results are the same set.
    public struct Code: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
        /// The code as the server writes it.
        public let rawValue: String

        /// Wraps a code.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Wraps a code.
        public init(stringLiteral value: String) {
            rawValue = value
        }

        /// The code as the server writes it.
        public var description: String { rawValue }
    }
}

// Queries and searches.
extension APIFault.Code {
    /// The query is not SOQL; ``APIFault/position`` is the place.
    public static let malformedQuery: Self = "MALFORMED_QUERY"
    /// The search is not SOSL.
    public static let malformedSearch: Self = "MALFORMED_SEARCH"
    /// There is no such field, or the user may not see it.
    public static let invalidField: Self = "INVALID_FIELD"
    /// There is no such object, or the user may not see it.
    public static let invalidType: Self = "INVALID_TYPE"
    /// The locator of a next page is unknown or no longer kept (two days).
    public static let invalidQueryLocator: Self = "INVALID_QUERY_LOCATOR"
    /// The query took too long (about two minutes).
    public static let queryTimeout: Self = "QUERY_TIMEOUT"
    /// The answer would have too many rows.
    public static let exceededIDLimit: Self = "EXCEEDED_ID_LIMIT"
    /// The operation touches too many records for this user.
    public static let operationTooLarge: Self = "OPERATION_TOO_LARGE"
}

// Records.
extension APIFault.Code {
    /// The id is not one of that object.
    public static let malformedID: Self = "MALFORMED_ID"
    /// There is no such resource or record.
    public static let notFound: Self = "NOT_FOUND"
    /// The record is deleted.
    public static let entityIsDeleted: Self = "ENTITY_IS_DELETED"
    /// The record is locked, for instance by an approval.
    public static let entityIsLocked: Self = "ENTITY_IS_LOCKED"
    /// A required field has no value; ``APIFault/fields`` names it.
    public static let requiredFieldMissing: Self = "REQUIRED_FIELD_MISSING"
    /// A validation rule of the org refused the record.
    public static let fieldCustomValidationException: Self = "FIELD_CUSTOM_VALIDATION_EXCEPTION"
    /// A value does not fit another one of the record.
    public static let fieldIntegrityException: Self = "FIELD_INTEGRITY_EXCEPTION"
    /// A text is longer than its field.
    public static let stringTooLong: Self = "STRING_TOO_LONG"
    /// A unique value exists already.
    public static let duplicateValue: Self = "DUPLICATE_VALUE"
    /// A duplicate rule refused the record.
    public static let duplicatesDetected: Self = "DUPLICATES_DETECTED"
    /// A reference leads to no record of the right kind.
    public static let invalidCrossReferenceKey: Self = "INVALID_CROSS_REFERENCE_KEY"
    /// The value is not in the picklist.
    public static let invalidOrNullForRestrictedPicklist: Self = "INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST"
    /// The record cannot be deleted, for instance because others refer to it.
    public static let deleteFailed: Self = "DELETE_FAILED"
    /// The org's storage is full.
    public static let storageLimitExceeded: Self = "STORAGE_LIMIT_EXCEEDED"
    /// Another transaction held the record for ten seconds.
    public static let unableToLockRow: Self = "UNABLE_TO_LOCK_ROW"
}

// Composites and collections.
extension APIFault.Code {
    /// Nothing was wrong with this record; another one of the request failed.
    public static let allOrNoneOperationRolledBack: Self = "ALL_OR_NONE_OPERATION_ROLLED_BACK"
    /// The part was rolled back because another one failed.
    public static let processingHalted: Self = "PROCESSING_HALTED"
    /// The part was not run because one before it failed.
    public static let batchProcessingHalted: Self = "BATCH_PROCESSING_HALTED"
}

// Requests.
extension APIFault.Code {
    /// The resource has no such method.
    public static let methodNotAllowed: Self = "METHOD_NOT_ALLOWED"
    /// The request contradicts the state of the resource.
    public static let conflict: Self = "CONFLICT"
    /// A span of time begins too far back, or is too short.
    public static let invalidReplicationDate: Self = "INVALID_REPLICATION_DATE"
}

// Sessions, permissions and limits.
extension APIFault.Code {
    /// The session ended, or may not use the REST API.
    public static let invalidSessionID: Self = "INVALID_SESSION_ID"
    /// The identity service does not know the token.
    public static let badOAuthToken: Self = "Bad_OAuth_Token"
    /// The user lacks a permission.
    public static let insufficientAccess: Self = "INSUFFICIENT_ACCESS"
    /// The user may not change the record.
    public static let insufficientAccessOrReadonly: Self = "INSUFFICIENT_ACCESS_OR_READONLY"
    /// The API is not enabled for the org or the user.
    public static let apiDisabledForOrg: Self = "API_DISABLED_FOR_ORG"
    /// The API is switched off for now.
    public static let apiCurrentlyDisabled: Self = "API_CURRENTLY_DISABLED"
    /// The daily calls are used up, or too many long calls run at once.
    public static let requestLimitExceeded: Self = "REQUEST_LIMIT_EXCEEDED"
    /// The server is overloaded or under maintenance.
    public static let serverUnavailable: Self = "SERVER_UNAVAILABLE"
    /// The server failed; the message holds an id for its operators.
    public static let unknownException: Self = "UNKNOWN_EXCEPTION"
    /// The server said what is wrong without a code; the SDK's own word for that.
    public static let unknown: Self = "UNKNOWN"
}

extension APIFault {
    /// Reads the faults in a JSON value, in the server's order; empty when there are none.
    ///
    /// It knows every shape in which the platform states them: an array of faults, a single fault, an OAuth error, a
    /// save result with its `errors`, and the answers of collections, trees, batches and composites, where each part
    /// has its own. Give it one element of such an answer to learn what became of that part.
    ///
    /// A text in a list of errors is a fault with the code ``Code/unknown``. At most ``mostFaults`` are read, and of
    /// each text at most 16 KiB, so that an answer cannot fill the memory with them.
    public static func faults(in value: JSONValue) -> [APIFault] {
        var faults: [APIFault] = []
        collect(value, reference: nil, levels: 10, into: &faults)
        return faults
    }

    /// How many faults are read out of one answer at most; no request has so many parts.
    public static let mostFaults = 10_000

    /// How many fields one fault names at most; an object has no more.
    private static let mostFields = 1_000

    /// The members below which faults stand, in the order in which they are looked into.
    private static let containers = [
        "errors", "results", "result", "compositeResponse", "body", "graphs", "graphResponse",
    ]

    private static func collect(
        _ value: JSONValue, reference: String?, levels: Int, isError: Bool = false, into faults: inout [APIFault]
    ) {
        guard levels > 0, faults.count < mostFaults else { return }
        if let array = value.array {
            for element in array where faults.count < mostFaults {
                collect(element, reference: reference, levels: levels - 1, isError: isError, into: &faults)
            }
        } else if let text = value.string {
            guard isError, !text.isEmpty else { return }
            faults.append(APIFault(errorCode: .unknown, message: text.bounded, reference: reference))
        } else {
            let reference = value["referenceId"]?.string?.bounded ?? reference
            if let fault = APIFault(reading: value, reference: reference) { return faults.append(fault) }
            for name in containers {
                guard let inner = value[name] else { continue }
                collect(inner, reference: reference, levels: levels - 1, isError: name == "errors", into: &faults)
            }
        }
    }

    private init?(reading value: JSONValue, reference: String?) {
        guard let code = (value["errorCode"] ?? value["statusCode"] ?? value["error"])?.string else { return nil }
        self.init(
            errorCode: Code(rawValue: code.bounded),
            message: (value["message"] ?? value["error_description"])?.string?.bounded ?? "",
            fields: value["fields"]?.array?.prefix(Self.mostFields).compactMap { $0.string?.bounded } ?? [],
            reference: reference)
    }
}

extension String {
    /// The text, or its beginning where a server sent more than anybody reads: 16 KiB, cut between two characters.
    var bounded: String {
        guard utf8.count > 16_384 else { return self }
        return String(unicodeScalars[..<utf8.index(startIndex, offsetBy: 16_384)])
    }
}

extension JSONValue {
    /// Whether the value, although it came with a status of success, says that the whole call failed: it consists of
    /// faults, or is the save result of a record that was not saved.
    ///
    /// A collection or composite of which parts failed is a success that holds faults.
    var isRefusal: Bool {
        if let array { return array.first?["errorCode"]?.string != nil }
        if self["success"]?.bool == false { return self["errors"]?.array?.isEmpty == false }
        if self["error"]?.string != nil { return self["error_description"]?.string != nil }
        guard self["errorCode"]?.string != nil, let object else { return false }
        return object.keys.allSatisfy(["errorCode", "message", "fields", "extendedErrorDetails"].contains)
    }
}
