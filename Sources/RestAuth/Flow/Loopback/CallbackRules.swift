// SPDX-License-Identifier: Apache-2.0

/// Decides how a request to the browser's way back is answered, and whether it ends the wait: a value without I/O.
struct CallbackRules: Sendable {
    /// The only hosts a request may name, in lower case with the port; another name is a rebound one.
    let hosts: Set<String>
    /// The only path that is served.
    let path: String
    /// Scheme, host and port of the redirect URI.
    let origin: String
    /// The login that is waited for.
    let login: PendingLogin

    /// What is sent back, and what it means for the wait.
    struct Answer {
        let status: Int
        let page: CallbackPage
        /// The end of the wait: the whole redirect, or why the login failed.
        ///
        /// `nil` goes on waiting.
        var outcome: Result<String, OAuthError>?

        init(_ status: Int, _ page: CallbackPage, outcome: Result<String, OAuthError>? = nil) {
            self.status = status
            self.page = page
            self.outcome = outcome
        }
    }

    func answer(to reading: CallbackRequest.Reading) -> Answer? {
        switch reading {
        case .incomplete: nil
        case .refused(let status): Answer(status, .refused)
        case .request(let request): answer(to: request)
        }
    }

    private func answer(to request: CallbackRequest) -> Answer {
        guard request.hosts.count == 1 else { return Answer(400, .refused) }
        guard hosts.contains(request.hosts[0]) else { return Answer(421, .refused) }
        guard request.target.prefix(while: { $0 != "?" }) == path else { return Answer(404, .refused) }
        // A HEAD request, which virus scanners and link previews make, must not use up the login.
        guard request.method == "GET" else { return Answer(405, .refused) }
        let url = origin + request.target
        do {
            _ = try login.code(from: url)
            return Answer(200, .received, outcome: .success(url))
        } catch  where PendingLogin.isStray(error) {
            return Answer(400, .stray)
        } catch {
            return Answer(400, .failed(error.message), outcome: .failure(error))
        }
    }
}
