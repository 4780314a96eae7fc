/** What `@lectern/client` exports of accounts. */
export { UsersApi } from "./UsersApi.ts"
