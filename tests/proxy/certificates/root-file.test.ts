import { X509Certificate } from "node:crypto";
import { chmod, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inspect } from "node:util";
import * as assert from "uvu/assert";
import { openRoot, ROOT_FILE, renewRoot } from "../../../extensions/proxy/certificates/root-file.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { madeRoot, refuses, rootIn } from "./made-root.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const noModes = process.platform === "win32" ? "needs file modes" : null;

describe("root certificate file", (test) => {
  test("given a restart, opens the same root", () =>
    withFolder((folder) => {
      const made = rootIn(openRoot(folder, "box", NOW));
      const found = rootIn(openRoot(folder, "box", NOW));
      assert.is(found.certificate.fingerprint256, made.certificate.fingerprint256);
      assert.ok(found.certificate.checkPrivateKey(found.key));
    }));

  test("given a machine's name, the root's subject contains it and a unique id", () =>
    withFolder((folder) => {
      const subjects = new Set<string>();
      for (let count = 0; count < 20; count += 1) {
        const { certificate } = rootIn(renewRoot(folder, "büro-42", NOW));
        assert.match(certificate.subject, /^CN=Weir Root CA [0-9a-f]{8} b\?ro-42$/);
        subjects.add(certificate.subject);
      }
      assert.is(subjects.size, 20);
    }));

  test("given a long machine name, cuts the root's common name at 64 characters", () =>
    withFolder((folder) => {
      const { certificate } = rootIn(renewRoot(folder, "m".repeat(200), NOW));
      assert.is(certificate.subject.length, "CN=".length + 64);
    }));

  test("given a new root, it is valid from a day ago until five years from now", () =>
    withFolder((folder) => {
      const { certificate } = madeRoot(folder, NOW);
      assert.is(Date.parse(certificate.validFrom), Date.parse("2026-11-19T12:00:00Z"));
      assert.is(Date.parse(certificate.validTo), Date.parse("2031-11-20T12:00:00Z"));
    }));

  test(
    "given any umask, only the owner can read the root's file",
    () =>
      withFolder(async (folder) => {
        for (const mask of [0, 0o022, 0o277]) {
          const old = process.umask(mask);
          madeRoot(folder);
          process.umask(old);
          assert.is((await stat(join(folder, ROOT_FILE))).mode & 0o777, 0o600);
        }
        assert.equal(await readdir(folder), [ROOT_FILE]);
      }),
    { skip: noModes },
  );

  test(
    "given a root's file that others can read, makes it private",
    () =>
      withFolder(async (folder) => {
        madeRoot(folder);
        await chmod(join(folder, ROOT_FILE), 0o644);
        rootIn(openRoot(folder, "box", new Date()));
        assert.is((await stat(join(folder, ROOT_FILE))).mode & 0o777, 0o600);
      }),
    { skip: noModes },
  );

  test("given a symbolic link as the root's file, refuses to read and to write it", () =>
    withFolder(async (folder) => {
      await writeFile(join(folder, "elsewhere"), "");
      await symlink(join(folder, "elsewhere"), join(folder, ROOT_FILE));
      refuses(openRoot(folder, "box", NOW), /symbolic link/);
      refuses(renewRoot(folder, "box", NOW), /symbolic link/);
      assert.is(await readFile(join(folder, "elsewhere"), "utf8"), "");
    }));

  test("given an unusable root, keeps its file under a new name and makes a new root", () =>
    withFolder(async (folder) => {
      madeRoot(folder, NOW);
      const good = await readFile(join(folder, ROOT_FILE), "utf8");
      const broken = [
        "",
        "\0\0\0",
        good.slice(0, good.length / 2),
        good.replace("MIIB", "MIIC"),
        good.replaceAll("CERT", "CRET"),
      ];
      for (const [index, text] of broken.entries()) {
        await writeFile(join(folder, ROOT_FILE), text);
        const { notice } = unwrap(openRoot(folder, "box", NOW));
        assert.match(notice ?? "", /could not be used.*made a new one, which clients must trust/);
        assert.is(await readFile(join(folder, `${ROOT_FILE}.unusable-${index + 1}`), "utf8"), text);
      }
    }));

  test("given an expired root, replaces it with a notice", () =>
    withFolder((folder) => {
      const old = madeRoot(folder, new Date("2020-01-01"));
      const { root, notice } = unwrap(openRoot(folder, "box", NOW));
      assert.is.not(root.certificate.fingerprint256, old.certificate.fingerprint256);
      assert.match(notice ?? "", /it expired on \d{4}-01-/);
    }));

  test("given a root that is not valid yet, keeps it and says that the clock is wrong", () =>
    withFolder(async (folder) => {
      const made = madeRoot(folder, new Date("2030-01-02T12:00:00Z"));
      const { root, notice } = unwrap(openRoot(folder, "box", NOW));
      assert.is(root.certificate.fingerprint256, made.certificate.fingerprint256);
      assert.match(notice ?? "", /valid only from \d{4}-01-01 \d\d:\d\d UTC, .*clock is wrong/);
      assert.equal(await readdir(folder), [ROOT_FILE]);
    }));

  test("given a root that is inspected or serialized, the text does not contain the private key", () =>
    withFolder(async (folder) => {
      const root = madeRoot(folder);
      const text = await readFile(join(folder, ROOT_FILE), "utf8");
      const secret = text.split("\n")[2] ?? "";
      assert.is(secret.length, 64);
      const shown = inspect(root, { depth: 9, showHidden: true }) + JSON.stringify(root) + root.chain;
      assert.not.ok(shown.includes(secret) || shown.includes("PRIVATE KEY--"));
      assert.instance(root.certificate, X509Certificate);
    }));
});
