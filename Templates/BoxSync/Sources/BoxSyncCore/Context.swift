// SPDX-License-Identifier: Apache-2.0

/// What every command works with.
struct Context {
    let words: [String]
    let options: Invocation.Options
    let settings: Settings
    let terminal: Terminal
}
