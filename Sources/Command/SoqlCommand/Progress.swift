// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Tells on a terminal how far a piece of work is, once it takes longer than half a second.
///
/// ```swift
/// let progress = Progress("Reading", of: "records", isQuiet: arguments.has(.quiet))
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

/// How far a piece of work is, and how that is told in a line.
struct ProgressText: Sendable {
    /// What is done, as the line begins: `Reading`.
    var title: String
    /// What is counted, in the plural.
    var unit: String
    var done = 0
    /// How many there are in all, where it is known.
    var total: Int?
    var bytes = 0

    /// The line after so much time.
    ///
    /// Rate and time left are those of the whole time so far.
    func line(after time: Duration) -> String {
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        guard done > 0, seconds > 0 else { return "\(title): waiting, \(Self.time(seconds))" }
        let rate = Double(done) / seconds
        var parts = [Self.grouped(done) + (total.map { " of \(Self.grouped($0))" } ?? "") + " \(unit)"]
        parts.append("\(Self.grouped(Int(rate.rounded())))/s")  // bounded: a count of ours by a time of at least 1 ns
        if let total, total > done { parts.append("\(Self.time(Double(total - done) / rate)) left") }
        if bytes > 0 { parts.append(Self.size(bytes)) }
        return "\(title): " + parts.joined(separator: ", ")
    }

    /// A number with commas between its groups of three digits.
    static func grouped(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return (number < 0 ? "-" : "") + text
    }

    /// A time to the second: `7 s`, `2:05`, `1:02:05`; nothing is said of more than 99 hours.
    static func time(_ seconds: Double) -> String {
        guard seconds < 356_400 else { return "days" }
        let whole = Int(seconds.rounded(.up))  // bounded: by the line before
        guard whole >= 60 else { return "\(whole) s" }
        let parts = [whole / 3_600, whole / 60 % 60, whole % 60].drop { $0 == 0 }
        return parts.enumerated().map { index, part in
            (index > 0 && part < 10 ? "0" : "") + String(part)
        }.joined(separator: ":")
    }

    /// A number of bytes by the largest unit below it, to a tenth.
    static func size(_ bytes: Int) -> String {
        var (value, units) = (Double(bytes), ["bytes", "kB", "MB", "GB", "TB"][...])
        while value >= 1_000, units.count > 1 {
            value /= 1_000
            units = units.dropFirst()
        }
        let tenths = Int((value * 10).rounded())  // bounded: below 10,000 for counts of ours
        return (units.first == "bytes" ? "\(bytes)" : "\(tenths / 10).\(tenths % 10)") + " \(units.first ?? "")"
    }
}
