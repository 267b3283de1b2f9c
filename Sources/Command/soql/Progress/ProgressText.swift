// SPDX-License-Identifier: Apache-2.0

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
