// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK

/// The progress of a copy.
enum Progress: Hashable, Codable, Sendable {
    /// The first copy is in progress: it has the records up to an ID, and then needs all changes since a position.
    case copying(after: String?, since: RecordChanges.Window.Position)
    /// The copy includes every change before a position.
    case following(RecordChanges.Window.Position)

    /// The progress as a string in the database.
    var text: String {
        get throws {
            let encoder = JSONEncoder()
            // Sorted keys give equal strings for equal progress, because the database compares the strings.
            encoder.outputFormatting = .sortedKeys
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    /// Parses a string from ``text``.
    init(text: String) throws {
        self = try JSONDecoder().decode(Progress.self, from: Data(text.utf8))
    }
}
