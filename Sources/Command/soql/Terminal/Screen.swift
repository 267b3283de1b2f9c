// SPDX-License-Identifier: Apache-2.0

import RestBase

/// The size of a terminal in characters.
struct Screen: Equatable {
    var columns: Int
    var rows: Int

    /// The size now; of what does not know its own, `COLUMNS` and `LINES` count, else 80 and 24.
    static func size(of descriptor: Int32 = STDOUT_FILENO) -> Screen {
        var size = winsize()
        let isKnown = unsafe ioctl(descriptor, numericCast(TIOCGWINSZ), &size) == 0
        return Screen(
            columns: isKnown && size.ws_col > 0 ? Int(size.ws_col) : setting("COLUMNS") ?? 80,
            rows: isKnown && size.ws_row > 0 ? Int(size.ws_row) : setting("LINES") ?? 24)
    }

    private static func setting(_ name: String) -> Int? {
        Settings.value(name).flatMap { Int($0) }.flatMap { (1...65_535).contains($0) ? $0 : nil }  // bounded: here
    }

    /// Whether a stream is a terminal that can move its cursor.
    static func canMove(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1 && !["dumb", nil].contains(Settings.value("TERM"))
    }
}
