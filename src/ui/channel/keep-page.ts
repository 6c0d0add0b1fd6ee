/**
 * Keeps a native window's page in place. Links and dropped files do not navigate away (the web view would follow them),
 * and Neutralino's library does not replace it.
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
 * Undoes the library's reaction to a socket error, which empties the body and appends a message. The page shows its own
 * message.
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
