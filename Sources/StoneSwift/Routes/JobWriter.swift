// SPDX-License-Identifier: Apache-2.0

import StoneCore

/// Writes how far a job has come, by the answers of the routes that start and check it.
struct JobWriter {
    private let plan: SwiftPlan

    init(_ plan: SwiftPlan) {
        self.plan = plan
    }

    /// The answers of a namespace's jobs, each once, in the order of their names; an answer that stands for jobs of
    /// different results is given to the first of them.
    func extensions(in namespace: String) -> [SwiftText] {
        var outputs: [StoneDeclaration: StoneType] = [:]
        for id in plan.jobs.keys.sorted(by: { $0.index < $1.index }) {
            guard let job = plan.jobs[id] else { continue }
            for answer in [job.launch, .union(job.status)] where outputs[answer] == nil { outputs[answer] = job.output }
        }
        return outputs.filter { plan.api.name(of: $0.key).namespace == namespace }
            .sorted { plan.name($0.key) < plan.name($1.key) }
            .map { write($0.key, $0.value) }
    }

    private func write(_ answer: StoneDeclaration, _ output: StoneType) -> SwiftText {
        var text = SwiftText()
        text.block("extension \(plan.name(answer))") { text in
            text.line("/// How far the job has come.")
            text.block("var jobState: JobState<\(plan.swiftType(output))>") { text in
                switch answer {
                case .union(let id): union(id, &text)
                default: text.line(".running(id: asyncJobID)")
                }
            }
        }
        return text
    }

    private func union(_ id: UnionID, _ text: inout SwiftText) {
        let names = plan.caseNames(id)
        text.line("switch self {")
        for tag in plan.knownTags(id) {
            let name = SwiftNames.escaped(names[tag.name] ?? tag.name)
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
                    failure ? "case .\(name)(let value): .failed(value)"
                        : "case .\(name): .failed(JobFailure(\(tag.name.swiftLiteral)))")
            }
        }
        if plan.api.catchAll(of: id) != nil { text.line("case .other(let tag): .unknown(tag)") }
        text.line("}")
    }
}
