// SPDX-License-Identifier: Apache-2.0

/// A part of the output that is written strictly from front to back.
///
/// A value inside `encode(_:forKey:)` is finished when that call returns, so it is written directly to the fragment of
/// its parent. Nested containers and super encoders may be filled in any order. Each of them gets a separate fragment,
/// which is inserted at the end.
final class JSONFragment: JSONOutput {
    /// The kind of container that an encoder has requested so far.
    enum Shape: UInt8 {
        case nothing, value, object, array
    }

    struct Frame {
        /// Identifies the value, because only the containers of the innermost value may write.
        let id: Int
        var shape = Shape.nothing
        var isEmpty = true
    }

    /// A step of a coding path, where an index becomes a key only on request, because such a key needs memory.
    enum Step {
        case key(any CodingKey)
        case index(Int)

        var codingKey: any CodingKey {
            switch self {
            case .key(let key): key
            case .index(let index): JSONKey(intValue: index)
            }
        }
    }

    /// The state that all fragments of one call share.
    final class Shared {
        let options: JSONEncodingOptions
        let transform: (@Sendable (String) -> String)?
        let hasRules: Bool
        private var texts: [JSONKeyTexts] = []
        fileprivate var lastID = 0
        private var changedNames: [String: String] = [:]

        init(options: JSONEncodingOptions) {
            self.options = options
            transform = options.keyStrategy.transform
            hasRules = !options.rules.isEmpty
        }

        deinit {
            for texts in texts { texts.free() }
        }

        /// The maximum number of types with cached key names.
        private static let mostTexts = 32

        /// The cached names of a type's keys, or `nil` if they are not cached.
        func texts<Key: CodingKey>(of type: Key.Type) -> JSONKeyTexts? {
            guard JSONKeyPlan.suits(type) else { return nil }
            if let found = texts.first(where: { $0.type == ObjectIdentifier(type) }) { return found }
            guard texts.count < Shared.mostTexts else { return nil }
            texts.append(JSONKeyTexts(ObjectIdentifier(type)))
            return texts.last
        }

        /// The name of a key by the key strategy, computed once per key.
        func name(of key: String) -> String {
            guard let transform else { return key }
            if let name = changedNames[key] { return name }
            let name = transform(key)
            changedNames[key] = name
            return name
        }
    }

    let shared: Shared
    private(set) var frame: Frame
    private let basePath: [any CodingKey]
    /// The path from this fragment to the value that is being written.
    private var steps: [Step] = []
    /// Nested fragments and their offsets in the output, in order.
    private var inserts: [(offset: Int, fragment: JSONFragment)] = []

    init(shared: Shared, path: [any CodingKey]) {
        self.shared = shared
        basePath = path
        shared.lastID += 1
        frame = Frame(id: shared.lastID)
        super.init(capacity: 1024)
    }

    /// The coding path of the value that is being written.
    var path: [any CodingKey] { basePath + steps.map(\.codingKey) }

    /// The text of this fragment including nested fragments.
    func finish() -> [UInt8] {
        close()
        let bytes = bytes
        guard !inserts.isEmpty else { return bytes }
        var result: [UInt8] = []
        var start = 0
        for (offset, fragment) in inserts {
            result += bytes[start..<offset]
            result += fragment.finish()
            start = offset
        }
        return result + bytes[start...]
    }

    /// Finishes the current value, which is an empty object if its type encoded nothing.
    private func close() {
        switch frame.shape {
        case .nothing: append(ascii: "{}")
        case .value: break
        case .object: append(UInt8(ascii: "}"))
        case .array: append(UInt8(ascii: "]"))
        }
        frame.shape = .value
    }
}

extension JSONFragment {
    /// Whether a container may write: its value is the innermost value and has the container's shape.
    @inline(__always)
    func accepts(_ id: Int, _ shape: Shape) -> Bool { frame.id == id && frame.shape == shape }

    /// Opens the value as a container of the given shape or continues it, where a mismatch makes later writes fail.
    func open(_ id: Int, as shape: Shape) {
        guard accepts(id, .nothing) else { return }
        append(UInt8(ascii: shape == .object ? "{" : "["))
        frame.shape = shape
    }

    @inline(__always)
    func separate() {
        if !frame.isEmpty { append(UInt8(ascii: ",")) }
        frame.isEmpty = false
    }

    @inline(__always)
    func member(_ key: String) {
        separate()
        append(string: shared.transform == nil ? key : shared.name(of: key), colon: true)
    }

    /// Like `member(_:)`, for a key of a type with cached names.
    @inline(__always)
    func member(_ key: some CodingKey, of texts: JSONKeyTexts) {
        let byte = key.byte
        if !texts.write(byte, isFirst: frame.isEmpty, to: self) {
            texts.learn(byte, shared.name(of: key.stringValue))
            _ = texts.write(byte, isFirst: frame.isEmpty, to: self)
        }
        frame.isEmpty = false
    }

    /// Marks the single value of an encoder as written, or returns false if it must not write.
    func single(_ id: Int) -> Bool {
        guard accepts(id, .nothing) else { return false }
        frame.shape = .value
        return true
    }

    @inline(__always)
    func write(_ flag: Bool) { flag ? append(0x6575_7274, length: 4) : append(0x65_736C_6166, length: 5) }

    @inline(__always)
    func writeNull() { append(0x6C6C_756E, length: 4) }

    /// Reserves the position for a value that is written later, in any order.
    func insert(path: [any CodingKey]) -> JSONFragment {
        let fragment = JSONFragment(shared: shared, path: path)
        inserts.append((count, fragment))
        return fragment
    }

    /// Removes the output after a mark, used after an error because the caller may ignore it.
    func undo(to mark: Mark) {
        truncate(to: mark.count)
        inserts.removeLast(inserts.count - mark.inserts)
        steps.removeLast(steps.count - mark.steps)
        frame = mark.frame
    }

    /// A state of the output to which it can be rolled back.
    struct Mark {
        fileprivate let count: Int
        fileprivate let inserts: Int
        fileprivate let steps: Int
        fileprivate let frame: Frame
    }

    @inline(__always)
    var mark: Mark { Mark(count: count, inserts: inserts.count, steps: steps.count, frame: frame) }

    /// Writes any value, with its step on the coding path if it has one.
    func write<T: Encodable>(_ value: T, step: Step?) throws {
        if let step { steps.append(step) }
        defer { if step != nil, !steps.isEmpty { steps.removeLast() } }
        if shared.hasRules, let rule = shared.options.rules[ObjectIdentifier(T.self)] {
            return append(try JSONFragment.apply(rule, to: value, path: path).bytes())
        }
        if T.self == JSONValue.self, let value = value as? JSONValue { return append(value.bytes()) }
        let outer = frame
        shared.lastID += 1
        frame = Frame(id: shared.lastID)
        try value.encode(to: JSONValueEncoder(fragment: self, id: frame.id))
        close()
        frame = outer
    }

    private static func apply<T>(
        _ rule: JSONEncodingOptions.Rule, to value: T, path: [any CodingKey]
    ) throws -> JSONValue {
        do {
            if let result = try rule(value) { return result }
        } catch let error as EncodingError {
            throw error
        } catch {
            let context = EncodingError.Context(
                codingPath: path, debugDescription: "the conversion rule threw an error", underlyingError: error)
            throw EncodingError.invalidValue(value, context)
        }
        throw EncodingError.invalidValue(
            value, .init(codingPath: path, debugDescription: "the conversion rule for \(T.self) rejected the value"))
    }
}

/// The encoded names of a type's keys, `,"Name":` for each key, indexed by the one byte of the key.
///
/// Unsafe by need: a class pays for a reference at every key, and an `Array` for its uniqueness. Safe because `Shared`
/// creates it and frees it in its `deinit`, every writer with it retains its `Shared`, a byte is below 256, and a known
/// text is never changed.
@safe
struct JSONKeyTexts {
    let type: ObjectIdentifier
    /// The encoded name for each byte, empty for a key that is not known yet.
    private let texts: UnsafeMutablePointer<UnsafeRawBufferPointer>

    init(_ type: ObjectIdentifier) {
        self.type = type
        unsafe texts = .allocate(capacity: 256)
        unsafe texts.initialize(repeating: UnsafeRawBufferPointer(start: nil, count: 0), count: 256)
    }

    func free() {
        for byte in 0..<256 { unsafe texts[byte].deallocate() }
        unsafe texts.deallocate()
    }

    /// Writes a comma (unless the key is the first), the name and a colon, or returns false if the key is not known
    /// yet.
    @inline(__always)
    func write(_ byte: UInt8, isFirst: Bool, to output: JSONOutput) -> Bool {
        let text = unsafe texts[Int(byte)]
        guard let start = text.baseAddress else { return false }
        let comma = isFirst ? 1 : 0
        unsafe output.append(copyOf: start + comma, text.count &- comma)
        return true
    }

    @inline(never)
    func learn(_ byte: UInt8, _ name: String) {
        let output = JSONOutput.empty()
        output.append(UInt8(ascii: ","))
        output.append(string: name, colon: true)
        let text = UnsafeMutableRawBufferPointer.allocate(byteCount: output.count, alignment: 1)
        unsafe text.copyBytes(from: output.bytes)
        unsafe texts[Int(byte)] = UnsafeRawBufferPointer(text)
    }
}
