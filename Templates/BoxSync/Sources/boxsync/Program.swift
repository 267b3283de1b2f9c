// SPDX-License-Identifier: Apache-2.0

import Dropbox
import EmbeddedBox
import Foundation

/// The `boxsync` command.
@main
enum Program {
    private static let usage = """
        usage: boxsync login KEY                         log in with the browser and the key of your Dropbox app
               boxsync logout                            log out
               boxsync up FOLDER REMOTE [--overwrite]    upload the files that Dropbox does not have
               boxsync down REMOTE FOLDER [--overwrite]  download the files that the directory does not have
               boxsync ls [REMOTE]                       list a Dropbox folder
               boxsync demo                              run all commands on a Dropbox inside this process

        """

    static func main() async {
        do {
            exit(try await run(Array(CommandLine.arguments.dropFirst())) ? 0 : 4)
        } catch {
            FileHandle.standardError.write(Data("boxsync: \(error)\n".utf8))
            exit(1)
        }
    }

    /// Runs a command line.
    ///
    /// - Returns: whether no file was left out.
    private static func run(_ line: [String]) async throws -> Bool {
        let overwrites = line.contains("--overwrite")
        let words = line.filter { $0 != "--overwrite" }
        switch (words.first, words.count) {
        case ("login", 2): print("\(try await Logins.open().logIn(appKey: words[1])) is logged in.")
        case ("logout", 1): try await Logins.open().logOut()
        case ("ls", 1), ("ls", 2):
            try await list(words.count > 1 ? words[1] : "", of: Logins.open().box)
        case ("up", 3):
            let sync = Sync(box: try await Logins.open().box, folder: words[1], remote: words[2])
            return tell(try await sync.up(overwrites: overwrites, journals: try Logins.journals), "uploaded")
        case ("down", 3):
            let sync = Sync(box: try await Logins.open().box, folder: words[2], remote: words[1])
            return tell(try await sync.down(overwrites: overwrites), "downloaded")
        case ("demo", 1): try await demo()
        default:
            print(usage, terminator: "")
            exit(2)
        }
        return true
    }

    private static func tell(_ report: Report, _ verb: String) -> Bool {
        for problem in report.problems { FileHandle.standardError.write(Data("boxsync: \(problem)\n".utf8)) }
        let left = report.problems.isEmpty ? "" : ", \(report.problems.count) left out"
        print("\(report.done) file\(report.done == 1 ? "" : "s") \(verb), \(report.same) unchanged\(left)")
        return report.problems.isEmpty
    }

    private static func list(_ remote: String, of box: DropboxClient) async throws {
        for try await entry in box.files.listFolder(path: Sync.path(remote)).elements {
            switch entry {
            case .file(let file):
                print("\(String(repeating: " ", count: max(0, 6 - "\(file.size)".count)))\(file.size) B  \(file.name)")
            case .folder(let folder): print("          \(folder.name)/")
            case .deleted: break
            }
        }
    }

    /// Sends a folder to a box inside this process, lists it, fetches it, and sends it again.
    private static func demo() async throws {
        let server = try await LocalBox.start()
        let folder = FileManager.default.temporaryDirectory.appending(path: "boxsync-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let (here, there) = (folder.appending(path: "here"), folder.appending(path: "there").path)
        let texts = ["readme.txt": "Hello, box.\n", "2026/may.csv": "day,sum\n1,7\n", "2026/empty.txt": ""]
        for (name, text) in texts {
            let file = here.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        let hosts = DropboxHosts(all: try HTTPURL(parsing: server.origin).origin)
        let box = DropboxClient(accessToken: Secret(server.accessToken), app: DropboxApp(hosts: hosts))
        let journals = folder.path

        print("$ boxsync up \(here.path) /Demo")
        _ = tell(try await Sync(box: box, folder: here.path, remote: "/Demo").up(journals: journals), "uploaded")
        print("$ boxsync ls /Demo")
        try await list("/Demo", of: box)
        print("$ boxsync down /Demo \(there)")
        _ = tell(try await Sync(box: box, folder: there, remote: "/Demo").down(), "downloaded")
        print("$ boxsync up \(there) /Demo")
        _ = tell(try await Sync(box: box, folder: there, remote: "/Demo").up(journals: journals), "uploaded")
        await server.stop()
    }
}
