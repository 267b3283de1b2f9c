// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestCurl
import RestTransport

/// Compares RestCurl with a libcurl loop and the curl command, all against nginx on loopback.
func transportFigures() async throws {
    guard let server = try await TransportServer.start() else {
        return Figure.absent("transport", peer: "nginx")
    }
    defer { server.stop() }
    try await transferFigures(server)
    try await sessionFigure(server)
    guard let bare = try TransportPeer(folder: server.folder) else {
        return Figure.absent("transport.get600", peer: "a C compiler with libcurl's headers")
    }
    let small = server.url("/600")
    for (concurrency, total) in [(1, 8_000), (16, 40_000), (64, 40_000)] {
        let pairs = try await TransportPairs(
            bare: bare, url: small, concurrency: concurrency, total: extent(total, short: 64))
        pairs.speed("transport.get600.\(concurrency)", atLeast: 0.85).print()
        if concurrency == 16 { pairs.cost("transport.cpu.16", atMost: 2).print() }
    }
    for (concurrency, total) in [(1, 600), (8, 1_600)] {
        let page = server.url("/page")
        let pairs = try await TransportPairs(
            bare: bare, url: page, concurrency: concurrency, total: extent(total, short: 8))
        pairs.speed("transport.page.\(concurrency)", atLeast: 0.85).print()
    }
}

/// Measures one GiB to and from a file, compared with the curl command, with the peak memory of this process.
private func transferFigures(_ server: TransportServer) async throws {
    let transport = CurlTransport()
    let curl = "/usr/bin/curl"
    guard FileManager.default.isExecutableFile(atPath: curl) else {
        return Figure.absent("transport.download", peer: "curl")
    }
    let url = server.url("/big")
    let target = server.folder.appendingPathComponent("down").path
    _ = ProcessMemory.resetPeak()
    let down = try await Pairs(
        11,
        peerSeconds: {
            try fresh(target)
            return try await seconds {
                try run(curl, ["-s", "-o", target, url.description])
                // Our downloads are synchronized to disk when they return.
                try FileHandle(forReadingFrom: URL(fileURLWithPath: target)).synchronize()
            }
        },
        ourSeconds: {
            try fresh(target)
            return try await seconds {
                _ = try await transport.download(HTTPRequest(url: url), to: target, deadline: .now + .seconds(120))
            }
        })
    down.figure("transport.download", atLeast: 0.9).print()
    let source = server.folder.appendingPathComponent("www/big").path
    let up = try await Pairs {
        try run(curl, ["-s", "-H", "Expect:", "-T", source, server.url("/up/a").description])
    } ours: {
        let request = HTTPRequest(method: .put, url: server.url("/up/b"), body: .file(path: source))
        let response = try await transport.send(request, deadline: .now + .seconds(120))
        guard response.head.isSuccess else {
            throw CommandFailed(command: "upload", status: Int32(response.head.status))
        }
    }
    up.figure("transport.upload", atLeast: 0.9).print()
    Figure(
        name: "transport.memory", value: Double(ProcessMemory.peak ?? 0) / 1_048_576, unit: "MiB", relation: .atMost,
        bound: 40
    ).print()
    await transport.shutdown()
    for file in [target] + ["a", "b"].map({ server.folder.appendingPathComponent("www/up/\($0)").path }) {
        try? FileManager.default.removeItem(atPath: file)
    }
    // The next measurements must not share the CPUs with writing gigabytes.
    sync()
}

/// Removes the file and waits for the disk, so that neither side is slowed by the other.
private func fresh(_ path: String) throws {
    try? FileManager.default.removeItem(atPath: path)
    sync()
}
