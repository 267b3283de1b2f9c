// SPDX-License-Identifier: Apache-2.0

/// The error thrown when a JSON value cannot be decoded as a `Decodable` type.
public struct JSONDecodingError: Error, Sendable {
    /// The kind of error.
    ///
    /// New kinds may be added, so switch with a default.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// A fixed label, suitable for metrics.
        public let description: String

        /// The value has a different kind than the type needs.
        public static let typeMismatch = Reason(description: "type-mismatch")
        /// The value is `null` or the array has no more elements, but the type needs a value.
        public static let valueNotFound = Reason(description: "value-not-found")
        /// A member that the type needs is missing.
        public static let keyNotFound = Reason(description: "key-not-found")
        /// The value has the right kind, but the type cannot represent it, such as a number out of range.
        public static let dataCorrupted = Reason(description: "data-corrupted")
        /// The type threw an error of another kind, which is in `underlying`.
        public static let custom = Reason(description: "custom")
        /// The task was cancelled during decoding.
        public static let interrupted = Reason(description: "interrupted")
    }

    /// The kind of error.
    public let reason: Reason
    /// The path from the decoded value to the error, as names and array indices of the text.
    public let codingPath: [any CodingKey]
    /// A description of the error without content of the text.
    public let message: String
    /// The error that caused this error, if any.
    public let underlying: (any Error)?

    /// Creates an error from its parts.
    public init(reason: Reason, codingPath: [any CodingKey], message: String, underlying: (any Error)? = nil) {
        self.reason = reason
        self.codingPath = codingPath
        self.message = message
        self.underlying = underlying
    }

    /// Wraps an error thrown by `init(from:)`, and stores it in `underlying` unless it is a `DecodingError`.
    init(_ error: any Error) {
        if let error = error as? JSONDecodingError, error.reason == .interrupted {
            self = error
            return
        }
        guard let error = error as? DecodingError else {
            self.init(reason: .custom, codingPath: [], message: "the type rejected the value", underlying: error)
            return
        }
        switch error {
        case .typeMismatch(_, let context): self.init(.typeMismatch, context)
        case .valueNotFound(_, let context): self.init(.valueNotFound, context)
        case .keyNotFound(_, let context): self.init(.keyNotFound, context)
        case .dataCorrupted(let context): self.init(.dataCorrupted, context)
        @unknown default: self.init(reason: .custom, codingPath: [], message: "unknown", underlying: error)
        }
    }

    private init(_ reason: Reason, _ context: DecodingError.Context) {
        self.init(
            reason: reason, codingPath: context.codingPath, message: context.debugDescription,
            underlying: context.underlyingError)
    }
}

extension JSONDecodingError: CustomStringConvertible {
    /// The path in the form `records[3].Owner.Name`, or `$` for the decoded value itself.
    public var path: String { codingPath.jsonPath }

    /// One sentence with the kind of error, the path and the message.
    public var description: String { "\(reason) at \(path): \(message)" }
}

/// A step of a coding path: a name, or an index in an array.
struct JSONKey: CodingKey, Hashable {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }
}

/// The error thrown when an `Encodable` value cannot be encoded as JSON.
public struct JSONEncodingError: Error, Sendable {
    /// The kind of error.
    ///
    /// New kinds may be added, so switch with a default.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// A fixed label, suitable for metrics.
        public let description: String

        /// JSON cannot represent the value, such as NaN, or a rule rejected the value.
        public static let invalidValue = Reason(description: "invalid-value")
        /// The type threw an error of another kind, which is in `underlying`.
        public static let custom = Reason(description: "custom")
    }

    /// The kind of error.
    public let reason: Reason
    /// The path from the encoded value to the error.
    public let codingPath: [any CodingKey]
    /// A description of the error.
    public let message: String
    /// The error that caused this error, if any.
    public let underlying: (any Error)?

    /// Creates an error from its parts.
    public init(reason: Reason, codingPath: [any CodingKey], message: String, underlying: (any Error)? = nil) {
        self.reason = reason
        self.codingPath = codingPath
        self.message = message
        self.underlying = underlying
    }

    /// Wraps an error thrown by `encode(to:)`, and stores it in `underlying` unless it is a `EncodingError`.
    init(_ error: any Error) {
        guard case EncodingError.invalidValue(_, let context)? = error as? EncodingError else {
            self.init(reason: .custom, codingPath: [], message: "the value cannot be encoded", underlying: error)
            return
        }
        self.init(
            reason: .invalidValue, codingPath: context.codingPath, message: context.debugDescription,
            underlying: context.underlyingError)
    }
}

extension JSONEncodingError: CustomStringConvertible {
    /// The path in the form `records[3].Owner.Name`, or `$` for the encoded value itself.
    public var path: String { codingPath.jsonPath }

    /// One sentence with the kind of error, the path and the message.
    public var description: String { "\(reason) at \(path): \(message)" }
}

extension [any CodingKey] {
    /// The keys in the form `records[3].Owner.Name`, or `$` for an empty path.
    var jsonPath: String {
        let path = reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += (path.isEmpty ? "" : ".") + key.stringValue
            }
        }
        return path.isEmpty ? "$" : path
    }
}
