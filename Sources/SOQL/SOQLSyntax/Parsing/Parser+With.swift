// SPDX-License-Identifier: Apache-2.0

extension Parser {
    /// What follows WITH.
    mutating func parseWith() throws(SOQLSyntaxError) -> SOQLWith {
        let position = token.position
        if isAt("DATA"), ahead()?.isAt("CATEGORY") == true {
            self = ahead(2) ?? self
            return .dataCategories(try parseDataCategories())
        }
        if let access = try take(SOQLAccess.self) { return .access(SOQLPlaced(access, position: position)) }
        var setting = SOQLSetting(
            try parseName("SECURITY_ENFORCED, USER_MODE, SYSTEM_MODE, DATA CATEGORY or the name of a setting"))
        if try take(.comparison(.equal)) {
            setting.value = try parseLiteral()
        } else if try take(.leftParenthesis) {
            repeat {
                let name = try parseName("the name of an option")
                try expect(.comparison(.equal), "'='")
                setting.options.append(SOQLSetting.Option(name, try parseLiteral()))
            } while try take(.comma)
            try expect(.rightParenthesis, "',' or ')'")
        }
        return .setting(setting)
    }

    private mutating func parseDataCategories() throws(SOQLSyntaxError) -> [SOQLDataCategory] {
        var tests: [SOQLDataCategory] = []
        repeat {
            let group = try parseName("a category group")
            guard let selector = try take(SOQLDataCategory.Selector.self) else {
                throw unexpected("AT, ABOVE, BELOW or ABOVE_OR_BELOW")
            }
            tests.append(SOQLDataCategory(group, selector, try parseCategories()))
        } while try take(keyword: "AND")
        return tests
    }

    private mutating func parseCategories() throws(SOQLSyntaxError) -> [SOQLName] {
        guard try take(.leftParenthesis) else { return [try parseName("a category or '('")] }
        var categories: [SOQLName] = []
        repeat {
            categories.append(try parseName("a category"))
        } while try take(.comma)
        try expect(.rightParenthesis, "',' or ')'")
        return categories
    }
}
