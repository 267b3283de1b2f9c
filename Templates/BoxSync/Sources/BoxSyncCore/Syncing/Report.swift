// SPDX-License-Identifier: Apache-2.0

import Dropbox

/// What came of the files of a command.
struct Report {
    /// How many files were transferred.
    var doneCount = 0
    /// How many were the same on both sides.
    var sameCount = 0
    /// The files that could not be taken along.
    var problems: [Problem] = []
    /// What is wrong with more than one file, such as the network or the login.
    private(set) var failure: RestError?

    /// Notes that a file failed.
    mutating func add<RouteError>(_ path: String, _ error: CallError<RouteError>) {
        if case .rest(let error) = error, error.isGeneral {
            failure = failure ?? error
        } else {
            problems.append(Problem(path, error.words))
        }
    }

    /// Names each problem, and tells the rest in a line.
    ///
    /// - Parameters:
    ///   - verb: what was done with files, such as `sent`.
    ///   - terminal: where it is told.
    /// - Returns: the exit code.
    /// - Throws: the failure, or `CancellationError`.
    func tell(_ verb: String, to terminal: Terminal) throws -> ExitStatus {
        for problem in problems { terminal.warn("boxsync: \(problem.path): \(problem.reason)") }
        try Task.checkCancellation()
        if let failure { throw failure }
        let left = problems.isEmpty ? "" : ", \(problems.count) left out"
        terminal.note("\(doneCount) file\(doneCount == 1 ? "" : "s") \(verb), \(sameCount) the same\(left)")
        return problems.isEmpty ? .done : .partlyDone
    }
}

extension RestError {
    /// Whether other files would meet it as well.
    fileprivate var isGeneral: Bool {
        code.needsLogin || [.cancelled, .journal, .notConnected, .tls, .proxyUnauthorized].contains(code)
    }
}
