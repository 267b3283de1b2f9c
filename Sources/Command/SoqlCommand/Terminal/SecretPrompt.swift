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

/// How the terminal on standard input treats what is typed.
struct TerminalSettings {
    private var settings = termios()

    /// The current settings; `nil` when standard input is not a terminal.
    init?() {
        guard unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
    }

    /// The same, but that nothing is shown, and that the interrupt character ends a line and sends no signal.
    var silent: TerminalSettings {
        var silent = self
        silent.settings.c_lflag &= ~tcflag_t(ECHO | ISIG)
        silent[VEOL] = self[VINTR]
        return silent
    }

    /// The character that interrupts, which is Control-C unless the user chose another; `nil` for none.
    var interrupt: UInt8? {
        // POSIX leaves open which character stands for none: 0 on Linux, 255 on Apple platforms.
        [0, 255].contains(self[VINTR]) ? nil : self[VINTR]
    }

    /// Makes them those of the terminal; what was typed before and not read is dropped.
    func apply() {
        var settings = settings
        while unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings) != 0, errno == EINTR {}
    }

    /// A special character by its place.
    private subscript(place: Int32) -> UInt8 {
        get { unsafe withUnsafeBytes(of: settings.c_cc) { unsafe $0[Int(place)] } }
        set { unsafe withUnsafeMutableBytes(of: &settings.c_cc) { unsafe $0[Int(place)] = newValue } }
    }
}
