/** A space, for the screens of its content. */
import type { Space } from "@lectern/client/fetch"
import { client } from "../session.ts"
import { type Resource, useResource } from "./useResource.ts"

/** The key of a space. Everything in it is below this key. */
export const spaceKey = (spaceId: string): string => `spaces/${spaceId}`

/** A space. */
export const useSpace = (spaceId: string): Resource<Space> =>
  useResource(`${spaceKey(spaceId)}/space`, (signal) =>
    client.spaces.getSpaceById({ params: { spaceId } }, { signal })
  )
