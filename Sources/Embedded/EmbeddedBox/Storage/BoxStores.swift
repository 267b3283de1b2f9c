// SPDX-License-Identifier: Apache-2.0

import LocalServer

/// The namespaces of a box: each user's own, and the team's if there is one.
///
/// Each has a database and a folder of its own, so that no request for one can reach what is in another.
struct BoxStores: Sendable {
    let ground: BoxGround
    private let stores: [String: BoxStore]
    /// For requests without a user: there is nothing in it.
    let nobody: BoxStore

    /// Opens the namespaces; the first one's files are at the top of the box's folder.
    init(_ ground: BoxGround, namespaces: [String]) throws(LocalBoxError) {
        self.ground = ground
        var stores: [String: BoxStore] = [:]
        for (number, namespace) in namespaces.enumerated() {
            let folder = number == 0 ? ground.root : "\(ground.root)/namespace-\(number)"
            stores[namespace] = try BoxStore.open(ground, in: folder, namespace: namespace)
        }
        self.stores = stores
        nobody = try BoxStore.empty(ground)
    }

    subscript(namespace: String) -> BoxStore? { stores[namespace] }

    var all: some Collection<BoxStore> { stores.values }

    /// Closes the databases, and removes the directory of a temporary account.
    func close() {
        for store in stores.values { store.close() }
        ground.temporary?.remove()
    }
}
