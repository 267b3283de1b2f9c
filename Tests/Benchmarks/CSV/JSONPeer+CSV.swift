// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation

extension JSONPeer {
    /// A task for Python's `csv`, which is a module in C.
    enum CSVTask: String {
        /// Reads all rows of a string that is already decoded in memory, which is an advantage.
        case read
        /// Writes all rows into memory.
        case write
    }

    static func csv(_ task: CSVTask, file: URL, directory: URL) -> JSONPeer? {
        let script = directory.appending(path: "peer-\(task.rawValue).py")
        guard (try? csvSource.write(to: script, atomically: true, encoding: .utf8)) != nil,
            let python = executable("python3")
        else { return nil }
        return JSONPeer([python, script.path, task.rawValue, file.path])
    }

    /// A loop in C that only counts line feeds, compiled here.
    static func lineCount(file: URL, directory: URL) -> JSONPeer? {
        let source = directory.appending(path: "lines.c")
        let program = directory.appending(path: "lines")
        guard (try? linesSource.write(to: source, atomically: true, encoding: .utf8)) != nil,
            let compiler = executable("gcc") ?? executable("clang")
        else { return nil }
        let build = Process.tool(limit: Int(AreaProcess.limit))
        build.executableURL = URL(fileURLWithPath: compiler)
        build.arguments = ["-O3", "-o", program.path, source.path]
        build.standardError = FileHandle.nullDevice
        guard (try? build.run()) != nil else { return nil }
        build.waitUntilExit()
        return build.terminationStatus == 0 ? JSONPeer([program.path, file.path]) : nil
    }

    private static let csvSource = """
        import csv, io, sys, time

        task, path = sys.argv[1:]
        text = open(path, newline="", encoding="utf-8").read()
        rows = list(csv.reader(io.StringIO(text, newline=""))) if task == "write" else []

        def work():
            if task == "write":
                csv.writer(io.StringIO(newline=""), lineterminator="\\n").writerows(rows)
                return
            fields = 0
            for row in csv.reader(io.StringIO(text, newline="")):
                fields += len(row)
            assert fields

        for line in sys.stdin:
            start, calls, elapsed = time.perf_counter(), 0, 0
            while elapsed < 0.1:
                work()
                calls += 1
                elapsed = time.perf_counter() - start
            print(elapsed / calls, flush=True)
        """

    private static let linesSource = """
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <time.h>
        static double now(void) {
          struct timespec time;
          clock_gettime(CLOCK_MONOTONIC, &time);
          return time.tv_sec + time.tv_nsec / 1e9;
        }
        int main(int count, char **arguments) {
          FILE *file = fopen(arguments[count - 1], "rb");
          if (!file || fseek(file, 0, SEEK_END)) return 1;
          size_t size = ftell(file);
          rewind(file);
          char *text = malloc(size), line[16];
          if (!text || fread(text, 1, size, file) != size) return 1;
          while (fgets(line, sizeof line, stdin)) {
            double start = now(), elapsed = 0;
            volatile size_t lines = 0;
            int calls = 0;
            while (elapsed < 0.1) {
              for (char *at = text; (at = memchr(at, '\\n', text + size - at)); at++) lines++;
              calls++;
              elapsed = now() - start;
            }
            printf("%.12f\\n", elapsed / calls);
            fflush(stdout);
          }
        }
        """
}
