// SPDX-License-Identifier: Apache-2.0

import RestBase

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
