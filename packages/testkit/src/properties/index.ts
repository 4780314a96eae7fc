/** The entry point `@lectern/testkit/properties`: a vitest suite of random scenarios for servers of the HTTP API. */
import { describe, it } from "vitest"
import type { TestedServer } from "../model/api/HttpApi.ts"
import { checkTheme, type ServerCheck } from "../model/checkServer.ts"
import { themes } from "../model/scenario.ts"

export type { TestedServer } from "../model/api/HttpApi.ts"
export type { ServerCheck } from "../model/checkServer.ts"

/** The timeout of a test, in milliseconds: longer than scenarios are generated, shrunk and finished. */
const testTimeoutMs = 300_000

/**
 * Declares vitest tests that a server equals the model of a workspace: one for each kind of random scenarios of its users. With a
 * token of one user, the scenarios **delete all content and settings of the organization** of this user: see {@link TestedServer}.
 *
 * @example
 * serverProperties({ url: "http://127.0.0.1:4400", token: process.env.LECTERN_TOKEN! })
 */
export const serverProperties = (server: TestedServer, check: ServerCheck = {}): void => {
  describe(`${server.url} equals the model in random scenarios`, () => {
    for (const theme of check.themes ?? themes) {
      it(theme.title, () => checkTheme(server, theme, check), testTimeoutMs)
    }
  })
}
