/** The endpoints of accounts. */
import { UsersApi } from "./UsersApi.ts"

/** The groups of endpoints of accounts, in the order of the OpenAPI document. */
export const groups: readonly [typeof UsersApi] = [UsersApi]
