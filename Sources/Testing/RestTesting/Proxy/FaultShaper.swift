// SPDX-License-Identifier: Apache-2.0

/// The effect of a fault on one message: converts the bytes that arrive to actions of the proxy, without I/O.
///
/// Each exchange has two shapers, one for the request and one for the response.
struct FaultShaper {
    enum Action: Equatable {
        case send([UInt8])
        case wait(Duration)
        /// Close the sending direction to the recipient of the message, without closing the other direction.
        case finishSending
        /// Read and discard the client's bytes, until it closes.
        case swallow
        case close
        /// Close the server's connection and reset the client's.
        case reset
    }

    private let fault: NetworkFault?
    private let direction: NetworkFault.Direction
    private var random: SeededGenerator
    private var offset = 0
    /// The whole message, for a fault that sends it again.
    private var copy: [UInt8] = []

    init(_ fault: NetworkFault?, _ direction: NetworkFault.Direction, random: SeededGenerator) {
        self.fault = fault
        self.direction = direction
        self.random = random
    }

    mutating func take(_ bytes: [UInt8]) -> [Action] {
        defer { offset += bytes.count }
        switch fault {
        case .latency(let time, let jitter) where offset == 0:
            return [.wait(time + jitter * random.unit()), .send(bytes)]
        case .bandwidth(let rate):
            let rate = max(1, rate)
            return chunks(of: bytes, size: max(1, rate / 100)).flatMap { chunk in
                [.send(chunk), .wait(.seconds(1) * chunk.count / rate)]
            }
        case .slices(let size, let pause):
            return chunks(of: bytes, size: max(1, size)).flatMap { [.send($0), .wait(pause)] }
        case .reset: return [.reset]
        case .blackhole(direction): return []
        case .byteLimit(let limit, direction): return cut(bytes, at: limit)
        case .corruptByte(let position, direction): return [.send(corrupted(bytes, at: position - offset))]
        case .droppedResponse where direction == .response: return []
        case .duplicatedResponse where direction == .response:
            copy += bytes
            return []
        case nil, .latency, .blackhole, .byteLimit, .corruptByte, .droppedResponse, .duplicatedResponse, .slowClose,
            .halfClose:
            return [.send(bytes)]
        }
    }

    mutating func end() -> [Action] {
        switch (fault, direction) {
        case (.slowClose(let time), .response): return [.wait(time), .close]
        case (.halfClose(.request), .request): return [.finishSending]
        case (.halfClose(.response), .response): return [.finishSending, .swallow]
        case (.blackhole(.response), .response): return [.swallow]
        case (.blackhole(.request), .request): return [.swallow]
        case (.droppedResponse, .response): return [.reset]
        case (.duplicatedResponse, .response):
            defer { copy = [] }
            return [.send(copy + copy)]
        default: return []
        }
    }

    private func cut(_ bytes: [UInt8], at limit: Int) -> [Action] {
        let left = limit - offset
        return bytes.count < left ? [.send(bytes)] : [.send(Array(bytes.prefix(max(0, left)))), .close]
    }

    private func corrupted(_ bytes: [UInt8], at position: Int) -> [UInt8] {
        var bytes = bytes
        if bytes.indices.contains(position) { bytes[position] = ~bytes[position] }
        return bytes
    }

    private func chunks(of bytes: [UInt8], size: Int) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
    }
}
