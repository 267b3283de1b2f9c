// SPDX-License-Identifier: Apache-2.0

import StoneCompiler
import SwiftSource

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

    /// What the folder of the sources says.
    init(_ fault: SourceFault) { self.init(fault.message, status: fault.isStale ? 1 : 2) }

    /// A list of faults, cut off where nobody reads on.
    init(_ faults: [String]) { self.init(SourceFault(faults)) }

    /// What the system says about an error, such as `No space left on device`.
    static func reason(_ error: any Error) -> String { SourceFault.reason(error) }
}
