// SPDX-License-Identifier: Apache-2.0

import Foundation
import Terminals

@testable import soql

extension TerminalSession {
    /// Starts the built `soql` at a terminal of its own, if need be from where interrupts are ignored.
    convenience init(
        _ arguments: [String], environment: [String: String], ignoresInterrupts: Bool = false,
        size: Screen = Screen(columns: 0, rows: 0), leads: Bool = false
    ) throws {
        let program = ignoresInterrupts ? "/bin/sh" : Command.executable.path
        let ignoring = ["-c", #"trap "" INT; exec "$0" "$@""#, Command.executable.path]
        try self.init(
            program: program, (ignoresInterrupts ? ignoring : []) + arguments,
            environment: Command.environment(adding: environment), columns: size.columns, rows: size.rows, leads: leads)
    }

    /// Gives the terminal another size.
    func resize(to size: Screen) { resize(columns: size.columns, rows: size.rows) }
}
