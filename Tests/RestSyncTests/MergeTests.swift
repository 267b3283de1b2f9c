// SPDX-License-Identifier: Apache-2.0

import RestJSON
import Testing

@testable import RestSync

@Suite("The three-way merge of a record")
struct MergeTests {
    private static let id = "001000000000001AAA"

    private func update(_ fields: JSONObject, base: JSONObject) -> PendingChange {
        var change = PendingChange(.update, of: "Account", Self.id)
        (change.fields, change.base) = (fields, base)
        return change
    }

    private func merge(
        _ open: PendingChange?, held: PendingChange? = nil, _ server: JSONObject, _ policy: SyncConflict.Policy = .ask
    ) -> RecordMerge {
        RecordMerge(open: open, held: held, server: server, policy: policy)
    }

    @Test("fields that only one side changed merge without a conflict, and the base follows the server")
    func disjoint() {
        let merged = merge(update(["Phone": "5"], base: ["Phone": "1"]), ["Name": "New", "Phone": "1"])
        #expect(merged.values == ["Name": "New", "Phone": "5"] && merged.held == nil)
        #expect(merged.open?.fields == ["Phone": "5"] && merged.open?.base == ["Phone": "1"])
    }

    @Test("a change that the server has already is done")
    func same() {
        let merged = merge(
            update(["Phone": "5", "Fax": "6"], base: ["Phone": "1", "Fax": "1"]), ["Phone": "5", "Fax": "1"])
        #expect(merged.open?.fields == ["Fax": "6"] && merged.held == nil)
    }

    @Test("a field that both sides changed is decided by the policy, and other fields are still sent")
    func policies() {
        let change = update(["Phone": "5", "Fax": "6"], base: ["Phone": "1", "Fax": "1"])
        let server: JSONObject = ["Phone": "9", "Fax": "1"]
        let asked = merge(change, server)
        #expect(asked.values == ["Phone": "5", "Fax": "6"])
        #expect(asked.open?.fields == ["Fax": "6"] && asked.held?.fields == ["Phone": "5"])
        #expect(asked.held?.base == ["Phone": "1"] && asked.held?.server == ["Phone": "9"])
        let servers = merge(change, server, .server)
        #expect(servers.values == ["Phone": "9", "Fax": "6"] && servers.open?.fields == ["Fax": "6"])
        let local = merge(change, server, .local)
        #expect(local.values["Phone"] == "5" && local.open?.base["Phone"] == "9" && local.held == nil)
        let both = merge(
            change, server,
            .custom { _, _, field in
                #expect(field.base == "1")
                return JSONValue((field.local.string ?? "") + (field.server?.string ?? ""))
            })
        #expect(both.values["Phone"] == "59" && both.open?.fields["Phone"] == "59" && both.open?.base["Phone"] == "9")
        let undecided = merge(change, server, .custom { _, _, _ in nil })
        #expect(undecided.held?.fields == ["Phone": "5"])
    }

    @Test("a conflict follows the server, and ends when both sides are equal or the server has the base value again")
    func held() {
        let first = merge(update(["Phone": "5"], base: ["Phone": "1"]), ["Phone": "9"])
        #expect(first.open == nil)
        let moved = merge(nil, held: first.held, ["Phone": "8"])
        #expect(moved.held?.server == ["Phone": "8"] && moved.values["Phone"] == "5")
        let equal = merge(nil, held: first.held, ["Phone": "5"])
        #expect(equal.held == nil && equal.open == nil)
        let back = merge(nil, held: first.held, ["Phone": "1"])
        #expect(back.held == nil && back.open?.fields == ["Phone": "5"] && back.open?.base == ["Phone": "1"])
    }

    @Test("a deletion applies to the state that the app saw")
    func deletions() {
        var deletion = PendingChange(.delete, of: "Account", Self.id)
        deletion.base = ["SystemModstamp": "a"]
        #expect(merge(deletion, ["SystemModstamp": "a"]).open == deletion)
        let asked = merge(deletion, ["SystemModstamp": "b"])
        #expect(asked.held?.reason == .changedOnServerDeletedHere && asked.open == nil && asked.isDeleted)
        #expect(merge(deletion, ["SystemModstamp": "b"], .local).open?.base == ["SystemModstamp": "b"])
        let kept = merge(deletion, ["SystemModstamp": "b"], .server)
        #expect(kept.open == nil && kept.held == nil && !kept.isDeleted)
    }

    @Test("an edit back to the base is no change, and an edit while a change is in flight has its value as the base")
    func outbox() {
        var change = PendingChange(.update, of: "Account", Self.id)
        change.add(["Phone": "5", "Fax": "2"], over: ["Phone": "1", "Fax": "1"])
        change.add(["Phone": "1"], over: ["Phone": "5"])
        #expect(change.fields == ["Fax": "2"] && change.base == ["Fax": "1"])
        var later = PendingChange(.update, of: "Account", Self.id)
        later.add(["Fax": "3", "Name": "b"], over: ["Fax": "2", "Name": "a"])
        #expect(later.base == ["Fax": "2", "Name": "a"])
        let both = change.followed(by: later)
        #expect(both?.fields == ["Fax": "3", "Name": "b"] && both?.base == ["Fax": "1", "Name": "a"])
        later.fields["Fax"] = "1"
        #expect(change.followed(by: later)?.fields == ["Name": "b"])
        var creation = PendingChange(.create, of: "Account", Self.id)
        creation.fields = ["Name": "a"]
        #expect(creation.followed(by: PendingChange(.delete, of: "Account", Self.id)) == nil)
        #expect(creation.followed(by: later)?.kind == .create)
    }
}
