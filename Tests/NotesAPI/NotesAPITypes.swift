// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: NotesAPI; docs: full) from specs with the hash ec93495583a924bf.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

/// All types by their names in the specs.
nonisolated public enum NotesAPITypes {
    /// The types and their names.
    public static var all: [(name: String, type: any StoneType.Type)] {
        [part0].flatMap { $0 }
    }

    private static var part0: [(name: String, type: any StoneType.Type)] {
        [
            ("common.Person", Common.Person.self), ("common.Style", Common.Style.self),
            ("notes.Base", Notes.Base.self), ("notes.Bounds", Notes.Bounds.self), ("notes.Closed", Notes.Closed.self),
            ("notes.CreateArg", Notes.CreateArg.self), ("notes.CreateError", Notes.CreateError.self),
            ("notes.DrawArg", Notes.DrawArg.self), ("notes.Empty", Notes.Empty.self),
            ("notes.Entry", Notes.Entry.self), ("notes.Finish", Notes.Finish.self),
            ("notes.Folder", Notes.Folder.self), ("notes.Link", Notes.Link.self),
            ("notes.LookupError", Notes.LookupError.self), ("notes.Moments", Notes.Moments.self),
            ("notes.Note", Notes.Note.self), ("notes.Open", Notes.Open.self), ("notes.Page", Notes.Page.self),
            ("notes.Rating", Notes.Rating.self), ("notes.Round", Notes.Round.self), ("notes.Shade", Notes.Shade.self),
            ("notes.Shape", Notes.Shape.self), ("notes.Square", Notes.Square.self), ("notes.State", Notes.State.self),
            ("notes.State2", Notes.State2.self), ("notes.common_error", Notes.CommonError.self)
        ]
    }
}
