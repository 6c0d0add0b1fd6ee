/*
 * A link to a place in Weir, opened in a tab that has no ticket, is handed to a window of Weir in the same browser. A
 * BroadcastChannel reaches pages of the same origin alone. A place changes what a window shows, and nothing else.
 *
 *   tab ── seek ─────────────▶ every window     a window that connects later ── here ──▶ tab, which seeks again
 *   tab ◀── offer(window) ──── each window
 *   tab ── place(window) ────▶ the first one
 */

/** The part of BroadcastChannel that is used; tests replace it. */
export interface Broadcast {
  postMessage(message: unknown): void;
  onmessage: ((event: MessageEvent<unknown>) => void) | null;
}

type Message =
  | { readonly type: "seek" | "here" }
  | { readonly type: "offer"; readonly window: string }
  | { readonly type: "place"; readonly window: string; readonly fragment: string };

export function linkChannel(): Broadcast {
  return new BroadcastChannel("weir-links");
}

/** Takes links for this window. `isConnected`: whether it is connected now. Returns the function that says it is. */
export function takeLinks(
  channel: Broadcast,
  name: string,
  isConnected: () => boolean,
  open: (fragment: string) => void,
): () => void {
  channel.onmessage = ({ data }) => {
    const message = messageOf(data);
    if (message?.type === "seek" && isConnected()) channel.postMessage({ type: "offer", window: name });
    if (message?.type === "place" && message.window === name) open(message.fragment);
  };
  return () => channel.postMessage({ type: "here" });
}

/** Hands the link to the first window that offers itself, now or later, and calls `done`. */
export function handOver(channel: Broadcast, fragment: string, done: () => void): void {
  let isDone = false;
  channel.onmessage = ({ data }) => {
    const message = messageOf(data);
    if (isDone || message === null) return;
    if (message.type === "here") channel.postMessage({ type: "seek" });
    if (message.type !== "offer") return;
    isDone = true;
    channel.postMessage({ type: "place", window: message.window, fragment });
    done();
  };
  channel.postMessage({ type: "seek" });
}

function messageOf(data: unknown): Message | null {
  if (typeof data !== "object" || data === null || !("type" in data)) return null;
  const { type, window, fragment } = data as Record<string, unknown>;
  if (type === "seek" || type === "here") return { type };
  if (typeof window !== "string") return null;
  if (type === "offer") return { type, window };
  return type === "place" && typeof fragment === "string" ? { type, window, fragment } : null;
}
