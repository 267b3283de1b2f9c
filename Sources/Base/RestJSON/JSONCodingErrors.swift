// SPDX-License-Identifier: Apache-2.0

/// Why a JSON value does not make a `Decodable` type, and where in the value.
public struct JSONDecodingError: Error, Sendable {
    /// The kind of fault, an open set: new kinds may come, so switch with a default.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// A fixed label, fit for metrics.
        public let description: String

        /// Another kind of value than the type needs.
        public static let typeMismatch = Reason(description: "type-mismatch")
        /// `null`, or the end of an array, where the type needs a value.
        public static let valueNotFound = Reason(description: "value-not-found")
        /// A member that the type needs is absent.
        public static let keyNotFound = Reason(description: "key-not-found")
        /// The right kind of value with a content that the type refuses, such as a number out of range.
        public static let dataCorrupted = Reason(description: "data-corrupted")
        /// The type threw an error of its own, which is in `underlying`.
        public static let custom = Reason(description: "custom")
        /// Nobody wanted the value any more while it was decoded.
        public static let interrupted = Reason(description: "interrupted")
    }

    /// The kind of fault.
    public let reason: Reason
    /// The way from the decoded value to the fault, as names and positions of the text.
    public let codingPath: [any CodingKey]
    /// What is wrong, in words; holds no content of the text.
    public let message: String
    /// The error that caused this one, if any.
    public let underlying: (any Error)?

    /// Makes an error from its parts.
    public init(reason: Reason, codingPath: [any CodingKey], message: String, underlying: (any Error)? = nil) {
        self.reason = reason
        self.codingPath = codingPath
        self.message = message
        self.underlying = underlying
    }

    /// Takes an error that `init(from:)` has thrown; errors that are no `DecodingError` are kept as `underlying`.
    init(_ error: any Error) {
        if let error = error as? JSONDecodingError, error.reason == .interrupted {
            self = error
            return
        }
        guard let error = error as? DecodingError else {
            self.init(reason: .custom, codingPath: [], message: "the type refused the value", underlying: error)
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

    /// One sentence with the kind of fault, the path and what is wrong.
    public var description: String { "\(reason) at \(path): \(message)" }
}

/// A step of a coding path: a name, or a position in an array.
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

/// Why an `Encodable` value cannot be written as JSON, and where in the value.
public struct JSONEncodingError: Error, Sendable {
    /// The kind of fault, an open set: new kinds may come, so switch with a default.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// A fixed label, fit for metrics.
        public let description: String

        /// A value that JSON cannot hold, such as NaN, or that a rule refused.
        public static let invalidValue = Reason(description: "invalid-value")
        /// The type threw an error of its own, which is in `underlying`.
        public static let custom = Reason(description: "custom")
    }

    /// The kind of fault.
    public let reason: Reason
    /// The way from the encoded value to the fault.
    public let codingPath: [any CodingKey]
    /// What is wrong, in words.
    public let message: String
    /// The error that caused this one, if any.
    public let underlying: (any Error)?

    /// Makes an error from its parts.
    public init(reason: Reason, codingPath: [any CodingKey], message: String, underlying: (any Error)? = nil) {
        self.reason = reason
        self.codingPath = codingPath
        self.message = message
        self.underlying = underlying
    }

    /// Takes an error that `encode(to:)` has thrown; errors that are no `EncodingError` are kept as `underlying`.
    init(_ error: any Error) {
        guard case EncodingError.invalidValue(_, let context)? = error as? EncodingError else {
            self.init(reason: .custom, codingPath: [], message: "the type could not be written", underlying: error)
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

    /// One sentence with the kind of fault, the path and what is wrong.
    public var description: String { "\(reason) at \(path): \(message)" }
}

extension [any CodingKey] {
    /// The keys in the form `records[3].Owner.Name`; `$` for none.
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
