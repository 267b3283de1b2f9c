// SPDX-License-Identifier: Apache-2.0

import Foundation

extension JSONPeer {
    /// A task for Python.
    enum StoneTask: String {
        /// Parses and resolves the specs of a folder.
        case parse
        /// Parses specs and writes Python types with the backend that is part of Stone.
        case generate
        /// Reads a page with Dropbox's SDK.
        case page
    }

    /// Python's Stone or Dropbox's SDK for Python, with the packages of `Tests/requirements.txt`.
    static func stone(_ task: StoneTask, input: String, directory: URL) -> JSONPeer? {
        let script = directory.appending(path: "peer.py")
        guard (try? stoneSource.write(to: script, atomically: true, encoding: .utf8)) != nil,
            let python = executable("python3")
        else { return nil }
        return JSONPeer([python, script.path, task.rawValue, input])
    }

    private static let stoneSource = """
        import glob, sys, tempfile, time

        task, given = sys.argv[1:]
        if task == "page":
            import dropbox.files
            from stone.backends.python_rsrc import stone_serializers
            text = open(given, encoding="utf-8").read()
        else:
            from stone.backends.python_types import PythonTypesBackend
            from stone.frontend.frontend import specs_to_ir
            specs = [(path, open(path, encoding="utf-8").read()) for path in sorted(glob.glob(given + "/*.stone"))]

        def work():
            if task == "page":
                page = stone_serializers.json_decode(dropbox.files.ListFolderResult_validator, text)
                assert page.entries
                return
            api = specs_to_ir(specs)
            assert api.namespaces
            if task == "generate":
                with tempfile.TemporaryDirectory() as folder:
                    PythonTypesBackend(folder, ["-r", "client.{ns}_{route}", "-p", "types"]).generate(api)

        for line in sys.stdin:
            start, calls, elapsed = time.perf_counter(), 0, 0
            while elapsed < 0.1:
                work()
                calls += 1
                elapsed = time.perf_counter() - start
            print(elapsed / calls, flush=True)
        """
}
