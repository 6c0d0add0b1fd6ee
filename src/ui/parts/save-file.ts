/** Milliseconds before the blob URL is revoked; the browser reads the file meanwhile. */
const KEPT_MS = 60_000;

/**
 * Saves a file made in this page under `name`, as a download, and returns the sentence to announce. Neutralino's web
 * view on macOS takes no downloads, so a window there saves nothing.
 */
export function saveFile(file: Blob, name: string): string {
  if ((globalThis as { readonly NL_OS?: string }).NL_OS === "Darwin")
    return `This window cannot save files on macOS. Start Weir with --browser to save ${name}.`;
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
  return `Saved as ${name}.`;
}
