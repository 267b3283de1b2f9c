// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: NotesAPI; docs: full) from specs with the hash ec93495583a924bf.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

/// All routes of the module by name, such as `files/list_folder`.
nonisolated public enum NotesAPIRegistry {
    /// The description of each route.
    public static let routes: [String: RouteInfo] = Dictionary(
        [Notes.Routes.all].joined().map { ($0.id, $0) }) { first, _ in first }
}
