// SPDX-License-Identifier: Apache-2.0

import CEdit
import RestBase
import SOQLCheck

/// Reads lines of the session with libedit, and contains all unsafe code for it.
///
/// libedit calls back on the main actor, and only during ``readLine(prompt:)``.
@MainActor
@safe
final class LineEditor {
    /// The result of reading a line.
    enum Line: Equatable {
        case text(String)
        /// Control-C.
        case interrupted
        /// Control-D on an empty line, or a closed terminal.
        case end
    }

    /// Returns the completions at the cursor, between the two texts.
    var complete: (_ before: String, _ after: String) -> Completion = { _, _ in Completion() }
    /// Called at the end of a word with the text before and after the cursor.
    var wordEnded: (_ before: String, _ after: String) -> Void = { _, _ in }

    /// Returns the line between the two texts with its colors, or `nil` to leave it as libedit draws it.
    var color: (_ before: String, _ after: String) -> ColoredLine? = { _, _ in nil }

    /// Returns the lines to show above the prompt, which have not been shown.
    var takeNotices: () -> [String] = { [] }

    // Both belong to libedit, live as long as this object, and are used only by it.
    private let editor: OpaquePointer
    private let history: OpaquePointer
    // libedit requests the prompt whenever it draws. The string stays valid until the next prompt.
    private var prompt: UnsafeMutablePointer<CChar>?
    private var keys = KeyReader()
    private var ending: Line?
    /// Whether the next key was typed before the line began.
    private var isTypedAhead = false
    private var isPasting = false
    private let interrupt = TerminalSettings()?.interrupt
    private let canEdit: Bool
    /// The output that erases what is shown below the line, if anything.
    private var eraser = ""

    /// Creates an editor of the terminal on standard input and output, or returns `nil` if libedit cannot be
    /// initialized.
    init?() {
        cedit_use_utf8()
        guard let editor = unsafe cedit_open("soql"), let history = unsafe history_init() else { return nil }
        unsafe (self.editor, self.history) = (editor, history)
        canEdit = !["dumb", "emacs", nil].contains(Settings.value("TERM"))
        unsafe cedit_history_size(history, Int32(HistoryFile.mostEntries))
        unsafe cedit_use_history(editor, history)
        unsafe cedit_set_context(editor, Unmanaged.passUnretained(self).toOpaque())
        unsafe cedit_set_prompt(editor) { editor in unsafe LineEditor.prompt(of: unsafe editor) }
        unsafe cedit_set_reader(editor) { editor, place in
            guard let editor = unsafe LineEditor.of(unsafe editor) else { return 0 }
            guard let key = MainActor.assumeIsolated({ editor.nextKey() }) else { return -1 }
            // The pointer belongs to libedit and has room for one character.
            unsafe place?.pointee = wchar_t(bitPattern: key.value)
            return 1
        }
        bind()
    }

    isolated deinit {
        unsafe el_end(editor)
        unsafe history_end(history)
        unsafe free(prompt)
    }

    private nonisolated static func of(_ editor: OpaquePointer?) -> LineEditor? {
        guard let editor = unsafe editor, let context = unsafe cedit_context(editor) else { return nil }
        // The context is the object that owns this editor.
        return unsafe Unmanaged<LineEditor>.fromOpaque(context).takeUnretainedValue()
    }

    private nonisolated static func prompt(of editor: OpaquePointer?) -> UnsafeMutablePointer<CChar>? {
        guard let editor = unsafe of(unsafe editor) else { return nil }
        let place = MainActor.assumeIsolated { unsafe UInt(bitPattern: editor.prompt) }
        return unsafe UnsafeMutablePointer(bitPattern: place)
    }

    /// Binds keys, and then reads the user's libedit configuration (`~/.editrc`).
    private func bind() {
        unsafe cedit_set_editor(editor, "emacs")
        unsafe cedit_add(editor, "soql-complete", "Complete the word") { editor, _ in
            guard let editor = unsafe LineEditor.of(unsafe editor) else { return 0 }
            return MainActor.assumeIsolated { editor.completeWord() }
        }
        unsafe cedit_add(editor, "soql-paste", "Insert what is pasted") { editor, _ in
            guard let editor = unsafe LineEditor.of(unsafe editor) else { return 0 }
            return MainActor.assumeIsolated { editor.paste() }
        }
        unsafe cedit_add(editor, "soql-newline", "Begin another line") { editor, _ in
            guard let editor = unsafe LineEditor.of(unsafe editor) else { return 0 }
            return MainActor.assumeIsolated { editor.insert("\n") }
        }
        unsafe cedit_add(editor, "soql-up", "Move to the line above, or in the history") { editor, _ in
            guard let editor = unsafe LineEditor.of(unsafe editor) else { return 0 }
            return MainActor.assumeIsolated { editor.moveLine(isUp: true) }
        }
        unsafe cedit_add(editor, "soql-down", "Move to the line below, or in the history") { editor, _ in
            guard let editor = unsafe LineEditor.of(unsafe editor) else { return 0 }
            return MainActor.assumeIsolated { editor.moveLine(isUp: false) }
        }
        for (key, function) in Self.keys { unsafe cedit_bind(editor, key, function) }
        unsafe el_source(editor, nil)
        // Control-C and Control-Z arrive as characters, so that they do not end the process in the middle of a line.
        unsafe cedit_leave_signals(editor)
        // Disables libedit's own command line, because version 3.1 of 2022 crashes on empty input there.
        for key in ["\\ex", "\\eX"] { unsafe cedit_bind(editor, key, "ed-unassigned") }
    }

    private static let keys = [
        ("^I", "soql-complete"), ("\\e[200~", "soql-paste"), ("^R", "em-inc-search-prev"),
        ("^W", "ed-delete-prev-word"), ("\\e[1;5D", "ed-prev-word"), ("\\e[1;5C", "em-next-word"),
        ("\\e[3~", "ed-delete-next-char"), ("\\e^M", "soql-newline"), ("\\e^J", "soql-newline"), ("\\e[A", "soql-up"),
        ("\\e[B", "soql-down"),
        ("\\eOA", "soql-up"), ("\\eOB", "soql-down"), ("^X^P", "ed-prev-history"), ("^X^N", "ed-next-history"),
    ]
}

// MARK: - Lines

extension LineEditor {
    func readLine(prompt: String) -> Line {
        unsafe free(self.prompt)
        unsafe self.prompt = strdup(prompt)
        ending = nil
        for number in [SIGINT, SIGWINCH, SIGCONT, SIGTERM, SIGHUP] { SignalPipe.keepWatching(number) }
        for notice in takeNotices() { StandardOutput.prompt(notice + "\n") }
        takeTerminal()
        // Before this call, the terminal processed Control-D. All pending input was typed before the line began.
        isTypedAhead = keys.hasMore(within: 0)
        var count: Int32 = 0
        // The line belongs to libedit and is copied immediately.
        let line = unsafe el_gets(editor, &count).map { unsafe String(cString: $0) }
        leaveTerminal()
        if let ending {
            StandardOutput.prompt(ending == .interrupted ? "^C\n" : "\n")
            return ending
        }
        guard let line, count > 0 else {
            StandardOutput.prompt("\n")
            return .end
        }
        return .text(String(line.removing(suffix: "\n") ?? line.removing(suffix: "\r") ?? line[...]))
    }

    /// Replaces the history of the arrow keys, with the oldest entry first.
    func setHistory(_ entries: [String]) {
        unsafe cedit_history_clear(history)
        entries.forEach(remember)
    }

    func remember(_ entry: String) { unsafe cedit_history_add(history, entry) }

    private var line: (before: String, after: String) {
        guard let line = unsafe el_line(editor)?.pointee else { return ("", "") }
        // Three pointers into one buffer of libedit, which is copied immediately.
        let text = unsafe UnsafeBufferPointer(start: line.buffer, count: line.lastchar - line.buffer)
        let count = unsafe line.cursor - line.buffer
        let bytes = unsafe text.map { UInt8(bitPattern: $0) }
        let halves = [bytes.prefix(count), bytes.dropFirst(count)].map { String(decoding: $0, as: UTF8.self) }
        return (halves[0], halves[1])
    }

    private func marksPastes(_ isOn: Bool) {
        if canEdit { StandardOutput.prompt("\u{1B}[?2004" + (isOn ? "h" : "l")) }
    }
}

// MARK: - Keys

extension LineEditor {
    /// The next character, or `nil` to end the line.
    private func nextKey() -> Unicode.Scalar? {
        defer { isTypedAhead = false }
        if !isPasting, !keys.hasMore(within: 0) { paint() }
        while ending == nil {
            let key = keys.next()
            if !eraser.isEmpty { StandardOutput.prompt(eraser) }
            eraser = ""
            switch key {
            case .end: ending = .end
            case .character(let scalar) where scalar.value == UInt32(interrupt ?? 0xFF):
                // Control-C within a paste is dropped, because otherwise the rest of the paste would be processed as
                // keys.
                if !isPasting || !keys.hasMore(within: 50) { ending = .interrupted }
            // Control-D that was typed ahead, which the terminal has converted to NUL.
            case .character("\0") where isTypedAhead: ending = .end
            case .character("\u{1A}"): suspend()
            case .character(let scalar):
                if " ,.(=".unicodeScalars.contains(scalar) { wordEnded(line.before + String(scalar), line.after) }
                return scalar
            case .signal(SIGINT): ending = .interrupted
            case .signal(SignalPipe.notice): showNotices()
            case .signal(SIGWINCH):
                unsafe el_resize(editor)
                unsafe cedit_refresh(editor)
            case .signal(SIGCONT):
                takeTerminal()
                unsafe cedit_refresh(editor)
            case .signal(let number):
                leaveTerminal()
                SignalPipe.raiseByDefault(number)
                ending = .end
            }
        }
        return nil
    }

    /// Draws the line again with its colors, which libedit does not know, over the same characters, and the first error
    /// below it until the next key.
    private func paint() {
        let (before, after) = line
        guard canEdit, !(before + after).isEmpty, let colored = color(before, after) else { return }
        let start = (unsafe prompt.map { unsafe String(cString: $0) } ?? "").columnWidth
        let columns = unsafe Int(cedit_columns(editor))
        if let drawing = colored.drawing(from: start, before: before, columns: columns) {
            StandardOutput.prompt(drawing)
        }
        guard let fault = colored.faultDrawing(from: start, before: before, columns: columns) else { return }
        StandardOutput.prompt(fault.shown)
        eraser = fault.erased
    }

    /// Moves the cursor to the same column of the line above or below in a text of several lines, or else moves in the
    /// history.
    private func moveLine(isUp: Bool) -> UInt8 {
        let (before, after) = line
        let lines = (before + after).split(byte: "\n", omittingEmptySubsequences: false).map(\.unicodeScalars.count)
        let above = before.split(byte: "\n", omittingEmptySubsequences: false).map(\.unicodeScalars.count)
        let (row, column) = (above.count - 1, above.last ?? 0)
        guard lines.indices.contains(isUp ? row - 1 : row + 1) else {
            unsafe el_push(editor, isUp ? "\u{18}\u{10}" : "\u{18}\u{E}")
            return UInt8(CC_NORM)
        }
        let length = isUp ? lines[row - 1] : lines[row]
        let distance = isUp ? column + 1 + max(0, length - column) : length - column + 1 + min(column, lines[row + 1])
        unsafe el_cursor(editor, Int32(clamping: isUp ? -distance : distance))
        return UInt8(CC_CURSOR)
    }

    /// Shows lines above the prompt, and draws the prompt and the typed text again below them.
    private func showNotices() {
        let notices = takeNotices()
        guard !notices.isEmpty else { return }
        // The cursor is in the last line of the prompt and the text before it, if that is longer than a line.
        let columns = max(unsafe Int(cedit_columns(editor)), 1)
        let width = (unsafe prompt.map { unsafe String(cString: $0) } ?? "").columnWidth + line.before.columnWidth
        let up = width / columns > 0 ? "\u{1B}[\(width / columns)A" : ""
        StandardOutput.prompt(canEdit ? "\r\(up)\u{1B}[J" : "\n")
        for notice in notices { StandardOutput.prompt(notice + "\n") }
        unsafe cedit_refresh(editor)
    }

    /// Suspends the process, as Control-Z does, until the shell resumes it.
    private func suspend() {
        leaveTerminal()
        StandardOutput.prompt("\n")
        SignalPipe.raiseByDefault(SIGTSTP)
        takeTerminal()
        unsafe cedit_refresh(editor)
    }

    private func leaveTerminal() {
        marksPastes(false)
        if canEdit { unsafe cedit_prepare_terminal(editor, 0) }
    }

    private func takeTerminal() {
        if canEdit { unsafe cedit_prepare_terminal(editor, 1) }
        marksPastes(true)
    }

    /// Inserts pasted text literally, without processing its characters as keys.
    private func paste() -> UInt8 {
        isPasting = true
        defer { isPasting = false }
        var text = ""
        let end = "\u{1B}[201~"
        while !text.hasBytes(suffix: end) {
            guard text.utf8.count < StandardInput.maximumSize, let scalar = nextKey() else { break }
            text.unicodeScalars.append(scalar)
        }
        return insert(String(text.removing(suffix: end) ?? text[...]).pasted)
    }

    private func insert(_ text: String) -> UInt8 {
        guard !text.isEmpty else { return UInt8(CC_REFRESH) }
        return UInt8(unsafe el_insertstr(editor, text) == 0 ? CC_REFRESH : CC_ERROR)
    }
}

// MARK: - Completion

extension LineEditor {
    /// Inserts the completion, or lists the candidates if there are several.
    private func completeWord() -> UInt8 {
        let (before, after) = line
        let completion = complete(before, after)
        let typed = String(before.suffix(completion.typed))
        if let insertion = completion.insertion(replacing: typed) {
            if !typed.isEmpty { unsafe el_deletestr(editor, Int32(typed.unicodeScalars.count)) }
            defer { wordEnded(line.before, line.after) }
            return insert(insertion)
        }
        guard completion.candidates.count > 1 else { return UInt8(CC_ERROR) }
        let size = unsafe (columns: Int(cedit_columns(editor)), rows: Int(cedit_rows(editor)))
        StandardOutput.prompt("\n" + CandidateList(completion.candidates).text(size.columns, size.rows))
        return UInt8(CC_REDISPLAY)
    }
}

extension String {
    /// The pasted text with normalized line breaks, tabs as spaces, and without other control characters.
    fileprivate var pasted: String {
        var result = String.UnicodeScalarView()
        var last: Unicode.Scalar?
        for scalar in unicodeScalars {
            switch scalar {
            case "\n" where last == "\r": break
            case "\r", "\n": result.append("\n")
            case "\t": result.append(" ")
            default: if !scalar.isControl { result.append(scalar) }
            }
            last = scalar
        }
        return String(result)
    }
}

/// Reads input character by character (UTF-8).
struct KeyReader {
    /// A typed character or another event.
    enum Key: Equatable {
        case character(Unicode.Scalar)
        /// A signal that the command handles.
        case signal(Int32)
        /// The terminal was closed.
        case end
    }

    private var bytes: ArraySlice<UInt8> = []

    mutating func next() -> Key {
        while true {
            if let number = SignalPipe.take() { return .signal(number) }
            if let scalar = decoded() { return .character(scalar) }
            guard StandardInput.waitForInput(or: SignalPipe.descriptor) else { continue }
            guard let chunk = StandardInput.chunk() else { return .end }
            bytes += chunk
        }
    }

    /// Whether more input is available, or arrives within `milliseconds`.
    func hasMore(within milliseconds: Int32) -> Bool {
        guard bytes.isEmpty else { return true }
        var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, milliseconds) > 0
    }

    /// The first character if all of its bytes have arrived, where invalid UTF-8 becomes U+FFFD.
    private mutating func decoded() -> Unicode.Scalar? {
        guard let first = bytes.first else { return nil }
        let length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF8 ? 4 : 1
        guard bytes.count >= length || bytes.dropFirst().contains(where: { $0 & 0xC0 != 0x80 }) else { return nil }
        guard bytes.count >= length, let text = String(validating: bytes.prefix(length), as: UTF8.self),
            let scalar = text.unicodeScalars.first
        else {
            bytes.removeFirst()
            return "\u{FFFD}"
        }
        bytes.removeFirst(length)
        return scalar
    }
}
