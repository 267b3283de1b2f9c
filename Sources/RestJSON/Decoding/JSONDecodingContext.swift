// SPDX-License-Identifier: Apache-2.0

/// What all decoders of one call share: the document, the options, and the readers of single values.
///
/// Decoders keep no coding path. A path is worked out from the tape index of a value when an error, or the type, asks
/// for it, so that reading without errors costs nothing.
final class JSONDecodingContext {
    let document: JSONDocument
    /// The value being decoded; paths start there.
    let root: Int
    let options: JSONDecodingOptions
    let transform: (@Sendable (String) -> String)?
    private let hasRules: Bool
    /// The tape indices of the values of an object by changed name, for objects that a container has been asked for.
    private var renamedMembers: [Int: [String: Int]] = [:]

    init(document: JSONDocument, root: Int, options: JSONDecodingOptions) {
        self.document = document
        self.root = root
        self.options = options
        transform = options.keyStrategy.transform
        hasRules = !options.rules.isEmpty
    }

    /// Reads the value at a tape index as any type.
    @inline(__always)
    func decode<T: Decodable>(_ type: T.Type, at index: Int) throws -> T {
        if hasRules, let rule = options.rules[ObjectIdentifier(type)] { return try apply(rule, to: type, at: index) }
        return try T(from: JSONValueDecoder(context: self, index: index))
    }

    /// The tape index of the value of a key.
    @inline(__always)
    func find(_ key: some CodingKey, inObjectAt index: Int) -> Int? {
        if transform != nil { return renamed(at: index)[key.stringValue] }
        return document.value(named: key.stringValue, inObjectAt: index)
    }

    /// The members of an object by changed name, the last of each; worked out once for each object.
    func renamed(at index: Int) -> [String: Int] {
        guard let transform else { return [:] }
        if let members = renamedMembers[index] { return members }
        var members: [String: Int] = [:]
        document.forEachMember(ofObjectAt: index) { members[transform($0)] = $1 }
        renamedMembers[index] = members
        return members
    }

    /// Reads by the caller's rule.
    ///
    /// A rule is keyed by its type, so a result of another type cannot come.
    private func apply<T>(_ rule: JSONDecodingOptions.Rule, to type: T.Type, at index: Int) throws -> T {
        do {
            if let value = try rule(JSONValue(document, at: index)) as? T { return value }
        } catch let error as DecodingError {
            throw error
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: path(to: index), debugDescription: "the rule failed", underlyingError: error))
        }
        if isNull(index) { throw mismatch(type, at: index) }
        throw DecodingError.dataCorrupted(
            .init(codingPath: path(to: index), debugDescription: "the value does not make a \(type)"))
    }

    @inline(__always)
    func isNull(_ index: Int) -> Bool { document.tape[index].has(.null) }

    @inline(__always)
    func bool(at index: Int) throws -> Bool {
        switch document.tape[index].kind {
        case .true: return true
        case .false: return false
        default: throw mismatch(Bool.self, at: index)
        }
    }

    @inline(__always)
    func string(at index: Int) throws -> String {
        let entry = document.tape[index]
        switch entry.kind {
        case .string: return document.text(of: entry)
        case .escapedString: return document.string(at: index)
        default: throw mismatch(String.self, at: index)
        }
    }

    @inline(__always)
    func integer<T: FixedWidthInteger>(_ type: T.Type, at index: Int) throws -> T {
        let entry = document.tape[index]
        guard entry.isNumber else { throw mismatch(type, at: index) }
        guard let value = document.withSource({ JSONNumber.integer($0, entry.range, as: type) }) else {
            throw unfit(type, at: index)
        }
        return value
    }

    @inline(__always)
    func double(at index: Int) throws -> Double {
        let entry = document.tape[index]
        guard entry.isNumber else { throw mismatch(Double.self, at: index) }
        guard let value = document.withSource({ JSONNumber.double($0, entry.range) }) else {
            throw unfit(Double.self, at: index)
        }
        return value
    }

    /// Reads a `Float` from the text, as rounding twice, over a double, could miss the nearest one.
    func float(at index: Int) throws -> Float {
        let entry = document.tape[index]
        guard entry.isNumber else { throw mismatch(Float.self, at: index) }
        guard let value = Float(document.text(of: entry)), value.isFinite else { throw unfit(Float.self, at: index) }
        return value
    }
}

extension JSONDecodingContext {
    /// The error for a value of another kind than the type needs.
    @inline(never)
    func mismatch(_ type: Any.Type, at index: Int) -> DecodingError {
        let kind = JSONValue.Kind(document.tape[index].kind)
        let context = DecodingError.Context(
            codingPath: path(to: index), debugDescription: "found \(kind.rawValue) where \(type) is needed")
        return kind == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    /// The error for a number that the type cannot hold.
    @inline(never)
    func unfit(_ type: Any.Type, at index: Int) -> DecodingError {
        .dataCorrupted(.init(codingPath: path(to: index), debugDescription: "the number does not fit in \(type)"))
    }

    /// The way from the root to the value at a tape index, found by walking down the containers around it.
    func path(to index: Int) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var container = root
        while container < index, document.tape[container].isContainer {
            let isObject = document.tape[container].has(.object)
            var child = container + 1
            var position = 0
            while true {
                let value = isObject ? child + 1 : child
                let end = document.index(after: value)
                if index < end || end >= document.tape[container].position { break }
                child = end
                position += 1
            }
            path.append(isObject ? JSONKey(stringValue: document.string(at: child)) : JSONKey(intValue: position))
            container = isObject ? child + 1 : child
        }
        return path
    }
}
