// SPDX-License-Identifier: Apache-2.0

import RestBase
import Synchronization

/// The size of a terminal in characters.
struct Screen: Equatable {
    var columns: Int
    var rows: Int

    /// The current size, else `COLUMNS` and `LINES` if the terminal does not report it, else 80 and 24.
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

/// The status line at the bottom of the terminal that shows the progress.
///
/// It is on standard error, with the cursor at its start, so that it can be erased completely even if a narrower
/// terminal has wrapped it. Any other output to the terminal erases it first. The next ``show(_:if:)`` restores it.
enum StatusLine {
    private struct State {
        var isShown = false
        /// Whether the cursor is at the start of a line, the only position for the status line.
        var isAtStart = true
        /// Whether another program, such as a pager, uses the terminal.
        var isAway = false
    }

    private static let state = Mutex(State())

    /// Whether standard error is a terminal on which the line can be erased.
    static let isPossible = Screen.canMove(STDERR_FILENO)

    /// Shows one line, cut to the terminal's width, if `isWanted` (checked under the lock) is still true.
    ///
    /// A bar of the share, from 0 to 1, follows the text if there is room for it.
    static func show(_ text: String, share: Double? = nil, if isWanted: () -> Bool) {
        guard isPossible else { return }
        state.withLock { state in
            guard state.isAtStart, !state.isAway, isWanted() else { return }
            let room = max(1, Screen.size(of: STDERR_FILENO).columns - 1)
            let bar = share.map { barred($0, in: min(22, room - text.columnWidth - 1), .current) } ?? ""
            put("\r\u{1B}[J" + text.cut(toColumns: room, mark: Marks.current.ellipsis) + bar + "\r")
            state.isShown = true
        }
    }

    /// A space and a bar between brackets, or nothing if there is no room for ten columns.
    static func barred(_ share: Double, in columns: Int, _ marks: Marks) -> String {
        let room = columns - 2
        guard room >= 10 else { return "" }
        let bar = BarScale([share], full: 1, room: room).bar(share, marks).text
        return " [" + bar + String(repeating: " ", count: max(0, room - bar.columnWidth)) + "]"
    }

    /// Removes the line.
    static func clear() { state.withLock { erase(&$0) } }

    /// Removes the line, and writes output to the terminal that ends at the start of a line if `endsLine` is set.
    static func makingRoom<Failure: Error>(
        endsLine: Bool = true, _ write: () throws(Failure) -> Void
    ) throws(Failure) {
        guard isPossible else { return try write() }
        try state.withLock { (state: inout State) throws(Failure) in
            erase(&state)
            state.isAtStart = endsLine
            try write()
        }
    }

    /// Gives the terminal to another program, or takes it back.
    static func leave(_ isAway: Bool) {
        state.withLock { state in
            erase(&state)
            state.isAway = isAway
        }
    }

    private static func erase(_ state: inout State) {
        if state.isShown { put("\r\u{1B}[J") }
        state.isShown = false
    }

    private static func put(_ text: String) {
        try? StandardOutput.write(Array(text.utf8), to: STDERR_FILENO)
    }
}

/// A choice of whether output has colors.
enum ColorChoice: String, CaseIterable {
    case auto, always, never

    /// Whether text has colors, by the user's choice, else by the environment, else by the terminal.
    ///
    /// `NO_COLOR` disables them (no-color.org). `CLICOLOR_FORCE` enables them everywhere, and `CLICOLOR=0` disables
    /// them (bixense.com/clicolors).
    func isOn(canMove: Bool, setting: (String) -> String? = Settings.value) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto:
            if setting("NO_COLOR") != nil {
                false
            } else if let force = setting("CLICOLOR_FORCE"), force != "0" {
                true
            } else {
                canMove && setting("CLICOLOR") != "0"
            }
        }
    }
}

/// The characters for drawing: Unicode in a UTF-8 locale, else ASCII.
struct Marks: Equatable {
    let vertical: String
    let horizontal: String
    let cross: String
    let ellipsis: String

    static let unicode = Marks(vertical: "│", horizontal: "─", cross: "┼", ellipsis: "…")
    static let ascii = Marks(vertical: "|", horizontal: "-", cross: "+", ellipsis: "...")

    /// The characters for the locale in the environment, or for the POSIX locale, which is ASCII.
    static let current = of(locale: ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(Settings.value).first)

    static func of(locale: String?) -> Marks {
        let name = (locale ?? "C").lowercased()
        return name.hasBytes("utf-8") || name.hasBytes("utf8") ? unicode : ascii
    }
}

/// Removes control characters other than line feeds from output, because they could control the terminal.
///
/// An escape sequence in a record could rename the window, answer a question in place of the user or hide text.
struct TerminalFilter {
    enum Replacement {
        /// A space.
        case blank
        /// The escape of a JSON string (RFC 8259, section 7), which preserves the value.
        case jsonEscape
    }

    let replacement: Replacement
    /// Whether any character has been replaced.
    private(set) var hasReplaced = false

    init(_ replacement: Replacement) { self.replacement = replacement }

    /// The bytes, which must end at a character boundary, without control characters.
    mutating func filtered(_ bytes: [UInt8]) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let shown = text.replacingControls(keeping: "\n", with: escape) else { return bytes }
        hasReplaced = true
        return Array(shown.utf8)
    }

    private func escape(of scalar: Unicode.Scalar) -> String {
        guard case .jsonEscape = replacement else { return " " }
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}

extension String {
    /// The string on one line, with control characters replaced by spaces, so that no cell can control the terminal.
    var singleLine: String { replacingControls() ?? self }

    /// The string with control characters replaced, or `nil` if it has none.
    func replacingControls(
        keeping kept: String = "", with replacement: (Unicode.Scalar) -> String = { _ in " " }
    ) -> String? {
        let kept = kept.unicodeScalars
        guard unicodeScalars.contains(where: { $0.isControl && !kept.contains($0) }) else { return nil }
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.isControl, !kept.contains(scalar) {
                result += replacement(scalar).unicodeScalars
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }
}

extension Unicode.Scalar {
    /// Whether the scalar can control a terminal, break a line or change the text direction.
    ///
    /// These are the controls C0 and C1, line separators, and the directional controls (Unicode Standard Annex #9).
    var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
