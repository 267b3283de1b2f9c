// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSDK

/// The text of `soql --help` and `soql help COMMAND`, generated from the table of verbs.
enum Help {
    /// The width of the text in columns, regardless of the terminal.
    private static let width = 80

    /// The verbs and the options of a query.
    static var overview: String {
        let verbs = Verb.all.filter { !$0.words.isEmpty }
        var text = "Run SOQL queries over REST.\n\n" + usage(of: .query)
        text += "\ncommands (run 'soql help COMMAND' for details):\n"
        text += table(verbs.map { ($0.name, $0.summary) })
        return text + options(of: .query) + paragraphs(Verb.query.notes) + paragraphs([exitCodes])
    }

    static func text(of verb: Verb) -> String {
        verb.summary.sentenceStart + ".\n\n" + usage(of: verb) + options(of: verb) + paragraphs(verb.notes)
    }

    static let exitCodes = """
        Exit codes: 0 success, 1 server or run-time error (also a login server that cannot be reached or fails), \
        2 usage error, 3 authentication error (not logged in, or the login was rejected), 4 partial success (only some \
        queries or records), 130 interrupted.
        """

    private static func usage(of verb: Verb) -> String {
        verb.operands.enumerated().map { index, operands in
            let line = ["soql"] + verb.words + [verb.options.isEmpty ? "" : "[options]", operands]
            return (index == 0 ? "usage: " : "       ") + line.filter { !$0.isEmpty }.joined(separator: " ") + "\n"
        }.joined()
    }

    private static func options(of verb: Verb) -> String {
        guard !verb.options.isEmpty else { return "" }
        return "\noptions:\n" + table(verb.allOptions.map { ($0.form, $0.help) })
    }

    private static func paragraphs(_ texts: [String]) -> String {
        texts.map { "\n" + wrapped($0, indent: 0) }.joined()
    }

    /// Aligned names and meanings, one pair per line.
    static func columns(_ rows: [(name: String, meaning: String)], indent: String = "") -> String {
        let width = rows.map(\.name.count).max() ?? 0
        return rows.map { name, meaning in
            indent + name + String(repeating: " ", count: width - name.count + 2) + meaning + "\n"
        }.joined()
    }

    /// Names and wrapped meanings, where a long name is on a separate line.
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
        return text.lines(of: width - indent).map { margin + $0 + "\n" }.joined()
    }
}

/// The manual page `soql(1)` in the language of man(7), generated from the table of verbs.
enum ManualPage {
    /// The date of the last change of the page's text.
    private static let date = "2026-11-27"

    static var text: String {
        let verbs = Verb.all.filter { !$0.words.isEmpty }
        var lines = [
            #".TH SOQL 1 \#(date) "soql \#(RestClient.version)" "User Commands""#, ".SH NAME",
            #"soql \- run SOQL queries over REST"#, ".SH SYNOPSIS",
        ]
        for (number, operands) in Verb.query.operands.enumerated() {
            if number > 0 { lines.append(".br") }
            lines.append(".B soql\n[options] \(operands.roff)")
        }
        lines += [".br", ".B soql\n.I command\n[options] [operands]", ".SH DESCRIPTION"]
        lines += [sentence(Verb.query.summary)] + Verb.query.notes.flatMap { [".PP", $0.roffLines] }
        lines += [".SH OPTIONS", "Options of a query:"] + options(of: .query) + [".SH COMMANDS"]
        for verb in verbs { lines += Self.lines(of: verb) }
        lines += [".SH EXIT STATUS", Help.exitCodes.roffLines, ".SH SEE ALSO", ".BR curl (1),", ".BR jq (1)"]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(of verb: Verb) -> [String] {
        let forms = verb.operands.map { operands in
            "soql \(verb.name)\(verb.options.isEmpty ? "" : " [options]")\(operands.isEmpty ? "" : " \(operands)")"
        }
        var lines = [".SS \(forms[0].roff)"]
        for form in forms.dropFirst() { lines += [".B \(form.roff)", ".PP"] }
        lines.append(sentence(verb.summary))
        for note in verb.notes { lines += [".PP", note.roffLines] }
        return lines + options(of: verb)
    }

    private static func options(of verb: Verb) -> [String] {
        verb.allOptions.flatMap { [".TP", ".B \($0.form.roff)", $0.help.roffLines] }
    }

    private static func sentence(_ summary: String) -> String {
        (summary.sentenceStart + ".").roffLines
    }
}

extension String {
    /// The text with roff requests and escapes disabled.
    fileprivate var roff: String {
        replacing(bytes: "\\", with: "\\e").replacing(bytes: "-", with: "\\-").replacing(bytes: "…", with: "...")
            .replacing(bytes: "'", with: "\\(aq").replacing(bytes: "\"", with: "\\(dq").replacing(
                bytes: "`", with: "\\(ga")
    }

    /// The text in lines that do not begin with a request.
    fileprivate var roffLines: String {
        roff.lines(of: 78).map { $0.hasBytes(prefix: ".") ? "\\&" + $0 : $0 }.joined(separator: "\n")
    }

    /// The words in lines of at most `width` characters.
    fileprivate func lines(of width: Int) -> [String] {
        var (lines, line) = ([String](), "")
        for word in split(byte: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        return lines + [line]
    }
}
