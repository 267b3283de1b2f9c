// SPDX-License-Identifier: Apache-2.0

#if canImport(COpenSSL)
import COpenSSL
import Foundation
import RestAuth
import RestCurl
import RestTesting
import RestTransport
import Testing

/// These run in processes of their own: a process ends once, and the first use of libcrypto decides how.
@Suite("libcrypto and the end of the process", .timeLimit(.minutes(2)))
struct LibcryptoTests {
    /// Ends the process; with the status 9 if libcrypto is cleaned up then.
    private static func endWatchingCleanUp() -> Never {
        _ = OPENSSL_atexit { _exit(9) }
        exit(0)
    }

    @Test("exit while other threads hash leaves libcrypto as it is")
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

    @Test("a process whose first use of libcrypto is a digest is not cleaned up")
    func digest() async {
        await #expect(processExitsWith: .success) {
            try #require(MessageDigest.sha256([]) != nil)
            Self.endWatchingCleanUp()
        }
    }

    @Test("a process whose first use is a running digest is not cleaned up")
    func runningDigest() async {
        await #expect(processExitsWith: .success) {
            try #require(RunningSHA256().digest != nil)
            Self.endWatchingCleanUp()
        }
    }

    @Test("a process whose first use is a message authentication code is not cleaned up")
    func authenticationCode() async {
        await #expect(processExitsWith: .success) {
            try #require(MessageDigest.hmacSHA256(key: [1], [2]) != nil)
            Self.endWatchingCleanUp()
        }
    }

    @Test("a process whose first use is a decryption is not cleaned up")
    func decryption() async {
        await #expect(processExitsWith: .success) {
            let key = [UInt8](repeating: 0, count: 32)
            _ = AESGCM.open([1], key: key, nonce: Array(key.prefix(12)), tag: Array(key.prefix(16)))
            Self.endWatchingCleanUp()
        }
    }

    @Test("a process whose first use is a random number is not cleaned up")
    func random() async {
        await #expect(processExitsWith: .success) {
            _ = try RandomSource.system.bytes(8)
            Self.endWatchingCleanUp()
        }
    }

    @Test("a process whose first use is a request is not cleaned up")
    func request() async {
        await #expect(processExitsWith: .success) {
            let server = try ScriptServer([.readRequest, .respond("ok")])
            let request = HTTPRequest(method: .get, url: server.url())
            _ = try await CurlTransport().send(request, deadline: .now + .seconds(30), progress: nil)
            Self.endWatchingCleanUp()
        }
    }

    @Test("libcrypto is cleaned up where nothing prepared it: the tests above would see it")
    func unprepared() async {
        await #expect(processExitsWith: .exitCode(9)) {
            _ = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_LOAD_CRYPTO_STRINGS), nil)
            Self.endWatchingCleanUp()
        }
    }
}
#endif
