// SPDX-License-Identifier: Apache-2.0

import RestBase

/// The texts of `soql --help` and `soql help VERB`, made from the table of verbs.
enum Help {
    /// The width of the texts in columns, whatever the terminal.
    private static let width = 80

    /// The verbs, and the options of a query.
    static var overview: String {
        let verbs = Verb.all.filter { !$0.words.isEmpty }
        var text = "Runs SOQL queries over REST.\n\n" + usage(of: .query)
        text += "\nverbs ('soql help VERB' tells more):\n"
        text += table(verbs.map { ($0.name, $0.summary) })
        return text + options(of: .query) + paragraphs(Verb.query.notes) + paragraphs([exitCodes])
    }

    /// A verb with its options.
    static func text(of verb: Verb) -> String {
        capitalized(verb.summary) + ".\n\n" + usage(of: verb) + options(of: verb) + paragraphs(verb.notes)
    }

    /// The exit codes, in a sentence.
    static let exitCodes = """
        Exit codes: 0 success, 1 server or run-time failure, 2 usage, 3 authentication (not logged in, or the login was \
        refused; a login server that cannot be reached or fails is 1), 4 partly done (some queries or records, and \
        not the others), 130 interrupt.
        """

    private static func usage(of verb: Verb) -> String {
        verb.operands.enumerated().map { index, operands in
            let line = ["soql"] + verb.words + [verb.options.isEmpty ? "" : "[options]", operands]
            return (index == 0 ? "usage: " : "       ") + line.filter { !$0.isEmpty }.joined(separator: " ") + "\n"
        }.joined()
    }

    private static func options(of verb: Verb) -> String {
        guard !verb.options.isEmpty else { return "" }
        return "\noptions:\n" + table(verb.options.map { ($0.form, $0.help) } + [("-h, --help", "print this text")])
    }

    private static func paragraphs(_ texts: [String]) -> String {
        texts.map { "\n" + wrapped($0, indent: 0) }.joined()
    }

    /// Names beside what they mean; a long name has a line of its own.
    private static func table(_ rows: [(name: String, meaning: String)]) -> String {
        let column = Swift.min(24, (rows.map(\.name.count).max() ?? 0) + 4)
        return rows.map { name, meaning in
            let text = wrapped(meaning, indent: column)
            guard name.count + 4 <= column else { return "  \(name)\n\(text)" }
            return "  \(name)" + text.dropFirst(name.count + 2)
        }.joined()
    }

    private static func wrapped(_ text: String, indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        var (lines, line) = ([String](), "")
        for word in text.split(byte: " ") {
            if !line.isEmpty, indent + line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return (lines + [line]).map { margin + $0 + "\n" }.joined()
    }

    private static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
