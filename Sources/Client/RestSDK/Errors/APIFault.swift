// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
import RestTransport

/// An error as reported by the server: `{"errorCode": …, "message": …, "fields": […]}`.
public struct APIFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// A position in the text of a query, with row and column counted from 1.
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

    /// The server's code, such as ``Code/malformedQuery`` (an open set).
    public let errorCode: Code
    /// The server's message, which is empty if the server sent only a code.
    public let message: String
    /// The names of the fields that the error concerns.
    public let fields: [String]
    /// The `referenceId` of the composite subrequest or tree record that failed.
    public let reference: String?

    /// Makes a server error.
    public init(errorCode: Code, message: String, fields: [String] = [], reference: String? = nil) {
        self.errorCode = errorCode
        self.message = message
        self.fields = fields
        self.reference = reference
    }

    func about(_ reference: String?) -> APIFault {
        APIFault(errorCode: errorCode, message: message, fields: fields, reference: reference)
    }

    /// The position of the error in the query, parsed from `ERROR at Row:1:Column:8` in the message.
    ///
    /// `nil` if the message has no position, or if row or column is more than a million.
    public var position: Position? {
        guard let start = message.firstRange(bytes: "ERROR at Row:")?.upperBound else { return nil }
        let parts = message[start...].split(byte: ":", maxSplits: 2)
        guard parts.count == 3, parts[1] == "Column", let row = Int(outside: parts[0], in: .textPosition),
            let column = Int(outside: parts[2].prefix { $0.isASCII && $0.isNumber }, in: .textPosition)
        else { return nil }
        return Position(row: row, column: column)
    }

    /// The error as a string, for people and logs.
    public var description: String {
        let about = reference.map { "\($0): " } ?? ""
        return message.isEmpty ? "\(about)\(errorCode)" : "\(about)\(errorCode): \(message)"
    }
}

extension APIFault {
    /// An error code of Salesforce, as an open set: codes without a constant here work as well.
    ///
    /// The meanings follow Salesforce's list of status codes. `errorCode` in REST API errors and `statusCode` in save
    /// results share one set.
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
    /// The query is not valid SOQL at ``APIFault/position``.
    public static let malformedQuery: Self = "MALFORMED_QUERY"
    /// The search is not valid SOSL.
    public static let malformedSearch: Self = "MALFORMED_SEARCH"
    /// The field does not exist, or is not visible to the user.
    public static let invalidField: Self = "INVALID_FIELD"
    /// The object does not exist, or is not visible to the user.
    public static let invalidType: Self = "INVALID_TYPE"
    /// The locator of the next page is unknown, or has expired after two days.
    public static let invalidQueryLocator: Self = "INVALID_QUERY_LOCATOR"
    /// The query took too long (about two minutes).
    public static let queryTimeout: Self = "QUERY_TIMEOUT"
    /// The response would have too many rows.
    public static let exceededIDLimit: Self = "EXCEEDED_ID_LIMIT"
    /// The operation touches too many records for this user.
    public static let operationTooLarge: Self = "OPERATION_TOO_LARGE"
}

// Records.
extension APIFault.Code {
    /// The id does not belong to this object.
    public static let malformedID: Self = "MALFORMED_ID"
    /// The resource or record does not exist.
    public static let notFound: Self = "NOT_FOUND"
    /// The record is deleted.
    public static let entityIsDeleted: Self = "ENTITY_IS_DELETED"
    /// The record is locked, for instance by an approval.
    public static let entityIsLocked: Self = "ENTITY_IS_LOCKED"
    /// A required field, named in ``APIFault/fields``, has no value.
    public static let requiredFieldMissing: Self = "REQUIRED_FIELD_MISSING"
    /// A validation rule of the org rejected the record.
    public static let fieldCustomValidationException: Self = "FIELD_CUSTOM_VALIDATION_EXCEPTION"
    /// A value is inconsistent with another value of the record.
    public static let fieldIntegrityException: Self = "FIELD_INTEGRITY_EXCEPTION"
    /// A string is longer than its field.
    public static let stringTooLong: Self = "STRING_TOO_LONG"
    /// A unique value already exists.
    public static let duplicateValue: Self = "DUPLICATE_VALUE"
    /// A duplicate rule rejected the record.
    public static let duplicatesDetected: Self = "DUPLICATES_DETECTED"
    /// A reference does not lead to a record of the right type.
    public static let invalidCrossReferenceKey: Self = "INVALID_CROSS_REFERENCE_KEY"
    /// The value is not in the picklist.
    public static let invalidOrNullForRestrictedPicklist: Self = "INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST"
    /// The record cannot be deleted, for example because other records refer to it.
    public static let deleteFailed: Self = "DELETE_FAILED"
    /// The org's storage is full.
    public static let storageLimitExceeded: Self = "STORAGE_LIMIT_EXCEEDED"
    /// Another transaction held the record for ten seconds.
    public static let unableToLockRow: Self = "UNABLE_TO_LOCK_ROW"
}

// Composites and collections.
extension APIFault.Code {
    /// The record itself is valid, but another record of the request failed.
    public static let allOrNoneOperationRolledBack: Self = "ALL_OR_NONE_OPERATION_ROLLED_BACK"
    /// The part was rolled back because another part failed.
    public static let processingHalted: Self = "PROCESSING_HALTED"
    /// The part was not run because an earlier part failed.
    public static let batchProcessingHalted: Self = "BATCH_PROCESSING_HALTED"
}

// Requests.
extension APIFault.Code {
    /// The resource does not support the method.
    public static let methodNotAllowed: Self = "METHOD_NOT_ALLOWED"
    /// The request conflicts with the state of the resource.
    public static let conflict: Self = "CONFLICT"
    /// A time span begins too long ago, or is too short.
    public static let invalidReplicationDate: Self = "INVALID_REPLICATION_DATE"
}

// Sessions, permissions and limits.
extension APIFault.Code {
    /// The session has expired, or is not allowed to use the REST API.
    public static let invalidSessionID: Self = "INVALID_SESSION_ID"
    /// The identity service does not recognize the token.
    public static let badOAuthToken: Self = "Bad_OAuth_Token"
    /// The user lacks a permission.
    public static let insufficientAccess: Self = "INSUFFICIENT_ACCESS"
    /// The user is not allowed to change the record.
    public static let insufficientAccessOrReadonly: Self = "INSUFFICIENT_ACCESS_OR_READONLY"
    /// The API is not enabled for the org or the user.
    public static let apiDisabledForOrg: Self = "API_DISABLED_FOR_ORG"
    /// The API is temporarily disabled.
    public static let apiCurrentlyDisabled: Self = "API_CURRENTLY_DISABLED"
    /// The daily API calls are used up, or too many long requests are running.
    public static let requestLimitExceeded: Self = "REQUEST_LIMIT_EXCEEDED"
    /// The server is overloaded or under maintenance.
    public static let serverUnavailable: Self = "SERVER_UNAVAILABLE"
    /// An internal server error, with an id for Salesforce support in the message.
    public static let unknownException: Self = "UNKNOWN_EXCEPTION"
    /// The SDK's code for an error without a code.
    public static let unknown: Self = "UNKNOWN"
}

extension APIFault {
    /// Reads the errors in a JSON value, in the server's order.
    ///
    /// It reads each form that Salesforce uses: an array of errors, a single error, an OAuth error, a save result with
    /// its `errors`, and the responses of collections, trees, batches and composites, in which each part has its own
    /// errors. To get the errors of one part, pass the element for that part.
    ///
    /// A string in a list of errors becomes an error with the code ``Code/unknown``. At most ``mostFaults`` errors are
    /// read, and at most 16 KiB of each string, so that a response cannot exhaust the memory.
    ///
    /// - Parameter value: a response body, or a part of one.
    /// - Returns: the errors, or an empty array.
    public static func faults(in value: JSONValue) -> [APIFault] {
        var faults: [APIFault] = []
        collect(value, reference: nil, levels: 10, into: &faults)
        return faults
    }

    /// The maximum number of errors read from one response, which exceeds the number of parts that a request can have.
    public static let mostFaults = 10_000

    /// The maximum number of fields read from one error, which exceeds the number of fields of any object.
    private static let mostFields = 1_000

    /// The members that can contain errors, in the order in which they are searched.
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
    /// The string, or its first 16 KiB, cut between two Unicode scalars.
    var bounded: String {
        guard utf8.count > 16_384 else { return self }
        return String(unicodeScalars[..<utf8.index(startIndex, offsetBy: 16_384)])
    }
}

extension JSONValue {
    /// Whether the body of a 2xx response reports that the whole call failed.
    ///
    /// Such a body consists of errors, or is the save result of a record that was not saved. The response of a
    /// collection or composite with failed parts is a success that contains errors.
    var isRejection: Bool {
        if let array { return array.first?["errorCode"]?.string != nil }
        if self["success"]?.bool == false { return self["errors"]?.array?.isEmpty == false }
        if self["error"]?.string != nil { return self["error_description"]?.string != nil }
        guard self["errorCode"]?.string != nil, let object else { return false }
        return object.keys.allSatisfy(["errorCode", "message", "fields", "extendedErrorDetails"].contains)
    }
}
