// SPDX-License-Identifier: Apache-2.0

/// Faults that are found in an interface once it is compiled, such as what has no form in some language.
package struct StoneFaults {
    private let files: [SourceLines]
    private var diagnostics = Diagnostics()

    /// Begins without faults.
    package init(in api: StoneAPI) {
        files = api.files
    }

    /// Notes a fault, once, at a place of the interface.
    package mutating func add(_ message: String, at location: StoneLocation) {
        diagnostics.add(message, at: location.mark)
    }

    /// Does nothing if there are no faults.
    ///
    /// - Throws: All of them, as those of the compiler.
    package func check() throws(StoneError) {
        if let error = diagnostics.error(in: files) { throw error }
    }
}
