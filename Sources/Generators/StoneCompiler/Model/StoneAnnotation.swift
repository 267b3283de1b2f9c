// SPDX-License-Identifier: Apache-2.0

/// The annotations of a field or a tag that generated code follows.
package struct StoneAnnotations: Hashable, Sendable {
    package var isDeprecated = false
    /// Whether it may still change without notice.
    package var isPreview = false
    /// The only callers that see it, such as `internal`; nil if all do.
    package var omittedCaller: String?
}

/// A named annotation, which fields and aliases refer to.
package struct StoneAnnotation: Sendable {
    package enum Kind: Hashable, Sendable {
        case deprecated
        case preview
        case omitted(caller: String)
        /// A redaction, or an annotation of a type that the specs define: it changes nothing.
        case ignored
    }

    package let id: AnnotationID
    package let namespace: String
    package let name: String
    package var kind: Kind
    package let location: StoneLocation
}
