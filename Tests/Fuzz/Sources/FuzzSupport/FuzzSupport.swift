// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Ends the process if a property does not hold, which reports the error to the fuzzer.
package func require(_ holds: Bool, _ property: StaticString) {
    if !holds { fatalError("\(property)") }
}

/// Returns the bytes of libFuzzer's C interface, which must be copied first.
package func fuzzedBytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
    unsafe [UInt8](UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
}

/// Runs asynchronous code to its end, because libFuzzer calls a synchronous function.
///
/// The thread that libFuzzer uses does not run tasks, so blocking it is safe.
///
/// - Parameters:
///   - pass: called whenever the code did not end for a while, with a growing number of seconds. It advances a clock
///     for which the code may be waiting.
///   - body: the asynchronous code.
package func runBlocking(
    passing pass: (Int) -> Void = { _ in }, _ body: @escaping @Sendable () async -> Void
) {
    let end = DispatchSemaphore(value: 0)
    Task {
        await body()
        end.signal()
    }
    var seconds = 60
    while end.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
        pass(seconds)
        seconds = min(seconds * 2, 1 << 24)
    }
}
