/** The pages that the server has outside of the application, such as the one on which a person exports or erases their data. */
import { config } from "../config.ts"
import { type Resource, useResource } from "./useResource.ts"

/** Returns the URL of a page of the server, such as `account`. */
export const serverPageUrl = (path: string): string =>
  new URL(`${config.api}/~/${path}`, window.location.href).href

let cachedResult: Promise<boolean> | undefined

/** Whether the server has these pages. They are absent in a host with its own sign-in. */
export const hasServerPages = (): Promise<boolean> => {
  cachedResult ??= fetch(serverPageUrl("login"), { credentials: "omit" }).then(
    ({ ok }) => ok,
    () => {
      cachedResult = undefined
      return false
    }
  )
  return cachedResult
}

/** Whether the server has these pages. */
export const useServerPages = (): Resource<boolean> => useResource("server/pages", hasServerPages)
