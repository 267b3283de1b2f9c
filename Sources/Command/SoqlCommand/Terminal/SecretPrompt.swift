// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSDK

enum SecretPrompt {
    private enum Response {
        case line([UInt8])
        case signal(Int32)
    }

    /// Asks for a secret without showing it, and always restores the terminal.
    ///
    /// Control-C arrives as a character, and signals that terminate the process wait until the terminal shows input
    /// again.
    static func ask(_ question: String) throws(UsageError) -> Secret {
        guard let settings = TerminalSettings() else {
            throw UsageError("cannot ask for the secret without a terminal")
        }
        let actions = [SIGINT, SIGTERM].map { (number: $0, action: SignalPipe.watch($0)) }
        settings.silent.apply()
        StandardOutput.prompt(question)
        var response = respond(interruptedBy: settings.interrupt)
        StandardOutput.prompt("\n")
        settings.apply()
        for (number, action) in actions { signal(number, action) }
        if let late = SignalPipe.take() { response = .signal(late) }
        switch response {
        case .line(let bytes):
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw UsageError("the secret is not UTF-8")
            }
            guard !text.isEmpty else { break }
            return Secret(text)
        case .signal(let number):
            // A command that was started with interrupts ignored also ends, because the user asked for it.
            signal(number, SIG_DFL)
            raise(number)
        }
        throw UsageError("the secret is empty")
    }

    /// Waits for a line, which the interrupt character also ends, or for a signal.
    private static func respond(interruptedBy interrupt: UInt8?) -> Response {
        var line: [UInt8] = []
        while true {
            if let number = SignalPipe.take() { return .signal(number) }
            guard StandardInput.waitForInput(or: SignalPipe.descriptor) else { continue }
            guard let chunk = StandardInput.chunk() else { return .line(line) }
            line += chunk
            switch line.last {
            case UInt8(ascii: "\n"): return .line(line.dropLast())
            case interrupt?: return .signal(SIGINT)
            default: break
            }
        }
    }
}

/// The input settings of the terminal on standard input.
struct TerminalSettings {
    private var settings = termios()

    /// The current settings, or `nil` if standard input is not a terminal.
    init?() {
        guard unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
    }

    /// A copy that disables echo, and in which the interrupt character ends a line instead of sending a signal.
    var silent: TerminalSettings {
        var silent = self
        silent.settings.c_lflag &= ~tcflag_t(ECHO | ISIG)
        silent[VEOL] = self[VINTR]
        return silent
    }

    /// The interrupt character, usually Control-C, or `nil` if it is disabled.
    var interrupt: UInt8? {
        // POSIX does not specify the value for a disabled character: 0 on Linux, 255 on Apple platforms.
        [0, 255].contains(self[VINTR]) ? nil : self[VINTR]
    }

    /// Applies the settings to the terminal, and drops unread input.
    func apply() {
        var settings = settings
        while unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings) != 0, errno == EINTR {}
    }

    /// A special character by its index.
    private subscript(place: Int32) -> UInt8 {
        get { unsafe withUnsafeBytes(of: settings.c_cc) { unsafe $0[Int(place)] } }
        set { unsafe withUnsafeMutableBytes(of: &settings.c_cc) { unsafe $0[Int(place)] = newValue } }
    }
}
