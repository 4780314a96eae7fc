/** A test server as the host of a fuzz run. */
import { BackgroundWork } from "@lectern/core"
import type { Host } from "@lectern/harness/fuzz"
import { Clock, Effect } from "effect"
import type { TestServer } from "../support.ts"

/** The server as a host, at its own URL or at that of a proxy. */
export const fuzzHostOf = ({ url, core, tokenOf }: TestServer, proxyUrl = url): Host => ({
  name: "a",
  url: proxyUrl,
  createUser: async (email) => {
    const id = await core.createUser(email)
    return { id, token: await tokenOf(id) }
  },
  createOrganization: core.createOrganization,
  setMember: async (organization, user, role) => {
    await core.setMember(organization, user, role)
  },
  runJobs: () =>
    core.runtime.runPromise(
      Effect.provideService(
        Effect.flatMap(BackgroundWork, ({ drain }) => Effect.asVoid(drain)),
        Clock.Clock,
        core.clock
      )
    )
})
