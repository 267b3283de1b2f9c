// SPDX-License-Identifier: Apache-2.0

import SwiftSource
import Testing

@testable import SOQLSwift
@testable import StoneCompiler

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Names that generated code does not take")
struct ReservedNamesTests {
    /// The modules that `import RestSDK` shows, and where the single types are declared that it exports.
    private static let restSDK = ["RestSDK", "RestAuth", "RestJSON", "RestTransport"]

    @Test("The lists have the public types of the modules, all of them and no others")
    func complete() throws {
        let sdk = try PublicNames(of: Self.restSDK).types
        #expect(RuntimeNames.restSDK.sorted() == sdk.sorted())
        #expect(
            RuntimeNames.restModels.sorted() == (try PublicNames(of: ["RestModels"]).types).subtracting(sdk).sorted())
        #expect(RuntimeNames.stoneRuntime.sorted() == (try PublicNames(of: ["StoneRuntime"]).types).sorted())
    }

    @Test("So has the list of the types inside those that generated code extends")
    func inside() throws {
        let nested = try PublicNames(of: ["RestSDK", "RestModels", "RestBulk", "RestTesting"]).nested
        let types = (nested["SOQL"] ?? []).union(nested["RestClient"] ?? [])
        #expect(RuntimeNames.insideExtended.sorted() == types.sorted())
    }

    @Test(
        "Each type that generated code writes is one that it declares, or one that nothing else may be called",
        arguments: [
            ("Tests/OrgModels", ModelNames.reservedInside), ("Tests/NotesAPI", SwiftNames.types),
            ("Sources/Dropbox/DropboxAPI", SwiftNames.types),
        ])
    func written(folder: String, reserved: Set<String>) throws {
        let root = Checkout.root.appending(path: folder).resolvingSymlinksInPath()
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }
        let names = WrittenNames(
            try paths.map { String(decoding: try Data(contentsOf: root.appending(path: $0)), as: UTF8.self) })
        #expect(names.declared.count > 6 && names.bare.count > 20)
        // The parameter of a generic function, which hides all else.
        #expect(names.bare.subtracting(names.declared).subtracting(reserved).subtracting(["Output"]).sorted() == [])
    }
}
