// SPDX-License-Identifier: Apache-2.0

import NotesAPI
import Testing

/// What the compiled sources of the notes service do.
@Suite("The notes service")
struct NotesTests {
    @Test("All routes are found by their names")
    func registry() {
        let routes = NotesAPIRegistry.routes
        #expect(routes["notes/create_v2"]?.style == "upload")
        #expect(routes["notes/create_v2"]?.auth == ["app", "user"])
        #expect(routes["notes/create"]?.isDeprecated == true)
        #expect(routes["notes/create_v2"]?.isPreview == true)
        #expect(routes["notes/create"]?.isPreview == false)
        #expect(routes["notes/folders/list"]?.host == "content")
    }
}
