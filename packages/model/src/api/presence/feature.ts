import { PresenceApi } from "./PresenceApi.ts"

export const groups: readonly [typeof PresenceApi] = [PresenceApi]
