/** What `@lectern/core` exports of links, beside its model. */
export { Links } from "./Links.ts"
