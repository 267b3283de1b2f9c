// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension Contacts {
    /// The routes of `contacts`, each as a value.
    nonisolated public enum Routes {
        @inline(never)
        public static var deleteManualContacts: Route<RPC, Void, Void, Never> {
            Route(RouteInfo("contacts", "delete_manual_contacts", scope: "contacts.write"), .void, .void)
        }

        @inline(never)
        public static var deleteManualContactsBatch: Route<RPC, Contacts.DeleteManualContactsArg, Void, Contacts.DeleteManualContactsError> {
            Route(RouteInfo("contacts", "delete_manual_contacts_batch", scope: "contacts.write"), .type, .void, .type)
        }

        /// The descriptions of all routes.
        public static var all: [RouteInfo] {
            [deleteManualContacts.info, deleteManualContactsBatch.info]
        }
    }
}

nonisolated extension StoneClient {
    /// The routes of `contacts`.
    public var contacts: RouteGroup<Contacts> { RouteGroup(self) }
}

nonisolated extension RouteGroup<Contacts> {
    /// Calls `contacts/delete_manual_contacts`.
    ///
    /// The token needs the scope `contacts.write`.
    public func deleteManualContacts() -> RouteCall<Void, Never> {
        client.call(Contacts.Routes.deleteManualContacts, ())
    }

    /// Calls `contacts/delete_manual_contacts_batch`.
    ///
    /// The token needs the scope `contacts.write`.
    public func deleteManualContactsBatch(
        _ argument: Contacts.DeleteManualContactsArg
    ) -> RouteCall<Void, Contacts.DeleteManualContactsError> {
        client.call(Contacts.Routes.deleteManualContactsBatch, argument)
    }

    /// Calls `contacts/delete_manual_contacts_batch`.
    ///
    /// The token needs the scope `contacts.write`.
    public func deleteManualContactsBatch(
        emailAddresses: [String]
    ) -> RouteCall<Void, Contacts.DeleteManualContactsError> {
        deleteManualContactsBatch(Contacts.DeleteManualContactsArg(emailAddresses: emailAddresses))
    }
}
