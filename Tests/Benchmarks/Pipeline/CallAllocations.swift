// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK
import RestTransport

/// Counts the blocks of memory that a warm call allocates, without those of a network.
///
/// The program runs itself with a library that counts. The smallest count of several rounds is that of the calls:
/// other threads only add to it.
func callAllocationFigures() async throws {
    #if DEBUG
    let most = 50.0
    #else
    let most = 22.0
    #endif
    let folder = FileManager.default.temporaryDirectory.appending(path: "allocations-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    guard let library = try AllocationCounter.library(in: folder.path) else {
        return Figure.absent("allocations.call", peer: "a C compiler")
    }
    let text = try output(CommandLine.arguments[0], ["allocations"], environment: ["LD_PRELOAD": library])
    guard let blocks = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
        throw CommandFailed(command: "allocations", status: 1)
    }
    Figure(
        name: "allocations.call", value: blocks, unit: "blocks", relation: .atMost, bound: most,
        note: "a warm call with a response of 600 bytes, no network"
    ).print()
}

/// A transport whose response to every request has 600 bytes.
private struct SmallResponses: HTTPTransport {
    private static let text =
        #"{"totalSize":1,"done":true,"records":["#
        + Array(repeating: #"{"Id":"0015g00000XYZabAAH"}"#, count: 20).joined(separator: ",") + "]}"

    private let response = HTTPResponse(
        head: HTTPResponse.Head(status: 200, fields: ["Content-Type": "application/json"]), body: Array(text.utf8))

    func send(
        _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse { response }

    func shutdown() async {}
}

/// The number of blocks of memory that this process has allocated.
struct AllocationCounter {
    private let read: @convention(c) () -> Int

    /// Finds the library that counts, or returns `nil` if it is not in this process.
    init?() {
        guard let symbol = unsafe dlsym(nil, "restsdk_allocations") else { return nil }
        read = unsafe unsafeBitCast(symbol, to: (@convention(c) () -> Int).self)
    }

    /// Prints the number of blocks for each call.
    func countCalls() async throws {
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "token",
            configuration: RestClient.Configuration(transport: SmallResponses()))
        let request = RestRequest(name: "small", resource: .serverPath("/600"))
        var least = Double.infinity
        for _ in 0..<10 {
            let (start, calls) = (read(), 200)
            for _ in 0..<calls {
                guard try await client.send(request).payload["totalSize"]?.int == 1 else {
                    throw CommandFailed(command: "client", status: 1)
                }
            }
            least = min(least, Double(read() - start) / Double(calls))
        }
        printNow("\(least.rounded())")
    }

    /// Compiles the library, or returns `nil` if there is no compiler.
    static func library(in folder: String) throws -> String? {
        let (source, library) = (folder + "/allocations.c", folder + "/allocations.so")
        try Self.source.write(toFile: source, atomically: false, encoding: .utf8)
        let arguments = ["-shared", "-fPIC", "-O1", "-o", library, source]
        let isBuilt = ["clang", "cc", "gcc"].contains { (try? run("/usr/bin/env", [$0] + arguments)) != nil }
        return isBuilt ? library : nil
    }

    private static let source = """
        #include <stdatomic.h>
        #include <stddef.h>
        #include <errno.h>
        void *__libc_malloc(size_t);
        void *__libc_calloc(size_t, size_t);
        void *__libc_realloc(void *, size_t);
        void *__libc_memalign(size_t, size_t);
        static atomic_long count;
        long restsdk_allocations(void) { return count; }
        void *malloc(size_t size) { count++; return __libc_malloc(size); }
        void *calloc(size_t number, size_t size) { count++; return __libc_calloc(number, size); }
        void *realloc(void *block, size_t size) { count++; return __libc_realloc(block, size); }
        void *memalign(size_t alignment, size_t size) { count++; return __libc_memalign(alignment, size); }
        void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
        int posix_memalign(void **block, size_t alignment, size_t size) {
          *block = memalign(alignment, size);
          return *block ? 0 : ENOMEM;
        }
        """
}
