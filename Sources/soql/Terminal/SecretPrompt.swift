// SPDX-License-Identifier: Apache-2.0

import RestSDK

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Asks for a secret on the terminal without showing it.
enum SecretPrompt {
    /// Asks.
    ///
    /// Control-C arrives as a character meanwhile, so that no signal ends the process while the terminal shows nothing.
    ///
    /// - Throws: ``UsageError`` when nothing was typed, or there is no terminal.
    static func ask(_ question: String) throws(UsageError) -> Secret {
        var settings = termios()
        guard unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else {
            throw UsageError("the secret cannot be asked for: standard input is no terminal")
        }
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO | ISIG)
        unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer { unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings) }
        StandardOutput.prompt(question)
        defer { StandardOutput.prompt("\n") }
        guard let line = readLine(), !line.isEmpty, !line.contains("\u{3}") else {
            throw UsageError("no secret was given")
        }
        return Secret(line)
    }
}
