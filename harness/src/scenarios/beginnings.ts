/** Fixed steps with which scenarios of a theme begin, so that later steps find things to work on. */
import type { ActorChoice } from "./definition/choices.ts"
import type { Step } from "./definition/Step.ts"

/** A step by one of the five users of a scenario. */
const byUser = (user: number, name: string, choices: Readonly<Record<string, unknown>>): Step => {
  const actor: ActorChoice = { actor: "anyone", user }
  return { ...actor, do: name, ...choices }
}
/** A step by a permitted user: the second of them, if there are several. */
const byPermitted = (name: string, choices: Readonly<Record<string, unknown>>): Step => ({
  actor: "permitted",
  user: 1,
  do: name,
  ...choices
})

const root = { which: "root", nth: 0 }
const collection = (nth: number) => ({ which: "anyCollection", nth })
const request = (nth: number) => ({ which: "byId", nth })
const onSpace = { on: "space", space: 0, request: request(0) }
const onRequest = { on: "changeRequest", space: 0, request: request(0) }
const page = { which: "existing", nth: 1 }
const file = { which: "existing", nth: 0 }
const space = (nth: number) => ({ which: "ofOrganization", nth })
const site = { which: "ofOrganization", nth: 1 }

export const spaces: ReadonlyArray<Step> = [
  byUser(0, "createSpace", { organization: 0, into: root }),
  byPermitted("createCollection", { organization: 1, into: root }),
  byPermitted("createSpace", { organization: 1, into: collection(1) })
]

export const nestedCollections: ReadonlyArray<Step> = [
  byUser(0, "createCollection", { organization: 0, into: root }),
  byUser(0, "createCollection", { organization: 0, into: root }),
  byUser(0, "createCollection", { organization: 0, into: collection(3) }),
  byUser(0, "createSpace", { organization: 0, into: collection(1) }),
  byUser(0, "createSpace", { organization: 0, into: collection(2) }),
  byUser(0, "setDefaultLevel", { item: 0, level: null }),
  byUser(0, "setDefaultLevel", { item: 1, level: "comment" }),
  byUser(0, "share", { item: 1, to: "user", other: 2, role: "review" })
]

export const pages: ReadonlyArray<Step> = [
  ...spaces,
  byPermitted("edit", {
    content: "space",
    space: 0,
    request: request(0),
    changes: [
      { operation: "insert_page", page, file, into: { which: "currentParent", nth: 0 }, body: "stoat" }
    ]
  }),
  byPermitted("propose", { space: 0, subject: "Reword" })
]

export const threads: ReadonlyArray<Step> = [
  ...pages,
  byPermitted("post", { subject: onSpace, page, text: "Is this so?" }),
  byPermitted("post", { subject: onRequest, page: { which: "none", nth: 0 }, text: "It is *so*." }),
  byPermitted("reply", {
    thread: { which: "existing", nth: 1, subject: onSpace },
    text: "Is this so?"
  })
]

export const publishedSite: ReadonlyArray<Step> = [
  byUser(0, "createCollection", { organization: 0, into: root }),
  byUser(0, "createSpace", { organization: 0, into: collection(1) }),
  byUser(0, "createSpace", { organization: 0, into: collection(1) }),
  byUser(0, "createSpace", { organization: 0, into: root }),
  byPermitted("createSpace", { organization: 0, into: root }),
  byUser(0, "createSite", { organization: 0, visibility: "public", spaces: [space(1), space(2)] }),
  byUser(0, "addSection", { site, space: space(3) }),
  byUser(0, "publish", { site, operation: "publish" })
]

export const sharedSite: ReadonlyArray<Step> = [
  byUser(0, "createSite", { organization: 0, visibility: "share-link", spaces: "new" }),
  byUser(0, "createLink", { site }),
  byUser(0, "publish", { site, operation: "publish" }),
  byUser(0, "updateLink", { site, link: 1, change: "deactivate" })
]

const integration = { which: "second", nth: 1 }

export const installedIntegration: ReadonlyArray<Step> = [
  ...spaces,
  byUser(0, "publishIntegration", { organization: 0, integration, visibility: "public" }),
  byUser(0, "install", { organization: 0, integration }),
  byPermitted("install", { organization: 1, integration })
]
