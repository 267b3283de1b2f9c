// SPDX-License-Identifier: Apache-2.0

import StoneCore

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

/// Why the command ends without doing what it was asked.
struct CommandFault: Error {
    let message: String
    /// 1 if the specs have faults or sources are stale, 2 if the call cannot be carried out.
    let status: Int32

    init(_ message: String, status: Int32 = 2) {
        self.message = message
        self.status = status
    }

    /// All faults of specs.
    init(_ error: StoneError) {
        let count = error.diagnostics.count
        self.init("\(error)\n\(count) \(count == 1 ? "error" : "errors")", status: 1)
    }

    /// A list of faults, cut off where nobody reads on, and what to do about them.
    init(_ faults: [String], advice: String? = nil) {
        let rest = faults.count - 50
        let more = rest > 0 ? "There are \(rest) more of this kind." : nil
        self.init((faults.prefix(50) + [more, advice].compactMap(\.self)).joined(separator: "\n"))
    }

    /// What the system says about an error, such as `No space left on device`.
    static func reason(_ error: any Error) -> String {
        let cause = unsafe (error as? CocoaError)?.userInfo["NSUnderlyingError"] as? POSIXError
        return cause.map { unsafe String(cString: strerror($0.code.rawValue)) } ?? "\(error)"
    }
}
