// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestTransport

/// A file being uploaded; read by the loop thread only.
final class FileReader {
    /// The length when the file was opened; exactly that much is sent.
    let length: Int64
    /// Whether reading failed or the file changed while it was sent.
    private(set) var hasFailed = false
    private var descriptor: Int32
    private var left: Int64
    private let modificationTime: Int64

    /// Opens a regular file.
    init(path: String) throws(TransportError) {
        descriptor = unsafe ccurl_open_for_reading(path)
        let code = descriptor < 0 ? ccurl_errno() : 0
        length = descriptor < 0 ? -1 : ccurl_regular_file_size(descriptor)
        left = length
        modificationTime = descriptor < 0 ? -1 : ccurl_modification_time(descriptor)
        guard length >= 0 else {
            if descriptor >= 0 { ccurl_close(descriptor) }
            throw TransportError(
                .file, "the file to upload cannot be read", mayHaveReachedServer: false,
                systemErrors: [TransportError.SystemError(errno: code)].compactMap(\.self))
        }
    }

    deinit { close() }

    /// Fills the buffer; `nil` when the file is unreadable or not what it was.
    ///
    /// The last bytes are given only if the file did not change before: half of one state and half of another, or a
    /// file that goes on, must not look like a whole upload.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let wanted = Int(min(Int64(buffer.count), left))
        guard wanted > 0 else { return 0 }
        let count = unsafe ccurl_read(descriptor, buffer.baseAddress, wanted)
        guard count > 0 else {
            hasFailed = true
            return nil
        }
        left -= Int64(count)
        guard left > 0 || isUnchanged else {
            hasFailed = true
            return nil
        }
        return count
    }

    private var isUnchanged: Bool {
        ccurl_regular_file_size(descriptor) == length && ccurl_modification_time(descriptor) == modificationTime
    }

    /// Closes the file; may be called again.
    func close() {
        guard descriptor >= 0 else { return }
        ccurl_close(descriptor)
        descriptor = -1
    }
}
