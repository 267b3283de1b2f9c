// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestTesting
import RestTransport
import Terminals
import Testing

@testable import SoqlCommand

@Suite("The progress line", .timeLimit(.minutes(1)))
struct ProgressTests {
    @Test("the line has records, rate, remaining time and bytes if they are known")
    func text() {
        var text = ProgressText(title: "Reading", unit: "records")
        #expect(text.line(after: .milliseconds(2_500)) == "Reading: waiting, 3 s")
        (text.done, text.total, text.bytes) = (12_000, 300_060, 8_412_345)
        #expect(text.line(after: .seconds(3)) == "Reading: 12,000 of 300,060 records, 4,000/s, 1:13 left, 8.4 MB")
        (text.done, text.total, text.bytes) = (5, nil, 0)
        #expect(text.line(after: .seconds(10)) == "Reading: 5 records, 1/s")
        #expect(text.line(after: .zero) == "Reading: waiting, 0 s")
        (text.done, text.total) = (7, 7)
        #expect(text.line(after: .seconds(1)) == "Reading: 7 of 7 records, 7/s")
        (text.done, text.total, text.bytes) = (5, nil, 8_400_000)
        #expect(text.line(after: .seconds(4)) == "Reading: 5 records, 1/s, 8.4 MB, 2.1 MB/s" && text.share == nil)
        var size = ProgressText(title: "Receiving", unit: "bytes", done: 8_400_000)
        #expect(size.line(after: .seconds(4)) == "Receiving: 8.4 MB, 2.1 MB/s")
        size.total = 21_000_000
        #expect(
            size.line(after: .seconds(4)) == "Receiving: 8.4 MB of 21.0 MB, 2.1 MB/s, 6 s left" && size.share == 0.4)
    }

    @Test("a bar shows the share if there is room for it")
    func bar() {
        #expect(StatusLine.barred(0.5, in: 22, .unicode) == " [██████████          ]")
        #expect(StatusLine.barred(0.33, in: 12, .unicode) == " [███▎      ]")
        #expect(StatusLine.barred(1, in: 12, .ascii) == " [##########]")
        #expect(StatusLine.barred(0, in: 12, .unicode) == " [          ]" && StatusLine.barred(1, in: 11, .ascii) == "")
    }

    /// Runs `soql api` on a terminal that gets its standard error, and its output in a file.
    private func transfer(_ words: String, from server: ScriptServer, to file: String) throws -> TerminalSession {
        let environment = [
            "SF_INSTANCE_URL": server.url().origin.description, "SF_ACCESS_TOKEN": "x", "TERM": "xterm",
            "LC_ALL": "C.UTF-8",
        ]
        return try TerminalSession(
            program: "/bin/sh", ["-c", "exec \"$0\" api \(words) > '\(file)'", Command.executable.path],
            environment: Command.environment(adding: environment), columns: 100, rows: 24)
    }

    @Test("an upload of any request shows bytes, and a bar")
    func upload() throws {
        let folder = try TemporaryDirectory()
        try folder.write(String(repeating: "b", count: 30_000_000), to: "in")
        let server = try ScriptServer([.readHeader, .hold])
        let terminal = try transfer("POST x -d @'\(folder.path("in"))'", from: server, to: folder.path("out"))
        try terminal.wait(for: " of 30.0 MB, ")
        let line = lines(terminal, 100).last ?? ""
        #expect(line.contains(/^Sending: [0-9.]+ [kM]B of 30.0 MB, .* left \[.{20}\]$/), "\(line)")
        terminal.interrupt()
        terminal.finish()
        #expect(terminal.process.terminationStatus == 130)
        #expect(!lines(terminal, 100).contains { $0.contains("Sending") }, "\(lines(terminal, 100))")
    }

    @Test("a download of any request shows bytes, with and without a total", arguments: [true, false])
    func download(hasTotal: Bool) throws {
        let folder = try TemporaryDirectory()
        let head = "HTTP/1.1 200 OK\r\n" + (hasTotal ? "Content-Length: 4000000\r\n" : "Connection: close\r\n") + "\r\n"
        let chunk = [UInt8](repeating: 0x61, count: 2_000_000)
        let server = try ScriptServer([.readRequest, .sendBytes(Array(head.utf8) + chunk), .hold, .sendBytes(chunk)])
        let terminal = try transfer("GET limits", from: server, to: folder.path("out"))
        try terminal.wait(for: hasTotal ? "Receiving: 2.0 MB of 4.0 MB, " : "Receiving: 2.0 MB, ")
        #expect(lines(terminal, 100).last?.contains("[██████████          ]") == hasTotal, "\(lines(terminal, 100))")
        server.proceed()
        terminal.finish()
        #expect(terminal.process.terminationStatus == 0 && lines(terminal, 100).isEmpty, "\(terminal.text)")
        #expect(folder.text(of: "out")?.utf8.count == 4_000_000)
    }

    @Test(
        "numbers, times and sizes are formatted",
        arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (-1_234_567, "-1,234,567")])
    func numbers(number: Int, text: String) {
        #expect(ProgressText.grouped(number) == text)
        #expect(ProgressText.time(3_725) == "1:02:05" && ProgressText.time(1e12) == "days")
        #expect(ProgressText.time(59.2) == "1:00" && ProgressText.time(3_600) == "1:00:00")
        #expect(ProgressText.size(999) == "999 bytes" && ProgressText.size(1_500) == "1.5 kB")
        #expect(ProgressText.size(2_000_000_000_000_000) == "2000.0 TB")
    }

    /// Starts an org whose second page does not arrive.
    private func slowOrg() async throws -> (org: LocalOrg, environment: [String: String]) {
        let org = try await LocalOrg.start(LocalOrgConfiguration(records: 4_500))
        org.faults.add(.delay(.seconds(30)), next: 9, matching: "/query/")
        return (org, ["SF_INSTANCE_URL": org.instanceURL, "SF_ACCESS_TOKEN": org.issueCredential().accessToken])
    }

    private static let arguments = ["-o", "/dev/null", "SELECT Id FROM Account"]

    private func lines(_ terminal: TerminalSession, _ columns: Int = 80) -> [String] {
        ScreenModel(terminal.text, columns: columns).lines
    }

    @Test(
        "the line appears on a terminal after a delay, and is removed however the command ends",
        arguments: [SIGINT, SIGTERM, SIGHUP])
    func ended(by number: Int32) async throws {
        let (org, environment) = try await slowOrg()
        let terminal = try TerminalSession(
            Self.arguments, environment: environment, size: Screen(columns: 80, rows: 24))
        try terminal.wait(for: "Reading: 2,000 of 4,")
        #expect(lines(terminal).last?.hasPrefix("Reading: 2,000 of 4,5") == true, "\(lines(terminal))")
        kill(terminal.process.processIdentifier, number)
        terminal.finish()
        #expect(lines(terminal).contains { $0.contains("Reading") } == false, "\(lines(terminal))")
        #expect(ScreenModel(terminal.text, columns: 80).isAtLineStart)
        #expect(terminal.process.terminationStatus == (number == SIGINT ? 130 : number))
        await org.stop()
    }

    @Test("the line fits the terminal, even if it becomes narrower", arguments: [20, 80, 200])
    func widths(columns: Int) async throws {
        let (org, environment) = try await slowOrg()
        let terminal = try TerminalSession(
            Self.arguments, environment: environment, size: Screen(columns: columns, rows: 24))
        try terminal.wait(for: "Reading: 2,000")
        let full = columns == 20 ? "Reading: 2,000 of …" : "records, "
        #expect(lines(terminal, columns).last?.contains(full) == true, "\(lines(terminal, columns))")
        terminal.resize(to: Screen(columns: 16, rows: 24))
        try terminal.wait(for: "Reading: 2,000…")
        kill(terminal.process.processIdentifier, SIGINT)
        terminal.finish()
        #expect(lines(terminal, columns).contains { $0.contains("Reading") } == false)
        await org.stop()
    }

    @Test("a stopped process leaves no progress line, and shows it again when it continues")
    func stopped() async throws {
        let (org, environment) = try await slowOrg()
        let terminal = try TerminalSession(
            Self.arguments, environment: environment, size: Screen(columns: 80, rows: 24))
        try terminal.wait(for: "Reading: 2,000")
        let process = terminal.process.processIdentifier
        kill(process, SIGTSTP)
        while !isStopped(process), terminal.process.isRunning { await Task.yield() }
        terminal.takeWhatIsThere()
        #expect(lines(terminal).isEmpty, "\(lines(terminal))")
        let length = terminal.text.count
        kill(process, SIGCONT)
        try terminal.wait { $0.dropFirst(length).contains("Reading: 2,000") }
        kill(process, SIGINT)
        terminal.finish()
        #expect(terminal.process.terminationStatus == 130)
        #expect(lines(terminal).contains { $0.contains("Reading") } == false)
        await org.stop()
    }

    private func isStopped(_ process: Int32) -> Bool {
        #if canImport(Darwin)
        var info = proc_bsdinfo()
        let size = Int32(MemoryLayout<proc_bsdinfo>.size)
        return unsafe proc_pidinfo(process, PROC_PIDTBSDINFO, 0, &info, size) == size
            && info.pbi_status == UInt32(SSTOP)
        #else
        let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return state?.split(separator: ")").last?.hasPrefix(" T") == true
        #endif
    }

    @Test("rows and errors are on separate lines, and there is no progress with -q, in a pipe or on a dumb terminal")
    func others() async throws {
        let org = try await LocalOrg.start(LocalOrgConfiguration(records: 4_500))
        let environment = ["SF_INSTANCE_URL": org.instanceURL, "SF_ACCESS_TOKEN": org.issueCredential().accessToken]
        for (arguments, more) in [(["-q"], [:]), ([], ["TERM": "dumb"])] {
            org.faults.add(.delay(.seconds(1)), matching: "/query/")
            let terminal = try TerminalSession(
                arguments + Self.arguments, environment: environment.merging(more) { $1 })
            terminal.finish()
            #expect(!terminal.text.contains("Reading") && terminal.process.terminationStatus == 0)
        }
        org.faults.add(.delay(.seconds(1)), matching: "/query/")
        org.faults.add(.status(400), matching: "/query/")
        let failing = try TerminalSession(
            ["--no-pager", "--format", "csv", "SELECT Id FROM Account"], environment: environment,
            size: Screen(columns: 80, rows: 24))
        failing.finish()
        #expect(failing.text.contains("Reading: 2,000 of 4,"))
        #expect(lines(failing).allSatisfy { !$0.contains("Reading") })
        #expect(lines(failing).count { $0.count == 18 && $0.hasPrefix("001") } == 4_000)
        #expect(failing.process.terminationStatus == 4)
        await org.stop()
    }

    @Test("a table continues in the new width if the terminal is resized")
    func resizedTable() async throws {
        let long = String(repeating: "n", count: 70)
        let page = { (id: Int, more: String) in
            #"{"totalSize":2,"done":\#(more.isEmpty),"records":[{"Id":"\#(id)","Name":"\#(long)"}]\#(more)}"#
        }
        let next = #","nextRecordsUrl":"/services/data/v66.0/query/01g-2000""#
        let server = try ScriptServer([
            .readRequest, .respond(fields: [("Content-Type", "application/json")], page(1, next)), .readRequest, .hold,
            .respond(fields: [("Content-Type", "application/json")], page(2, "")),
        ])
        let environment = ["SF_INSTANCE_URL": server.url().origin.description, "SF_ACCESS_TOKEN": "x"]
        let terminal = try TerminalSession(
            ["--no-pager", "--color", "never", "SELECT Id, Name FROM Account"], environment: environment,
            size: Screen(columns: 80, rows: 24))
        try terminal.wait(for: "nnn")
        terminal.resize(to: Screen(columns: 40, rows: 24))
        server.proceed()
        terminal.finish()
        let lines = lines(terminal)
        #expect(lines.filter { $0.contains("Name") }.count == 2, "\(lines)")
        #expect(lines.last { $0.contains("nnn") }?.columnWidth == 39)
        #expect(lines.first { $0.contains("nnn") }?.columnWidth == 76)
        #expect(terminal.process.terminationStatus == 0)
    }
}
