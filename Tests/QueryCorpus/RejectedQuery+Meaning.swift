// SPDX-License-Identifier: Apache-2.0

extension RejectedQuery {
    static let meaning = #"""
        8 MALFORMED_QUERY | SELECT FROM Account | unexpected token: 'FROM'
        16 INVALID_TYPE | SELECT Id FROM Foo | sObject type 'Foo' is not supported.
        16 INVALID_TYPE | SELECT Id FROM sqlite_master | sObject type 'sqlite_master' is not supported.
        8 INVALID_FIELD | SELECT Nme FROM Account | No such column 'Nme' on entity 'Account'. If you are
        8 INVALID_FIELD | SELECT rowid FROM Account | No such column 'rowid' on entity 'Account'
        8 INVALID_FIELD | SELECT Owner FROM Account | No such column 'Owner' on entity 'Account'
        8 INVALID_FIELD | SELECT Owner.Foo FROM Account | No such column 'Foo' on entity 'User'
        8 INVALID_FIELD | SELECT Who.Foo FROM Task | No such column 'Foo' on entity 'Name'
        8 INVALID_FIELD | SELECT Foo.Name FROM Account | Didn't understand relationship 'Foo' in field path.
        30 INVALID_FIELD | SELECT Id FROM Account WHERE Foo = 1 | No such column 'Foo'
        33 INVALID_FIELD | SELECT Id FROM Account ORDER BY Foo | No such column 'Foo'
        14 INVALID_FIELD | SELECT COUNT(Foo) FROM Account | No such column 'Foo'
        28 INVALID_TYPE | SELECT Id, (SELECT Id FROM Foos) FROM Account | \#
        Didn't understand relationship 'Foos' in FROM
        20 INVALID_FIELD | SELECT Id, (SELECT Foo FROM Contacts) FROM Account | \#
        No such column 'Foo' on entity 'Contact'
        28 INVALID_TYPE | SELECT Id, (SELECT Id FROM Contact) FROM Account | Didn't understand relationship 'Contact'
        8 INVALID_FIELD | SELECT Who.Account.Name FROM Task | Didn't understand relationship 'Account'
        46 INVALID_FIELD | SELECT Id FROM Account WHERE AnnualRevenue = '5' | \#
        'AnnualRevenue' must be of type double and should not be
        37 INVALID_FIELD | SELECT Id FROM Account WHERE Name = 5 | \#
        'Name' must be of type string and should be enclosed in quotes
        37 INVALID_FIELD | SELECT Id FROM Account WHERE Name = true | must be of type string
        50 INVALID_FIELD | SELECT Id FROM Account WHERE NumberOfEmployees = 1.5 | must be of type int
        41 INVALID_FIELD | SELECT Id FROM Account WHERE IsActive = 'true' | must be of type boolean and should not be
        30 INVALID_QUERY_FILTER_OPERATOR | SELECT Id FROM Account WHERE IsActive > true | \#
        invalid operator on boolean field
        42 INVALID_FIELD | SELECT Id FROM Account WHERE FoundedOn = '2026-01-01' | must be of type date and
        42 INVALID_FIELD | SELECT Id FROM Account WHERE FoundedOn = 2026-01-01T00:00:00Z | must be of type date and
        44 INVALID_FIELD | SELECT Id FROM Account WHERE CreatedDate = 2026-01-01 | must be of type dateTime
        44 INVALID_FIELD | SELECT Id FROM Account WHERE CreatedDate = 10:11:12Z | must be of type dateTime
        37 INVALID_FIELD | SELECT Id FROM Account WHERE Name = TODAY | must be of type string
        42 MALFORMED_QUERY | SELECT Id FROM Account WHERE FoundedOn = 2026-02-29 | Invalid date: 2026-02-29
        44 MALFORMED_QUERY | SELECT Id FROM Account WHERE CreatedDate = 2026-01-01T25:00:00Z | Invalid date
        44 INVALID_FIELD | SELECT Id FROM Account WHERE Name IN ('a', 5) | must be of type string
        35 INVALID_QUERY_FILTER_OPERATOR | SELECT Id FROM Account WHERE Id = 'abc' | invalid ID field: abc
        42 INVALID_QUERY_FILTER_OPERATOR | SELECT Id FROM Account WHERE OwnerId IN ('005-00000000001AAA') | \#
        invalid ID field
        30 INVALID_QUERY_FILTER_OPERATOR | SELECT Id FROM Account WHERE Id LIKE '001%' | invalid operator on id field
        30 INVALID_QUERY_FILTER_OPERATOR | SELECT Id FROM Account WHERE AnnualRevenue LIKE '1%' | \#
        invalid operator on currency
        30 INVALID_QUERY_FILTER_OPERATOR | SELECT Id FROM Account WHERE Name INCLUDES ('a') | \#
        invalid operator on string field
        30 INVALID_FIELD | SELECT Id FROM Account WHERE Description = 'x' | \#
        field 'Description' can not be filtered in a query call
        33 INVALID_FIELD | SELECT Id FROM Account ORDER BY Description | \#
        field 'Description' can not be sorted in a query call
        33 INVALID_FIELD | SELECT Id FROM Account ORDER BY Tags | can not be sorted
        35 INVALID_FIELD | SELECT Tags FROM Account GROUP BY Tags | can not be grouped
        8 INVALID_FIELD | SELECT SUM(Name) FROM Account | field Name does not support aggregate operator SUM
        8 INVALID_FIELD | SELECT MAX(IsActive) FROM Account | does not support aggregate operator MAX
        30 INVALID_FIELD | SELECT Id FROM Account WHERE CALENDAR_YEAR(Name) = 1 | cannot be applied to Name
        30 INVALID_FIELD | SELECT Id FROM Account WHERE HOUR_IN_DAY(FoundedOn) = 1 | cannot be applied to FoundedOn
        57 INVALID_FIELD | SELECT Id FROM Account WHERE CALENDAR_YEAR(FoundedOn) = '1' | must be of type int
        8 MALFORMED_QUERY | SELECT NOTHING(AnnualRevenue) FROM Account | NOTHING() is not supported here
        30 MALFORMED_QUERY | SELECT Id FROM Account WHERE COUNT(Id) > 1 | COUNT() is not allowed in this clause
        12 MALFORMED_QUERY | SELECT Id, id FROM Account | duplicate field selected: id
        20 MALFORMED_QUERY | SELECT Owner.Name, Account.Owner.Name FROM Account | duplicate field selected
        13 MALFORMED_QUERY | SELECT Name n FROM Account | only aggregate expressions use field aliasing
        17 MALFORMED_QUERY | SELECT DISTINCT Name FROM Account | only aggregate expressions use field aliasing
        8 MALFORMED_QUERY | SELECT Name, COUNT(Id) FROM Account | Field must be grouped or aggregated: Name
        8 MALFORMED_QUERY | SELECT Id FROM Account GROUP BY Name | Field must be grouped or aggregated: Id
        8 MALFORMED_QUERY | SELECT CALENDAR_YEAR(FoundedOn) FROM Account | Field must be grouped or aggregated
        49 MALFORMED_QUERY | SELECT Name FROM Account GROUP BY Name ORDER BY Industry | Ordered field must be grouped
        47 MALFORMED_QUERY | SELECT Name FROM Account GROUP BY Name HAVING Industry = 'x' | \#
        must be grouped or aggregated
        20 MALFORMED_QUERY | SELECT Owner.Name, Parent.Name FROM Account GROUP BY Owner.Name, Parent.Name | \#
        duplicate alias: Name
        31 MALFORMED_QUERY | SELECT COUNT(Id) n, MAX(Name) N FROM Account | duplicate alias: N
        37 MALFORMED_QUERY | SELECT COUNT(Id) FROM Account LIMIT 5 | cannot also use LIMIT
        19 MALFORMED_QUERY | SELECT COUNT(Id), (SELECT Id FROM Contacts) FROM Account | cannot have subqueries
        38 MALFORMED_QUERY | SELECT COUNT() FROM Account GROUP BY Name | COUNT() cannot be grouped
        38 MALFORMED_QUERY | SELECT COUNT() FROM Account ORDER BY Name | COUNT() cannot be ordered
        20 MALFORMED_QUERY | SELECT Id, (SELECT COUNT(Id) FROM Contacts) FROM Account | \#
        only root queries support aggregate
        20 MALFORMED_QUERY | SELECT Id, (SELECT COUNT() FROM Contacts) FROM Account | \#
        COUNT() is not allowed in a subquery
        44 MALFORMED_QUERY | SELECT Id, (SELECT Id FROM Contacts OFFSET 1) FROM Account | LIMIT 1
        35 MALFORMED_QUERY | SELECT (SELECT Id FROM Contacts), (SELECT Id FROM Contacts) FROM Account | \#
        duplicate subquery
        30 MALFORMED_QUERY | SELECT Id FROM Account LIMIT -1 | LIMIT must not be negative
        31 MALFORMED_QUERY | SELECT Id FROM Account OFFSET -1 | OFFSET must not be negative
        31 NUMBER_OUTSIDE_VALID_RANGE | SELECT Id FROM Account OFFSET 2001 | Maximum SOQL offset allowed is 2000
        8 MALFORMED_QUERY | SELECT Parent.Parent.Parent.Parent.Parent.Parent.Name FROM Account | \#
        at most 5 relationships up
        58 MALFORMED_QUERY | SELECT Id FROM Account WHERE Id IN (SELECT ParentId FROM Account) | same object type
        30 MALFORMED_QUERY | SELECT Id FROM Account WHERE Name IN (SELECT LastName FROM Contact) | left operand
        44 MALFORMED_QUERY | SELECT Id FROM Account WHERE Id IN (SELECT LastName FROM Contact) | an id or a reference
        50 MALFORMED_QUERY | SELECT Id FROM Account WHERE Name = 'x' OR Id IN (SELECT AccountId FROM Contact) | 'OR'
        79 MALFORMED_QUERY | SELECT Id FROM Account WHERE Id IN (SELECT AccountId FROM Contact WHERE Id IN \#
        (SELECT WhoId FROM Task)) | \#
        Nesting of semi join
        119 MALFORMED_QUERY | SELECT Id FROM Account WHERE Id IN (SELECT AccountId FROM Contact) AND Id IN \#
        (SELECT WhatId FROM Task) AND OwnerId IN (SELECT Id FROM User) | \#
        Maximum 2 semi join
        34 INVALID_FIELD | SELECT TYPEOF Who WHEN Lead THEN FORMAT(Email) END FROM Task | FORMAT() takes a number
        15 MALFORMED_QUERY | SELECT TYPEOF Owner.Manager WHEN User THEN Name END FROM Account | \#
        TYPEOF takes a polymorphic relationship, not 'Owner.Manager'
        24 INVALID_TYPE | SELECT TYPEOF Who WHEN Account THEN Name END FROM Task | 'Who' does not lead to
        45 MALFORMED_QUERY | SELECT TYPEOF Who WHEN Lead THEN Email WHEN lead THEN Id END FROM Task | \#
        two branches for 'lead'
        34 INVALID_FIELD | SELECT TYPEOF Who WHEN Lead THEN LastName END FROM Task | \#
        No such column 'LastName' on entity 'Lead'
        45 INVALID_FIELD | SELECT TYPEOF Who WHEN Lead THEN Email ELSE Score END FROM Task | \#
        No such column 'Score' on entity 'Name'
        15 INVALID_FIELD | SELECT TYPEOF Foo WHEN Lead THEN Email END FROM Task | relationship 'Foo'
        41 MALFORMED_QUERY | SELECT TYPEOF Who WHEN Lead THEN Email, EMAIL END FROM Task | \#
        duplicate field selected: EMAIL
        25 MALFORMED_QUERY | SELECT Who.Name, TYPEOF Who WHEN Lead THEN Email END FROM Task | \#
        duplicate field selected: Who
        45 MALFORMED_QUERY | SELECT TYPEOF Who WHEN Lead THEN Email END, Who.Name FROM Task | \#
        duplicate field selected: Who.Name
        19 MALFORMED_QUERY | SELECT COUNT(Id), TYPEOF Who WHEN Lead THEN Email END FROM Task | cannot have TYPEOF
        8 MALFORMED_QUERY | SELECT TYPEOF Who WHEN Lead THEN Email ELSE Id END FROM Task WITH SECURITY_ENFORCED | \#
        TYPEOF with ELSE
        8 MALFORMED_QUERY | SELECT TYPEOF Owner WHEN User THEN Name ELSE Id END FROM Account WITH \#
        SECURITY_ENFORCED | \#
        TYPEOF with ELSE
        8 MALFORMED_QUERY | SELECT Who.Name FROM Task WITH SECURITY_ENFORCED | does not go through
        8 INVALID_FIELD | SELECT Who.Score FROM Task | No such column 'Score' on entity 'Name'
        44 MALFORMED_QUERY | SELECT Id FROM Account WITH USER_MODE WITH SYSTEM_MODE | one access mode
        25 MALFORMED_QUERY | SELECT Id FROM Account, Contact | \#
        A driving SObject type has already been set, all other entity types in the FROM clause must be
        47 MALFORMED_QUERY | SELECT Id FROM Account a, a.Owner o, a.Parent O | duplicate alias: O
        8 MALFORMED_QUERY | SELECT FIELDS(ALL) FROM Account | must have a LIMIT of at most 200
        8 MALFORMED_QUERY | SELECT FIELDS(CUSTOM) FROM Account LIMIT 201 | LIMIT of at most 200
        14 MALFORMED_QUERY | SELECT Name, FIELDS(STANDARD) FROM User | duplicate field selected: Name
        8 MALFORMED_QUERY | SELECT FIELDS(STANDARD), COUNT(Id) FROM User | cannot have FIELDS()
        36 MALFORMED_QUERY | SELECT Id FROM Account USING SCOPE ours | unknown scope 'ours'
        14 MALFORMED_QUERY | SELECT Name, GROUPING(Name) FROM Account GROUP BY Name | GROUPING() needs GROUP BY ROLLUP
        23 MALFORMED_QUERY | SELECT Name, GROUPING(Industry) FROM Account GROUP BY ROLLUP(Name) | \#
        Field must be grouped or aggregated: Industry
        8 MALFORMED_QUERY | SELECT GROUPING() FROM Account GROUP BY CUBE(Name) | GROUPING() takes one field
        71 MALFORMED_QUERY | SELECT COUNT(Id) FROM Account GROUP BY CUBE(Name, Industry, IsActive, OwnerId) | \#
        GROUP BY CUBE takes at most 3 fields
        8 MALFORMED_QUERY | SELECT Industry FROM Account GROUP BY ROLLUP(Name) | \#
        Field must be grouped or aggregated: Industry
        24 MALFORMED_QUERY | SELECT Id FROM Account FOR UPDATE | unexpected token: 'UPDATE'
        24 MALFORMED_QUERY | SELECT Id FROM Account ALL ROWS | ALL ROWS not allowed in this context
        37 MALFORMED_QUERY | SELECT Id, (SELECT Id FROM Contacts FOR UPDATE) FROM Account | FOR UPDATE
        43 MALFORMED_QUERY | SELECT Id FROM Account WITH DATA CATEGORY A__c AT b__c | \#
        WITH DATA CATEGORY is for articles and questions, not Account
        34 MALFORMED_QUERY | SELECT TYPEOF Who WHEN Lead THEN CALENDAR_YEAR(Email) END FROM Task | \#
        Field must be grouped or aggregated: CALENDAR_YEAR(Email)
        45 INVALID_FIELD | SELECT TYPEOF Who WHEN Lead THEN Email ELSE FORMAT(Name) END FROM Task | \#
        FORMAT() takes another field than Name
        45 MALFORMED_QUERY | SELECT TYPEOF Who WHEN Lead THEN Email ELSE MAX(Name) END FROM Task | \#
        Field must be grouped or aggregated
        35 MALFORMED_QUERY | SELECT Id FROM Account a, a.Owner A | duplicate alias: A
        42 INVALID_FIELD | SELECT Id FROM Contact WHERE HOUR_IN_DAY(convertTimezone(Score)) = 1 | \#
        convertTimezone() takes a dateTime field, not Score
        30 INVALID_QUERY_FILTER_OPERATOR | SELECT Id FROM Account WHERE DISTANCE(Place__c, GEOLOCATION(1, 2), 'mi') = \#
        5 | \#
        by < and > only
        30 NUMBER_OUTSIDE_VALID_RANGE | SELECT Id FROM Account WHERE DISTANCE(Place__c, GEOLOCATION(91, 2), 'mi') < \#
        5 | \#
        a latitude is between
        39 INVALID_FIELD | SELECT Id FROM Account WHERE DISTANCE(Name, GEOLOCATION(1, 2), 'mi') < 5 | \#
        takes a geolocation or an address, not Name
        39 INVALID_FIELD | SELECT Id FROM Account WHERE DISTANCE(Nowhere__c, GEOLOCATION(1, 2), 'mi') < 5 | \#
        No such column 'Nowhere__c'
        76 INVALID_FIELD | SELECT Id FROM Account WHERE DISTANCE(Place__c, GEOLOCATION(1, 2), 'mi') < 'x' | \#
        must be of type double
        40 MALFORMED_QUERY | SELECT COUNT(Id) FROM Account GROUP BY DISTANCE(Place__c, GEOLOCATION(1, 2), 'mi') | \#
        not allowed in a query for groups
        30 MALFORMED_QUERY | SELECT Id FROM Account WHERE FORMAT(AnnualRevenue) = '$1' | in the select list only
        33 MALFORMED_QUERY | SELECT Id FROM Account ORDER BY convertCurrency(AnnualRevenue) | in the select list only
        8 INVALID_FIELD | SELECT FORMAT(Name) FROM Account | not Name
        8 MALFORMED_QUERY | SELECT FORMAT() FROM Account | FORMAT() takes one field
        8 INVALID_FIELD | SELECT convertCurrency(NumberOfEmployees) FROM Account | takes a currency field
        8 MALFORMED_QUERY | SELECT convertCurrency(MAX(AnnualRevenue)) FROM Account | takes one field
        8 INVALID_FIELD | SELECT toLabel(FoundedOn) FROM Account | takes a picklist
        23 MALFORMED_QUERY | SELECT AnnualRevenue, FORMAT(AnnualRevenue) FROM Account | duplicate field selected
        36 MALFORMED_QUERY | SELECT Name, FORMAT(AnnualRevenue) NAME FROM Account | duplicate alias: NAME
        """#

    static let org = #"""
        44 MALFORMED_QUERY | SELECT Id FROM Account WHERE CreatedDate = 0000-01-01T00:00:00+0100 | Invalid date
        46 FUNCTIONALITY_NOT_ENABLED | SELECT Id FROM Account WHERE AnnualRevenue = USD5 | one currency
        42 NUMBER_OUTSIDE_VALID_RANGE | SELECT Id FROM Account WHERE FoundedOn = LAST_N_YEARS:5000 | LAST_N_YEARS:5000
        33 MALFORMED_QUERY | SELECT Id FROM Lead USING SCOPE mine | the object Lead has no scope 'mine'
        36 MALFORMED_QUERY | SELECT Id FROM Contact USING SCOPE team | the object Contact has no scope 'team'
        33 MALFORMED_QUERY | SELECT Id FROM Lead USING SCOPE delegated | no scope 'delegated'
        36 MALFORMED_QUERY | SELECT Id FROM Account USING SCOPE allPrivate | no scope 'allPrivate'
        50 FUNCTIONALITY_NOT_ENABLED | SELECT Id FROM Knowledge__kav WITH DATA CATEGORY A__c AT b__c | \#
        no data category groups, so A__c does not exist
        31 FUNCTIONALITY_NOT_ENABLED | SELECT Id FROM Account UPDATE TRACKING | \#
        UPDATE TRACKING, which is for articles,
        29 FUNCTIONALITY_NOT_ENABLED | SELECT Id FROM Account WITH NETWORK = 'x' | WITH NETWORK
        36 FUNCTIONALITY_NOT_ENABLED | SELECT Id FROM Account USING SCOPE My_Territory | this org has no territories
        36 FUNCTIONALITY_NOT_ENABLED | SELECT Id FROM Account USING SCOPE my_team_territory | no territories
        30 FUNCTIONALITY_NOT_ENABLED | SELECT Id FROM Account USING LOOKUP Owner | USING LOOKUP
        24 FUNCTIONALITY_NOT_ENABLED | SELECT Id FROM Account BIND a = 1 | the BIND clause
        41 FUNCTIONALITY_NOT_ENABLED | SELECT Id FROM Account a, a.Contacts c, a.Tasks t | \#
        a second list of children in FROM
        40 FUNCTIONALITY_NOT_ENABLED | SELECT Id FROM Contact c, c.Account a, a.ChildAccounts d | \#
        a second list of children
        72 FUNCTIONALITY_NOT_ENABLED | SELECT Id FROM Account WHERE Id IN (SELECT AccountId FROM Contact WITH NETWORK \#
        = 'x') | \#
        WITH NETWORK
        """#
}
