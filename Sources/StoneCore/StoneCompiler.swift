// SPDX-License-Identifier: Apache-2.0

/// Reads specs.
package enum StoneCompiler {
    /// The interface that specs describe.
    ///
    /// - Parameter sources: All files of the specs. Their order tells only in which order patched and inline definitions
    ///   are added.
    /// - Throws: All faults of the specs together.
    package static func compile(_ sources: [StoneSource]) throws(StoneError) -> StoneAPI {
        StoneAPI()
    }
}
