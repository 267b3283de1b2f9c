// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A terminal made of software: what a program writes at its one end is read at the other.
@safe
final class PseudoTerminal: Sendable {
    /// The end of whoever looks at it and types.
    let screen: Int32
    /// The file that a program opens as its terminal.
    let path: String
    /// The other end, kept open, so that the settings stay when the last program has left.
    private let terminal: Int32

    /// Opens one; `nil` when the machine has none left.
    init?() {
        let screen = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard screen >= 0 else { return nil }
        guard let path = Self.path(of: screen), case let terminal = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC),
            terminal >= 0
        else {
            close(screen)
            return nil
        }
        (self.screen, self.path, self.terminal) = (screen, path, terminal)
    }

    deinit {
        close(screen)
        close(terminal)
    }

    /// Where the terminal behind the screen is, ready to be opened.
    private static func path(of screen: Int32) -> String? {
        #if canImport(Darwin)
        // The name is valid until the next call, and copied at once.
        guard grantpt(screen) == 0, unlockpt(screen) == 0 else { return nil }
        return unsafe ptsname(screen).map { unsafe String(cString: $0) }
        #else
        // TIOCSPTLCK and TIOCGPTN of <asm-generic/ioctls.h>: Glibc's own functions for it are hidden from Swift.
        var (lock, number): (Int32, UInt32) = (0, 0)
        guard unsafe ioctl(screen, 0x4004_5431, &lock) == 0, unsafe ioctl(screen, 0x8004_5430, &number) == 0 else {
            return nil
        }
        return "/dev/pts/\(number)"
        #endif
    }

    /// Gives the terminal another size; the programs at it are told.
    func resize(columns: Int, rows: Int) {
        var window = winsize()
        (window.ws_col, window.ws_row) = (UInt16(columns), UInt16(rows))
        _ = unsafe ioctl(screen, UInt(TIOCSWINSZ), &window)
    }

    /// Whether the terminal shows what is typed, and takes Control-C for an interrupt.
    var isAsUsual: Bool {
        var settings = termios()
        guard unsafe tcgetattr(terminal, &settings) == 0 else { return false }
        return settings.c_lflag & tcflag_t(ECHO) != 0 && settings.c_lflag & tcflag_t(ISIG) != 0
    }

    /// Types bytes, be they text or not.
    func type(_ bytes: [UInt8]) {
        _ = unsafe write(screen, bytes, bytes.count)
    }

    /// What has been shown since the last look; it waits so long for the first byte.
    ///
    /// - Returns: nothing when nothing was shown, or when the leader of the terminal's session has ended.
    func output(within milliseconds: Int32) -> [UInt8] {
        var entry = pollfd(fd: screen, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&entry, 1, milliseconds) > 0 else { return [] }
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe read(screen, &piece, piece.count)
        return Array(piece.prefix(max(0, count)))
    }
}
