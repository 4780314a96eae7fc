/** The contract of the API, for whoever runs a server: all of it, in a few stories, over HTTP. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Counts, summaryOf } from "./Coverage.ts"
import type { Host } from "./Host.ts"
import { type Stage, setStage } from "./Stage.ts"
import type { Story } from "./Story.ts"
import { changeRequests } from "./stories/changeRequests.ts"
import { comments } from "./stories/comments.ts"
import { changeRequestContent, content } from "./stories/content.ts"
import { integrations } from "./stories/integrations.ts"
import { openApi, translations } from "./stories/openApi.ts"
import { organizations } from "./stories/organizations.ts"
import { people, signOn } from "./stories/people.ts"
import { siteStructure } from "./stories/siteStructure.ts"
import { sites } from "./stories/sites.ts"
import { collections, spaces } from "./stories/spaces.ts"

export { type Counts, summaryOf } from "./Coverage.ts"
export { type Endpoint, endpoints } from "./endpoints.ts"
export type { Host } from "./Host.ts"
export { differences } from "./publicContract.ts"
export type { Story } from "./Story.ts"

declare module "vitest" {
  interface TaskMeta {
    /** What a run of the contract has checked, for reporters. */
    contract?: Counts
  }
}

/** The stories, in the order in which they are told; each can be told alone. */
export const stories: ReadonlyArray<Story> = [
  organizations,
  people,
  signOn,
  collections,
  spaces,
  content,
  changeRequestContent,
  changeRequests,
  comments,
  sites,
  siteStructure,
  openApi,
  translations,
  integrations
]

/** What came of telling stories to a server. */
export interface Told {
  /** What was found to be wrong, a line each. */
  readonly problems: ReadonlyArray<string>
  /** What the stories left out, a line each. */
  readonly missing: ReadonlyArray<string>
  readonly counts: Counts
}

/** The stories by their titles, to tell one alone. */
export const storiesByTitle: ReadonlyMap<string, Story> = new Map(
  stories.map((story) => [story.title, story])
)

/** Tells stories to a server, all by default, without vitest's tests: what the server does otherwise is answered. */
export const tell = async (host: Host, told: ReadonlyArray<Story> = stories): Promise<Told> => {
  const stage = await setStage(host)
  try {
    for (const story of told) {
      await story.tell(stage).catch((error: unknown) => stage.wire.report(story.title, String(error)))
    }
    const { problems, coverage } = stage.wire
    return { problems, missing: coverage.missing(), counts: coverage.counts() }
  } finally {
    await stage.close()
  }
}

/**
 * Declares tests, for vitest, that a server keeps to the contract. The stories call every operation of the endpoint
 * table, in an organization of their own; the last test fails where an operation, a parameter, a field or a bound was
 * left out, so what a server adds to its document has to be told in a story.
 *
 * @example
 * contract("my server", async () => ({ url, token, organization }))
 */
export const contract = (name: string, open: () => Host | Promise<Host>): void => {
  describe(`${name} keeps the contract`, () => {
    let stage: Stage
    beforeAll(async () => {
      stage = await setStage(await open())
    })
    afterAll(() => stage?.close())
    for (const { title, tell } of stories) {
      it(title, async () => {
        await tell(stage)
        expect(stage.wire.problems.splice(0)).toEqual([])
      })
    }
    it("was checked whole", ({ task }) => {
      const { coverage } = stage.wire
      task.meta.contract = coverage.counts()
      console.info(`${name}: ${summaryOf(coverage.counts())}`)
      expect(coverage.missing()).toEqual([])
    })
  })
}
