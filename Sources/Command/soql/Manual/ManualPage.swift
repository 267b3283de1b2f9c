// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSDK

/// The manual page `soql(1)` in the language of man(7), made of the table of verbs.
enum ManualPage {
    /// When the words of the page changed last.
    private static let date = "2026-11-23"

    static var text: String {
        let verbs = Verb.all.filter { !$0.words.isEmpty }
        var lines = [
            #".TH SOQL 1 \#(date) "soql \#(RestClient.version)" "User Commands""#, ".SH NAME",
            #"soql \- runs SOQL queries over REST"#, ".SH SYNOPSIS",
        ]
        for (number, operands) in Verb.query.operands.enumerated() {
            if number > 0 { lines.append(".br") }
            lines.append(".B soql\n[options] \(operands.roff)")
        }
        lines += [".br", ".B soql\n.I verb\n[options] [operands]", ".SH DESCRIPTION"]
        lines += [sentence(Verb.query.summary)] + Verb.query.notes.flatMap { [".PP", $0.roffLines] }
        lines += [".SH OPTIONS", "Those of a query:"] + options(of: .query) + [".SH VERBS"]
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
        CompletionTable.options(of: verb).flatMap { [".TP", ".B \($0.form.roff)", $0.help.roffLines] }
    }

    private static func sentence(_ summary: String) -> String {
        (summary.prefix(1).uppercased() + summary.dropFirst() + ".").roffLines
    }
}

extension String {
    /// The text as roff prints it: nothing in it is a request or an escape.
    fileprivate var roff: String {
        replacing(bytes: "\\", with: "\\e").replacing(bytes: "-", with: "\\-").replacing(bytes: "…", with: "...")
            .replacing(bytes: "'", with: "\\(aq").replacing(bytes: "\"", with: "\\(dq").replacing(
                bytes: "`", with: "\\(ga")
    }

    /// The same in lines of 80 bytes, none of which begins with a request.
    fileprivate var roffLines: String {
        var (lines, line) = ([String](), "")
        for word in roff.split(byte: " ") {
            if !line.isEmpty, line.utf8.count + 1 + word.utf8.count > 78 {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        return (lines + [line]).map { $0.hasBytes(prefix: ".") ? "\\&" + $0 : $0 }.joined(separator: "\n")
    }
}
