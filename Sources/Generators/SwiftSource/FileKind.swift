// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What stands at a path.
package enum FileKind {
    case nothing
    case folder
    /// An ordinary file, and how many bytes it has.
    case file(UInt)
    case symbolicLink
    /// A pipe, a socket or a device, which might never end.
    case other

    /// What is at the path itself; of a link not what it leads to.
    package init(at path: String) {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
            self = .nothing
            return
        }
        switch attributes[.type] as? FileAttributeType {
        case .typeDirectory: self = .folder
        case .typeRegular: self = .file(attributes[.size] as? UInt ?? 0)
        case .typeSymbolicLink: self = .symbolicLink
        default: self = .other
        }
    }

    /// What is at the path in the end, behind all links.
    package init(behind path: String) { self.init(at: Self.resolved(path)) }

    /// The path without links.
    package static func resolved(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
}
