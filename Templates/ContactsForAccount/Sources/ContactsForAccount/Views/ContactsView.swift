// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
import RestSDK
import SwiftUI

/// The accounts next to the contacts of the selected account.
struct ContactsView: View {
    @State var model: ContactsModel

    var body: some View {
        NavigationSplitView {
            LoadableList(rows: model.accounts) { account in
                Button(account.name) { Task { await model.select(account) } }
            }
            .navigationTitle("Accounts")
            .refreshable { await model.loadAccounts() }
        } detail: {
            LoadableList(rows: model.contacts) { contact in
                VStack(alignment: .leading) {
                    Text(contact.name)
                    Text([contact.title, contact.email].compactMap(\.self).joined(separator: ", ")).font(.caption)
                }
            }
            .navigationTitle(model.selection?.name ?? "")
        }
        .task { await model.loadAccounts() }
    }
}

/// A list of rows, or the reason why there is no list.
private struct LoadableList<Row: Identifiable, Content: View>: View {
    let rows: Loadable<[Row]>
    @ViewBuilder let content: (Row) -> Content

    var body: some View {
        switch rows {
        case .idle: EmptyView()
        case .loading: ProgressView()
        case .loaded(let rows): List(rows, rowContent: content)
        case .failed(let error):
            ContentUnavailableView(
                error.message, systemImage: "exclamationmark.triangle", description: Text(error.advice))
        }
    }
}
#endif
