// SPDX-License-Identifier: Apache-2.0

import SwiftSource

/// Writes how far a job has come, by the answers of the routes that start and check it.
struct JobWriter {
    private let plan: SwiftPlan

    init(_ plan: SwiftPlan) {
        self.plan = plan
    }

    /// The answers of a namespace's jobs, each once, in the order of their names.
    func extensions(in namespace: String) -> [SwiftText] {
        (plan.jobAnswers[namespace] ?? [:]).sorted { plan.name($0.key) < plan.name($1.key) }
            .map { write($0.key, $0.value) }
    }

    /// One answer can start jobs of different results, unless it can hold a result itself.
    private func write(_ answer: StoneDeclaration, _ output: StoneType) -> SwiftText {
        var text = SwiftText()
        text.block("extension \(plan.name(answer))") { text in
            text.line("/// How far the job has come.")
            let isFixed = plan.holdsResult(answer)
            let head = isFixed ? "() -> JobState<\(plan.swiftType(output))>" : "<Output>() -> JobState<Output>"
            text.block("func jobState\(head)") { text in
                switch answer {
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

extension SwiftPlan {
    /// Whether an answer about a job can hold its result.
    fileprivate func holdsResult(_ answer: StoneDeclaration) -> Bool {
        guard case .union(let id) = answer else { return false }
        return members.tags(of: id)["complete"] != nil
    }
}
