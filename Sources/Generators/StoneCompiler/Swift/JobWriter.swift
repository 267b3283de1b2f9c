// SPDX-License-Identifier: Apache-2.0

import SwiftSource

/// A route that starts a job on the server, and the route that checks the job.
///
/// A route starts a job if its result has a tag or a field `async_job_id`. The route that checks the job is found by
/// its name, or by a reference in the documentation.
struct SwiftJob {
    let check: RouteID
    /// The result of the starting route.
    let launch: StoneDeclaration
    /// The result of the checking route.
    let status: UnionID
    /// The job's result: the payload of the tag `complete`.
    let output: StoneType

    /// The struct or union that the checking route returns for a failed job.
    let failure: StoneDeclaration?

    init?(_ api: StoneAPI, _ members: SwiftMembers, _ route: StoneRoute, _ check: StoneRoute) {
        guard let launch = api.declaration(of: route.result), let status = api.union(check.result) else { return nil }
        let tags = members.tags(of: status)
        guard let done = tags["complete"], tags["in_progress"] != nil else { return nil }
        if case .union(let id) = launch, let early = members.tags(of: id)["complete"] {
            guard early.type == done.type else { return nil }
        }
        (self.check, self.launch, self.status, output) = (check.id, launch, status, done.type)
        failure = tags["failed"].flatMap { api.declaration(of: $0.type) }
    }
}

struct SwiftJobs {
    private(set) var jobs: [RouteID: SwiftJob] = [:]
    private let api: StoneAPI
    private let members: SwiftMembers
    private var checks: [RouteID: StoneRoute] = [:]
    private var checksByName: [String: StoneRoute] = [:]
    /// The routes that the documentation of a result refers to.
    private var references: [StoneDeclaration: Set<RouteID>] = [:]

    /// The pairs of routes, by their wire names, that no rule finds.
    private static let table = [
        "sharing/relinquish_folder_membership": "sharing/check_job_status",
        "sharing/remove_folder_member": "sharing/check_remove_member_job_status",
    ]

    init(_ api: StoneAPI, _ members: SwiftMembers, _ routes: [RouteID]) {
        self.api = api
        self.members = members
        let all = routes.map { api[$0] }
        for route in all.reversed() where api.isJobCheck(route) {
            checks[route.id] = route
            checksByName["\(route.namespace)/\(route.wireName)"] = route
        }
        for route in all where checks[route.id] == nil && startsJob(route) {
            if let check = check(of: route) { jobs[route.id] = SwiftJob(api, members, route, check) }
        }
    }

    /// Returns the only route that checks the jobs of another route.
    private mutating func check(of route: StoneRoute) -> StoneRoute? {
        let version = route.wireName.dropFirst(route.name.count)
        for suffix in ["/check", "/check_job_status", "/job_status/get", "/job_status/check"] {
            if let named = checksByName["\(route.namespace)/\(route.name)\(suffix)\(version)"] { return named }
        }
        let found = Self.references(in: route.doc).union(references(of: route.result)).compactMap { checks[$0] }
        if found.count == 1 { return found[0] }
        return Self.table["\(route.namespace)/\(route.wireName)"].flatMap { checksByName[$0] }
    }

    private mutating func references(of type: StoneType) -> Set<RouteID> {
        guard let declaration = api.declaration(of: type) else { return [] }
        if let known = references[declaration] { return known }
        let found = Self.references(in: api.doc(of: declaration))
        references[declaration] = found
        return found
    }

    private static func references(in doc: StoneDoc?) -> Set<RouteID> {
        Set((doc?.tokens ?? []).compactMap { if case .route(let id) = $0 { id } else { nil } })
    }

    private func startsJob(_ route: StoneRoute) -> Bool {
        let id =
            api.structure(route.result).flatMap { members.fields(of: $0)["async_job_id"]?.type }
            ?? api.union(route.result).flatMap { members.tags(of: $0)["async_job_id"]?.type }
        return id.map { if case .string = api.withoutAliases($0) { true } else { false } } ?? false
    }
}

extension StoneAPI {
    /// Returns whether a route checks a job, because its argument is a job id.
    func isJobCheck(_ route: StoneRoute) -> Bool {
        guard let id = structure(route.argument) else { return false }
        return lineage(of: id).contains { self[$0].namespace == "async" && self[$0].name == "PollArg" }
    }

    func doc(of declaration: StoneDeclaration) -> StoneDoc? {
        switch declaration {
        case .structure(let id): self[id].doc
        case .union(let id): self[id].doc
        case .alias(let id): self[id].doc
        }
    }
}

/// Writes the job states of the results of routes that start and check jobs.
struct JobWriter {
    let plan: SwiftPlan

    /// Returns the extensions for the distinct results of a namespace's jobs, sorted by name.
    func extensions(in namespace: String) -> [SwiftText] {
        (plan.jobResponses[namespace] ?? [:]).sorted { plan.name($0.key) < plan.name($1.key) }
            .map { write($0.key, $0.value) }
    }

    /// Writes the state of one result, which can start jobs with different outputs unless it can contain an output.
    private func write(_ response: StoneDeclaration, _ output: StoneType) -> SwiftText {
        var text = SwiftText()
        text.block("extension \(plan.name(response))") { text in
            text.line("/// The state of the job.")
            // Only a union can contain the output.
            var isFixed = false
            if case .union(let id) = response { isFixed = plan.members.tags(of: id)["complete"] != nil }
            let head = isFixed ? "() -> JobState<\(plan.swiftType(output))>" : "<Output>() -> JobState<Output>"
            text.block("func jobState\(head)") { text in
                switch response {
                case .union(let id): union(id, &text)
                case .structure(let id):
                    let field = plan.members.fields(of: id)["async_job_id"]
                    text.line(".running(id: \(field.map { plan.member($0, of: id) } ?? "nil"))")
                case .alias: break
                }
            }
        }
        return text
    }

    private func union(_ id: UnionID, _ text: inout SwiftText) {
        let tags = plan.members.tags(of: id)
        text.line("switch self {")
        for tag in tags.known {
            let name = SwiftIdentifiers.escaped(tags.names[tag.name] ?? tag.name)
            let isVoid = plan.api.unwrapped(tag.type).type == .void
            switch tag.name {
            case "async_job_id": text.line("case .\(name)(let id): .running(id: id)")
            case "in_progress": text.line("case .\(name): .running(id: nil)")
            case "complete":
                text.line(isVoid ? "case .\(name): .finished(())" : "case .\(name)(let value): .finished(value)")
            default:
                let isError = plan.api.declaration(of: tag.type).map { plan.errors.contains($0) } ?? false
                let failure = isError && !plan.api.isNullable(tag.type)
                text.line(
                    failure
                        ? "case .\(name)(let value): .failed(value)"
                        : "case .\(name): .failed(JobFailure(\(tag.name.swiftLiteral)))")
            }
        }
        if tags.catchAll != nil { text.line("case .other(let tag): .unknown(tag)") }
        text.line("}")
    }
}
