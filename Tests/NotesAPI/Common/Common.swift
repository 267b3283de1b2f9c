// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: NotesAPI; docs: full) from specs with the hash 510b79d32bd6e2f8.
// Do not change it; change the specs and run stonegen again.


#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What the notes service shares with its neighbours.
public enum Common {
    /// The alias `Day`.
    public typealias Day = Date

    /// The alias `Height`.
    public typealias Height = Float

    /// Begins with id:. See `Common.Person` and [the guide](https://example.org/ids).
    public typealias Id = String

    /// An address of `"letters"`.
    public typealias Mail = String

    /// The alias `MaybeId`.
    public typealias MaybeId = String?

    /// The alias `NoteId`.
    public typealias NoteId = String

    /// The alias `Nothing`.
    public typealias Nothing = Void

    /// The alias `Tags`.
    public typealias Tags = [String]
}
