// SPDX-License-Identifier: Apache-2.0

/// A record's shape while paths are added to it.
struct RowBuilder {
    /// A relationship on the way to a field.
    struct Step {
        let name: String
        /// The object that it leads to; `nil` for several.
        let object: String?
    }

    private indirect enum Entry {
        case leaf(RowValue, isNillable: Bool)
        case parent(RowBuilder)
    }

    private let object: String?
    private var names: [String] = []
    private var entries: [String: Entry] = [:]

    init(object: String?) {
        self.object = object
    }

    /// Adds a value.
    ///
    /// - Returns: whether there is room for it: what is a record at one place is none of another kind at another.
    mutating func add(
        _ value: RowValue, isNillable: Bool, as key: String, below steps: ArraySlice<Step> = []
    ) -> Bool {
        guard let step = steps.first else {
            guard entries[key] == nil else { return false }
            names.append(key)
            entries[key] = .leaf(value, isNillable: isNillable)
            return true
        }
        var parent: RowBuilder
        // Taken out, so that it is changed and not copied.
        switch entries.removeValue(forKey: step.name) {
        case .parent(let builder): parent = builder
        case .leaf(let value, let isNillable):
            entries[step.name] = .leaf(value, isNillable: isNillable)
            return false
        case nil:
            parent = RowBuilder(object: step.object)
            names.append(step.name)
        }
        let isAdded = parent.add(value, isNillable: isNillable, as: key, below: steps.dropFirst())
        entries[step.name] = .parent(parent)
        return isAdded
    }

    /// The shape of all that was added.
    var shape: RowShape {
        RowShape(
            object: object,
            members: names.compactMap { name in
                switch entries[name] {
                case .leaf(let value, let isNillable): RowMember(key: name, value: value, isNillable: isNillable)
                case .parent(let builder): RowMember(key: name, value: .parent(builder.shape), isNillable: true)
                case nil: nil
                }
            })
    }
}
