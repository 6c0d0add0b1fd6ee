/**
 * Type declaration for Alpine's CSP build, which ships none. Its API is Alpine's; it only evaluates attributes in
 * another way.
 */
declare module "@alpinejs/csp" {
  export { default } from "alpinejs";
}
