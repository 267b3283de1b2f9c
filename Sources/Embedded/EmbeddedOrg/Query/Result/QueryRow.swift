// SPDX-License-Identifier: Apache-2.0

/// The current row of a running statement; columns count from 0.
package protocol QueryRow {
    func isNull(_ column: Int) -> Bool
    func integer(_ column: Int) -> Int64
    func real(_ column: Int) -> Double
    /// Lends the UTF-8 bytes of a text column for the time of the call.
    func withText<Result>(_ column: Int, _ body: (Span<UInt8>) -> Result) -> Result
}
