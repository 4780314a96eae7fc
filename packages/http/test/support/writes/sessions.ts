/** Writes to sessions. A writer has no session to revoke, because only browsers start sessions. */
import type { WriteKind, WriteKinds } from "./writes.ts"

const signOut: WriteKind = () => ({ method: "DELETE", path: "/user/sessions/current", facts: [] })

const signOutEverywhere: WriteKind = () => ({ method: "DELETE", path: "/user/sessions", facts: [] })

/** The kinds of writes to sessions, by their operations. */
export const sessionWrites = {
  signOut: [signOut],
  signOutEverywhere: [signOutEverywhere]
} satisfies WriteKinds
