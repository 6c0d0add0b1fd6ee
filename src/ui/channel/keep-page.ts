/**
 * Keeps the page of a native window: links and dropped files do not navigate (the web view would follow them), and
 * Neutralino's library does not replace the page.
 */
export function keepPage(): void {
  document.addEventListener("click", keepFromLink);
  document.addEventListener("auxclick", keepFromLink);
  for (const kind of ["dragover", "drop"]) document.addEventListener(kind, (event) => event.preventDefault());
  keepFromLibrary();
}

function keepFromLink(event: Event): void {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (link !== null && !link.hasAttribute("download")) event.preventDefault();
}

/**
 * Undoes the library's reaction to a socket error: the library empties the body and appends a message. The page shows a
 * message of its own.
 */
function keepFromLibrary(): void {
  const { body } = document;
  body.replaceChildren = () => {
    const append = body.appendChild;
    body.appendChild = (node) => {
      body.appendChild = append;
      return node;
    };
  };
}
