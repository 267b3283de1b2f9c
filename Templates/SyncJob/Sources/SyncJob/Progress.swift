// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK

/// How far a copy has come.
enum Progress: Hashable, Codable, Sendable {
    /// The first copy is under way: it has the records up to an id, if any, and is then to be told of all changes since
    /// a position.
    case copying(after: String?, since: RecordChanges.Window.Position)
    /// Every change before a position is in the copy.
    case following(RecordChanges.Window.Position)

    /// The text that stands for it in the database.
    var text: String {
        get throws {
            let encoder = JSONEncoder()
            // The same progress is the same text, which the database compares.
            encoder.outputFormatting = .sortedKeys
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    /// Reads what ``text`` gave.
    init(text: String) throws {
        self = try JSONDecoder().decode(Progress.self, from: Data(text.utf8))
    }
}
