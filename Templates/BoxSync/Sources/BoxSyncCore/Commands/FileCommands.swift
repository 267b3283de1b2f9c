// SPDX-License-Identifier: Apache-2.0

import Dropbox

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Lists a folder.
struct ListCommand {
    let context: Context

    func run() async throws -> ExitStatus {
        let box = try await Connection.open(context).box
        for try await entry in box.files.listFolder(path: RemotePath(context.words.first ?? "").text).elements {
            switch entry {
            case .file(let file):
                context.terminal.print("\(Int64(clamping: file.size).asBytes.paddedLeft(to: 8))  \(file.name)")
            case .folder(let folder): context.terminal.print("\("".paddedLeft(to: 8))  \(folder.name)/")
            case .deleted: break
            }
        }
        return .done
    }
}

/// Fetches one file.
struct GetCommand {
    let context: Context

    func run() async throws -> ExitStatus {
        let remote = RemotePath(context.words[0]).text
        let name = remote.split(separator: "/").last.map(String.init) ?? ""
        let place = context.words.count > 1 ? context.words[1] : name
        guard context.options.overwrites || !FileManager.default.fileExists(atPath: place) else {
            throw Failure("\(place) is there; --overwrite replaces it")
        }
        let download = try await Connection.open(context).box.download(remote, to: place)
        let file = try await ProgressBar(context.terminal).showing(download.progress.map(\.progress)) {
            try await download.settledValue
        }
        context.terminal.note("\(place): \(Int64(clamping: file.size).asBytes)")
        return .done
    }
}

/// Sends one file, or what comes in at standard input.
struct PutCommand {
    let context: Context

    func run() async throws -> ExitStatus {
        let source = context.words[0]
        guard source != "-" || context.words.count > 1 else {
            throw UsageError("standard input needs a name at Dropbox")
        }
        let name = source.split(separator: "/").last.map(String.init) ?? ""
        let remote = RemotePath(context.words.count > 1 ? context.words[1] : name)
        let content = source == "-" ? HTTPBody.stream(.once { try await StandardInput.piece() }) : .file(path: source)
        let box = try await Connection.open(context).box
        let upload = box.upload(content, to: remote.text, mode: context.options.overwrites ? .overwrite : .add)
        let file = try await ProgressBar(context.terminal).showing(upload.progress.map(\.progress)) {
            try await upload.value
        }
        context.terminal.note("\(file.pathDisplay ?? remote.text): \(Int64(clamping: file.size).asBytes)")
        return .done
    }
}

extension String {
    fileprivate func paddedLeft(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}
