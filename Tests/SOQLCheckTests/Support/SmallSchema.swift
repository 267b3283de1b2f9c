// SPDX-License-Identifier: Apache-2.0

import SOQLCheck

/// The schema for the queries of these tests.
enum SmallSchema {
    private static let json = """
        [{"name":"Account","fields":[{"name":"Id","type":"id","nillable":false},
          {"name":"Name","type":"string","nillable":false},{"name":"Site","type":"string"},
          {"name":"Industry","type":"picklist","picklistValues":[{"value":"Banking"},{"value":"Energy"}]},
          {"name":"Tier__c","type":"picklist","picklistValues":[{"value":"Gold"}]},
          {"name":"Colors","type":"multipicklist","picklistValues":[{"value":"Red"},{"value":"Blue"}]},
          {"name":"Revenue","type":"currency"},{"name":"Size","type":"int"},
          {"name":"Active","type":"boolean","nillable":false},{"name":"Founded","type":"date"},
          {"name":"CreatedDate","type":"datetime","nillable":false},{"name":"Shape","type":"unheardOf"},
          {"name":"Place__c","type":"location"},
          {"name":"OwnerId","type":"reference","nillable":false,"referenceTo":["User"],"relationshipName":"Owner"},
          {"name":"ParentId","type":"reference","referenceTo":["Account"],"relationshipName":"Parent"}],
          "childRelationships":[{"relationshipName":"ChildAccounts","childSObject":"Account","field":"ParentId"},
           {"relationshipName":"Contacts","childSObject":"Contact","field":"AccountId"},
           {"relationshipName":"Tasks","childSObject":"Task","field":"WhatId"}]},
         {"name":"Contact","fields":[{"name":"Id","type":"id","nillable":false},
          {"name":"LastName","type":"string","nillable":false},
          {"name":"AccountId","type":"reference","referenceTo":["Account"],"relationshipName":"Account"}]},
         {"name":"Event","fields":[{"name":"Id","type":"id","nillable":false},
          {"name":"WhatId","type":"reference","referenceTo":["Account","Contact","Case"],"relationshipName":"What"},
          {"name":"WhoId","type":"reference","referenceTo":["Lead"],"relationshipName":"Who"}]},
         {"name":"User","fields":[{"name":"Id","type":"id","nillable":false},{"name":"Email","type":"email"},
          {"name":"ManagerId","type":"reference","referenceTo":["User"],"relationshipName":"Manager"}]}]
        """

    static func checked(_ soql: String) throws -> CheckedQuery {
        CheckedQuery(soql, schema: try QuerySchema(json: Array(json.utf8)))
    }
}
