/**
 * Prevents a native window from leaving its page: links and dropped files do not navigate, and Neutralino's library
 * cannot replace the page's content.
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
 * Suppresses the library's reaction to a socket error: the library would empty the body and append a message. Weir's
 * page shows a message of its own.
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
