import { UsersApi } from "./UsersApi.ts"

export const groups: readonly [typeof UsersApi] = [UsersApi]
