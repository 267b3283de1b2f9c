// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSDK

/// Asks for a secret on the terminal without showing it.
enum SecretPrompt {
    /// What ends the wait.
    private enum Answer {
        case line([UInt8])
        case signal(Int32)
    }

    /// Asks.
    ///
    /// The terminal is always restored. Control-C arrives as a character, and signals that end the process wait until
    /// the terminal shows input again.
    ///
    /// - Throws: ``UsageError`` when nothing was typed, or when there is no terminal.
    static func ask(_ question: String) throws(UsageError) -> Secret {
        guard let settings = TerminalSettings() else {
            throw UsageError("cannot ask for the secret: standard input is not a terminal")
        }
        let actions = [SIGINT, SIGTERM].map { (number: $0, action: SignalPipe.watch($0)) }
        settings.silent.apply()
        StandardOutput.prompt(question)
        var answer = answer(interruptedBy: settings.interrupt)
        StandardOutput.prompt("\n")
        settings.apply()
        for (number, action) in actions { signal(number, action) }
        if let late = SignalPipe.take() { answer = .signal(late) }
        switch answer {
        case .line(let bytes):
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw UsageError("the secret is not UTF-8")
            }
            guard !text.isEmpty else { break }
            return Secret(text)
        case .signal(let number):
            // A command that was started where interrupts are ignored ends all the same: it was asked to.
            signal(number, SIG_DFL)
            raise(number)
        }
        throw UsageError("the secret is empty")
    }

    /// Waits for a whole line, which ends with the interrupt character too, or for a signal.
    private static func answer(interruptedBy interrupt: UInt8?) -> Answer {
        var line: [UInt8] = []
        while true {
            if let number = SignalPipe.take() { return .signal(number) }
            guard StandardInput.waitForInput(or: SignalPipe.descriptor) else { continue }
            guard let piece = StandardInput.piece() else { return .line(line) }
            line += piece
            switch line.last {
            case UInt8(ascii: "\n"): return .line(line.dropLast())
            case interrupt?: return .signal(SIGINT)
            default: break
            }
        }
    }
}
