// SPDX-License-Identifier: Apache-2.0

import FuzzSupport
import StoneCompiler

/// Called by libFuzzer with each input: a spec, or several specs separated by the line `%%%%`.
///
/// Unsafe because it is libFuzzer's C interface. The bytes are copied first.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let sources = split(unsafe fuzzedBytes(start, count)).enumerated().map { index, bytes in
        StoneSource(path: "\(index).stone", bytes: bytes)
    }
    do throws(StoneError) {
        check(try StoneAPI(compiling: sources))
    } catch {
        check(error, sources)
    }
    return 0
}

private func split(_ bytes: [UInt8]) -> [[UInt8]] {
    let mark = Array("\n%%%%\n".utf8)
    var files: [[UInt8]] = []
    var start = 0
    var offset = 0
    while offset + mark.count <= bytes.count {
        if bytes[offset] == mark[0], bytes[offset..<offset + mark.count].elementsEqual(mark) {
            files.append(Array(bytes[start...offset]))
            start = offset + mark.count
            offset = start
        } else {
            offset += 1
        }
    }
    return files + [Array(bytes[start...])]
}

/// Checks that every error has a position, a message and a source line.
private func check(_ error: StoneError, _ sources: [StoneSource]) {
    require(!error.diagnostics.isEmpty, "a fault")
    for fault in error.diagnostics {
        require(fault.line >= 1 && fault.column >= 1, "line and column from 1")
        require(sources.contains { $0.path == fault.file }, "a file that was given")
        require(!fault.message.isEmpty && fault.lineText.utf8.count <= 800, "a message and a short line")
        require(fault.description.contains("^"), "a caret")
    }
}

/// Checks that all parts of an accepted spec can be visited.
private func check(_ api: StoneAPI) {
    for structure in api.structs {
        let fields = api.allFields(of: structure.id)
        require(Set(fields.map(\.name)).count == fields.count, "names of fields are unique")
        for field in fields {
            require(api.unwrapped(field.type).type != .void, "a field has a value")
            require(!api.isNullable(api.unwrapped(field.type).type), "nullable once")
        }
    }
    for union in api.unions {
        let tags = api.allTags(of: union.id)
        require(Set(tags.map(\.name)).count == tags.count, "names of tags are unique")
        require(tags.contains(where: \.isCatchAll) != union.isClosed, "open unions have a tag for the unknown")
    }
    for namespace in api.namespaces {
        require(api.namespace(named: namespace.name)?.types.count == namespace.types.count, "found by name")
        for route in namespace.routes { require(!api[route].wireName.isEmpty, "a route has a name") }
    }
}
