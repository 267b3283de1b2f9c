// SPDX-License-Identifier: Apache-2.0

import RestText
import StoneCore

/// Whether all that is to be written has a form in Swift.
struct SwiftForms {
    private let api: StoneAPI

    init(_ api: StoneAPI) {
        self.api = api
    }

    /// Checks types and routes.
    ///
    /// - Throws: All that has no form, each with its place.
    func check(_ declarations: [StoneDeclaration], _ routes: [RouteID]) throws(StoneError) {
        var faults = StoneFaults(in: api)
        for declaration in declarations {
            for (type, location) in parts(of: declaration) { check(type, location, &faults) }
        }
        for route in routes.lazy.map({ api[$0] }) {
            for type in [route.argument, route.result, route.error] { check(type, route.location, &faults) }
        }
        try faults.check()
    }

    /// The types of fields and tags, the inherited ones too, with their places.
    private func parts(of declaration: StoneDeclaration) -> [(StoneType, StoneLocation)] {
        switch declaration {
        case .structure(let id): api.allFields(of: id).map { ($0.type, $0.location) }
        case .union(let id): api.allTags(of: id).map { ($0.type, $0.location) }
        case .alias(let id): [(api[id].type, api[id].location)]
        }
    }

    private func check(_ type: StoneType, _ location: StoneLocation, _ faults: inout StoneFaults) {
        switch api.unwrapped(type).type {
        case .timestamp(let format):
            guard let directive = unknownDirective(in: format) else { return }
            faults.add(
                "The directive '%\(directive)' of this timestamp has no form in Swift; use those of "
                    + Self.directives.map { "%\($0)" }.joined(separator: " ") + ".", at: location)
        case .list(let list): check(list.element, location, &faults)
        case .map(_, let value): check(value, location, &faults)
        default: break
        }
    }

    /// Those that the runtime knows.
    private static let directives = Array("YymdjHIMSfpzZaAbB".unicodeScalars)

    private func unknownDirective(in format: String) -> Unicode.Scalar? {
        format.split(byte: "%", omittingEmptySubsequences: false).dropFirst().lazy.compactMap(\.unicodeScalars.first)
            .first { !Self.directives.contains($0) }
    }
}
