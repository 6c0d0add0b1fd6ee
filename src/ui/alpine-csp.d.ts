/**
 * Type declaration for Alpine's CSP build, which ships none. Only the evaluation of attributes differs from Alpine's.
 */
declare module "@alpinejs/csp" {
  export { default } from "alpinejs";
}
