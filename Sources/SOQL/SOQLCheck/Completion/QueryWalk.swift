// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

/// Processes the words of a statement, tolerating errors, to determine the context after them.
struct QueryWalk {
    /// The content of a parenthesis or of the statement.
    private enum Kind: Equatable {
        case query(Int?)
        /// Conditions.
        case group
        case arguments(String)
        /// Values to compare with a field.
        case list(String)
    }

    private struct Frame {
        let kind: Kind
        var clause: QueryClause?
        /// The expected second word of a keyword, such as BY.
        var second: String?
        /// The words after the clause keyword, a comma, AND or OR, where `'` represents a value.
        var tail: [String] = []

        var hasConditions: Bool { kind == .group || clause == .where || clause == .having }
        /// Whether the last words are a TYPEOF without its END.
        var isInTypeof: Bool { clause == .select && tail.first == "TYPEOF" && !tail.contains { $0 == "END" } }
    }

    private let starts: [Int: Int]
    private let scopes: [QueryScope]
    private var frames = [Frame(kind: .query(nil))]
    /// The last name, possibly of a function.
    private var lastName: String?

    init(starts: [Int: Int], scopes: [QueryScope]) { (self.starts, self.scopes) = (starts, scopes) }

    /// The index of the current query.
    var scope: Int? {
        frames.lazy.reversed().compactMap { frame -> Int? in
            if case .query(let number) = frame.kind { number } else { nil }
        }.first
    }

    /// Whether conditions at this position apply to groups.
    private var isInHaving: Bool { frames.last { $0.kind != .group }?.clause == .having }

    private var frame: Frame {
        get { frames[frames.count - 1] }
        set { frames[frames.count - 1] = newValue }
    }

    mutating func take(_ word: QueryWord, _ index: Int, next: QueryWord?) {
        defer { lastName = word.kind == .word ? word.upper : nil }
        switch word.kind {
        case .sign(UInt8(ascii: "(")): open(next)
        case .sign(UInt8(ascii: ")")): close()
        case .sign(UInt8(ascii: ",")) where !frame.isInTypeof: frame.tail = []
        case .sign(let sign): frame.tail.append(String(Unicode.Scalar(sign)))
        case .word: take(name: word.upper, index)
        case .string, .number, .braces: frame.tail.append("'")
        case .lineComment, .blockComment: break
        }
    }

    private mutating func open(_ next: QueryWord?) {
        if next?.kind == .word, next?.upper == "SELECT" {
            frames.append(Frame(kind: .query(nil)))
        } else if case .value(let field) = place {
            frames.append(Frame(kind: .list(field)))
        } else if let name = lastName, !Self.conditionWords.contains(name), !QueryClause.isKeyword(name) {
            frames.append(Frame(kind: .arguments(name)))
        } else {
            frames.append(Frame(kind: .group))
        }
    }

    private static let conditionWords: Set = ["AND", "OR", "NOT", "IN", "BY"]

    private mutating func close() {
        guard frames.count > 1 else { return }
        // A function is already represented by its name.
        if case .arguments = frames.removeLast().kind { return }
        frame.tail.append("'")
    }

    private mutating func take(name: String, _ index: Int) {
        if name == "SELECT", let number = starts[index] {
            frame = Frame(kind: .query(number), clause: .select)
        } else if case .query = frame.kind, !frame.isInTypeof, let clause = QueryClause(beginningWith: name) {
            (frame.clause, frame.tail) = (clause, [])
            frame.second = [.group: "BY", .order: "BY", .scope: "SCOPE"][clause]
        } else if let second = frame.second {
            if name == second { frame.second = nil }
        } else if name == "AND" || name == "OR", frame.hasConditions {
            frame.tail = []
        } else {
            frame.tail.append(name)
        }
    }
}

// MARK: - What comes next

extension QueryWalk {
    /// The context inside quotes.
    var placeInQuotes: QueryPlace {
        if case .value(let field) = place { .text(of: field) } else { .nothing }
    }

    /// The context outside of quotes.
    var place: QueryPlace {
        let tail = frame.tail
        if let second = frame.second { return .keywords([second]) }
        if tail.suffix(1) == [":"] { return .variable }
        switch frame.kind {
        case .list(let field): return .value(of: field)
        case .arguments(let function): return tail.isEmpty ? .field(.argument(function)) : .nothing
        case .group: return condition(behind: [])
        case .query: break
        }
        guard let clause = frame.clause else { return tail.isEmpty ? .statement : .nothing }
        if frame.isInTypeof { return placeInTypeof }
        let following = clause.following(isChild: scope.flatMap { scopes[$0].enclosing } != nil)
        if clause == .where || clause == .having { return condition(behind: following) }
        guard let last = tail.last else { return operand(clause) }
        switch clause {
        case .select: return .keywords(["FROM"])
        case .with where tail == ["DATA"]: return .keywords(["CATEGORY"])
        case .order: return .keywords(Self.orderWords(behind: last, isFirst: tail.count == 1) + following)
        default: return .keywords(following)
        }
    }

    private static func orderWords(behind word: String, isFirst: Bool) -> [String] {
        switch word {
        case "ASC", "DESC": ["NULLS FIRST", "NULLS LAST"]
        case "NULLS": ["FIRST", "LAST"]
        default: isFirst ? ["ASC", "DESC", "NULLS FIRST", "NULLS LAST"] : []
        }
    }

    private func operand(_ clause: QueryClause) -> QueryPlace {
        switch clause {
        case .select: .field(.selecting)
        case .from: scope.flatMap { scopes[$0].parent }.map { .children(of: $0) } ?? .object
        case .where: .field(.filtering)
        case .having: .field(.having)
        case .group: .field(.grouping)
        case .order: .field(.ordering)
        case .scope: .keywords(Resolver.scopes)
        case .with: .keywords(["SECURITY_ENFORCED", "USER_MODE", "SYSTEM_MODE", "DATA CATEGORY"])
        case .usage: .keywords(["VIEW", "REFERENCE"])
        case .statistics: .keywords(["TRACKING", "VIEWSTAT"])
        case .limit, .offset: .nothing
        }
    }

    /// The context in a test such as `NOT Name = 'x'`, including the keywords of later clauses after a complete test.
    private func condition(behind following: [String]) -> QueryPlace {
        let test = frame.tail.drop { $0 == "NOT" }
        guard let field = test.first else { return .field(isInHaving ? .having : .filtering) }
        // A function without arguments, or a group, is a complete test.
        if field == "'" { return .keywords(["AND", "OR"] + following) }
        let rest = test.dropFirst()
        if rest.isEmpty { return .keywords(Self.comparisons) }
        if Array(rest) == ["NOT"] { return .keywords(["IN"]) }
        let symbols = rest.prefix { ["=", "!", "<", ">"].contains($0) }.count
        let operators = symbols > 0 ? symbols : rest.first == "NOT" ? 2 : 1
        return rest.count <= operators ? .value(of: field) : .keywords(["AND", "OR"] + following)
    }

    private static let comparisons = ["=", "!=", "<", "<=", ">", ">=", "LIKE", "IN", "NOT IN", "INCLUDES", "EXCLUDES"]

    /// The context in `TYPEOF What WHEN Account THEN Phone ELSE Name END`.
    private var placeInTypeof: QueryPlace {
        let tail = frame.tail
        guard tail.count > 1 else { return .parents }
        guard let keyword = tail.lastIndex(where: { ["WHEN", "THEN", "ELSE"].contains($0) }) else {
            return .keywords(["WHEN"])
        }
        let isOpen = keyword == tail.count - 1 || tail.suffix(1) == [","]
        switch tail[keyword] {
        case "WHEN": return isOpen ? .parent(by: tail[1]) : .keywords(["THEN"])
        case "THEN": return isOpen ? .fieldOf(tail[keyword - 1]) : .keywords(["WHEN", "ELSE", "END"])
        default: return .keywords(["END"])
        }
    }
}
