// SPDX-License-Identifier: Apache-2.0

import RestBase

/// How versions, documents and links of files belong together.
///
/// A version without a document makes one, which its owner and the place of its publication get. A document shows what
/// its latest version says.
enum ContentFiles {
    /// What a document takes from its latest version.
    static let documentFields = """
        ("LatestPublishedVersionId", "Title", "Description", "FileType", "FileExtension", "ContentSize") =
        (SELECT v."Id", v."Title", v."Description", v."FileType", v."FileExtension", v."ContentSize"
        FROM "ContentVersion" v WHERE v."ContentDocumentId" = "ContentDocument"."Id" AND v."IsLatest" = 1)
        """

    private static let types = [
        "csv": "CSV", "doc": "WORD", "docx": "WORD_X", "gif": "GIF", "htm": "HTML", "html": "HTML", "jpeg": "JPG",
        "jpg": "JPG", "json": "JSON", "mp3": "MP3", "mp4": "MP4", "pdf": "PDF", "png": "PNG", "ppt": "POWER_POINT",
        "pptx": "POWER_POINT_X", "rtf": "RTF", "svg": "SVG", "txt": "TEXT", "xls": "EXCEL", "xlsx": "EXCEL_X",
        "xml": "XML", "zip": "ZIP",
    ]

    /// The name of a file without its folders and its extension, the extension, and the type that it stands for.
    static func parts(of path: String) -> (name: String, extension: String, type: String) {
        let file = path.split(anyOf: "/\\").last ?? ""
        guard let dot = file.lastIndex(byte: "."), dot > file.startIndex else { return (String(file), "", "UNKNOWN") }
        let ending = String(file[file.utf8.index(after: dot)...])
        return (String(file[..<dot]), ending, types[ending.lowercased()] ?? "UNKNOWN")
    }
}
