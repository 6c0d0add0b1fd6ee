/**
 * Milliseconds before the blob URL is revoked; the browser reads the file meanwhile.
 */
const KEPT_MS = 60_000;

/** Saves a file made in this page under `name`, as a download. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
