/** The presence of an editor on a page, over the API. */
import type { FetchClient } from "@lectern/client/fetch"
import type { Presence, PresenceBackend } from "../EditorBackend.ts"
import { failureOf } from "./failures.ts"

/** The page that is open. */
export interface PresenceOptions {
  readonly client: FetchClient
  readonly space: string
  readonly page: string
  readonly changeRequest?: string
  /** The id of the user, whose other windows are not displayed. */
  readonly user?: string
}

/** The time between two announcements: a third of the time after which one expires. */
const intervalMs = 15_000

/** Creates the presence of one open editor. */
export const makePresence = ({
  client,
  space,
  page,
  changeRequest,
  user: own
}: PresenceOptions): PresenceBackend => {
  const name = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, "0")
  ).join("")
  const announce = (state: "viewing" | "editing" | "left", signal?: AbortSignal) => {
    const payload = { page, client: name, state }
    const options = signal === undefined ? {} : { signal }
    return changeRequest === undefined
      ? client.presence.announcePresenceInSpace({ params: { spaceId: space }, payload }, options)
      : client.presence.announcePresenceInChangeRequest(
          { params: { spaceId: space, changeRequestId: changeRequest }, payload },
          options
        )
  }
  return {
    intervalMs,
    announce: async ({ isEditing }, signal) => {
      try {
        const { others } = await announce(isEditing ? "editing" : "viewing", signal)
        return others
          .filter(({ user }) => user.id !== own)
          .map(
            ({ client: other, user, state }): Presence => ({
              id: `${user.id} ${other}`,
              name: user.displayName,
              isEditing: state === "editing"
            })
          )
      } catch (error) {
        throw await failureOf(error)
      }
    },
    leave: () => void announce("left").catch(() => undefined)
  }
}
