// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestTransport

extension EasyHandle {
    /// Points libcurl's call-backs at this object, which outlives the libcurl handle's use.
    func setCallbacks(errorText: UnsafeMutablePointer<CChar>) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        for option in [CURLOPT_PRIVATE, CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_READDATA, CURLOPT_PREREQDATA] {
            unsafe ccurl_set_pointer(raw, option, context)
        }
        unsafe ccurl_set_pointer(raw, CURLOPT_ERRORBUFFER, errorText)
        unsafe ccurl_set_data(raw, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            unsafe EasyHandle.from(context)?.receiveLine(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
        }
        unsafe ccurl_set_data(raw, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            unsafe EasyHandle.from(context)?.receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
        }
        unsafe ccurl_set_data(raw, CURLOPT_READFUNCTION) { bytes, size, count, context in
            unsafe EasyHandle.from(context)?
                .send(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
                ?? Int(CURL_READFUNC_ABORT)
        }
        unsafe ccurl_set_prereq(raw) { context, _, _, _, _ in
            let mayLeave = unsafe EasyHandle.from(context)?.leave() ?? false
            return mayLeave ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> EasyHandle? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
    }

    /// How far the transfer has come.
    var progress: TransferProgress {
        TransferProgress(
            sent: sentBytes, sentTotal: sentTotal, received: Int64(receiver.byteCount),
            receivedTotal: receiver.announcedBytes)
    }

    /// Asks for the one permission to send the request.
    private func leave() -> Bool {
        guard let transfer, transfer.leave() else { return false }
        hasLeft = true
        noteActivity()
        return true
    }

    private func noteActivity() {
        if configuration.idleTimeout != nil || configuration.firstByteTimeout != nil { lastActivity = .now }
    }

    private func receiveLine(_ line: UnsafeRawBufferPointer) -> Int {
        switch unsafe receiver.receiveLine(line) {
        case .refused, .pause: return 0
        case .accepted: break
        case .headComplete:
            if case .reader? = transfer?.destination { transfer?.deliverHead(receiver.head) }
        }
        return line.count
    }

    private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        let wireBytes = receiver.needsWireCount(adding: bytes.count) ? wireBytes : 0
        switch unsafe receiver.receiveBody(bytes, wireBytes: wireBytes) {
        case .refused: return 0
        case .pause:
            isPaused = true
            return Int(CURL_WRITEFUNC_PAUSE)
        case .accepted, .headComplete: break
        }
        noteActivity()
        reporter?.report(progress)
        return bytes.count
    }

    private func send(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = unsafe sender.read(into: buffer)
        if count == Int(CURL_READFUNC_PAUSE) { isPaused = true }
        if (0...buffer.count).contains(count) {
            sentBytes += Int64(count)
            noteActivity()
            reporter?.report(progress)
        }
        return count
    }

    /// Bytes of the body as they came over the wire, before decompression.
    private var wireBytes: Int {
        var count: curl_off_t = 0
        unsafe ccurl_get_offset(raw, CURLINFO_SIZE_DOWNLOAD_T, &count)
        return Int(count)
    }
}
