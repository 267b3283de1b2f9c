// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Dropbox

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What comes in at standard input.
enum StandardInput {
    /// The next piece; `nil` at the end.
    static func piece() async throws -> [UInt8]? {
        // Waiting for a pipe must not hold a thread on which others work.
        try await withCheckedThrowingContinuation { waiter in
            DispatchQueue.global().async { waiter.resume(with: Result { try read() }) }
        }
    }

    private static func read() throws -> [UInt8]? {
        while true {
            var count = 0
            let piece = [UInt8](unsafeUninitializedCapacity: 256 * 1024) { buffer, filled in
                count = systemRead(STDIN_FILENO, buffer.baseAddress, buffer.count)
                filled = max(0, count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw Failure("standard input cannot be read: \(String(cString: strerror(errno)))")
            }
            return piece.isEmpty ? nil : piece
        }
    }
}

/// The system's `read`, which a method of the same name would hide.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}
