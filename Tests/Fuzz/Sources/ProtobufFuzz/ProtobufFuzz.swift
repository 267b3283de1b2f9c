// SPDX-License-Identifier: Apache-2.0

import EventWire
import FuzzSupport

/// The function that libFuzzer calls with each input: a byte that chooses a message, and then the bytes of the message.
///
/// Unsafe by need: this is libFuzzer's C interface. The bytes are copied before anything else.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe fuzzedBytes(start, count)
    guard let choice = input.first else { return 0 }
    let bytes = Array(input.dropFirst())
    switch choice % 8 {
    case 0: check(PubSub.TopicInfo.self, bytes)
    case 1: check(PubSub.SchemaInfo.self, bytes)
    case 2: check(PubSub.FetchRequest.self, bytes)
    case 3: check(PubSub.FetchResponse.self, bytes)
    case 4: check(PubSub.PublishRequest.self, bytes)
    case 5: check(PubSub.PublishResponse.self, bytes)
    case 6: check(PubSub.ManagedFetchRequest.self, bytes)
    default: check(PubSub.ManagedFetchResponse.self, bytes)
    }
    let code = PubSubErrorCode(String(decoding: bytes, as: UTF8.self))
    require(code.description.unicodeScalars.count <= 200, "a short code")
    return 0
}

/// A message that was read is written in no more bytes, and is read as the same message.
private func check<Message: ProtobufMessage>(_ type: Message.Type, _ bytes: [UInt8]) {
    do throws(ProtobufError) {
        let message = try Message(reading: bytes)
        let written = message.encoded
        require(written.count <= 2 * bytes.count, "no longer bytes")
        guard let again = try? Message(reading: written) else { fatalError("own bytes refused") }
        require(again == message && again.encoded == written, "round trip")
    } catch {
        require(error.offset >= 0 && error.offset <= bytes.count, "an offset inside the bytes")
    }
}
