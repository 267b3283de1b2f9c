// SPDX-License-Identifier: Apache-2.0

import SwiftSource

extension ModelNames {
    /// Names that no type of an object may have.
    static let reservedTypes: Set = RuntimeNames.restSDK.union(RuntimeNames.insideExtended)
        .union(reservedInside).union(insideModels).union([ModelEmitter.others])

    /// Names that no type inside the type of an object may have.
    ///
    /// Such a type hides others for the code of its own object alone.
    static let reservedInside: Set = RuntimeNames.swift.union(RuntimeNames.apps).union(RuntimeNames.restModels)
        .union(RuntimeNames.written)

    /// Names of types inside the type of an object.
    static let reservedNestedTypes: Set = ["Fields", "CodingKeys", "RawValue"]

    /// Names that mean something else inside the type of each object.
    private static let insideModels: Set = ["Fields", "Model"]

    /// Names of members that the runtime, or the language itself, needs.
    static let reservedMembers: Set = [
        "customMirror", "debugDescription", "encode", "hash", "hashValue", "init", "record", "self", "shape",
        "unsafelyUnwrapped",
    ]

    /// Names of an enum's cases that mean something else.
    static let reservedCases: Set = [
        "allCases", "description", "encode", "fieldJSON", "hash", "hashValue", "init", "listed", "none", "rawValue",
        "self", "soqlLiteral", "some", "unlisted",
    ]
}
