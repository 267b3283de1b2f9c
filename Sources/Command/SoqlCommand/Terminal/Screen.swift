// SPDX-License-Identifier: Apache-2.0

import RestBase
import Synchronization

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

/// The one line at the bottom of the terminal that tells how far the work is.
///
/// It stands on standard error, with the cursor at its start: so it can be erased whole, also when the terminal became
/// narrower and broke it. Everything else that is written to the terminal erases it first; the next ``show(_:)``
/// brings it back.
enum StatusLine {
    private struct State {
        var isShown = false
        /// Whether the cursor is at the start of a line, where alone the status may stand.
        var isAtStart = true
        /// Whether somebody else has the terminal, such as a pager.
        var isAway = false
    }

    private static let state = Mutex(State())

    /// Whether standard error is a terminal where a line can be taken back.
    static let isPossible = Screen.canMove(STDERR_FILENO)

    /// Shows a text, cut to the terminal's width, in the place of the one before.
    ///
    /// - Parameters:
    ///   - text: one line.
    ///   - isWanted: asked when nobody else writes, so that what has ended shows nothing.
    static func show(_ text: String, if isWanted: () -> Bool) {
        guard isPossible else { return }
        state.withLock { state in
            guard state.isAtStart, !state.isAway, isWanted() else { return }
            let room = max(1, Screen.size(of: STDERR_FILENO).columns - 1)
            put("\r\u{1B}[J" + text.cut(toColumns: room, mark: Marks.current.ellipsis) + "\r")
            state.isShown = true
        }
    }

    /// Takes the line away.
    static func clear() {
        state.withLock { erase(&$0) }
    }

    /// Takes the line away and writes to the terminal in its place.
    ///
    /// - Parameters:
    ///   - endsLine: whether what is written ends at the start of a line.
    ///   - write: writes; no status is shown meanwhile.
    /// - Throws: what writing throws.
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

    /// Leaves the terminal to somebody else, or takes it back.
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

/// Whether output has colours.
enum ColorChoice: String, CaseIterable {
    case auto, always, never

    /// Whether text has colours: as it was chosen, else as the environment says, else on a terminal that has them.
    ///
    /// `NO_COLOR` forbids them (no-color.org); `CLICOLOR_FORCE` asks for them everywhere and `CLICOLOR=0` nowhere
    /// (bixense.com/clicolors).
    ///
    /// - Parameters:
    ///   - canMove: whether the text goes to a terminal that is not dumb.
    ///   - setting: gives the variables of the environment.
    /// - Returns: whether it has.
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

/// The marks that output is drawn with: those of Unicode in a locale of UTF-8, else those of ASCII.
struct Marks: Equatable {
    let vertical: String
    let horizontal: String
    let cross: String
    let ellipsis: String

    static let unicode = Marks(vertical: "│", horizontal: "─", cross: "┼", ellipsis: "…")
    static let ascii = Marks(vertical: "|", horizontal: "-", cross: "+", ellipsis: "...")

    /// Those of the locale that the environment names; without one it is POSIX's, which has ASCII alone.
    static let current = of(locale: ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(Settings.value).first)

    static func of(locale: String?) -> Marks {
        let name = (locale ?? "C").lowercased()
        return name.hasBytes("utf-8") || name.hasBytes("utf8") ? unicode : ascii
    }
}

/// Takes out of a command's output what could steer the terminal that shows it.
///
/// A record may hold anything. On a terminal an escape sequence in it could rename the window, answer a question in the
/// user's place or hide what stands beside it. So nothing but line feeds goes to a terminal as a control character.
struct TerminalFilter {
    /// What is shown in the place of a control character.
    enum Replacement {
        /// A blank.
        case blank
        /// The escape of a JSON string (RFC 8259 7), which keeps the value.
        case jsonEscape
    }

    let replacement: Replacement
    /// Whether anything was replaced so far.
    private(set) var hasReplaced = false

    init(_ replacement: Replacement) {
        self.replacement = replacement
    }

    /// The bytes without control characters; they end at the end of a character.
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
    /// The text on one line, with control characters shown as blanks so that no cell can steer the terminal.
    var singleLine: String { replacingControls() ?? self }

    /// The text with other text for control characters; `nil` if it has none.
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
    /// Whether the scalar can steer a terminal, break a line or turn the order of what is read: the control characters
    /// C0 and C1, separators of lines, and the controls of direction (Unicode Standard Annex #9).
    var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
