// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
import RestSDK
import SwiftUI

@main
struct ContactsApp: App {
    @State private var client = Result { () throws(RestError) in try RestClient.ofEnvironment() }

    var body: some Scene {
        WindowGroup {
            switch client {
            case .success(let client): ContactsView(model: ContactsModel(client: client))
            case .failure(let error): ContentUnavailableView(error.message, systemImage: "person.slash")
            }
        }
    }
}
#endif
