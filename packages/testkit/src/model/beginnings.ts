/** The fixed steps with which scenarios of a theme begin, so that later steps have something to work on. */
import type { ActorChoice } from "./definition/choices.ts"
import type { Step } from "./definition/Step.ts"

/** A step by one of the five users of a scenario. */
const byUser = (user: number, name: string, choices: Readonly<Record<string, unknown>>): Step => {
  const actor: ActorChoice = { actor: "anyone", user }
  return { ...actor, do: name, ...choices }
}
/** A step by a permitted user: the second one, if there are several. */
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

/** A space in each organization, one of them in a collection. */
export const spaces: ReadonlyArray<Step> = [
  byUser(0, "createSpace", { organization: 0, into: root }),
  byPermitted("createCollection", { organization: 1, into: root }),
  byPermitted("createSpace", { organization: 1, into: collection(1) })
]

/** Nested collections with spaces, default levels and a grant. */
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

/** A page in a space, and a change request on the space. */
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
  byPermitted("createChangeRequest", { space: 0, subject: "Reword" })
]

/** Comments on a space and on a change request, and a reply. */
export const threads: ReadonlyArray<Step> = [
  ...pages,
  byPermitted("post", { target: onSpace, page, text: "Is this so?" }),
  byPermitted("post", { target: onRequest, page: { which: "none", nth: 0 }, text: "It is *so*." }),
  byPermitted("reply", {
    thread: { which: "existing", nth: 1, target: onSpace },
    text: "Is this so?"
  })
]

/** A published site with sections. */
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

/** A published site with a deactivated share link. */
export const sharedSite: ReadonlyArray<Step> = [
  byUser(0, "createSite", { organization: 0, visibility: "share-link", spaces: "new" }),
  byUser(0, "createLink", { site }),
  byUser(0, "publish", { site, operation: "publish" }),
  byUser(0, "updateLink", { site, link: 1, change: "deactivate" })
]

const integration = { which: "second", nth: 1 }

/** A public integration that both organizations installed. */
export const installedIntegration: ReadonlyArray<Step> = [
  ...spaces,
  byUser(0, "publishIntegration", { organization: 0, integration, visibility: "public" }),
  byUser(0, "install", { organization: 0, integration }),
  byPermitted("install", { organization: 1, integration })
]
