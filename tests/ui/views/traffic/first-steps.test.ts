import * as assert from "uvu/assert";
import type { Status } from "../../../../src/engine/messages/status-messages.ts";
import { firstStepsOf } from "../../../../src/ui/views/traffic/first-steps.ts";
import { describe } from "../../../support/describe.ts";

function status(bundle: string, change: Partial<Status> = {}): Status {
  return {
    proxy: { running: true, address: "127.0.0.1", port: 8686, wantedPort: null, problem: null },
    recording: true,
    certificate: { pem: "/data/weir-ca.pem", bundle, der: "" },
    ...change,
  } as Status;
}

describe("first steps before any traffic", (test) => {
  test("given a running proxy, shows one command with its address and file, quoted where necessary", () => {
    assert.is(
      firstStepsOf(status("/data/weir-ca-bundle.pem")).command,
      "curl --proxy http://127.0.0.1:8686 \\\n    --cacert /data/weir-ca-bundle.pem \\\n    https://probe.weir.test/anything/weir/hello",
    );
    assert.match(firstStepsOf(status("/My Data/$(x).pem")).command, /--cacert '\/My Data\/\$\(x\)\.pem'/);
    const windows = firstStepsOf(status("C:\\Users\\Ada L\\weir-ca-bundle.pem")).command;
    assert.is(
      windows,
      'curl.exe --proxy "http://127.0.0.1:8686" --cacert "C:\\Users\\Ada L\\weir-ca-bundle.pem" https://probe.weir.test/anything/weir/hello',
    );
  });

  test("given an IPv6 address, puts brackets around it, and replaces an any-address by 127.0.0.1", () => {
    const at = (address: string) =>
      firstStepsOf(status("/b.pem", { proxy: { running: true, address, port: 1, wantedPort: null, problem: null } }));
    assert.match(at("::1").command, "curl --proxy 'http://[::1]:1' ");
    assert.match(at("::1").lead, "recording on [::1]:1.");
    assert.match(at("::1").checks[0]?.text ?? "", "running on [::1]:1,");
    for (const all of ["0.0.0.0", "::"]) assert.match(at(all).command, "curl --proxy http://127.0.0.1:1 ");
    assert.is(at("localhost").checks[0]?.text, "running on localhost:1, this computer only");
    assert.is(at("192.168.1.5").checks[0]?.text, "running on 192.168.1.5:1");
  });

  test("given a state of the proxy, recording and certificate, shows it as checks with the next action", () => {
    const stopped = firstStepsOf(
      status("/b.pem", {
        proxy: { running: false, address: "127.0.0.1", port: 8686, wantedPort: null, problem: null },
        recording: false,
      }),
    );
    assert.equal(
      stopped.checks.map(({ name, ok }) => [name, ok]),
      [
        ["Proxy", false],
        ["Recording", false],
        ["Certificate", true],
        ["First request", false],
      ],
    );
    assert.equal([stopped.lead, stopped.action], ["The proxy is stopped.", "Start the proxy"]);
    const paused = firstStepsOf(status("/b.pem", { recording: false }));
    assert.equal([paused.lead, paused.action], ["Recording is paused.", "Resume the recording"]);
    assert.is(firstStepsOf(status("/b.pem")).action, "");
    assert.match(firstStepsOf(status("/b.pem")).lead, /recording on 127\.0\.0\.1:8686/);
  });
});
