// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a background task is for, kept with the task so that a later launch of the program knows it.
struct BackgroundTicket: Codable, Equatable {
    /// The caller's name of the transfer.
    var name: String
    /// Where a download goes; `nil` for an upload.
    var path: String?

    init(name: String, path: String? = nil) {
        self.name = name
        self.path = path
    }

    /// Reads what `text` wrote; `nil` when it is something else.
    init?(text: String?) {
        guard let text, let ticket = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
        self = ticket
    }

    /// The ticket as a task's description.
    var text: String? {
        (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }
}
