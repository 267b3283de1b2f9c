// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Why sources cannot be written, or are not as they should be.
package struct SourceFault: Error, Sendable {
    package let message: String
    /// Whether the sources are there and other than they should be.
    package let isStale: Bool

    package init(_ message: String, isStale: Bool = false) {
        (self.message, self.isStale) = (message, isStale)
    }

    /// A list of faults, cut off where nobody reads on, and what to do about them.
    package init(_ faults: [String], advice: String? = nil) {
        let rest = faults.count - 50
        let more = rest > 0 ? "There are \(rest) more of this kind." : nil
        self.init((faults.prefix(50) + [more, advice].compactMap(\.self)).joined(separator: "\n"))
    }

    /// What the system says about an error, such as `No space left on device`.
    package static func reason(_ error: any Error) -> String {
        let cause = (error as? CocoaError)?.underlying as? POSIXError
        return cause.map { unsafe String(cString: strerror($0.code.rawValue)) } ?? "\(error)"
    }
}
