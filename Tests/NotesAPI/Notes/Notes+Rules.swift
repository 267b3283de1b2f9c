// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: NotesAPI; docs: full) from specs with the hash 0868c84a4a208232.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension Notes.CreateArg: StoneValidated {
    /// Checks the fields by the rules of the spec.
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("text", text, nil, 100000)
        try checks.string("folder", folder, 4, 40, "^id:[a-z0-9_-]+$")
    }
}
