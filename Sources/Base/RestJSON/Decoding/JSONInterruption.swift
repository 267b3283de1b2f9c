// SPDX-License-Identifier: Apache-2.0

/// Where the decoding of a long array can be ended from outside.
///
/// A short one is done before anybody could want it ended, and never asks.
enum JSONInterruption {
    /// The tape entries from which an array is a long one.
    static let minimumEntries = 1 << 11
    /// How many elements of a long array are decoded between two questions; a power of two.
    static let elementsBetween = 64

    /// Ends the decoding of a long array when its task is cancelled.
    @inline(__always)
    static func check(before element: Int) throws {
        if element.isMultiple(of: elementsBetween), Task.isCancelled { throw ended }
    }

    private static var ended: JSONDecodingError {
        JSONDecodingError(reason: .interrupted, codingPath: [], message: "the value is not wanted any more")
    }
}
