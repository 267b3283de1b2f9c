// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Ends the process when a property does not hold, which is how the fuzzer learns of it.
package func require(_ holds: Bool, _ property: StaticString) {
    if !holds { fatalError("\(property)") }
}

/// The bytes of libFuzzer's C interface, copied before anything else.
package func fuzzedBytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
    unsafe [UInt8](UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
}

/// Runs asynchronous code to its end, as libFuzzer calls a function that is not.
///
/// The thread that libFuzzer calls on is none of those that tasks run on, so blocking it holds nobody up.
///
/// - Parameters:
///   - pass: is called whenever nothing has ended for a while, with seconds that grow from call to call: moves a clock
///     that the code may be waiting for.
///   - body: what runs.
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
