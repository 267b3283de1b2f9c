// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Dropbox's Python SDK, which uploads files with threads that share one session, with the faster of its two methods.
struct DropboxPeer {
    private let python: String
    private let script: String

    /// Writes the program, or returns `nil` without Python or the package.
    init?(_ directory: URL) {
        let script = directory.appendingPathComponent("upload.py")
        guard (try? Self.source.write(to: script, atomically: true, encoding: .utf8)) != nil,
            let python = JSONPeer.executable("python3"),
            (try? run(python, ["-c", "import dropbox"])) != nil
        else { return nil }
        (self.python, self.script) = (python, script.path)
    }

    /// Returns the time of the faster method, without its start.
    func seconds(_ box: DropboxBox, _ files: BenchFiles, connections: Int) throws -> Double {
        let text = try output(
            python, [script, "\(box.process.port)", box.process.token, files.folder.path, "\(connections)"],
            environment: [:])
        let times = text.split(separator: " ").compactMap { Double($0) }
        guard times.count == 2, let fastest = times.min() else { throw CommandFailed(command: script, status: 0) }
        return fastest
    }

    private static let source = """
        import os, sys, time, uuid
        from concurrent.futures import ThreadPoolExecutor
        port, token, folder, connections = sys.argv[1:]
        connections = int(connections)
        for host in ("API", "API_CONTENT", "API_NOTIFY"):
            os.environ["DROPBOX_" + host + "_HOST"] = "127.0.0.1:" + port
        import dropbox, requests
        from dropbox import files

        # The SDK only knows https.
        class Plain(requests.adapters.HTTPAdapter):
            def send(self, request, **options):
                request.url = request.url.replace("https://", "http://", 1)
                return super().send(request, **options)

        made = requests.Session()
        made.mount("https://", Plain(pool_connections=connections, pool_maxsize=connections))
        dbx = dropbox.Dropbox(token, session=made)
        names = sorted(os.listdir(folder))

        def single(target):
            def one(name):
                with open(os.path.join(folder, name), "rb") as file:
                    dbx.files_upload(file.read(), target + "/" + name)
            with ThreadPoolExecutor(connections) as pool:
                list(pool.map(one, names))

        def sessions(target):
            def one(name):
                with open(os.path.join(folder, name), "rb") as file:
                    data = file.read()
                started = dbx.files_upload_session_start(data, close=True)
                cursor = files.UploadSessionCursor(started.session_id, len(data))
                return files.UploadSessionFinishArg(cursor, files.CommitInfo(target + "/" + name))
            with ThreadPoolExecutor(connections) as pool:
                entries = list(pool.map(one, names))
            for start in range(0, len(entries), 1000):
                done = dbx.files_upload_session_finish_batch_v2(entries[start:start + 1000])
                assert all(entry.is_success() for entry in done.entries)

        for way in (single, sessions):
            begin = time.perf_counter()
            way("/python-" + uuid.uuid4().hex)
            print(time.perf_counter() - begin, end=" ")
        """
}
