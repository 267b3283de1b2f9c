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
package func runBlocking(_ body: @escaping @Sendable () async -> Void) {
    let end = DispatchSemaphore(value: 0)
    Task {
        await body()
        end.signal()
    }
    end.wait()
}
