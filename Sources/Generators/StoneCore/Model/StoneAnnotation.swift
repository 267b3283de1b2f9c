// SPDX-License-Identifier: Apache-2.0

/// What the annotations of a field, a tag or an alias say.
///
/// An alias has only `redaction` and `custom`.
package struct StoneAnnotations: Hashable, Sendable {
    package var isDeprecated = false
    /// Whether it may still change without notice.
    package var isPreview = false
    /// The only callers that see it, such as `internal`; nil if all do.
    package var omittedCaller: String?
    package var redaction: StoneRedaction?
    /// Annotations of the specs' own types, in the order in which they are written.
    package var custom: [AnnotationID] = []
}

/// How a value is hidden in logs.
package struct StoneRedaction: Hashable, Sendable {
    package enum Kind: String, Sendable {
        /// Replaced by a mark.
        case blot = "RedactedBlot"
        /// Replaced by a hash of it.
        case hash = "RedactedHash"
    }

    package let kind: Kind
    /// Which part of the value is hidden, as a regular expression in Python's notation; nil for all of it.
    package let pattern: String?
}

/// A named annotation, which fields and aliases refer to.
package struct StoneAnnotation: Sendable {
    package enum Kind: Hashable, Sendable {
        case deprecated
        case preview
        case omitted(caller: String)
        case redacted(StoneRedaction)
        /// The arguments stand in the order of the type's parameters, absent ones with their default or null.
        case custom(AnnotationTypeID, arguments: [StoneLiteral])
    }

    package let id: AnnotationID
    package let namespace: String
    package let name: String
    package var kind: Kind
    package let location: StoneLocation
}

/// A type of annotations that the specs define.
package struct StoneAnnotationType: Sendable {
    package struct Parameter: Sendable {
        package let name: String
        package var doc: StoneDoc?
        /// A primitive type, perhaps nullable.
        package var type: StoneType
        package var defaultValue: StoneLiteral?
        package let location: StoneLocation
    }

    package let id: AnnotationTypeID
    package let namespace: String
    package let name: String
    package var doc: StoneDoc?
    package var parameters: [Parameter] = []
    package let location: StoneLocation
}
