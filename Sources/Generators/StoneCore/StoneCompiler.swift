// SPDX-License-Identifier: Apache-2.0

/// Reads specs.
package enum StoneCompiler {
    /// The interface that specs describe.
    ///
    /// - Parameter sources: All files of the specs. Their order tells in which order definitions are listed and patches
    ///   are added, nothing else.
    /// - Returns: The interface, resolved and checked.
    /// - Throws: All faults of the specs together.
    package static func compile(_ sources: [StoneSource]) throws(StoneError) -> StoneAPI {
        let files = sources.prefix(StoneLimits.files).map { SourceLines($0) }
        var diagnostics = Diagnostics()
        if sources.count > files.count {
            diagnostics.add("These are more than \(StoneLimits.files) files.", at: Mark(file: 0, offset: 0))
        }
        var specs: [SpecSyntax] = []
        for (index, file) in files.enumerated() {
            var parser = Parser(file.source, file: index)
            specs.append(parser.parse())
            diagnostics.add(parser.diagnostics)
        }
        var resolver = Resolver(specs, files: files, diagnostics: diagnostics)
        let api = resolver.resolve()
        if let error = resolver.diagnostics.error(in: files) { throw error }
        return api
    }
}
