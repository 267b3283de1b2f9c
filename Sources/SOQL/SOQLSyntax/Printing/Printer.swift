// SPDX-License-Identifier: Apache-2.0

/// Writes a tree as text, in one pass from left to right.
struct Printer {
    private var text = ""

    static func text(_ body: (inout Printer) -> Void) -> String {
        var printer = Printer()
        body(&printer)
        return printer.text
    }

    mutating func print(_ piece: String) { text += piece }

    /// The elements with `, ` or another text between them.
    mutating func print<Element>(
        _ elements: [Element], separator: String = ", ", _ body: (inout Printer, Element) -> Void
    ) {
        for (index, element) in elements.enumerated() {
            if index > 0 { text += separator }
            body(&self, element)
        }
    }

    // MARK: The select list

    mutating func print(_ item: SOQLSelectItem) {
        switch item {
        case .count: print("COUNT()")
        case .field(let expression, let alias):
            print(expression)
            printAlias(alias)
        case .children(let children, let alias):
            print(children)
            printAlias(alias)
        case .typeof(let typeof): print(typeof)
        case .fields(let group): print("FIELDS(\(group.value.rawValue))")
        }
    }

    private mutating func printAlias(_ alias: SOQLName?) {
        if let alias { print(" " + alias.text) }
    }

    mutating func print(_ children: SOQLChildQuery) {
        print("(")
        print(children.query)
        print(")")
    }

    private mutating func print(_ typeof: SOQLTypeof) {
        print("TYPEOF " + typeof.reference.text)
        for branch in typeof.branches {
            print(" WHEN \(branch.object.text) THEN ")
            print(branch.fields) { $0.print($1) }
        }
        if !typeof.otherwise.isEmpty {
            print(" ELSE ")
            print(typeof.otherwise) { $0.print($1) }
        }
        print(" END")
    }

    mutating func print(_ source: SOQLSource) {
        print(source.path.text)
        printAlias(source.alias)
    }

    // MARK: Expressions

    mutating func print(_ expression: SOQLExpression) {
        switch expression {
        case .path(let path): print(path.text)
        case .call(let call):
            print(call.function + "(")
            if let argument = call.argument { print(argument) }
            print(")")
        case .distance(let distance):
            let place = "GEOLOCATION(\(distance.latitude.text), \(distance.longitude.text))"
            print("DISTANCE(\(distance.field.text), \(place), '\(distance.unit.rawValue)')")
        }
    }
}
