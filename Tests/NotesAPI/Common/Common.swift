// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: NotesAPI; docs: full) from specs with the hash ec93495583a924bf.
// Do not change it; change the specs and run stonegen again.


#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What the notes service shares with its neighbours.
public enum Common {
    public typealias Day = Date

    public typealias Height = Float

    /// Begins with id:. See `Common.Person` and [the guide](https://example.org/ids).
    public typealias Id = String

    /// An address of `"letters"`.
    public typealias Mail = String

    public typealias MaybeId = String?

    public typealias NoteId = String

    public typealias Nothing = Void

    public typealias Tags = [String]
}
