// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A connection on which a test writes what no client would.
struct RawSocket {
    private let handle: FileHandle

    struct Failed: Error {}

    init(port: Int) throws {
        #if canImport(Darwin)
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { throw Failed() }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func send(_ text: String) { handle.write(Data(text.utf8)) }
    func readAll() -> String { String(decoding: handle.readDataToEndOfFile(), as: UTF8.self) }
    func close() { try? handle.close() }
}
