// SPDX-License-Identifier: Apache-2.0

import LocalServer

extension RecordStore {
    /// Removes a deleted record for good; no query finds it any more.
    func remove(_ id: String, of object: SObjectSchema) throws(OrgFault) {
        guard let known = RecordID.normalized(id) else { throw .malformedID(id) }
        let condition = "WHERE \"Id\" = ?1 AND \"IsDeleted\" = 1"
        try database.write { (connection) throws(OrgFault) in
            do throws(DatabaseError) {
                try connection.transaction(
                    { () throws(DatabaseError) in
                        try connection.run(
                            """
                            INSERT INTO "org.LastNumber" SELECT ?2, rowid FROM "\(object.name)" \(condition)
                            ON CONFLICT DO UPDATE SET "Number" = max("Number", excluded."Number")
                            """, [.text(known), .text(object.name)])
                        try connection.run("DELETE FROM \"\(object.name)\" \(condition)", [.text(known)])
                        try Blob.remove(of: known, connection)
                    }, failure: { $0 })
            } catch {
                throw OrgFault(error)
            }
        }
    }
}
