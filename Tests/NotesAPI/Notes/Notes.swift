// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: NotesAPI; docs: full) from specs with the hash 510b79d32bd6e2f8.
// Do not change it; change the specs and run stonegen again.

/// Notes, kept in folders.
///
/// The second file of the namespace.
public enum Notes {
    /// The alias `Index`.
    public typealias Index = [String: [String]]

    /// The alias `Pages`.
    public typealias Pages = [Notes.Note]

    /// The alias `Text`.
    public typealias Text = String
}
