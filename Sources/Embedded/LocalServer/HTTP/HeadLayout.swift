// SPDX-License-Identifier: Apache-2.0

import CMicroHTTPD

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Where the pieces of a header stand in libmicrohttpd's buffer.
///
/// The library reads a header in place and, before 0.9.76, skips in silence what it cannot read: a NUL with all behind
/// it, lines without a name, folded lines, ends of lines without a carriage return. Somebody else may read such a
/// header as another request (RFC 9112 §11.2). So each piece must begin where the one before it ends.
struct HeadLayout {
    /// Whether no byte was skipped so far.
    private(set) var isWhole = true
    private var end: UInt
    /// A carriage return and a line feed, for which the library has put a NUL each.
    private static let lineEnd: UInt = 2

    /// The request line: the target, and the method and the version around it.
    init(_ method: UnsafePointer<CChar>, target: Range<UInt>, _ version: UnsafePointer<CChar>) {
        end = unsafe UInt(bitPattern: version) + UInt(strlen(version))
        guard cmhd_skips_silently() != 0 else { return }
        let afterMethod = unsafe UInt(bitPattern: method) + UInt(strlen(method))
        isWhole = target.lowerBound == afterMethod + 1 && UInt(bitPattern: version) == target.upperBound + 1
    }

    /// The next field, whose value may stand behind blanks.
    mutating func append(_ name: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?, _ valueSize: Int) {
        let start = UInt(bitPattern: name)
        let isNext = start == end + Self.lineEnd
        end = UInt(bitPattern: value) + UInt(valueSize)
        if cmhd_skips_silently() != 0, !isNext { isWhole = false }
    }

    /// Behind the last field are the ends of its line and of the empty line.
    ///
    /// The bytes are there: the library keeps its list of the fields behind them, in the same memory.
    mutating func finish() {
        guard cmhd_skips_silently() != 0, isWhole, let start = unsafe UnsafePointer<UInt8>(bitPattern: end) else {
            return
        }
        let bytes = unsafe UnsafeBufferPointer(start: start, count: 2 * Int(Self.lineEnd))
        isWhole = unsafe bytes.allSatisfy { $0 == 0 }
    }
}
