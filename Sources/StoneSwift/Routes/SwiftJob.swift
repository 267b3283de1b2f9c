// SPDX-License-Identifier: Apache-2.0

import StoneCore

/// A route that starts a job on the server, and the one that checks it.
///
/// A route starts a job if its result has a tag or a field `async_job_id`. The route that checks it is found by its
/// name, else by the reference to it in the documentation.
struct SwiftJob {
    let check: RouteID
    /// The answer to the starting route.
    let launch: StoneDeclaration
    /// The answer of a check.
    let status: UnionID
    /// The job's result: the payload of the tag `complete`.
    let output: StoneType

    /// Routes whose partner no rule finds, by their wire names.
    private static let table = [
        "sharing/relinquish_folder_membership": "sharing/check_job_status",
        "sharing/remove_folder_member": "sharing/check_remove_member_job_status",
    ]

    static func jobs(_ api: StoneAPI, _ routes: [RouteID]) -> [RouteID: SwiftJob] {
        let all = routes.map { api[$0] }
        let checks = all.filter { api.isJobCheck($0) }
        var jobs: [RouteID: SwiftJob] = [:]
        for route in all where !api.isJobCheck(route) && api.startsJob(route) {
            if let check = check(of: route, checks, api), let job = SwiftJob(api, route, check) { jobs[route.id] = job }
        }
        return jobs
    }

    /// The one route that checks the jobs of another.
    private static func check(of route: StoneRoute, _ checks: [StoneRoute], _ api: StoneAPI) -> StoneRoute? {
        for suffix in ["/check", "/check_job_status", "/job_status/get", "/job_status/check"] {
            let named = checks.first {
                $0.namespace == route.namespace && $0.name == route.name + suffix && $0.version == route.version
            }
            if let named { return named }
        }
        let docs = [route.doc, api.declaration(of: route.result).flatMap { api.doc(of: $0) }].compactMap { $0 }
        let referred = Set(docs.flatMap(\.tokens).compactMap { if case .route(let id) = $0 { id } else { nil } })
        let found = checks.filter { referred.contains($0.id) }
        if found.count == 1 { return found[0] }
        let wanted = table["\(route.namespace)/\(route.wireName)"]
        return checks.first { "\($0.namespace)/\($0.wireName)" == wanted }
    }

    private init?(_ api: StoneAPI, _ route: StoneRoute, _ check: StoneRoute) {
        guard let launch = api.declaration(of: route.result), let status = api.union(check.result) else { return nil }
        let done = api.allTags(of: status).first { $0.name == "complete" }
        guard let done, api.allTags(of: status).contains(where: { $0.name == "in_progress" }) else { return nil }
        if case .union(let id) = launch, let early = api.allTags(of: id).first(where: { $0.name == "complete" }) {
            guard early.type == done.type else { return nil }
        }
        (self.check, self.launch, self.status, output) = (check.id, launch, status, done.type)
    }

    /// What the job can fail with.
    func failures(_ api: StoneAPI) -> [StoneDeclaration] {
        api.allTags(of: status).filter { $0.name == "failed" }.compactMap { api.declaration(of: $0.type) }
    }
}

extension StoneAPI {
    /// Whether a route asks how a job stands: its argument is a job's id.
    func isJobCheck(_ route: StoneRoute) -> Bool {
        guard let id = structure(route.argument) else { return false }
        return lineage(of: id).contains { self[$0].namespace == "async" && self[$0].name == "PollArg" }
    }

    /// Whether a route answers with a job's id.
    func startsJob(_ route: StoneRoute) -> Bool {
        if let id = structure(route.result) {
            return allFields(of: id).contains { $0.name == "async_job_id" && isText($0.type) }
        }
        guard let id = union(route.result) else { return false }
        return allTags(of: id).contains { $0.name == "async_job_id" && isText($0.type) }
    }

    func doc(of declaration: StoneDeclaration) -> StoneDoc? {
        switch declaration {
        case .structure(let id): self[id].doc
        case .union(let id): self[id].doc
        case .alias(let id): self[id].doc
        }
    }

    private func isText(_ type: StoneType) -> Bool {
        if case .string = withoutAliases(type) { true } else { false }
    }
}
