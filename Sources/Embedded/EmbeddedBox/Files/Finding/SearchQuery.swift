// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import RestText

/// What may be found.
enum SearchCandidate: Sendable {
    /// An entry, with its bytes if they are to be looked at.
    case entry(Entry, Content?)
    case deleted(BoxPath)
}

/// What was found, and by what.
struct SearchFinding: Sendable {
    let metadata: Files.Metadata
    let path: String
    /// When the server changed it, in seconds since 1970; 0 for folders.
    let modified: Int64
    let isName: Bool
    let isText: Bool

    var typeV1: Files.SearchMatchType { isName ? (isText ? .both : .filename) : .content }
    var typeV2: Files.SearchMatchTypeV2 { isName ? (isText ? .filenameAndContent : .filename) : .fileContent }
}

/// A search: its words, all of which must be in the name or all in the text.
struct SearchQuery: Sendable {
    let words: [String]
    let folder: String
    var isNameOnly = false
    var isDeleted = false
    var isByTime = false
    /// In lower case, without dots; `nil` for all.
    var extensions: Set<String>?
    var categories: [Files.FileCategory]?

    /// The longest file whose text is looked at.
    private static let mostText: Int64 = 1 << 20

    init(words: String, folder: String) {
        self.words = words.lowercased().split(byte: " ").map(String.init)
        self.folder = folder
    }

    init(_ argument: Files.SearchV2Arg) {
        let options = argument.options
        self.init(words: argument.query, folder: options?.path ?? "")
        isNameOnly = options?.filenameOnly ?? false
        isDeleted = options?.fileStatus == .deleted
        isByTime = options?.orderBy == .lastModifiedTime
        extensions = options?.fileExtensions.map { Set($0.map { $0.lowercased().drop(anyOf: ".") }.map(String.init)) }
        categories = options?.fileCategories
    }

    /// Whether the entry is of a kind that was asked for.
    func takes(_ entry: Entry) -> Bool {
        if let extensions, entry.isFolder || !extensions.contains(entry.path.fileExtension) { return false }
        return categories?.contains(entry.category) ?? true
    }

    /// Whether the text of an entry is looked at.
    func reads(_ entry: Entry) -> Bool { !isNameOnly && entry.content.map { $0.size <= Self.mostText } ?? false }

    /// What a candidate is, if it fits.
    func finding(_ candidate: SearchCandidate) -> SearchFinding? {
        switch candidate {
        case .deleted(let path):
            guard isIn(path.name) else { return nil }
            return SearchFinding(
                metadata: path.deletedMetadata, path: path.lower, modified: 0, isName: true, isText: false)
        case .entry(let entry, let bytes):
            let isName = isIn(entry.path.name)
            let text = bytes.flatMap { $0.prefix($0.size) }.flatMap { String(validating: $0, as: UTF8.self) }
            let isText = text.map(isIn) ?? false
            guard isName || isText else { return nil }
            return SearchFinding(
                metadata: entry.metadata, path: entry.path.lower, modified: entry.content?.serverModified ?? 0,
                isName: isName, isText: isText)
        }
    }

    private func isIn(_ text: String) -> Bool {
        guard !words.isEmpty else { return false }
        let text = text.lowercased()
        return words.allSatisfy { text.contains($0) }
    }
}

extension Entry {
    /// By the ending of the name.
    fileprivate var category: Files.FileCategory {
        guard !isFolder else { return .folder }
        return switch path.fileExtension {
        case "jpg", "jpeg", "png", "gif", "bmp", "tif", "tiff", "webp", "heic": .image
        case "doc", "docx", "txt", "rtf", "odt", "md": .document
        case "pdf": .pdf
        case "xls", "xlsx", "csv", "ods": .spreadsheet
        case "ppt", "pptx", "odp": .presentation
        case "mp3", "wav", "flac", "m4a", "ogg": .audio
        case "mp4", "mov", "avi", "mkv", "webm": .video
        case "paper": .paper
        default: .others
        }
    }
}
