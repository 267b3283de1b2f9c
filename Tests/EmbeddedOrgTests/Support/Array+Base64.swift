// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Array where Element == UInt8 {
    /// Base 64 by Foundation, the peer of the org's own.
    var base64: String { Data(self).base64EncodedString() }
}
