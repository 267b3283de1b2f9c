// SPDX-License-Identifier: Apache-2.0

extension StoneAPI {
    /// The interface that specs describe, resolved and checked.
    ///
    /// - Parameter sources: All files of the specs. Their order tells in which order definitions are listed and patches
    ///   are added, nothing else.
    /// - Throws: All faults of the specs together.
    package init(compiling sources: [StoneSource]) throws(StoneError) {
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
        self = resolver.resolve()
        if let error = resolver.diagnostics.error(in: files) { throw error }
    }
}
