// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import RestTransport

/// A libcurl multi loop in C, compiled here, as the best performance that an app could reach.
struct TransportPeer {
    struct Cost {
        let seconds: Double
        let processorSeconds: Double
    }

    private let program: String

    /// Compiles the loop, or returns `nil` if there is no compiler or header.
    init?(folder: URL) throws {
        let source = folder.appendingPathComponent("bare.c")
        program = folder.appendingPathComponent("bare").path
        try Self.source.write(to: source, atomically: false, encoding: .utf8)
        let arguments = ["-O2", "-o", program, source.path, "-lcurl"]
        let isBuilt = ["cc", "clang", "gcc"].contains { compiler in
            (try? run("/usr/bin/env", [compiler] + arguments)) != nil
        }
        guard isBuilt else { return nil }
    }

    /// Sends `total` requests, `concurrency` at a time, with one reused buffer for the bodies.
    func measure(url: HTTPURL, concurrency: Int, total: Int) throws -> Cost {
        let process = Process.tool(limit: Int(AreaProcess.limit))
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [url.description, "\(concurrency)", "\(total)"]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let numbers = text.split(separator: " ").compactMap { Double($0) }
        guard process.terminationStatus == 0, numbers.count == 2 else {
            throw CommandFailed(command: "bare", status: process.terminationStatus)
        }
        return Cost(seconds: numbers[0], processorSeconds: numbers[1])
    }

    private static let source = #"""
        #include <curl/curl.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <time.h>
        struct slot { CURL *handle; size_t count; char *buffer; };
        static const size_t capacity = 2 << 20;
        static size_t take(char *bytes, size_t size, size_t count, void *context) {
          struct slot *slot = context;
          size_t n = size * count;
          if (slot->count + n <= capacity) memcpy(slot->buffer + slot->count, bytes, n);
          slot->count += n;
          return n;
        }
        static double now(clockid_t clock) {
          struct timespec t;
          clock_gettime(clock, &t);
          return t.tv_sec + t.tv_nsec / 1e9;
        }
        int main(int argc, char **argv) {
          int concurrency = atoi(argv[2]), running, left;
          long total = atol(argv[3]), started = 0, done = 0, ok = 0;
          curl_global_init(CURL_GLOBAL_DEFAULT);
          CURLM *multi = curl_multi_init();
          struct slot *slots = calloc(concurrency, sizeof *slots);
          double start = now(CLOCK_MONOTONIC);
          for (int i = 0; i < concurrency && started < total; i++, started++) {
            slots[i].buffer = malloc(capacity);
            CURL *h = slots[i].handle = curl_easy_init();
            curl_easy_setopt(h, CURLOPT_URL, argv[1]);
            curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, take);
            curl_easy_setopt(h, CURLOPT_WRITEDATA, &slots[i]);
            curl_easy_setopt(h, CURLOPT_PRIVATE, &slots[i]);
            curl_easy_setopt(h, CURLOPT_NOSIGNAL, 1L);
            curl_multi_add_handle(multi, h);
          }
          while (done < total) {
            curl_multi_perform(multi, &running);
            CURLMsg *message;
            while ((message = curl_multi_info_read(multi, &left))) {
              CURL *h = message->easy_handle;
              struct slot *slot;
              curl_easy_getinfo(h, CURLINFO_PRIVATE, &slot);
              if (message->data.result == CURLE_OK) ok++;
              done++;
              slot->count = 0;
              curl_multi_remove_handle(multi, h);
              if (started < total) { started++; curl_multi_add_handle(multi, h); }
            }
            if (done < total) curl_multi_poll(multi, NULL, 0, 1000, NULL);
          }
          printf("%f %f", now(CLOCK_MONOTONIC) - start, now(CLOCK_PROCESS_CPUTIME_ID));
          return ok == total ? 0 : 1;
        }
        """#
}
