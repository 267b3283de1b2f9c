// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
import RestTesting
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The settings of a front server, in the format of each program.
struct FrontSettings: Sendable {
    let folder: TemporaryDirectory
    let identity: TestAuthority.Identity
    let originPort: Int?
    let keepsOrigin: Bool
    /// Whether bytes are forwarded unchanged.
    var isTunnel = false
    /// The settings of a server that reports handshakes instead of forwarding requests.
    var handshakes: Handshakes?

    struct Handshakes: Sendable {
        let version: FrontServer.TLSVersion
        let resumes: Bool
        let isMultiplexed: Bool
        let clientAuthority: String?
    }

    var log: String { folder.text(of: "error.log") ?? "" }

    /// Starts the program as one process, which can be stopped by its id.
    func process(_ program: FrontServer.Program, port: Int) throws -> PeerProcess {
        switch program {
        case .nginx:
            try folder.write(nginx(port), to: "nginx.conf")
            let arguments = ["-c", folder.path("nginx.conf"), "-p", folder.path, "-e", folder.path("error.log")]
            return try PeerProcess("/usr/sbin/nginx", arguments)
        case .haproxy:
            // HAProxy needs the certificate and its key in one file.
            let files = [identity.certificateFile, identity.keyFile]
            let texts = try files.map { try String(contentsOfFile: $0, encoding: .utf8) }
            try folder.write(texts.joined(), to: "identity.pem")
            try folder.write(haproxy(port), to: "haproxy.conf")
            return try PeerProcess("/usr/sbin/haproxy", ["-db", "-f", folder.path("haproxy.conf")])
        case .apache:
            try folder.write(apache(port), to: "apache.conf")
            return try PeerProcess("/usr/sbin/apache2", ["-X", "-f", folder.path("apache.conf")])
        }
    }

    private func nginx(_ port: Int) -> String {
        let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { name in
            "\(name)_temp_path \(folder.path(name));"
        }
        return """
            daemon off;
            master_process off;
            pid \(folder.path("pid"));
            events { worker_connections 4096; }
            http {
                \(folders.joined(separator: "\n    "))
                access_log off;
                keepalive_requests 100000;
                \(originPort.map { "upstream origin { server 127.0.0.1:\($0); \(keepsOrigin ? "keepalive 64;" : "") }" } ?? "")
                server {
                    listen 127.0.0.1:\(port) ssl \(handshakes?.isMultiplexed == false ? "" : "http2");
                    ssl_certificate \(identity.certificateFile);
                    ssl_certificate_key \(identity.keyFile);
                    client_max_body_size 0;
                    \(handshakes.map(Self.telling) ?? "")
                    location / {
                        proxy_pass http://\(originPort == nil ? "127.0.0.1:$http_x_origin_port$request_uri" : "origin");
                        proxy_set_header X-Origin-Port "";
                        proxy_redirect off;
                        proxy_http_version 1.1;
                        proxy_set_header Connection "\(keepsOrigin ? "" : "close")";
                        proxy_buffering off;
                        proxy_request_buffering off;
                        add_header X-Connection $remote_port;
                    }
                }
            }
            """
    }

    private static func telling(_ handshakes: Handshakes) -> String {
        let clients = handshakes.clientAuthority.map { "ssl_verify_client optional; ssl_client_certificate \($0);" }
        return """
            ssl_protocols \(handshakes.version == .tls13 ? "TLSv1.3" : "TLSv1.2");
            ssl_session_tickets \(handshakes.resumes ? "on" : "off");
            keepalive_timeout 0;
            \(clients ?? "")
            location = / { return 200 "$ssl_session_reused $ssl_client_verify"; }
            """
    }

    private func haproxy(_ port: Int) -> String {
        """
        global
            nbthread 1
            maxconn 1000
        defaults
            mode \(isTunnel ? "tcp" : "http")
            timeout connect 10s
            timeout client 60s
            timeout server 60s
        frontend front
            bind 127.0.0.1:\(port) ssl crt \(folder.path("identity.pem")) alpn h2
            \(isTunnel ? "" : "http-response set-header X-Connection %[src_port]")
            default_backend origin
        backend origin
            \(isTunnel ? "" : keepsOrigin ? "option http-keep-alive" : "option httpclose")
            server origin 127.0.0.1:\(originPort ?? 0)

        """
    }

    private func apache(_ port: Int) -> String {
        let names = ["mpm_event", "authn_core", "authz_core", "ssl", "http2", "proxy", "proxy_http", "headers"]
        let modules = names.map { "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so" }
        return """
            \(modules.joined(separator: "\n"))
            ServerName 127.0.0.1
            Listen 127.0.0.1:\(port)
            DefaultRuntimeDir \(folder.path)
            PidFile \(folder.path("pid"))
            ErrorLog \(folder.path("error.log"))
            Protocols h2
            SSLEngine on
            SSLCertificateFile \(identity.certificateFile)
            SSLCertificateKeyFile \(identity.keyFile)
            ProxyPass / http://127.0.0.1:\(originPort ?? 0)/ flushpackets=on \(keepsOrigin ? "" : "disablereuse=on")
            Header always set X-Connection "expr=%{REMOTE_PORT}"

            """
    }
}
#endif
