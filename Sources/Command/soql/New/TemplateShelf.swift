// SPDX-License-Identifier: Apache-2.0

import RestBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The folder that has the templates: installed beside the program, or in the checkout that the program was built in.
struct TemplateShelf {
    let folder: String
    /// The RestSDK that the templates fit; `nil` when nothing says where it is.
    let sdk: SDKSource?

    /// Looks for `../share/soql/templates` from the program, then for a checkout around it.
    ///
    /// - Throws: ``CommandFailure`` when neither is there, ``UsageError`` for an installed address that is none.
    static func find(program: String = ProgramFile.path) throws -> TemplateShelf {
        let folders = sequence(first: program.parentFolder) { $0 == "/" ? nil : $0.parentFolder }
        let share = "\(program.parentFolder.parentFolder)/share/soql"
        if FileFacts.isFolder("\(share)/templates") {
            let address = try? String(contentsOfFile: "\(share)/sdk", encoding: .utf8)
            return TemplateShelf(
                folder: "\(share)/templates", sdk: try address.map { try SDKSource($0.trimmingBlanks) })
        }
        guard let checkout = folders.first(where: { FileFacts.isFolder("\($0)/Sources/Client/RestSDK") }) else {
            throw CommandFailure("the templates are not there: neither '\(share)/templates' nor a checkout of RestSDK")
        }
        return TemplateShelf(folder: "\(checkout)/Templates", sdk: .folder(checkout))
    }

    /// All templates, by their names.
    var templates: [Template] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
                .filter { FileFacts.exists("\(folder)/\($0)/Package.swift") }
                .map { Template(name: $0, folder: "\(folder)/\($0)") }
        }
    }

    /// The template of a name, in any case.
    func template(_ name: String) throws -> Template {
        let all = try templates
        guard let found = all.first(where: { $0.name.lowercased() == name.lowercased() }) else {
            throw UsageError("there is no template '\(name)'; 'soql new' lists them", near: name, all.map(\.name))
        }
        return found
    }
}
