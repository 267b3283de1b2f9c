// SPDX-License-Identifier: Apache-2.0

extension StoneAPI {
    /// The type that an alias stands for, through any number of aliases; another type as it is.
    package func withoutAliases(_ type: StoneType) -> StoneType {
        var type = type
        while case .alias(let id) = type { type = self[id].type }
        return type
    }

    /// The type without aliases and without nullability, and whether null is allowed.
    package func unwrapped(_ type: StoneType) -> (type: StoneType, isNullable: Bool) {
        guard case .nullable(let inner) = withoutAliases(type) else { return (withoutAliases(type), false) }
        return (withoutAliases(inner), true)
    }

    /// Whether null is allowed, perhaps through aliases.
    package func isNullable(_ type: StoneType) -> Bool { unwrapped(type).isNullable }

    /// The struct or union that a type is, through aliases and nullability; nil if it is neither.
    package func declaration(of type: StoneType) -> StoneDeclaration? {
        switch unwrapped(type).type {
        case .structure(let id): .structure(id)
        case .union(let id): .union(id)
        default: nil
        }
    }

    /// The name and the namespace of a declaration.
    package func name(of declaration: StoneDeclaration) -> (namespace: String, name: String) {
        switch declaration {
        case .structure(let id): (self[id].namespace, self[id].name)
        case .union(let id): (self[id].namespace, self[id].name)
        case .alias(let id): (self[id].namespace, self[id].name)
        }
    }
}
