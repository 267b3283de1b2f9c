// SPDX-License-Identifier: Apache-2.0

extension Resolver {
    mutating func resolveAnnotationTypes() {
        for index in annotationTypes.indices {
            let written = annotationTypes[index]
            var names: [String: Mark] = [:]
            for parameter in written.syntax.parameters {
                if let known = names.updateValue(parameter.name.mark, forKey: parameter.name.text) {
                    let message = "There is a parameter '\(parameter.name.text)' already (\(place(known)))"
                    fault("\(message); choose another name.", at: parameter.name.mark)
                }
                if let resolved = resolve(parameter, in: written.scope) {
                    api.annotationTypes[index].parameters.append(resolved)
                } else {
                    brokenTypes.insert(written.syntax.name.mark)
                }
            }
        }
    }

    private mutating func resolve(
        _ parameter: FieldSyntax, in scope: Int
    ) -> StoneAnnotationType.Parameter? {
        let name = parameter.name
        if !parameter.annotations.isEmpty {
            fault("A parameter cannot have annotations; remove them.", at: name.mark)
        }
        guard let written = parameter.type else {
            fault("The parameter '\(name.text)' needs a type.", at: name.mark)
            return nil
        }
        guard let type = resolve(written, in: scope) else { return nil }
        guard isPrimitive(type) else {
            fault("A parameter must have a primitive type that is not an alias, perhaps nullable.", at: name.mark)
            return nil
        }
        var resolved = StoneAnnotationType.Parameter(name: name.text, type: type, location: location(name.mark))
        if let value = parameter.defaultValue {
            if case .nullable = type {
                fault("A nullable parameter cannot have a default; remove the '?' or the default.", at: name.mark)
            } else {
                resolved.defaultValue = literal(value, as: type, "The default of '\(name.text)'", at: name.mark)
            }
        }
        return resolved
    }

    private func isPrimitive(_ type: StoneType) -> Bool {
        switch type {
        case .boolean, .bytes, .integer, .float, .string, .timestamp: true
        case .nullable(let inner): isPrimitive(inner)
        default: false
        }
    }

    /// The arguments of an annotation, one for each parameter of its type; nil after a fault.
    mutating func arguments(of annotation: AnnotationSyntax, _ id: AnnotationTypeID) -> [StoneLiteral]? {
        let type = api[id]
        if brokenTypes.contains(annotationTypes[id.index].syntax.name.mark) { return nil }
        let positional = annotation.arguments.filter { $0.keyword == nil }
        let named = annotation.arguments.filter { $0.keyword != nil }
        if !positional.isEmpty, let first = named.first {
            fault("Arguments of an annotation are given either all by place or all by name.", at: first.mark)
            return nil
        }
        if positional.count > type.parameters.count {
            fault("'\(type.name)' has only \(type.parameters.count) parameters.", at: annotation.name.mark)
            return nil
        }
        for argument in named where !type.parameters.contains(where: { $0.name == argument.keyword?.text }) {
            fault("'\(type.name)' has no parameter '\(argument.keyword?.text ?? "")'.", at: argument.mark)
        }
        var values: [StoneLiteral] = []
        for (index, parameter) in type.parameters.enumerated() {
            let given =
                index < positional.count ? positional[index] : named.first { $0.keyword?.text == parameter.name }
            guard let value = value(given, for: parameter, of: annotation) else { return nil }
            values.append(value)
        }
        return values
    }

    private mutating func value(
        _ argument: ArgumentSyntax?, for parameter: StoneAnnotationType.Parameter, of annotation: AnnotationSyntax
    ) -> StoneLiteral? {
        guard let argument else {
            if let value = parameter.defaultValue { return value }
            if case .nullable = parameter.type { return .null }
            fault("The parameter '\(parameter.name)' needs a value.", at: annotation.name.mark)
            return nil
        }
        guard case .literal(let literal) = argument.value else {
            fault("The parameter '\(parameter.name)' needs a value, not a name.", at: argument.mark)
            return nil
        }
        let value = ValueSyntax(kind: .literal(literal), mark: argument.mark)
        return self.literal(value, as: parameter.type, "The value of '\(parameter.name)'", at: argument.mark)
    }
}
