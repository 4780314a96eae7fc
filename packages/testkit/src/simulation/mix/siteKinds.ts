/** Calls on sites, their structure and their share links. */
import { type CallKind, command, learnId, query } from "./CallKind.ts"
import { makeTitle } from "./contentKinds.ts"
import { type Choice, pickRecent } from "./KnownResources.ts"

const visibilities = ["public", "unlisted", "share-link", "visitor-auth"]

/** The maximum number of sites of an organization. */
const maximumSites = 6

/** The number of sites that an organization has before one is removed: the first one, and one that was created since. */
const minimumSites = 2

const chooseSite = ({ random, known: { organization, sites } }: Choice) => {
  const site = pickRecent(random, sites)
  return site === undefined ? undefined : { organization, site }
}

const withSpace = (choice: Choice) => {
  const [target, spaceId] = [chooseSite(choice), pickRecent(choice.random, choice.known.spaces)]
  return target === undefined || spaceId === undefined ? undefined : { ...target, input: { spaceId } }
}

const chooseLink = ({ random, known: { organization, shareLinks } }: Choice) => {
  const link = pickRecent(random, shareLinks)
  return link === undefined ? undefined : { organization, site: link.site, shareLink: link.id }
}

const adaptiveSchema = (random: Choice["random"]) => ({
  jsonSchema: {
    type: "object",
    properties: { plan: { type: "string", enum: [random.pick(["pro", "free"])] } },
    additionalProperties: false
  }
})

/** The kinds of calls on sites. */
export const siteKinds: ReadonlyArray<CallKind> = [
  command(
    "Sites.create",
    ({ random, known }) =>
      known.sites.length >= maximumSites
        ? undefined
        : {
            organization: known.organization,
            input: {
              title: `Docs ${random.below(1_000)}`,
              visibility: random.pick(visibilities),
              spaces: known.spaces.slice(-1 - random.below(2))
            }
          },
    { learn: learnId(({ sites }) => sites) }
  ),
  command("Sites.update", (choice) => {
    const target = chooseSite(choice)
    const { random } = choice
    const input = random.chance(0.5)
      ? { title: `Docs ${random.below(1_000)}` }
      : { visibility: random.pick(visibilities) }
    return target === undefined ? undefined : { ...target, input }
  }),
  command("Sites.publish", chooseSite),
  command("Sites.unpublish", chooseSite),
  command("Sites.remove", (choice) =>
    choice.known.sites.length < minimumSites ? undefined : chooseSite(choice)
  ),
  command("SiteSpaces.add", withSpace),
  command("SiteSections.add", withSpace),
  command("SiteSettings.updateAdaptiveSchema", (choice) => {
    const target = chooseSite(choice)
    return target === undefined ? undefined : { ...target, input: adaptiveSchema(choice.random) }
  }),
  command(
    "ShareLinks.create",
    (choice) => {
      const target = chooseSite(choice)
      return target === undefined ? undefined : { ...target, input: { name: makeTitle(choice.random) } }
    },
    {
      learn: (known, result, { site }) => {
        const { id } = result as { readonly id: string }
        known.shareLinks.push({ site: site as string, id })
      }
    }
  ),
  command("ShareLinks.update", (choice) => {
    const link = chooseLink(choice)
    return link === undefined ? undefined : { ...link, input: { active: choice.random.chance(0.5) } }
  }),
  query("Sites.list", ({ known: { organization } }) => ({ organization, input: {} })),
  query("Sites.get", chooseSite),
  query("PublishedSites.getStructure", (choice) => {
    const target = chooseSite(choice)
    return target === undefined ? undefined : { ...target, input: {} }
  }),
  query("ShareLinks.list", (choice) => {
    const target = chooseSite(choice)
    return target === undefined ? undefined : { ...target, input: {} }
  }),
  query("SiteSettings.listTemplateConditions", chooseSite)
]
