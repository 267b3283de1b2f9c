// SPDX-License-Identifier: Apache-2.0

extension UploadPlan {
    /// Finishes are made one after the other, of as many files as one may have, or when nothing else is left to do.
    mutating func finishStep() -> UploadStep? {
        guard !isFinishing, sent.count >= limits.run || (unsettled == 0 && !sent.isEmpty) else { return nil }
        let files = sent.take(finishRun)
        for file in files { change(file) { ($0.phase, $0.mayBeStored) = (.finishing, true) } }
        isFinishing = true
        return .finish(files, postponed: files.map { entries[$0].postponements }.max() ?? 0)
    }

    mutating func lookStep() -> UploadStep? { lost.take(1).first.map { .look($0) } }

    mutating func startStep() -> UploadStep? {
        if !isStarting.sequential, !fresh.sequential.isEmpty, whole.count + parts.count < (limits.run + 1) / 2 {
            return start(fresh.sequential.take(limits.run), isConcurrent: false)
        }
        if !isStarting.concurrent, !fresh.concurrent.isEmpty, parts.count < limits.requests {
            return start(fresh.concurrent.take(limits.requests), isConcurrent: true)
        }
        return nil
    }

    mutating func start(_ files: [Int], isConcurrent: Bool) -> UploadStep {
        setStarting(isConcurrent, true)
        for file in files { change(file) { $0.phase = .starting } }
        return .start(files, isConcurrent: isConcurrent)
    }

    /// Whole files, as many as fit into one request.
    mutating func packStep() -> UploadStep? {
        var files: [Int] = []
        var (bytes, header) = (Int64(0), 0)
        while let file = whole.first, files.count < limits.run {
            let size = entries[file].size ?? 0
            let text = Self.argumentSize(entries[file].session ?? "")
            let fits = bytes + size <= limits.chunk && header + text <= limits.header
            guard files.isEmpty ? hasMemory(for: size) : fits && hasMemory(for: bytes + size) else { break }
            files += whole.take(1)
            (bytes, header) = (bytes + size, header + text)
        }
        for file in files { (entries[file].underWay, entries[file].missing) = (1, []) }
        return files.isEmpty ? nil : .pack(files)
    }

    /// How long the argument of one file of a pack is.
    private static func argumentSize(_ session: String) -> Int { session.utf8.count + 75 }

    mutating func partStep() -> UploadStep? {
        guard hasMemory(for: limits.chunk) else { return nil }
        for (place, file) in parts.enumerated() {
            guard let (range, isLast) = entries[file].take(chunk: limits.chunk) else { continue }
            if isLast { parts.remove(at: place) }
            return .part(file, range, isLast: isLast)
        }
        return nil
    }

    private func hasMemory(for bytes: Int64) -> Bool { memory == 0 || memory + bytes <= limits.memory }

    func cost(of step: UploadStep) -> Int64 {
        switch step {
        case .pack(let files): files.reduce(0) { $0 + (entries[$1].size ?? 0) }
        case .part(_, let range, _): min(Int64(range.count), limits.chunk)
        case .start, .finish, .look: 0
        }
    }

    mutating func setStarting(_ isConcurrent: Bool, _ value: Bool) {
        if isConcurrent { isStarting.concurrent = value } else { isStarting.sequential = value }
    }
}
