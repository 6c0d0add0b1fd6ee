/** Alpine's CSP build has no types of its own; it is Alpine but for how attributes are read. */
declare module "@alpinejs/csp" {
  export { default } from "alpinejs";
}
