// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A popular client in another language that reads the records of a query.
struct RecordPeer {
    private let command: [String]

    /// The Python package simple-salesforce, or `nil` if it is missing.
    static func simpleSalesforce() -> RecordPeer? {
        guard let python = JSONPeer.executable("python3"),
            (try? run(python, ["-c", "import simple_salesforce"])) != nil
        else { return nil }
        return RecordPeer(command: [python, "-c", pythonScript])
    }

    /// The package jsforce for Node, or `nil` if the variable `JSFORCE` is not set.
    static func jsforce() -> RecordPeer? {
        guard let bundle = ProcessInfo.processInfo.environment["JSFORCE"], let node = JSONPeer.executable("node") else {
            return nil
        }
        return RecordPeer(command: [node, "-e", nodeScript, bundle])
    }

    /// Reads all records, and returns the seconds from the first request to the last record.
    func secondsToRead(_ query: String, _ environment: [String: String]) throws -> Double {
        let said = try output(command[0], Array(command.dropFirst()) + ["read", query], environment: environment)
        guard let seconds = Double(said.split(whereSeparator: \.isWhitespace).last ?? "") else {
            throw CommandFailed(command: "peer: \(said)", status: 1)
        }
        return seconds
    }

    func writeCSV(_ query: String, to file: String, _ environment: [String: String]) throws {
        try run(command[0], Array(command.dropFirst()) + ["csv", query, file], environment: environment)
    }

    /// The package forces https, so the adapter redirects its requests to the server.
    private static let pythonScript = """
        import csv, os, sys, time, requests
        from simple_salesforce import Salesforce
        url = os.environ["SF_INSTANCE_URL"]
        class Loopback(requests.adapters.HTTPAdapter):
            def send(self, request, **kw):
                request.url = url + "/" + request.url.split("/", 3)[3]
                return super().send(request, **kw)
        session = requests.Session()
        session.mount("https://", Loopback())
        sf = Salesforce(instance="localhost", session_id=os.environ["SF_ACCESS_TOKEN"], session=session, version="66.0")
        start = time.monotonic()
        records = sf.query_all_iter(sys.argv[2])
        if sys.argv[1] == "read":
            print(sum(1 for record in records if record["Name"] is not None), time.monotonic() - start)
        else:
            names = [name.strip() for name in sys.argv[2][7:].split(" FROM ")[0].split(",")]
            with open(sys.argv[3], "w", newline="") as file:
                writer = csv.writer(file)
                writer.writerow(names)
                writer.writerows([record[name] for name in names] for record in records)
        """

    private static let nodeScript = """
        const [bundle, work, query, file] = process.argv.slice(1);
        const jsforce = require(bundle);
        const conn = new jsforce.Connection({
          instanceUrl: process.env.SF_INSTANCE_URL, accessToken: process.env.SF_ACCESS_TOKEN, version: "66.0" });
        const out = require("fs").createWriteStream(file ?? "/dev/null");
        const names = query.slice(7).split(" FROM ")[0].split(",").map((name) => name.trim());
        const text = (value) => value === null ? "" : /[",\\n]/.test(value) ? `"${value.replace(/"/g, '""')}"` : `${value}`;
        let count = 0;
        const start = process.hrtime.bigint();
        conn.query(query).on("record", (record) => {
          if (record.Name !== null) count++;
          if (work === "csv") out.write(names.map((name) => text(record[name])).join(",") + "\\n");
        }).on("error", (error) => { console.error(error); process.exit(1); })
          .on("end", () => console.log(count, Number(process.hrtime.bigint() - start) / 1e9)).run({ autoFetch: true, maxFetch: 1e9 });
        """
}
