// SPDX-License-Identifier: Apache-2.0

@testable import StoneCompiler

/// Writes types as `Oracle/dump_ir.py` does.
struct SpecTypeDump {
    let api: StoneAPI

    func json(_ type: StoneType) -> StoneJSON {
        switch type {
        case .void: named("Void")
        case .boolean: named("Boolean")
        case .bytes: named("Bytes")
        case .integer(let type):
            named(
                type.size.rawValue, ("min_value", type.minimum.map { .integer($0) }),
                ("max_value", type.maximum.map { .integer($0) }))
        case .float(let type):
            named(
                type.size.rawValue, ("min_value", type.minimum.map { .float($0) }),
                ("max_value", type.maximum.map { .float($0) }))
        case .string(let type): string(type)
        case .timestamp(let format): named("Timestamp", ("format", .string(format)))
        case .list(let list):
            named(
                "List", ("of", json(list.element)), ("min_items", number(list.minimumItems)),
                ("max_items", number(list.maximumItems)))
        case .map(let key, let value): named("Map", ("key", string(key)), ("of", json(value)))
        case .nullable(let inner): named("Nullable", ("of", json(inner)))
        case .alias(let id): named("alias", ("to", name(.alias(id))))
        case .structure(let id): named("struct", ("to", name(.structure(id))))
        case .union(let id): named("union", ("to", name(.union(id))))
        }
    }

    private func string(_ type: StoneStringType) -> StoneJSON {
        named(
            "String", ("min_length", number(type.minimumLength)), ("max_length", number(type.maximumLength)),
            ("pattern", type.pattern.map { .string($0) }))
    }

    private func named(_ name: String, _ members: (String, StoneJSON?)...) -> StoneJSON {
        .made([("name", .string(name))] + members)
    }

    private func number(_ number: Int?) -> StoneJSON? { number.map { .integer(Int128($0)) } }

    private func name(_ declaration: StoneDeclaration) -> StoneJSON { .string(SpecDump(api: api).name(declaration)) }
}
