// SPDX-License-Identifier: Apache-2.0

/// A group of types and routes, from one file or several.
package struct StoneNamespace: Sendable {
    package let name: String
    /// The documentation of all its files, one paragraph each.
    package var doc: StoneDoc?
    /// Structs and unions together, in the order of their names' bytes.
    package var types: [StoneDeclaration] = []
    /// The structs, in the order of their names' bytes.
    package var structs: [StructID] = []
    /// The unions, in the order of their names' bytes.
    package var unions: [UnionID] = []
    /// The aliases, in the order of their names' bytes.
    package var aliases: [AliasID] = []
    /// The routes, in the order of their names' bytes, then of their versions.
    package var routes: [RouteID] = []
    /// The annotations, in the order of their names' bytes.
    package var annotations: [AnnotationID] = []
    /// The namespaces that its files import, in the order of their names' bytes, used or not.
    package var imports: [String] = []
    /// The namespaces whose structs, unions and aliases it names, in the order of their names' bytes.
    package var uses: [String] = []
}

/// Where something is defined.
package struct StoneLocation: Hashable, Sendable {
    /// The path of the file, as it was given.
    package let file: String
    /// The line, from 1.
    package let line: Int
    /// The column in characters, from 1.
    package let column: Int
    let mark: Mark
}
