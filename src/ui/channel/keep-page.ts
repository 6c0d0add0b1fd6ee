/**
 * In a native window nothing takes the page's place: no link and no dropped file leads away from it (the web view would
 * follow), and no library.
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

/** On a socket error the library empties the body and appends a message of its own. The page stays and says it itself. */
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
