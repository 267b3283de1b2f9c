// SPDX-License-Identifier: Apache-2.0

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
            for (type, location, hasDefault) in parts(of: declaration) {
                check(type, location, hasDefault: hasDefault, &faults)
            }
        }
        for route in routes.lazy.map({ api[$0] }) {
            for type in [route.argument, route.result, route.error] { check(type, route.location, &faults) }
        }
        try faults.check()
    }

    /// The formats of timestamps that the runtime knows, with their names there.
    static let timestamps = ["%Y-%m-%dT%H:%M:%SZ": ".seconds", "%Y-%m-%d": ".day"]

    /// The types of fields and tags, the inherited ones too, with their places, and whether there is a default.
    private func parts(of declaration: StoneDeclaration) -> [(StoneType, StoneLocation, hasDefault: Bool)] {
        switch declaration {
        case .structure(let id): api.allFields(of: id).map { ($0.type, $0.location, $0.defaultValue != nil) }
        case .union(let id): api.allTags(of: id).map { ($0.type, $0.location, false) }
        case .alias(let id): [(api[id].type, api[id].location, false)]
        }
    }

    private func check(
        _ type: StoneType, _ location: StoneLocation, hasDefault: Bool = false, _ faults: inout StoneFaults
    ) {
        switch api.unwrapped(type).type {
        case .timestamp(let format):
            if Self.timestamps[format] == nil {
                let known = Self.timestamps.keys.sorted().joined(separator: " and ")
                faults.add("The format '\(format)' has no form in Swift; timestamps are \(known).", at: location)
            } else if hasDefault {
                faults.add("The default of a timestamp has no form in Swift; make the field nullable.", at: location)
            }
        case .list(let list): check(list.element, location, &faults)
        case .map(_, let value): check(value, location, &faults)
        default: break
        }
    }
}
