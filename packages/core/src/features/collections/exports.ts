/** What `@lectern/core` exports of collections, beside its model. */
export { Collections } from "./Collections.ts"
