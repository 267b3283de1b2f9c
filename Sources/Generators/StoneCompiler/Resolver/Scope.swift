// SPDX-License-Identifier: Apache-2.0

/// What a name of a namespace stands for.
struct Symbol: Sendable {
    enum Kind: Sendable {
        case structure(StructID)
        case union(UnionID)
        case alias(AliasID)
        case annotation(AnnotationID)
        case annotationType
        /// The versions of a route.
        case route([Int: RouteID])
        /// A definition that could not be read, about which nothing more is said.
        case broken
    }

    var kind: Kind
    let mark: Mark

    /// How a message calls it.
    var kindName: String {
        switch kind {
        case .structure: "a struct"
        case .union: "a union"
        case .alias: "an alias"
        case .annotation: "an annotation"
        case .annotationType: "an annotation type"
        case .route: "a route"
        case .broken: "a definition"
        }
    }
}

/// The names of a namespace.
struct Scope: Sendable {
    let name: String
    var symbols: [String: Symbol] = [:]
    /// Names that differ only in case, underscores or slashes count as one, because generated names would be.
    var likenesses: [String: (symbol: Symbol, name: String)] = [:]
    /// The namespaces that a file of this one imports, by name.
    var imports: [String: Int] = [:]
    var uses: Set<String> = []
    var docs: [DocSyntax] = []
}

/// The types that Stone has by itself.
enum BuiltinType: String, CaseIterable {
    case bytes = "Bytes"
    case boolean = "Boolean"
    case float32 = "Float32"
    case float64 = "Float64"
    case int32 = "Int32"
    case int64 = "Int64"
    case list = "List"
    case map = "Map"
    case string = "String"
    case timestamp = "Timestamp"
    case uint32 = "UInt32"
    case uint64 = "UInt64"
    case void = "Void"
}

extension String {
    /// The name without what generated names do not keep apart.
    var likeness: String {
        String(
            decoding: utf8.lazy.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "/") }.map { byte in
                byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
            }, as: UTF8.self)
    }
}
