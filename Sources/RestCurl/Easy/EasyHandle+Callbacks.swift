// SPDX-License-Identifier: Apache-2.0

import CCurl

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
            unsafe EasyHandle.from(context)?.send(
                into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
                ?? Int(CURL_READFUNC_ABORT)
        }
        unsafe ccurl_set_prereq(raw) { context, _, _, _, _ in
            let mayLeave = unsafe EasyHandle.from(context)?.transfer?.leave() ?? false
            return mayLeave ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> EasyHandle? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
    }

    private func receiveLine(_ line: UnsafeRawBufferPointer) -> Int {
        unsafe receiver.receiveLine(line) ? line.count : 0
    }

    private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        let wireBytes = receiver.needsWireCount(adding: bytes.count) ? wireBytes : 0
        return unsafe receiver.receiveBody(bytes, wireBytes: wireBytes) ? bytes.count : 0
    }

    private func send(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        unsafe sender.read(into: buffer) ?? Int(CURL_READFUNC_ABORT)
    }

    /// Bytes of the body as they came over the wire, before decompression.
    private var wireBytes: Int {
        var count: curl_off_t = 0
        unsafe ccurl_get_offset(raw, CURLINFO_SIZE_DOWNLOAD_T, &count)
        return Int(count)
    }
}
