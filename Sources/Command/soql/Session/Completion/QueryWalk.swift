// SPDX-License-Identifier: Apache-2.0

/// Walks through the words of a statement and knows what can come next; what is wrong in it does no harm.
struct QueryWalk {
    /// What is wanted next, within a clause.
    private enum Step: Equatable {
        /// The second word of a keyword, such as BY.
        case second(String)
        case operand
        case comparison(String, isNegated: Bool)
        case value(of: String)
        /// Behind the `:` of a variable.
        case variable
        case done
        /// Behind one of the words of an order: ASC, NULLS.
        case behind(String)
        case typeof(Typeof)
    }

    /// Where in `TYPEOF What WHEN Account THEN Phone ELSE Name END`.
    private enum Typeof: Equatable {
        case parents
        case when(String)
        case parent(String)
        case then(String, String)
        case field(String, String)
        case behindField(String, String)
        case elseField(String)
    }

    /// What a parenthesis, or the statement, holds.
    private enum Kind: Equatable {
        case query(Int?)
        /// Conditions.
        case group
        case arguments(String)
        /// Values that a field is compared with.
        case list(String)
    }

    private struct Frame {
        let kind: Kind
        var clause: QueryClause?
        var step = Step.operand
    }

    private let starts: [Int: Int]
    private let scopes: [QueryScope]
    private var frames = [Frame(kind: .query(nil))]
    /// The last name, which may be a function's.
    private var lastName: String?

    init(starts: [Int: Int], scopes: [QueryScope]) {
        (self.starts, self.scopes) = (starts, scopes)
    }

    /// The query that the place is in.
    private(set) var scope: Int?

    /// Goes on behind a word.
    mutating func take(_ word: QueryWord, _ index: Int, next: QueryWord?) {
        defer { lastName = word.kind == .name ? word.upper : nil }
        switch word.kind {
        case .symbol(UInt8(ascii: "(")): open(next)
        case .symbol(UInt8(ascii: ")")): close()
        case .symbol(let symbol): take(symbol: symbol)
        case .name: take(name: word.upper, index)
        case .string, .number: takeValue()
        case .comment: break
        }
    }

    private var step: Step {
        get { frames[frames.count - 1].step }
        set { frames[frames.count - 1].step = newValue }
    }

    private var clause: QueryClause? { frames.last { $0.clause != nil }?.clause }
}

// MARK: - Parentheses

extension QueryWalk {
    private mutating func open(_ next: QueryWord?) {
        if next?.kind == .name, next?.upper == "SELECT" {
            frames.append(Frame(kind: .query(nil)))
        } else if case .value(let field) = step {
            frames.append(Frame(kind: .list(field), step: .value(of: field)))
        } else if let name = lastName, !Self.conditionWords.contains(name), !QueryClause.isKeyword(name) {
            frames.append(Frame(kind: .arguments(name)))
        } else {
            frames.append(Frame(kind: .group))
        }
    }

    private static let conditionWords: Set = ["AND", "OR", "NOT", "IN", "BY"]

    private mutating func close() {
        guard frames.count > 1 else { return }
        let closed = frames.removeLast()
        scope =
            frames.lazy.reversed().compactMap { frame -> Int? in
                if case .query(let number) = frame.kind { number } else { nil }
            }.first
        // A function in a condition is what is compared, and has been taken for the field when its name came.
        if case .arguments(let function) = closed.kind, case .comparison = step {
            step = .comparison(function, isNegated: false)
        } else {
            step = .done
        }
    }
}

// MARK: - Words

extension QueryWalk {
    private mutating func take(name: String, _ index: Int) {
        if name == "SELECT", let number = starts[index] {
            scope = number
            return frames[frames.count - 1] = Frame(kind: .query(number), clause: .select)
        }
        if case .typeof(let place) = step { return take(name, in: place) }
        if case .arguments? = frames.last?.kind { return step = .done }
        if case .query? = frames.last?.kind, let clause = QueryClause(beginningWith: name) { return begin(clause) }
        switch (clause, step) {
        case (_, .second(let word)): if name == word { step = .operand }
        case (.select?, _) where name == "TYPEOF": step = .typeof(.parents)
        case (.where?, .operand), (.having?, .operand):
            if name != "NOT" { step = .comparison(name, isNegated: false) }
        case (.where?, .comparison(let field, _)), (.having?, .comparison(let field, _)):
            step = name == "NOT" ? .comparison(field, isNegated: true) : .value(of: field)
        case (.where?, .done), (.having?, .done): if name == "AND" || name == "OR" { step = .operand }
        case (.order?, .done), (.order?, .behind): step = .behind(name)
        case (_, .value): takeValue()
        case (.with?, .operand): step = name == "DATA" ? .second("CATEGORY") : .done
        default: step = .done
        }
    }

    private mutating func begin(_ clause: QueryClause) {
        frames[frames.count - 1].clause = clause
        switch clause {
        case .group, .order: step = .second("BY")
        case .scope: step = .second("SCOPE")
        default: step = .operand
        }
    }

    private mutating func takeValue() {
        // A value in a list is followed by another one.
        if case .list? = frames.last?.kind { return }
        step = .done
    }

    private mutating func take(symbol: UInt8) {
        switch (symbol, step) {
        case (UInt8(ascii: ":"), .value), (UInt8(ascii: ":"), .operand): step = .variable
        case (UInt8(ascii: ","), .typeof(.behindField(let relationship, let object))):
            step = .typeof(.field(relationship, object))
        case (UInt8(ascii: ","), .value), (UInt8(ascii: ","), .typeof): break
        case (UInt8(ascii: ","), _):
            if case .list(let field)? = frames.last?.kind { step = .value(of: field) } else { step = .operand }
        case (_, .comparison(let field, _)): step = .value(of: field)
        default: break
        }
    }

    private mutating func take(_ name: String, in place: Typeof) {
        switch (place, name) {
        case (_, "END"): step = .done
        case (.parents, _): step = .typeof(.when(name))
        case (.when(let relationship), "WHEN"), (.behindField(let relationship, _), "WHEN"):
            step = .typeof(.parent(relationship))
        case (.parent(let relationship), _): step = .typeof(.then(relationship, name))
        case (.then(let relationship, let object), "THEN"): step = .typeof(.field(relationship, object))
        case (.behindField(let relationship, _), "ELSE"): step = .typeof(.elseField(relationship))
        case (.field(let relationship, let object), _): step = .typeof(.behindField(relationship, object))
        case (.elseField, _): step = .typeof(.elseField(name))
        default: break
        }
    }
}

// MARK: - What comes next

extension QueryWalk {
    /// What can stand here inside of quotes.
    var placeInQuotes: QueryPlace {
        if case .value(let field) = step { .text(of: field) } else { .nothing }
    }

    /// What can stand here.
    var place: QueryPlace {
        guard let frame = frames.last else { return .nothing }
        switch frame.step {
        case .second(let word): return .keywords([word])
        case .comparison(_, let isNegated): return .keywords(isNegated ? ["IN"] : Self.comparisons)
        case .value(let field): return .value(of: field)
        case .variable: return .variable
        case .typeof(let place): return self.place(in: place)
        case .behind(let word): return .keywords(Self.orderWords(behind: word) + behindClause(.order))
        case .operand:
            if case .arguments(let function) = frame.kind { return .field(.argument(function)) }
            if case .group = frame.kind { return .field(.filtering) }
            return frame.clause.map(operand) ?? .statement
        case .done:
            if case .query = frame.kind { return frame.clause.map(done) ?? .nothing }
            return frame.kind == .group ? .keywords(["AND", "OR"]) : .nothing
        }
    }

    private static let comparisons = ["=", "!=", "<", "<=", ">", ">=", "LIKE", "IN", "NOT IN", "INCLUDES", "EXCLUDES"]

    private static func orderWords(behind word: String) -> [String] {
        switch word {
        case "ASC", "DESC": ["NULLS FIRST", "NULLS LAST"]
        case "NULLS": ["FIRST", "LAST"]
        default: []
        }
    }

    private func operand(_ clause: QueryClause) -> QueryPlace {
        switch clause {
        case .select: .field(.selecting)
        case .from: scope.flatMap { scopes[$0].parent }.map { .children(of: $0) } ?? .object
        case .where, .having: .field(.filtering)
        case .group: .field(.grouping)
        case .order: .field(.ordering)
        case .scope: .keywords(["delegated", "everything", "mine", "mine_and_my_groups", "my_territory", "team"])
        case .with: .keywords(["SECURITY_ENFORCED", "USER_MODE", "SYSTEM_MODE", "DATA CATEGORY"])
        case .usage: .keywords(["VIEW", "REFERENCE"])
        case .statistics: .keywords(["TRACKING", "VIEWSTAT"])
        case .limit, .offset: .nothing
        }
    }

    private func done(_ clause: QueryClause) -> QueryPlace {
        switch clause {
        case .select: .keywords(["FROM"])
        case .where, .having: .keywords(["AND", "OR"] + behindClause(clause))
        case .order: .keywords(["ASC", "DESC", "NULLS FIRST", "NULLS LAST"] + behindClause(clause))
        default: .keywords(behindClause(clause))
        }
    }

    private func behindClause(_ clause: QueryClause) -> [String] {
        clause.following(isChild: scope.flatMap { scopes[$0].enclosing } != nil)
    }

    private func place(in place: Typeof) -> QueryPlace {
        switch place {
        case .parents: .parents
        case .when: .keywords(["WHEN"])
        case .parent(let relationship): .parent(by: relationship)
        case .then: .keywords(["THEN"])
        case .field(_, let object): .fieldOf(object)
        case .behindField: .keywords(["WHEN", "ELSE", "END"])
        case .elseField: .keywords(["END"])
        }
    }
}
