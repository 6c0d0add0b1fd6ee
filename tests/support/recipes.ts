import { readFileSync } from "node:fs";

const RECIPES = readFileSync(new URL("../../docs/continuous-integration.md", import.meta.url), "utf8");

/**
 * The only block of code in this language below a heading of docs/continuous-integration.md. Throws if it is missing.
 */
export function recipeIn(heading: string, language: string): string {
  const section = RECIPES.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  const blocks = [...(section ?? "").matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))];
  const [block, ...more] = blocks.map(([, text = ""]) => text);
  if (block === undefined || more.length > 0)
    throw new Error(`${blocks.length} blocks of ${language} below "${heading}"`);
  return block;
}
