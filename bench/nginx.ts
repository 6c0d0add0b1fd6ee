import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, mkdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { delimiter, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { SECURE_HOST } from "./authority.ts";
import type { Environment, Subject } from "./subject.ts";

/**
 * Starts nginx as a reverse proxy with TLS on both sides, for comparison. nginx offers HTTP/2 to clients, and speaks
 * HTTP/1.1 with the origin. `null` if nginx is not installed. `name`: the name of nginx's folder in the folder of the
 * run.
 */
export async function startNginx({ folder, authority, origin }: Environment, name = "nginx"): Promise<Subject | null> {
  const program = installed("nginx");
  if (program === null) return null;
  const own = join(folder, name);
  mkdirSync(own);
  const [secure, plain] = [await freePort(), await freePort()];
  const config = `
    daemon off; master_process off; pid ${own}/pid; error_log ${own}/error.log;
    events { worker_connections 1024; }
    http {
      access_log off; client_max_body_size 0; proxy_request_buffering off;
      client_body_temp_path ${own}; proxy_temp_path ${own}; fastcgi_temp_path ${own};
      uwsgi_temp_path ${own}; scgi_temp_path ${own};
      keepalive_requests 100000000; proxy_http_version 1.1; proxy_set_header Host $http_host;
      proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $up;
      map $http_upgrade $up { default upgrade; '' ''; }
      upstream secure { server 127.0.0.1:${origin.secure}; keepalive 128; keepalive_requests 100000000; }
      upstream plain { server 127.0.0.1:${origin.plain}; keepalive 128; keepalive_requests 100000000; }
      server { listen 127.0.0.1:${plain}; location / { proxy_pass http://plain; } }
      server {
        listen 127.0.0.1:${secure} ssl http2; ssl_certificate ${authority.leaf}; ssl_certificate_key ${authority.key};
        location / {
          proxy_pass https://secure; proxy_ssl_verify on; proxy_ssl_trusted_certificate ${authority.root};
          proxy_ssl_name ${SECURE_HOST}; proxy_ssl_server_name on; proxy_max_temp_file_size 0;
        }
      }
    }`;
  writeFileSync(join(own, "nginx.conf"), config);
  const child = spawn(program, ["-p", own, "-c", join(own, "nginx.conf")], { stdio: ["ignore", "ignore", "inherit"] });
  await answering(plain);
  return {
    name: "nginx",
    pids: [child.pid ?? 0],
    secure: { kind: "server", port: secure },
    plain: { kind: "server", port: plain },
    ca: "",
    cannot: ["hosts"],
    stop: async () => {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function installed(program: string): string | null {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"];
  return folders.map((folder) => join(folder, program)).find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns a free port, because nginx cannot listen on port 0. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function answering(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const socket = connect({ port, host: "127.0.0.1" });
    const isThere = await Promise.race([
      once(socket, "connect").then(() => true),
      once(socket, "error").then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isThere) return;
    await pause(50);
  }
  throw new Error("nginx does not listen");
}
