// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import RestTesting
import Testing

@Suite("soql org in the background", .timeLimit(.minutes(2)))
struct OrgVerbTests {
    /// A directory for the state of the command, in which no org is left running.
    private final class State {
        let folder: TemporaryDirectory

        init() throws { folder = try TemporaryDirectory() }

        var environment: [String: String] { ["XDG_STATE_HOME": folder.path, "HOME": folder.path] }

        func run(_ words: String..., more: [String: String] = [:]) async throws -> Command.Outcome {
            try await Command(words, environment: environment.merging(more) { $1 }).finish()
        }

        /// Returns the process of the only running org.
        func process() async throws -> pid_t {
            let list = try await run("org", "list", "--format", "csv").output.split(separator: "\n")
            return try #require(list.last.flatMap { pid_t($0.split(separator: ",")[2]) })
        }
    }

    /// Whether a process has ended, even if its exit status was not collected.
    private func hasEnded(_ process: pid_t) -> Bool {
        guard let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return true }
        return state.split(separator: ")").last?.hasPrefix(" Z") == true
    }

    @Test("an org outlives its shell, is found by its name, and can be stopped")
    func life() async throws {
        let state = try State()
        let shell = [
            "-c", "\"$soql\" org start --background --name mine --port 0 --records 7 > /dev/null; echo done",
        ]
        let settings = state.environment.merging(["soql": Command.executable.path]) { $1 }
        let run = try await Command(shell, environment: settings, program: URL(fileURLWithPath: "/bin/sh")).finish()
        #expect(run.output == "done\n" && run.errors.contains("use --account mine"))
        #expect(run.errors.contains("open the console once in a browser: http://127.0.0.1:"))
        let list = try await state.run("org", "list", "--format", "csv")
        #expect(list.output.hasPrefix("name,address,process,started,username\nmine,http://127.0.0.1:"))
        let query = try await state.run("SELECT COUNT() FROM Account", "--account", "mine")
        #expect(query.status == 0 && query.output.hasPrefix("COUNT()\n"))
        let path = state.folder.path("soql/orgs/mine.org")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        let directoryMode = try FileManager.default.attributesOfItem(atPath: state.folder.path("soql/orgs"))[
            .posixPermissions]
        #expect(mode == 0o600 && directoryMode as? Int == 0o700)
        let second = try await state.run("org", "start", "--background", "--name", "mine")
        #expect(second.status == 0 && second.errors.contains("is already running at http://127.0.0.1:"))
        let variables = try await state.run("org", "env", "mine")
        #expect(variables.status == 0 && variables.errors.isEmpty && variables.output == second.output)
        #expect(second.output.hasPrefix("export SF_INSTANCE_URL=http://127.0.0.1:"))
        let unknown = try await state.run("org", "env", "mien")
        #expect(unknown.status == 1 && unknown.output.isEmpty && unknown.errors.contains("org 'mien' is not running"))
        let process = try await state.process()
        let stop = try await state.run("org", "stop", "mine")
        #expect(stop.status == 0)
        // Its files are closed shortly before its process id is free.
        while !hasEnded(process) { await Task.yield() }
        #expect(state.folder.names.isEmpty == false && !FileManager.default.fileExists(atPath: path))
        let none = try await state.run("org", "stop", "mine")
        #expect(none.status == 1 && none.errors.contains("org 'mine' is not running"))
        let gone = try await state.run("SELECT Id FROM Account", "--account", "mine")
        #expect(gone.status == 3)
    }

    @Test("the owner of an org gets new URLs of its console, which work once, and a session of the API gets none")
    func console() async throws {
        let state = try State()
        let certificate = state.folder.path("ca.pem")
        let start = try await state.run("org", "start", "--background", "--name", "safe", "--tls", certificate)
        #expect(start.status == 0, "\(start)")
        func fetch(_ words: String...) async throws -> String {
            let options = ["-s", "-o", "/dev/null", "-w", "%{http_code}", "--cacert", certificate]
            return try await Command(options + words, program: URL(fileURLWithPath: "/usr/bin/curl")).finish().output
        }
        let urls = try await [state.run("org", "console", "safe"), state.run("org", "console", "safe")].map(\.output)
        let (old, new) = (urls[0].dropLast(), urls[1].dropLast())
        #expect(new.hasPrefix("https://") && new.contains("/console?token=") && old != new)
        #expect(try await fetch(String(old)) == "403")
        #expect(try await fetch(String(new)) == "303")
        #expect(try await fetch(String(new)) == "403")
        let line = start.output.split(separator: "\n").first { $0.contains("SF_ACCESS_TOKEN=") }
        let token = try #require(line?.split(separator: "=").last?.filter { $0 != "'" })
        let address = try #require(new.range(of: "?token")).lowerBound
        let maker = "\(new[..<address])/url"
        #expect(try await fetch("-X", "POST", maker) == "401")
        #expect(try await fetch("-X", "POST", "-H", "Authorization: Bearer \(token)", maker) == "401")
        #expect(try await state.run("org", "start", "--background", "--name", "dark", "--no-console").status == 0)
        let none = try await state.run("org", "console", "dark")
        #expect(none.status == 1 && none.errors == "soql: org 'dark' has no console; start it without --no-console\n")
        #expect(try await state.run("org", "stop", "--all").status == 0)
        let gone = try await state.run("org", "console", "safe")
        #expect(gone.status == 1 && gone.output.isEmpty && gone.errors.contains("org 'safe' is not running"))
        #expect(try await state.run("org", "console", "a", "b").status == 2)
    }

    @Test("an org prints shell settings, and its login works")
    func settings() async throws {
        let state = try State()
        let start = try await state.run("org", "start", "--background")
        #expect(start.status == 0 && start.output.hasPrefix("export SF_INSTANCE_URL=http://127.0.0.1:"))
        var settings: [String: String] = [:]
        for line in start.output.split(separator: "\n") {
            let parts = line.dropFirst("export ".count).split(separator: "=", maxSplits: 1)
            settings[String(parts[0])] = parts[1].trimmingCharacters(in: .init(charactersIn: "'"))
        }
        #expect(try await state.run("org", "start", "--background").output == start.output)
        #expect(try await state.run("org", "env").output == start.output)
        let query = try await state.run("limits", more: settings)
        #expect(query.status == 0 && query.output.contains("DailyApiRequests"))
        let list = try await state.run("org", "list", "--format", "json")
        #expect(!list.output.contains(settings["SF_ACCESS_TOKEN"] ?? "export"))
        #expect(try await state.run("org", "stop", "--all").errors.contains("stopped org 'local'"))
    }

    @Test("an org that was killed is not listed, and its name is free")
    func killed() async throws {
        let state = try State()
        _ = try await state.run("org", "start", "--background", "--name", "a.b-1")
        kill(try await state.process(), SIGKILL)
        // The kernel releases the lock when the process has ended.
        while try await state.run("org", "list", "--format", "csv").output.contains("a.b-1") { await Task.yield() }
        #expect(!FileManager.default.fileExists(atPath: state.folder.path("soql/orgs/a.b-1.org")))
        #expect(try await state.run("org", "start", "--background", "--name", "a.b-1").status == 0)
        #expect(try await state.run("org", "stop", "a.b-1").status == 0)
    }

    @Test("a process that now has the id of an earlier org is never ended")
    func reused() async throws {
        let state = try State()
        _ = try await state.run("org", "start", "--background", "--name", "old")
        let path = state.folder.path("soql/orgs/old.org")
        let org = try await state.process()
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(try await state.run("org", "stop", "old").status == 0)
        let bystander = try RunningProgram(URL(fileURLWithPath: "/bin/sleep"), ["60"]).process
        defer { bystander.terminate() }
        let changed = text.split(separator: "\(org)").joined(separator: "\(bystander.processIdentifier)")
        try changed.write(toFile: path, atomically: false, encoding: .utf8)
        let stop = try await state.run("org", "stop", "old")
        #expect(stop.status == 1 && bystander.isRunning && !FileManager.default.fileExists(atPath: path))
        try changed.write(toFile: path, atomically: false, encoding: .utf8)
        #expect(try await state.run("org", "stop", "--all").status == 0 && bystander.isRunning)
    }

    @Test("a rejected first login has the status of a failed login, not of a failed run")
    func refused() async throws {
        let state = try State()
        _ = try await state.run("org", "start", "--background", "--name", "mine")
        let path = state.folder.path("soql/orgs/mine.org")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let secret = try #require(text.firstMatch(of: /"clientSecret":\s*"([^"]+)"/)?.1)
        // The file is changed in place, because the org has locked it.
        try text.replacing(secret, with: "wrong").write(toFile: path, atomically: false, encoding: .utf8)
        let query = try await state.run("SELECT Id FROM Account", "--account", "mine")
        #expect(query.status == 3 && query.errors.contains("loginFailed"), "\(query.errors)")
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        #expect(try await state.run("org", "stop", "mine").status == 0)
    }

    @Test("an org that cannot start reports the reason, and leaves nothing")
    func failure() async throws {
        let state = try State()
        let data = state.folder.path("no/such/folder/org.db")
        let run = try await state.run("org", "start", "--background", "--data", data)
        #expect(
            run.status == 1 && run.errors.contains("did not start") && run.errors.contains("embedded org cannot start"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: state.folder.path("soql/orgs")).isEmpty)
        for name in ["", "../x", "a/b", ".x", String(repeating: "a", count: 65)] {
            let bad = try await state.run("org", "start", "--background", "--name", name)
            #expect(bad.status == 2, "\(name): \(bad)")
        }
        #expect(try await state.run("org", "stop").status == 2)
        #expect(try await state.run("org", "stop", "a", "--all").status == 2)
    }

    @Test("if several orgs want a name at once, one of them gets it")
    func race() async throws {
        let state = try State()
        let commands = try (0..<4).map { _ in
            try Command(["org", "start", "--background", "--name", "one"], environment: state.environment)
        }
        var statuses: [Int32] = []
        for command in commands { statuses.append(await command.finish().status) }
        #expect(statuses.sorted() == [0, 1, 1, 1])
        let list = try await state.run("org", "list", "--format", "csv").output
        #expect(list.split(separator: "\n").count == 2)
        #expect(try await state.run("org", "stop", "one").status == 0)
    }

    @Test("a named org in the foreground is listed, and SIGTERM ends it in order")
    func foreground() async throws {
        let state = try State()
        let command = try Command(["org", "start", "--name", "front"], environment: state.environment)
        _ = try command.outputLines(through: "SF_PASSWORD")
        #expect(try await state.process() == command.process.processIdentifier)
        #expect(try await state.run("org", "stop", "front").status == 0)
        _ = await command.finish()
        #expect(!FileManager.default.fileExists(atPath: state.folder.path("soql/orgs/front.org")))
    }
}
