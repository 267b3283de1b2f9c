// SPDX-License-Identifier: Apache-2.0

import Foundation

/// simple-salesforce's client of Bulk API 2.0.
struct BulkPeer {
    enum Work: String {
        /// Exports a result to files, and prints the elapsed seconds.
        case download
        /// Loads a CSV file, and prints the seconds of CPU time.
        case file
        /// Loads records in memory, and prints the seconds of CPU time.
        case records
    }

    private let python: String
    private let script: String
    private let port: Int

    /// Writes the program, or returns `nil` without Python or the package.
    init?(_ directory: URL, port: Int) {
        let script = directory.appendingPathComponent("bulk.py")
        guard (try? Self.source.write(to: script, atomically: true, encoding: .utf8)) != nil,
            let python = JSONPeer.executable("python3"),
            (try? run(python, ["-c", "import simple_salesforce"])) != nil
        else { return nil }
        (self.python, self.script, self.port) = (python, script.path, port)
    }

    /// Measures the work, without the start of the program.
    ///
    /// - Parameters:
    ///   - work: the work.
    ///   - rows: the number of rows.
    ///   - path: the directory or the file.
    /// - Returns: the time, in seconds.
    /// - Throws: `CommandFailed`.
    func seconds(_ work: Work, rows: Int, _ path: String) throws -> Double {
        let text = try output(python, [script, "\(port)", work.rawValue, "\(rows)", path], environment: [:])
        guard let seconds = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw CommandFailed(command: script, status: 0)
        }
        return seconds
    }

    private static let source = """
        import csv, itertools, sys, time
        import requests
        from simple_salesforce import Salesforce
        port, work, rows, path = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]

        # The client only knows https.
        class Plain(requests.adapters.HTTPAdapter):
            def send(self, request, **options):
                request.url = request.url.replace("https://", "http://", 1)
                return super().send(request, **options)

        session = requests.Session()
        session.mount("https://", Plain())
        sf = Salesforce(instance="127.0.0.1:" + port, session_id="token", session=session, version="66.0")
        account = sf.bulk2.Account
        if work == "download":
            begin = time.perf_counter()
            done = account.download("SELECT Id FROM Account LIMIT " + str(rows), path, max_records=50000, wait=0)
            seconds = time.perf_counter() - begin
            assert sum(page["number_of_records"] for page in done) == rows
        elif work == "file":
            begin = time.process_time()
            done = account.insert(csv_file=path, wait=0)
            seconds = time.process_time() - begin
        else:
            with open(path) as file:
                some = list(itertools.islice(csv.DictReader(file), 1000))
            records = [some[number % len(some)] for number in range(rows)]
            begin = time.process_time()
            done = account.insert(records=records, wait=0)
            seconds = time.process_time() - begin
        if work != "download":
            assert sum(int(job["numberRecordsTotal"]) for job in done) == rows, done
        print(seconds)
        """
}
