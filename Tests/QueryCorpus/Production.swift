// SPDX-License-Identifier: Apache-2.0

/// The productions of the grammar that a corpus must have used.
package enum Production: String, Sendable, CaseIterable {
    case count, field, call, selectAlias, childQuery, childAlias, typeof, typeofElse, fieldGroup
    case distance, sourceAlias, secondSource, scope
    case access, dataCategory, categoryList, setting, settingValue, settingOptions
    case plainGroups, rollup, cube, having, order, descending, nullsFirst, nullsLast
    case limit, offset, usage, statistics, forUpdate, allRows
    case and, or, not, like, list, negatedList, sets, semiJoin, comparison
    case null, boolean, string, number, currency, date, dateTime, time, formula, countedFormula
}
