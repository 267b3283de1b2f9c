// SPDX-License-Identifier: Apache-2.0

import Testing

/// Namespaces and routes that are asked for by name.
@Suite struct SelectionTests {
    @Test func aNamespaceAloneIsWritten() throws {
        let workspace = try Workspace()
        #expect(try workspace.generate("--namespaces", " common,").status == 0)
        let paths = try workspace.files(in: "out").keys
        #expect(paths.contains("Common/Common.swift") && !paths.contains { $0.hasPrefix("Notes/") })
    }

    @Test func theRoutesOfAListAreWritten() throws {
        let workspace = try Workspace()
        try workspace.write(
            "# what the app calls\r\n\r\n  notes/folders/list # pages\r\nnotes/create_v2\r\n", to: "routes")
        let call = try workspace.generate("--routes", "routes")
        #expect(call.status == 0, "\(call.errors)")
        let routes = try workspace.text("out/Notes/Notes+Routes.swift")
        #expect(routes.contains("func foldersList(") && routes.contains("func createV2("))
        #expect(!routes.contains("func create(") && !routes.contains("func ping("))
    }

    @Test func unknownNamespacesAreToldWithTheNearest() throws {
        let workspace = try Workspace()
        let call = try workspace.generate("--namespaces", "nots,common,comon")
        #expect(call.status == 2 && call.output.isEmpty)
        #expect(
            call.errors == """
                There is no namespace 'nots'; did you mean 'notes' or 'common'?
                There is no namespace 'comon'; did you mean 'common' or 'notes'?

                """)
        #expect(!workspace.exists("out"))
    }

    @Test func unknownRoutesAreToldWithTheNearest() throws {
        let workspace = try Workspace()
        try workspace.write("notes/create\nnotes/create:2\n\nnotes/folder/list\n", to: "routes.txt")
        let call = try workspace.generate("--routes", "routes.txt")
        let lines = call.errors.split(separator: "\n")
        #expect(call.status == 2 && lines.count == 2)
        #expect(
            lines.first?.hasPrefix("routes.txt:2: There is no route 'notes/create:2'; did you mean 'notes/create")
                == true)
        #expect(
            lines.last?.hasPrefix(
                "routes.txt:4: There is no route 'notes/folder/list'; did you mean 'notes/folders/list'")
                == true)
        #expect(!workspace.exists("out"))
    }

    @Test func aRouteOutsideOfTheNamespacesIsAFault() throws {
        let workspace = try Workspace()
        try workspace.write("notes/create", to: "routes")
        let call = try workspace.generate("--routes", "routes", "--namespaces", "common")
        #expect(call.status == 2)
        #expect(call.errors.hasPrefix("routes:1: The route 'notes/create' is in none of the --namespaces;"))
    }

    @Test func manyUnknownNamesAreCutOff() throws {
        let workspace = try Workspace()
        try workspace.write((0..<5_000).map { "a/\($0)\n" }.joined(), to: "routes")
        let call = try workspace.generate("--routes", "routes")
        #expect(call.status == 2)
        #expect(call.errors.split(separator: "\n").count == 51)
        #expect(call.errors.hasSuffix("There are 4950 more of this kind.\n"))
    }

    @Test(arguments: ["", "\n# none\n"]) func aListWithoutNamesIsAFault(_ text: String) throws {
        let workspace = try Workspace()
        try workspace.write(text, to: "routes")
        let call = try workspace.generate("--routes", "routes")
        #expect(call.status == 2 && call.errors == "The file routes names no route.\n")
    }

    @Test func aListThatIsNotThereIsAFault() throws {
        let call = try Workspace().generate("--routes", "routes")
        #expect(call.status == 2 && call.errors == "There is no file or folder routes.\n")
        let folder = try Workspace().generate("--routes", "specs")
        #expect(folder.status == 2 && folder.errors == "specs is a folder, but here must be a file.\n")
    }
}
