// SPDX-License-Identifier: Apache-2.0
/// The state that all decoders of one call share: the document, the options, and the readers of single values.
///
/// Decoders do not track a coding path. A path is computed from the tape index of a value only for an error, or when
/// the decoded type asks for it, so reading without errors pays nothing for paths.
///
/// Unsafe by need: an `Array` in a class pays for exclusivity on every read. Safe because only the context holds
/// `plans`, from `init` to `deinit`, and `planCount` of them are initialized.
@safe
final class JSONDecodingContext {
    let document: JSONDocument
    /// The value being decoded, where paths start.
    private(set) var root: Int
    /// The coding path of the root, if the root is not a value of the text.
    private let base: [any CodingKey]
    let options: JSONDecodingOptions
    let transform: (@Sendable (String) -> String)?
    private let hasRules: Bool
    /// The members of an object by converted name, cached per tape index of the object.
    private var renamedMembers: [Int: [JSONName: Int]] = [:]
    /// Lookup plans by type of keys, for types whose keys fit in one byte.
    private let plans: UnsafeMutablePointer<JSONKeyPlan>
    private var planCount = 0
    /// The maximum number of types with a plan, zero if the value is too short for plans to pay off.
    private let mostPlans: Int
    /// The last computed path, from the root down, whose beginning the next path reuses.
    private var trail: [JSONPathStep] = []

    /// Creates the context of a value, where `isRepeated` announces further values of the same document.
    init(
        document: JSONDocument, root: Int, options: JSONDecodingOptions, base: [any CodingKey] = [],
        isRepeated: Bool = false
    ) {
        self.document = document
        self.root = root
        self.base = base
        self.options = options
        transform = options.keyStrategy.transform
        hasRules = !options.rules.isEmpty
        let isLong = document.index(after: root) - root >= JSONKeyPlan.fewestEntries
        mostPlans = isLong || isRepeated ? JSONKeyPlan.mostTypes : 0
        unsafe plans = .allocate(capacity: mostPlans)
    }

    deinit {
        for number in 0..<planCount { unsafe plans[number].free() }
        unsafe plans.deallocate()
    }

    func decode<T: Decodable>(_ type: T.Type, asRoot index: Int) throws -> T {
        (root, trail) = (index, [])
        return try decode(type, at: index)
    }

    @inline(__always)
    func entry(_ index: Int) -> TapeEntry { document.tape[index] }

    @inline(__always)
    func withText<Result>(_ body: (JSONSource) -> Result) -> Result { document.withSource(body) }

    @inline(__always)
    func decode<T: Decodable>(_ type: T.Type, at index: Int) throws -> T {
        if hasRules, let rule = options.rules[ObjectIdentifier(type)] { return try apply(rule, to: type, at: index) }
        if entry(index).has(.array), let array = try list(type, at: index) { return array }
        return try T(from: JSONValueDecoder(context: self, index: index))
    }

    /// The index of the plan for a type of keys, or a negative number if there is no plan.
    @inline(__always)
    func plan<Key: CodingKey>(of type: Key.Type) -> Int {
        guard mostPlans > 0, JSONKeyPlan.suits(type), transform == nil else { return -1 }
        for number in 0..<planCount where unsafe plans[number].type == ObjectIdentifier(type) { return number }
        return newPlan(ObjectIdentifier(type))
    }

    @inline(never)
    private func newPlan(_ type: ObjectIdentifier) -> Int {
        guard planCount < mostPlans else { return -1 }
        unsafe (plans + planCount).initialize(to: JSONKeyPlan(type))
        planCount += 1
        return planCount - 1
    }

    /// The tape index of the value of a key, found by the plan of its type.
    @inline(__always)
    func find(_ key: some CodingKey, inObjectAt index: Int, plan: Int) -> Int? {
        guard plan >= 0 else { return find(key, inObjectAt: index) }
        let plan = unsafe plans[plan]
        guard plan.object == index || plan.takesUp(index, in: self) else { return find(key, inObjectAt: index) }
        return plan.place(of: key, in: self)
    }

    /// The tape index of the value of a key, found by its name.
    @inline(never)
    private func find(_ key: some CodingKey, inObjectAt index: Int) -> Int? {
        if transform != nil { return renamed(at: index)[JSONName(key.stringValue)] }
        return document.value(named: key.stringValue, inObjectAt: index)
    }

    /// The last member of each converted name in an object, computed once per object.
    func renamed(at index: Int) -> [JSONName: Int] {
        guard let transform else { return [:] }
        if let members = renamedMembers[index] { return members }
        var members: [JSONName: Int] = [:]
        document.forEachMember(ofObjectAt: index) { members[JSONName(transform($0))] = $1 }
        renamedMembers[index] = members
        return members
    }

    /// Decodes a value with the caller's rule, which is keyed by the type, so the cast cannot fail for a value.
    private func apply<T>(_ rule: JSONDecodingOptions.Rule, to type: T.Type, at index: Int) throws -> T {
        do {
            if let value = try rule(JSONValue(document, at: index)) as? T { return value }
        } catch let error as DecodingError {
            throw error
        } catch {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: path(to: index), debugDescription: "the conversion rule threw an error",
                    underlyingError: error))
        }
        if isNull(index) { throw mismatch(type, at: index) }
        throw DecodingError.dataCorrupted(
            .init(codingPath: path(to: index), debugDescription: "the value cannot be converted to \(type)"))
    }

    @inline(__always)
    func isNull(_ index: Int) -> Bool { entry(index).has(.null) }

    @inline(__always)
    func bool(at index: Int) throws -> Bool {
        switch entry(index).kind {
        case .true: return true
        case .false: return false
        default: throw mismatch(Bool.self, at: index)
        }
    }

    @inline(__always)
    func string(at index: Int) throws -> String {
        let entry = self.entry(index)
        switch entry.kind {
        case .string: return withText { $0.text(of: entry) }
        case .escapedString: return withText { $0.unescapedText(entry) }
        default: throw mismatch(String.self, at: index)
        }
    }

    @inline(__always)
    func integer<T: FixedWidthInteger>(_ type: T.Type, at index: Int) throws -> T {
        let entry = self.entry(index)
        guard entry.isNumber else { throw mismatch(type, at: index) }
        guard let value = withText({ JSONNumber.integer($0, entry.range, as: type) }) else {
            throw unfit(type, at: index)
        }
        return value
    }

    @inline(__always)
    func double(at index: Int) throws -> Double {
        let entry = self.entry(index)
        guard entry.isNumber else { throw mismatch(Double.self, at: index) }
        guard let value = withText({ JSONNumber.double($0, entry.range) }) else {
            throw unfit(Double.self, at: index)
        }
        return value
    }

    /// Parses a `Float` from the text, because rounding twice (via `Double`) could miss the nearest `Float`.
    func float(at index: Int) throws -> Float {
        let entry = document.tape[index]
        guard entry.isNumber else { throw mismatch(Float.self, at: index) }
        guard let value = Float(document.text(of: entry)), value.isFinite else { throw unfit(Float.self, at: index) }
        return value
    }
}

extension JSONDecodingContext {
    /// The error for a value whose kind does not match the type.
    @inline(never)
    func mismatch(_ type: Any.Type, at index: Int) -> DecodingError {
        let kind = JSONValue.Kind(document.tape[index].kind)
        let context = DecodingError.Context(
            codingPath: path(to: index), debugDescription: "found \(kind.rawValue) where \(type) is needed")
        return kind == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    /// The error for a number that does not fit the type.
    @inline(never)
    func unfit(_ type: Any.Type, at index: Int) -> DecodingError {
        .dataCorrupted(.init(codingPath: path(to: index), debugDescription: "the number does not fit in \(type)"))
    }

    /// A decoder of `null`, for a key that is missing in the text.
    func null(at path: [any CodingKey]) -> JSONValueDecoder {
        let context = JSONDecodingContext(
            document: .null, root: JSONDocument.rootIndex, options: options, base: path)
        return JSONValueDecoder(context: context, index: JSONDocument.rootIndex)
    }

    /// The coding path of the value at a tape index, found by walking down its containers.
    ///
    /// Types that continue after errors ask for many paths. A walk therefore resumes where the last walk stopped: over
    /// all elements of an array in order, it costs one step per element.
    func path(to index: Int) -> [any CodingKey] {
        let kept = trail.prefix { $0.container < index && index < document.tape[$0.container].position }.count
        // The value is on the trail itself. The rest of the trail is retained for the next path.
        if kept < trail.count, index == (kept == 0 ? root : trail[kept - 1].value) { return base + keys(kept) }
        trail.removeSubrange(kept...)
        if let last = trail.popLast() { trail.append(step(from: last, to: index)) }
        var value = trail.last?.value ?? root
        while value < index, document.tape[value].isContainer {
            let next = step(from: JSONPathStep(into: value, of: document), to: index)
            trail.append(next)
            value = next.value
        }
        return base + keys(trail.count)
    }

    private func keys(_ count: Int) -> [any CodingKey] { trail[..<count].map { $0.key } }

    /// The member or element of a container that holds a tape index, searched from `start` on.
    private func step(from start: JSONPathStep, to index: Int) -> JSONPathStep {
        var step = start.value <= index ? start : JSONPathStep(into: start.container, of: document)
        while case let end = document.index(after: step.value), end <= index,
            end < document.tape[step.container].position
        {
            step.advance(to: end)
        }
        step.key =
            step.isInObject
            ? JSONKey(stringValue: document.string(at: step.value - 1)) : JSONKey(intValue: step.position)
        return step
    }
}

/// A step of a path: a container, and its member or element on the path.
private struct JSONPathStep {
    let container: Int
    let isInObject: Bool
    /// The tape index of the member's value, or of the element.
    private(set) var value: Int
    private(set) var position = 0
    var key = JSONKey(intValue: 0)

    init(into container: Int, of document: JSONDocument) {
        self.container = container
        isInObject = document.tape[container].has(.object)
        value = container + (isInObject ? 2 : 1)
    }

    /// Advances to the next member or element, which begins at the tape index `start`.
    mutating func advance(to start: Int) {
        value = isInObject ? start + 1 : start
        position += 1
    }
}

extension JSONDocument {
    fileprivate static let null = JSONDocument(
        bytes: Array("null".utf8),
        tape: [TapeEntry(.null, length: 4, position: 0), TapeEntry(.null, length: 4, position: 0)])
}

extension JSONDecodingContext {
    /// Decodes an array directly if the type is an `Array`, else returns `nil`.
    @inline(__always)
    func list<T>(_ type: T.Type, at index: Int) throws -> T? {
        guard let type = type as? any JSONList.Type else { return nil }
        return try type.init(elementsOf: index, in: self) as? T
    }

    /// Whether decoding this array checks for cancellation, as for long arrays if the options ask for it.
    func heedsCancellation(inArrayAt index: Int) -> Bool {
        options.heedsCancellation && document.tape[index].position - index >= JSONInterruption.minimumEntries
    }
}

/// A list that decodes its elements in place.
///
/// The standard library would read them through a container, copy each element, and grow the array repeatedly.
private protocol JSONList {
    init(elementsOf index: Int, in context: JSONDecodingContext) throws
}

extension Array: JSONList where Element: Decodable {
    fileprivate init(elementsOf index: Int, in context: JSONDecodingContext) throws {
        let count = context.document.count(of: context.entry(index), at: index)
        let heedsCancellation = context.heedsCancellation(inArrayAt: index)
        // Unsafe by need: no other initializer builds elements in place. Safe because `filled` counts the initialized
        // elements and never exceeds the capacity.
        self = try unsafe Array(unsafeUninitializedCapacity: count) { room, filled in
            var element = index + 1
            while filled < count {
                if heedsCancellation { try JSONInterruption.check(before: filled) }
                unsafe room.initializeElement(at: filled, to: try context.decode(Element.self, at: element))
                filled += 1
                element = context.document.index(after: element)
            }
        }
    }
}
