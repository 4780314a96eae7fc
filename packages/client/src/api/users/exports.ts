/** The public names of accounts in `@lectern/client`. */
export { UsersApi } from "./UsersApi.ts"
