// SPDX-License-Identifier: Apache-2.0

import FuzzSupport
import RestAuth
import RestTesting

/// Called by libFuzzer with each input: the bytes of a stored login, which are tried unchanged and with a correct
/// checksum.
///
/// Unsafe because it is libFuzzer's C interface. The bytes are copied first.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe fuzzedBytes(start, count)
    check(bytes)
    guard let sealed = RecordEnvelope.seal(bytes) else { return 0 }
    check(sealed)
    return 0
}

/// Reads a record, and opens its login with an account manager.
private func check(_ record: [UInt8]) {
    let stored: Credential.Stored
    do throws(Credential.StoreError) {
        stored = try Credential.Stored(record: record, account: "work")
    } catch {
        return require(!error.message.isEmpty, "a message")
    }
    require(stored.version > 0, "a version")
    let secrets = [
        stored.credential.accessToken, stored.credential.refreshToken, stored.credential.login?.clientSecret,
    ]
    require(!secrets.contains { "\(String(describing: $0))".contains("canary") }, "secrets that do not show")
    runBlocking {
        let clock = ManualClock(alarmsBeyond: .seconds(20))
        let tokens = TokenManager(credential: stored.credential, renewal: .none, clock: clock)
        _ = try? await tokens.credential(deadline: clock.now + .seconds(60))
        clock.advance(by: .seconds(10_000_000_000))
        _ = try? await tokens.credential(deadline: clock.now + .seconds(60))
    }
}
