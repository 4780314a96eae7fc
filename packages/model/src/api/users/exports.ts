/** The public names of accounts in `@lectern/model/api`. */
export { UsersApi } from "./UsersApi.ts"
