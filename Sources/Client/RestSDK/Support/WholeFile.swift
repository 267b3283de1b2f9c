// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Files that are read and written as a whole.
enum WholeFile {
    /// The content of a file.
    ///
    /// - Throws: ``RestError/Code/file`` when it cannot be read; ``RestError/Code/tooLarge`` beyond the limit.
    static func read(_ path: String, atMost limit: Int) throws(RestError) -> [UInt8] {
        do throws(TransportError) {
            let source = try FileSource(HTTPBody.File(path: path))
            guard source.length <= Int64(limit) else {
                throw TransportError(
                    .tooLarge, "the file has \(source.length) bytes; at most \(limit) are read",
                    mayHaveReachedServer: false)
            }
            var bytes: [UInt8] = []
            while let piece = try source.next() { bytes += piece }
            return bytes
        } catch {
            let isTooLarge = error.code == .tooLarge
            throw RestError(
                isTooLarge ? .tooLarge : .file, "\(path): \(isTooLarge ? error.message : "the file cannot be read")",
                underlying: error)
        }
    }

    /// Writes a file that only this user may read, as a whole or not at all.
    ///
    /// - Parameters:
    ///   - bytes: the content.
    ///   - path: where the file belongs.
    ///   - isKept: whether it must outlast a loss of power; not so what can be had again.
    /// - Throws: ``RestError/Code/file``.
    static func write(_ bytes: [UInt8], to path: String, isKept: Bool = true) throws(RestError) {
        do throws(TransportError) {
            try FileWriter.write(bytes, to: path, isKept: isKept)
        } catch {
            throw RestError(.file, "\(path): \(error.message)", underlying: error)
        }
    }
}
