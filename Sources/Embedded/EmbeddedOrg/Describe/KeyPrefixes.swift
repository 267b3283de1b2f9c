// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// Finds the three characters that the ids of each object begin with.
enum KeyPrefixes {
    private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

    /// The prefix that a description names.
    static func prefix(_ node: DescribeNode) throws(LocalOrgError) -> String? {
        guard let prefix = try node.text("keyPrefix") else { return nil }
        guard prefix.utf8.count == 3, prefix.allSatisfy({ digits.contains($0) }) else {
            throw node.error("the key prefix must be three letters or digits", at: "keyPrefix")
        }
        return prefix
    }

    /// The schema of complete drafts.
    ///
    /// An object without a prefix gets a free one that depends on its name, as custom objects have them.
    static func schema(
        of drafts: [ObjectDraft], _ described: [(node: DescribeNode, position: Int)]
    ) throws(LocalOrgError) -> Schema {
        var owners: [String: String] = [:]
        var shared: Set<String> = []
        for draft in drafts {
            guard let prefix = draft.keyPrefix else { continue }
            if let other = owners[prefix] {
                // The platform's histories, feeds and shares have one prefix for all objects; each gets its own here.
                guard draft.isCustom else {
                    shared.insert(draft.name)
                    continue
                }
                let node = described.first { drafts[$0.position].name == draft.name }?.node
                throw (node ?? DescribeNode(value: .null, path: "$")).error(
                    "\(other) has the key prefix \(prefix) too; give one of them another", at: "keyPrefix")
            }
            owners[prefix] = draft.name
        }
        var objects: [SObjectSchema] = []
        for draft in drafts {
            let given = shared.contains(draft.name) ? nil : draft.keyPrefix
            let prefix = given ?? free(for: draft.name, owners)
            owners[prefix] = draft.name
            objects.append(draft.finished(prefix: prefix))
        }
        return Schema(objects: objects)
    }

    private static func free(for name: String, _ owners: [String: String]) -> String {
        // FNV-1a: the same for the same name everywhere.
        let hash = name.lowercased().utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        let count = digits.count * digits.count
        // The prefixes of custom objects are fewer than the objects that a schema may have would need: `b…` follows.
        let prefixes = (0..<2 * count).lazy.map { step in
            let place = (Int(hash % UInt32(count)) + step) % count
            return "\(step < count ? "a" : "b")\(digits[place / digits.count])\(digits[place % digits.count])"
        }
        return prefixes.first { owners[$0] == nil } ?? "a00"
    }
}
