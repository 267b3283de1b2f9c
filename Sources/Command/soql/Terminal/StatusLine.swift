// SPDX-License-Identifier: Apache-2.0

import RestBase
import Synchronization

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
