// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg

/// A description with a custom object of every type of field, its lines, and fields of an account.
enum InvoiceSchema {
    static let json = """
        {"sobjects":[
        {"name":"Invoice__c","label":"Invoice","labelPlural":"Invoices","keyPrefix":"a0I","fields":[
         {"name":"Id","type":"id"},
         {"name":"Name","type":"string","length":80,"nameField":true,"autoNumber":true,"nillable":false,"createable":false},
         {"name":"OwnerId","type":"reference","referenceTo":["Group","User"],"relationshipName":"Owner","nillable":false,
          "defaultedOnCreate":true},
         {"name":"Customer__c","type":"reference","referenceTo":["Account"],"relationshipName":"Customer__r"},
         {"name":"About__c","type":"reference","referenceTo":["Contact","Lead"],"relationshipName":"About__r"},
         {"name":"Text__c","type":"string","length":5,"unique":true,"externalId":true},
         {"name":"Notes__c","type":"textarea","length":1000},
         {"name":"Paid__c","type":"boolean","defaultValue":true},
         {"name":"Count__c","type":"int"},
         {"name":"Rate__c","type":"double","precision":5,"scale":2},
         {"name":"Total__c","type":"currency","precision":18,"scale":2,"nillable":false},
         {"name":"Share__c","type":"percent"},
         {"name":"Due__c","type":"date"},
         {"name":"Sent__c","type":"datetime"},
         {"name":"Opens__c","type":"time"},
         {"name":"Call__c","type":"phone"},
         {"name":"Mail__c","type":"email"},
         {"name":"Site__c","type":"url"},
         {"name":"State__c","type":"picklist","restrictedPicklist":true,"picklistValues":[
          {"value":"open","label":"Open","active":true,"defaultValue":true},{"value":"closed","label":"Closed"},
          {"value":"old","label":"Old","active":false}]},
         {"name":"Tags__c","type":"multipicklist","picklistValues":[{"value":"a"},{"value":"b"},{"value":"c"}]},
         {"name":"Scan__c","type":"base64"},
         {"name":"Place__c","type":"location"},
         {"name":"Secret__c","type":"encryptedstring"},
         {"name":"Kind__c","type":"combobox"}],
         "childRelationships":[{"childSObject":"Line__c","field":"Invoice__c","relationshipName":"Lines__r"},
          {"childSObject":"Unknown__c","field":"Invoice__c","relationshipName":"Unknowns__r"}]},
        {"name":"Line__c","fields":[
         {"name":"Name","type":"string","length":80,"nameField":true},
         {"name":"Amount__c","type":"currency"},
         {"name":"Invoice__c","type":"reference","referenceTo":["Invoice__c"],"relationshipName":"Invoice__r",
          "nillable":false,"updateable":false}]},
        {"name":"Account","fields":[{"name":"Name","type":"string","length":255,"label":"Company"},
         {"name":"Grade__c","type":"picklist","picklistValues":[{"value":"A"},{"value":"B"}]},
         {"name":"BillingAddress","type":"address"}],
         "childRelationships":[{"childSObject":"Invoice__c","field":"Customer__c","relationshipName":"Invoices__r"}]}
        ]}
        """

    static func configuration(
        _ json: String = InvoiceSchema.json, file: String? = nil
    ) throws(LocalOrgError) -> LocalOrgConfiguration {
        var configuration = LocalOrgConfiguration(storage: file.map { .file($0) } ?? .memory)
        configuration.schema = try OrgSchema(describe: Array(json.utf8))
        return configuration
    }
}
