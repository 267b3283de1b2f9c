// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Tells on a terminal how far a piece of work is, once it takes longer than half a second.
///
/// ```swift
/// let progress = Progress("Reading", of: "records", isQuiet: options.isQuiet)
/// defer { progress.end() }
/// progress.advance(to: 2_000, of: 300_060, bytes: 81_920)
/// ```
///
/// It stands on standard error, and only there where that is a terminal. It is redrawn ten times a second whatever the
/// work does, and taken away by ``end()``, by everything that is written to the terminal, and by signals.
final class Progress: Sendable {
    private static let queue = DispatchQueue(label: "progress")

    private let text: Mutex<ProgressText>
    private let isOver: Mutex<Bool>
    private let begin = ContinuousClock.now

    /// Begins.
    ///
    /// - Parameters:
    ///   - title: what is done, as the line begins: `Reading`.
    ///   - unit: what is counted, in the plural.
    ///   - total: how many there are, where that is known already.
    ///   - isQuiet: whether nothing is told.
    init(_ title: String, of unit: String = "records", total: Int? = nil, isQuiet: Bool = false) {
        text = Mutex(ProgressText(title: title, unit: unit, total: total))
        isOver = Mutex(isQuiet || !StatusLine.isPossible)
        if !isOver.withLock(\.self) { show(after: .milliseconds(500)) }
    }

    deinit { end() }

    /// Tells how much is done in all.
    ///
    /// - Parameters:
    ///   - done: how many so far.
    ///   - total: how many there are; `nil` leaves what was said before.
    ///   - bytes: the bytes so far; `nil` leaves what was said before.
    func advance(to done: Int, of total: Int? = nil, bytes: Int? = nil) {
        text.withLock { text in
            text.done = done
            text.total = total ?? text.total
            text.bytes = bytes ?? text.bytes
        }
    }

    /// Tells how much more is done.
    func advance(by count: Int, bytes: Int = 0) {
        text.withLock { text in
            text.done += count
            text.bytes += bytes
        }
    }

    /// Says what is done from now on, as a new line does.
    func changeTitle(_ title: String) {
        text.withLock { $0.title = title }
    }

    /// Takes the line away; nothing is told any more.
    func end() {
        let wasOver = isOver.withLock { isOver in
            defer { isOver = true }
            return isOver
        }
        if !wasOver { StatusLine.clear() }
    }

    private func show(after delay: DispatchTimeInterval) {
        Self.queue.asyncAfter(deadline: .now() + delay) { [weak self] in
            guard let self, !isOver.withLock(\.self) else { return }
            StatusLine.show(text.withLock(\.self).line(after: .now - begin)) { !isOver.withLock(\.self) }
            show(after: .milliseconds(100))
        }
    }
}
