export { UsersApi } from "./UsersApi.ts"
