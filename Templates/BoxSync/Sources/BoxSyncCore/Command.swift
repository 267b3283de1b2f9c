// SPDX-License-Identifier: Apache-2.0

import Dropbox

/// The command `boxsync`.
public enum Command {
    /// Does what a command line says.
    ///
    /// - Parameter words: the words after the command's name.
    /// - Returns: the exit code.
    public static func run(_ words: [String]) async -> ExitStatus {
        let invocation: Invocation
        do throws(UsageError) {
            invocation = try Invocation(words)
        } catch {
            return Diagnostics(Terminal(isQuiet: false)).report(error)
        }
        guard let verb = invocation.verb else {
            Swift.print(Usage.text, terminator: "")
            return words.isEmpty ? .usage : .done
        }
        let context = Context(
            words: invocation.words, options: invocation.options, settings: Settings(),
            terminal: Terminal(isQuiet: invocation.options.isQuiet))
        return await Interrupt.cancelling { await run(verb, context) }
    }

    static func run(_ verb: Verb, _ context: Context) async -> ExitStatus {
        do {
            switch verb {
            case .login: return try await LoginCommand(context: context).run()
            case .accounts: return try await AccountsCommand(context: context).run()
            case .use: return try await UseCommand(context: context).run()
            case .logout: return try await LogoutCommand(context: context).run()
            case .ls: return try await ListCommand(context: context).run()
            case .get: return try await GetCommand(context: context).run()
            case .put: return try await PutCommand(context: context).run()
            case .up: return try await UpCommand(context: context).run()
            case .down: return try await DownCommand(context: context).run()
            case .box: return try await BoxCommand(context: context).run()
            case .demo: return try await DemoCommand(context: context).run()
            }
        } catch {
            return Diagnostics(context.terminal).report(error)
        }
    }
}
