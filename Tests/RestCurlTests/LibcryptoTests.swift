// SPDX-License-Identifier: Apache-2.0

#if canImport(COpenSSL)
import COpenSSL
import Foundation
import RestAuth
import RestCurl
import RestTesting
import RestTransport
import Testing

/// Uses separate processes, because a process exits only once, and its first use of libcrypto determines how.
@Suite("libcrypto at the end of the process", .timeLimit(.minutes(2)))
struct LibcryptoTests {
    /// Exits the process, with the status 9 if libcrypto is cleaned up.
    private static func endWatchingCleanUp() -> Never {
        _ = OPENSSL_atexit { _exit(9) }
        exit(0)
    }

    @Test("exit while other threads hash does not clean up libcrypto")
    func hashing() async {
        for _ in 0..<30 {
            await #expect(processExitsWith: .success) {
                let started = DispatchSemaphore(value: 0)
                for _ in 0..<3 {
                    Thread.detachNewThread {
                        started.signal()
                        while true { _ = MessageDigest.sha256([1, 2, 3]) }
                    }
                    started.wait()
                }
                exit(0)
            }
        }
    }

    /// The first operation that a process requests from libcrypto.
    enum FirstUse: String, Codable, CaseIterable {
        case digest, runningDigest, authenticationCode, decryption, randomNumber, request

        func make() async throws {
            let key = [UInt8](repeating: 0, count: 32)
            switch self {
            case .digest: try #require(MessageDigest.sha256([]) != nil)
            case .runningDigest: try #require(RunningSHA256().digest != nil)
            case .authenticationCode: try #require(MessageDigest.hmacSHA256(key: [1], [2]) != nil)
            case .decryption:
                _ = AESGCM.open([1], key: key, nonce: Array(key.prefix(12)), tag: Array(key.prefix(16)))
            case .randomNumber: _ = try RandomSource.system.bytes(8)
            case .request:
                let server = try ScriptServer([.readRequest, .respond("ok")])
                let request = HTTPRequest(method: .get, url: server.url())
                _ = try await CurlTransport().send(request, deadline: .now + .seconds(30), progress: nil)
            }
        }
    }

    @Test("libcrypto is not cleaned up, whatever its first use is", arguments: FirstUse.allCases)
    func prepared(use: FirstUse) async {
        await #expect(processExitsWith: .success) { [use] in
            try await use.make()
            Self.endWatchingCleanUp()
        }
    }

    @Test("without preparation libcrypto is cleaned up, so that the other tests can detect it")
    func unprepared() async {
        await #expect(processExitsWith: .exitCode(9)) {
            _ = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_LOAD_CRYPTO_STRINGS), nil)
            Self.endWatchingCleanUp()
        }
    }
}
#endif
