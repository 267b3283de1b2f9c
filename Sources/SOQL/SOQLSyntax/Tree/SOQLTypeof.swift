// SPDX-License-Identifier: Apache-2.0

/// Fields that depend on which object a reference points to: `TYPEOF What WHEN Account THEN Phone ELSE Name END`.
public struct SOQLTypeof: Sendable, Hashable {
    /// What is selected of the records of one object.
    public struct Branch: Sendable, Hashable {
        /// The object.
        public var object: SOQLName
        /// Its fields; at least one.
        public var fields: [SOQLExpression]

        /// A branch.
        public init(_ object: SOQLName, _ fields: [SOQLExpression]) {
            self.object = object
            self.fields = fields
        }
    }

    /// The relationship.
    public var reference: SOQLPath
    /// The branches in the order of the text; at least one.
    public var branches: [Branch]
    /// The fields of records of any other object; empty without ELSE.
    public var otherwise: [SOQLExpression]
    /// Where TYPEOF was written.
    @SOQLUncompared public var position: SOQLPosition

    /// A choice of fields.
    public init(
        _ reference: SOQLPath, _ branches: [Branch], otherwise: [SOQLExpression] = [],
        position: SOQLPosition = .start
    ) {
        self.reference = reference
        self.branches = branches
        self.otherwise = otherwise
        self.position = position
    }
}
