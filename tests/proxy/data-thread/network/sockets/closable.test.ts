import { Socket } from "node:net";
import * as assert from "uvu/assert";
import { listenTo } from "../../../../../extensions/proxy/data-thread/network/sockets/closable.ts";
import { describe } from "../../../../support/describe.ts";

describe("socket owner's listeners", (test) => {
  test("given events, calls them; given another owner, calls only that one's, and an error ends nothing", () => {
    const socket = new Socket();
    const seen: string[] = [];
    const listenersOf = (owner: string) => ({
      data: () => void seen.push(`${owner} data`),
      end: () => void seen.push(`${owner} end`),
      error: ({ message }: Error) => void seen.push(`${owner} ${message}`),
      close: () => void seen.push(`${owner} close`),
    });
    const release = listenTo(socket, listenersOf("first"));
    const events = () => {
      socket.emit("data", Buffer.from("x"));
      socket.emit("end");
      socket.emit("error", new Error("gone"));
      socket.emit("close", false);
    };
    events();
    release();
    events();
    listenTo(socket, listenersOf("second"));
    events();
    const all = (owner: string) => ["data", "end", "gone", "close"].map((event) => `${owner} ${event}`);
    assert.equal(seen, [...all("first"), ...all("second")]);
    socket.destroy();
  });
});
