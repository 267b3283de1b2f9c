// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import RestSDK

/// Exits with a message on standard error.
func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(1)
}

guard CommandLine.arguments.count == 3 else {
    fail("usage: \(CommandLine.arguments[0]) ACCOUNT SUBJECT")
}
let (account, subject) = (CommandLine.arguments[1], CommandLine.arguments[2])
do {
    CallLog(client: try .ofEnvironment()).note(subject, with: account) { result in
        switch result {
        case .success:
            print("Recorded a call with \(account): \(subject)")
            exit(0)
        case .failure(let error): fail(error.message)
        }
    }
} catch {
    fail(error.message)
}
// The closures run on the main queue.
dispatchMain()
