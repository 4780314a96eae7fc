/** The person who uses the application. */
import { sessionStore } from "../session.ts"
import { useStore } from "../store/store.ts"

/** Returns the id of the person; undefined without a session. */
export const useUserId = (): string | undefined => {
  const session = useStore(sessionStore)
  return session.state === "signed-in" ? session.user.id : undefined
}
