import { SessionsApi } from "./SessionsApi.ts"

export const groups: readonly [typeof SessionsApi] = [SessionsApi]
