// SPDX-License-Identifier: Apache-2.0

/// Sees whether pages go round in a circle, however long a listing is (Brent's way to find cycles).
///
/// What the last call asked is kept, and what an earlier one asked, which is replaced after twice as many pages each
/// time. A server that names one page again at once is found out at once, and a circle of pages after a few rounds.
struct PageTrail {
    private var last: [UInt8]?
    private var earlier: [UInt8]?
    private var count = 0
    private var limit = 1

    /// Notes what the next call asks; `nil` is always new.
    ///
    /// - Returns: whether none of the calls that are kept asked the same.
    mutating func isNew(_ text: [UInt8]?) -> Bool {
        guard let text else { return true }
        guard text != last, text != earlier else { return false }
        last = text
        count += 1
        if count == limit {
            (earlier, count) = (text, 0)
            limit &*= 2
        }
        return true
    }
}
