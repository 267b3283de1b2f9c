// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: NotesAPI; docs: full) from specs with the hash ec93495583a924bf.
// Do not change it; change the specs and run stonegen again.

/// Notes, kept in folders.
///
/// The second file of the namespace.
public enum Notes {
    public typealias Index = [String: [String]]

    public typealias Pages = [Notes.Note]

    public typealias Text = String
}
