// SPDX-License-Identifier: Apache-2.0

/// Where the work on a long text can be ended from outside: parsing it, and decoding its long arrays.
///
/// Short texts are done before anybody could want them ended, and never ask.
package enum JSONInterruption {
    /// The length from which a text is a long one, in bytes.
    package static let minimumSize = 1 << 18
    /// How many tape entries the parser writes between two questions: about 300 KB of a typical page.
    static let entriesBetween = 1 << 14
    /// The tape entries from which an array is a long one.
    static let minimumEntries = 1 << 11
    /// How many elements of a long array are decoded between two questions; a power of two.
    static let elementsBetween = 64
}
