// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
import RestBase

/// One standard stream of a child: a pair of connected sockets, because writing to a pipe whose reader is gone would
/// end this process with a signal.
struct ChildStream {
    /// The end that becomes the child's stream.
    let theirs: Int32
    private let ours: Int32
    private var pending: ArraySlice<UInt8>
    private var isOver = false
    /// Everything the child wrote so far.
    private(set) var received: [UInt8] = []

    /// Makes a stream; `nil` when the system gives no sockets, and `errno` says why.
    init?(sending bytes: [UInt8]) {
        var ends: [Int32] = [-1, -1]
        #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        #else
        let kind = SOCK_STREAM | SOCK_CLOEXEC
        #endif
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        (ours, theirs) = (ends[0], ends[1])
        pending = bytes[...]
    }

    /// Sends what the child takes now, and then the end of the stream.
    ///
    /// - Returns: whether anything moved.
    mutating func send() -> Bool {
        guard !isOver else { return false }
        if !pending.isEmpty {
            let count = unsafe pending.withUnsafeBytes { unsafe systemSend(ours, $0.baseAddress, $0.count) }
            if count < 0, errno == EAGAIN || errno == EINTR { return false }
            // A child that reads no more gets no more; its status says whether that matters.
            pending = count < 0 ? [] : pending.dropFirst(count)
        }
        if pending.isEmpty {
            isOver = true
            shutdown(ours, Int32(SHUT_WR))
        }
        return true
    }

    /// Takes what the child wrote.
    ///
    /// - Returns: whether anything came.
    mutating func receive() -> Bool {
        guard !isOver else { return false }
        var part = [UInt8](repeating: 0, count: 8_192)
        let count = unsafe recv(ours, &part, part.count, Int32(MSG_DONTWAIT))
        if count < 0, errno == EAGAIN || errno == EINTR { return false }
        isOver = count <= 0
        received += part.prefix(max(0, count))
        return !isOver
    }

    func closeTheirs() { close(theirs) }
    func closeOurs() { close(ours) }

    func closeBoth() {
        closeTheirs()
        closeOurs()
    }
}

/// The system's `send`, which a method of the same name would hide.
private func systemSend(_ socket: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe send(socket, bytes, count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
}
#endif
