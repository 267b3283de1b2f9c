// SPDX-License-Identifier: Apache-2.0

import RestBase

/// The marks that output is drawn with: those of Unicode in a locale of UTF-8, else those of ASCII.
struct Marks: Equatable {
    let vertical: String
    let horizontal: String
    let cross: String
    let ellipsis: String

    static let unicode = Marks(vertical: "│", horizontal: "─", cross: "┼", ellipsis: "…")
    static let ascii = Marks(vertical: "|", horizontal: "-", cross: "+", ellipsis: "...")

    /// Those of the locale that the environment names; without one it is POSIX's, which has ASCII alone.
    static let current = of(locale: ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(Settings.value).first)

    static func of(locale: String?) -> Marks {
        let name = (locale ?? "C").lowercased()
        return name.hasBytes("utf-8") || name.hasBytes("utf8") ? unicode : ascii
    }
}
