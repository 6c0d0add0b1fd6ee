/**
 * Type declaration for Alpine's CSP build, which ships none. Its API is that of Alpine; only attributes are evaluated
 * in another way.
 */
declare module "@alpinejs/csp" {
  export { default } from "alpinejs";
}
