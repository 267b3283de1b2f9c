// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestText

extension RecordTree {
    /// A plan of several files of records, in the format of `sf data export tree --plan`: each step creates records of
    /// one object, and later ones name records of earlier ones by `"@AccountRef1"`.
    public struct Plan: Sendable, Hashable {
        /// The records of one object.
        public struct Step: Sendable, Hashable {
            /// The object's name.
            public var type: String
            /// Whether later steps may name these records.
            public var savesReferences: Bool
            /// Whether these records name ones of earlier steps.
            public var resolvesReferences: Bool
            /// The files.
            public var files: [RecordTree.File]

            /// Makes a step.
            public init(
                _ type: String, savesReferences: Bool = true, resolvesReferences: Bool = true, files: [RecordTree.File]
            ) {
                self.type = type
                self.savesReferences = savesReferences
                self.resolvesReferences = resolvesReferences
                self.files = files
            }
        }

        /// The steps, in order.
        public var steps: [Step]

        /// Makes a plan.
        public init(_ steps: [Step]) {
            self.steps = steps
        }

        /// Reads a plan and the files that it names, which are found beside it.
        ///
        /// - Throws: ``RestError/Code/file`` when one cannot be read, ``RestError/Code/decoding`` with the place of the
        ///   first thing that is not of the format.
        public init(contentsOf path: String) throws(RestError) {
            let bytes = try WholeFile.read(path, atMost: RecordTree.File.maximumSize)
            guard let list = try JSONValue(parsingFile: bytes, named: path).array else {
                throw RestError(.decoding, "\(path): must be a list of steps")
            }
            let folder = Self.folder(of: path)
            steps = []
            for (position, value) in list.enumerated() {
                steps.append(try Step(value, at: "\(path): [\(position)]", folder: folder))
            }
        }

        /// Writes the plan, `PREFIX-plan.json`, and its files, `PREFIX-Account.json`, into a folder; only this user may
        /// read them.
        ///
        /// - Returns: the path of the plan.
        /// - Throws: ``RestError/Code/file``; ``RestError/Code/invalidRequest`` for a type or a prefix that is no
        ///   file's name.
        @discardableResult
        public func write(to folder: String, prefix: String) throws(RestError) -> String {
            let plan = "\(folder)/\(prefix)-plan.json"
            var list: [JSONValue] = []
            for (position, step) in steps.enumerated() {
                guard !step.type.hasBytes("/"), !prefix.hasBytes("/"), !step.type.isEmpty, !prefix.isEmpty else {
                    throw .invalidRequest("steps[\(position)]", "the type and the prefix are parts of a file's name")
                }
                var names: [String] = []
                for file in step.files {
                    let number = names.isEmpty ? "" : "-\(names.count + 1)"
                    names.append("\(prefix)-\(step.type)\(number).json")
                    try file.write(to: "\(folder)/\(names[names.count - 1])")
                }
                list.append([
                    "sobject": JSONValue(step.type), "saveRefs": JSONValue(step.savesReferences),
                    "resolveRefs": JSONValue(step.resolvesReferences),
                    "files": JSONValue(JSONArray(names.map { JSONValue($0) })),
                ])
            }
            try WholeFile.write(JSONValue(JSONArray(list)).bytes(pretty: true) + [UInt8(ascii: "\n")], to: plan)
            return plan
        }
    }
}

extension RecordTree.Plan {
    /// The paths of the files that a plan names.
    ///
    /// - Parameters:
    ///   - text: the text of the plan.
    ///   - path: the path of the plan.
    /// - Returns: the paths; none for a text that is not a plan.
    package static func files(in text: String, at path: String) -> [String] {
        let steps = (try? JSONValue(parsing: text))?.array ?? []
        return steps.flatMap { $0["files"]?.array ?? [] }.compactMap(name).map { folder(of: path) + $0 }
    }

    private static func folder(of path: String) -> String { path.cut(lastByte: "/").map { "\($0.before)/" } ?? "" }

    /// The name in an element of a step's files, which in older plans is an object.
    fileprivate static func name(_ file: JSONValue) -> String? { file.string ?? file["file"]?.string }
}

extension RecordTree.Plan.Step {
    fileprivate init(_ value: JSONValue, at place: String, folder: String) throws(RestError) {
        guard let type = value["sobject"]?.string, let names = value["files"]?.array else {
            throw RestError(.decoding, "\(place): must have 'sobject' and 'files'")
        }
        var files: [RecordTree.File] = []
        for name in names {
            guard let name = RecordTree.Plan.name(name) else {
                throw RestError(.decoding, "\(place).files: must be names of files")
            }
            // A plan from elsewhere must not read what is not beside it.
            guard !name.hasBytes(prefix: "/"), !name.split(byte: "/").contains("..") else {
                throw RestError(.decoding, "\(place).files: '\(name)' is not beside the plan")
            }
            files.append(try RecordTree.File(contentsOf: folder + name))
        }
        self.init(
            type, savesReferences: value["saveRefs"]?.bool ?? false,
            resolvesReferences: value["resolveRefs"]?.bool ?? false, files: files)
    }
}
