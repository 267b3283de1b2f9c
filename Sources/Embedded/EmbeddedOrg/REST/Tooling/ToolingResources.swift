// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestTransport

/// `/tooling`: the objects of the org as the tooling API shows them, and code for as far as there is any.
///
/// There is no compiler: what runs code is refused in the shape that clients read, unless the program that runs the org
/// answers it.
struct ToolingResources {
    let router: RESTRouter

    private static let names = [
        "completions", "describe", "executeAnonymous", "query", "queryAll", "recent", "runTestsAsynchronous",
        "runTestsSynchronous", "search", "sobjects",
    ]

    func answer(_ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        let rest = Array(call.rest.dropFirst())
        let inner = RESTRouter.Call(call, rest: rest)
        switch (rest.first, rest.count) {
        case (nil, _):
            try call.allow("GET")
            var writer = JSONWriter()
            writer.object(Self.names.map { ($0, "\(call.version.path)/tooling/\($0)") })
            return .json(200, writer.bytes)
        case ("query", 1...2), ("queryAll", 1...2): return try router.queries.answer(inner)
        case ("describe", 1): return try router.objects(.init(call, rest: ["sobjects"]))
        case ("sobjects", _): return try router.objects(inner)
        case ("recent", 1): return try router.records.recent(inner)
        case ("search", 1): return try SearchResources(queries: router.queries).answer(inner)
        case ("completions", 1): return try completions(call)
        case ("executeAnonymous", 1): return try execute(call)
        case ("runTestsAsynchronous", 1), ("runTestsSynchronous", 1):
            try call.allow("GET", "POST")
            throw OrgFault(
                400, "FUNCTIONALITY_NOT_ENABLED", "The embedded org has no Apex, so it runs no tests: \(rest[0])")
        default: throw OrgFault(404, "NOT_FOUND", "The embedded org has no such tool: \(call.path.folded.suffix(100))")
        }
    }

    /// No class has been declared.
    private func completions(_ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        try call.allow("GET")
        guard let type = call.path.parameter("type"), ["apex", "visualforce"].contains(type) else {
            throw OrgFault(400, "INVALID_TYPE", "type is apex or visualforce")
        }
        return .json(value: ["publicDeclarations": [:]])
    }

    /// Runs code by the program that runs the org.
    private func execute(_ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        try call.allow("GET")
        guard let code = call.path.parameter("anonymousBody"), !code.isEmpty else {
            throw OrgFault(400, "MISSING_ARGUMENT", "The parameter anonymousBody is missing")
        }
        let outcome = router.apex.execute(code)
        let (problem, failure): (String?, String?) =
            switch outcome {
            case .success: (nil, nil)
            case .notCompiled(let problem): (problem, nil)
            case .failure(let message): (nil, message)
            }
        return .json(value: [
            "column": JSONValue(outcome == .success ? -1 : 1), "compileProblem": problem.map { JSONValue($0) } ?? .null,
            "compiled": JSONValue(problem == nil), "exceptionMessage": failure.map { JSONValue($0) } ?? .null,
            "exceptionStackTrace": failure == nil ? .null : "AnonymousBlock: line 1, column 1",
            "line": JSONValue(outcome == .success ? -1 : 1), "success": JSONValue(outcome == .success),
        ])
    }
}
