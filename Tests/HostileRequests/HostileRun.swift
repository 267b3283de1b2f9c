// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import LocalServer
import RestJSON
import RestTransport

/// Sends the requests of a seed to an org and looks at each answer, and at what is stored.
package struct HostileRun {
    /// What was wrong, with the request.
    package private(set) var faults: [String] = []
    /// How many answers each status had.
    package private(set) var statuses: [Int: Int] = [:]
    /// How many requests were valid writes.
    package private(set) var writes = 0
    /// How many queries were kept as what the user has looked at, and changed nothing else.
    package private(set) var looks = 0
    private let org: LocalOrg
    private let stored: StoredState
    private var requests: HostileRequests

    /// Runs so many requests of a seed on an org in the file.
    ///
    /// - Throws: when the org does not start.
    package static func run(seed: UInt64, count: Int, file: String) async throws -> HostileRun {
        var configuration = LocalOrgConfiguration(storage: .file(file))
        configuration.dailyRequestLimit = .max
        let org = try await LocalOrg.start(configuration)
        var run = try HostileRun(org, seed: seed, file: file)
        for _ in 0..<count { run.step() }
        await org.stop()
        return run
    }

    private static let prefixes = [
        "001": "Account", "003": "Contact", "00Q": "Lead", "006": "Opportunity", "00T": "Task", "500": "Case",
        "069": "ContentDocument",
    ]

    /// The table of what users have looked at.
    private static let looked = "org.Usage"

    private init(_ org: LocalOrg, seed: UInt64, file: String) throws {
        self.org = org
        stored = try StoredState(file: file)
        var known = KnownNames()
        known.token = org.issueCredential().accessToken
        (known.clientID, known.clientSecret) = (org.clientID, org.clientSecret)
        for object in ["Account", "Contact", "Lead", "Opportunity", "Task", "User", "Case"] {
            let query = PercentEncoding.queryComponent("SELECT Id FROM \(object) ORDER BY Id LIMIT 20")
            let fields: HTTPFields = ["Authorization": "Bearer \(known.token)"]
            let answer = org.answer("GET", "/services/data/v66.0/query?q=\(query)", fields: fields)
            let records = try JSONValue(parsing: answer.body)["records"]?.array ?? []
            known.ids[object] = records.compactMap { $0["Id"]?.string }
        }
        requests = HostileRequests(seed: seed, known)
    }

    private mutating func step() {
        let request = requests.next()
        let before = stored.version
        let others = request.isLook ? stored.digest(without: Self.looked) : nil
        let answer = org.answer(request.method, request.target, fields: request.fields, body: request.body)
        // A job goes on after its answer.
        let hasChanged = stored.version != before
        let hasKept = hasChanged && others != nil && stored.digest(without: Self.looked) == others
        org.finishJobs()
        let status = answer.head.status
        statuses[status, default: 0] += 1
        if status == 401 { requests.renew(org.issueCredential().accessToken) }
        if let fault = AnswerRules.fault(of: answer, to: request) { faults.append("\(fault): \(request)") }
        if hasChanged { count(request, status, changesNothingElse: hasKept) }
        learn(from: answer)
    }

    private mutating func count(_ request: HostileRequest, _ status: Int, changesNothingElse: Bool) {
        if status < 300, changesNothingElse {
            looks += 1
        } else if status < 300, !request.isSafe {
            writes += 1
        } else {
            faults.append("\(status), and the stored data have changed: \(request)")
        }
    }

    /// Takes up what later requests can name.
    private mutating func learn(from answer: HTTPResponse) {
        guard [200, 201].contains(answer.head.status), answer.body.count < 20_000,
            let json = try? JSONValue(parsing: answer.body)
        else {
            return
        }
        if json["contentType"] != nil || json["concurrencyMode"] != nil || json["jobId"] != nil {
            requests.learn(job: json["id"]?.string)
        }
        if let id = json["id"]?.string, let object = Self.prefixes[String(id.prefix(3))] {
            requests.learn(record: (object, id))
        }
        requests.learn(locator: json["nextRecordsUrl"]?.string?.split(separator: "/").last.map(String.init))
    }
}
