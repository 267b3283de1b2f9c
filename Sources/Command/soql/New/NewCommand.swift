// SPDX-License-Identifier: Apache-2.0

import RestBase

/// Makes a package from a template, or lists the templates.
struct NewCommand: Command {
    let options: NewOptions

    func run() async throws {
        let shelf = try TemplateShelf.find()
        guard let package = options.package else { return try list(shelf) }
        let template = try shelf.template(package.template)
        let folder = try NewFolder(package.folder)
        let name = try ModuleName(package.name ?? folder.name, for: template, isChosen: package.name != nil)
        guard let sdk = package.sdk ?? shelf.sdk else {
            throw UsageError("this command does not know where RestSDK is; name its folder or its URL with --sdk")
        }
        guard sdk.identity.lowercased() != folder.name.lowercased() else {
            throw UsageError("SwiftPM knows packages by their folders, and RestSDK is in one named '\(folder.name)'")
        }
        let files = try template.files.map { TemplateFile($0).renamed(from: template.name, to: name.text, sdk) }
        try folder.fill(with: files)
        let count = files.count
        StandardOutput.note(
            "'\(name.text)' is in \(package.folder): \(count) files. The next three commands:".singleLine)
        try StandardOutput.write(Self.next(package.folder, files))
    }

    private func list(_ shelf: TemplateShelf) throws {
        let templates = try shelf.templates
        let width = templates.map(\.name.count).max() ?? 0
        for template in templates {
            let gap = String(repeating: " ", count: width - template.name.count + 2)
            try StandardOutput.write("\(template.name)\(gap)\(template.summary)\n")
        }
        StandardOutput.note("'soql new TEMPLATE DIR' makes a package of one.")
    }

    /// The commands that come next: into the folder, the tests, and what the package's README runs first.
    private static func next(_ folder: String, _ files: [TemplateFile]) -> String {
        let readme = files.first { $0.path == "README.md" }?.text ?? ""
        let lines = readme.split(byte: "\n").map { String($0.prefix(before: "#")).trimmingBlanks }
        let start =
            lines.filter { $0.hasBytes(prefix: "eval ") }.prefix(1)
            + lines.filter { $0.hasBytes(prefix: "swift run") }.prefix(1)
        return "cd \(folder.shellWord)\nswift test\n\(start.joined(separator: " && "))\n"
    }
}
