// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The distance in UTF-8 bytes of a place, counted from 1 in lines and Unicode scalars; `nil` for none in the text.
    ///
    /// The end of the text, and of each line, is a place too.
    package func offset(line: Int, column: Int) -> Int? {
        var here = Place()
        for scalar in unicodeScalars {
            if here.line == line, here.column == column { return here.offset }
            here.pass(scalar)
        }
        return here.line == line && here.column == column ? here.offset : nil
    }

    /// The line and the column of the scalar at a distance in UTF-8 bytes.
    package func place(ofOffset offset: Int) -> (line: Int, column: Int) {
        var here = Place()
        for scalar in unicodeScalars {
            guard here.offset < offset else { break }
            here.pass(scalar)
        }
        return (here.line, here.column)
    }
}

/// A place that goes through a text; `\r\n` is one end of a line.
private struct Place {
    var offset = 0, line = 1, column = 1
    private var isBehindReturn = false

    mutating func pass(_ scalar: Unicode.Scalar) {
        offset += UTF8.width(scalar)
        let isSecondHalf = isBehindReturn && scalar == "\n"
        isBehindReturn = scalar == "\r"
        if scalar == "\n" || isBehindReturn {
            if !isSecondHalf { line += 1 }
            column = 1
        } else {
            column += 1
        }
    }
}
