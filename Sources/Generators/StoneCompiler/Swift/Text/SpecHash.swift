// SPDX-License-Identifier: Apache-2.0

import RestText
import SwiftSource

extension SwiftOptions {
    /// A number that stands for the content of specs, whatever the order of their files.
    package static func hash(of sources: [StoneSource]) -> String {
        SourceHash.hash(
            of: sources.map { ($0.path.split(byte: "/").last.map(String.init) ?? "", $0.bytes) })
    }
}
