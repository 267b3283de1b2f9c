// SPDX-License-Identifier: Apache-2.0

import RestBase

/// A file of a package that is being made.
struct TemplateFile {
    /// How a template names RestSDK in the checkout that both are in.
    static let dependency = #".package(name: "RestSDK", path: "../..")"#
    /// And in the products that its targets use.
    static let product = #"package: "RestSDK""#

    let path: String
    let text: String

    init(_ file: Template.File) {
        self.init(path: file.path, text: file.text)
    }

    private init(path: String, text: String) {
        (self.path, self.text) = (path, text)
    }

    /// The file with another name for the package, also in lower and in upper case, and with its own dependency.
    func renamed(from old: String, to new: String, _ sdk: SDKSource) -> TemplateFile {
        let names = [(old, new), (old.lowercased(), new.lowercased()), (old.uppercased(), new.uppercased())]
        var text = Self.withoutLicenceLine(text).replacingEach(names)
        if path == "Package.swift" {
            text = text.replacing(bytes: Self.dependency, with: sdk.dependency)
                .replacing(bytes: Self.product, with: "package: \"\(sdk.package)\"")
        }
        return TemplateFile(path: path.replacingEach(names), text: text)
    }

    /// The licence is RestSDK's; what is made of a template is its maker's.
    private static func withoutLicenceLine(_ text: String) -> String {
        var lines = text.split(byte: "\n", omittingEmptySubsequences: false)
        guard let line = lines.prefix(2).firstIndex(of: "// SPDX-License-Identifier: Apache-2.0") else { return text }
        lines.remove(at: line)
        if line < lines.count, lines[line].isEmpty, line == 0 { lines.remove(at: line) }
        return lines.joined(separator: "\n")
    }
}

extension String {
    /// The text with other words for some, each place looked at once.
    func replacingEach(_ words: [(old: String, new: String)]) -> String {
        let words = words.map { (old: Array($0.old.utf8), new: Array($0.new.utf8)) }
        var rest = Array(utf8)[...]
        var result: [UInt8] = []
        while let byte = rest.first {
            if let word = words.first(where: { rest.starts(with: $0.old) }) {
                result += word.new
                rest = rest.dropFirst(word.old.count)
            } else {
                result.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
