// SPDX-License-Identifier: Apache-2.0

/// One WITH clause.
public enum SOQLWith: Sendable, Hashable {
    /// Whose rights decide: `WITH USER_MODE`.
    case access(SOQLPlaced<SOQLAccess>)
    /// The categories of articles, all of which must fit; at least one.
    case dataCategories([SOQLDataCategory])
    /// Any other name with what follows it: `WITH NETWORK = '0DB…'`.
    case setting(SOQLSetting)

    /// Where it begins behind WITH.
    public var position: SOQLPosition {
        switch self {
        case .access(let access): access.position
        case .dataCategories(let categories): categories.first?.group.position ?? .start
        case .setting(let setting): setting.name.position
        }
    }
}

/// Whose rights decide what a query sees; the raw value is the word behind WITH.
public enum SOQLAccess: String, Sendable, Hashable, CaseIterable {
    /// The user's, for the fields and objects of SELECT and FROM.
    case securityEnforced = "SECURITY_ENFORCED"
    /// The user's, everywhere.
    case userMode = "USER_MODE"
    /// Nobody's.
    case systemMode = "SYSTEM_MODE"
}

/// A test of an article's category: `Geography__c BELOW europe__c`.
public struct SOQLDataCategory: Sendable, Hashable {
    /// Which categories of the tree are meant; the raw value is the keyword.
    public enum Selector: String, Sendable, Hashable, CaseIterable {
        /// The category itself.
        case at = "AT"
        /// The category and those above it, or below it.
        case above = "ABOVE", below = "BELOW"
        /// The category and those above and below it.
        case aboveOrBelow = "ABOVE_OR_BELOW"
    }

    /// The name of the category group.
    public var group: SOQLName
    /// Where in the tree.
    public var selector: Selector
    /// The categories; at least one.
    public var categories: [SOQLName]

    /// A test.
    public init(_ group: SOQLName, _ selector: Selector, _ categories: [SOQLName]) {
        self.group = group
        self.selector = selector
        self.categories = categories
    }
}

/// A name behind WITH, its value or its options.
public struct SOQLSetting: Sendable, Hashable {
    /// One option: `maxDescriptorPerRecord = 100`.
    public struct Option: Sendable, Hashable {
        /// Its name.
        public var name: SOQLName
        /// Its value.
        public var value: SOQLValue

        /// An option.
        public init(_ name: SOQLName, _ value: SOQLValue) {
            self.name = name
            self.value = value
        }
    }

    /// The name.
    public var name: SOQLName
    /// What is behind `=`.
    public var value: SOQLValue?
    /// What is in parentheses; empty when there is a value.
    public var options: [Option]

    /// A setting.
    public init(_ name: SOQLName, value: SOQLValue? = nil, options: [Option] = []) {
        self.name = name
        self.value = value
        self.options = options
    }
}
