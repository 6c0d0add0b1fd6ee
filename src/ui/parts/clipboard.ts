/**
 * Returns a function that copies text, and announces `done`, or that the user must copy by hand. It resolves to whether
 * the text was copied.
 */
export function copier(announce: (text: string) => void): (text: string, done: string) => Promise<boolean> {
  return async (text, done) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      announce("The browser blocked copying. Select the text and copy it by hand.");
      return false;
    }
    announce(done);
    return true;
  };
}
