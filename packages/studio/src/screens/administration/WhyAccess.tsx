/** Explains why a person can see content: every source of a role, and the audience of sites. */
import type { Site } from "@lectern/client/fetch"
import { roleName } from "../../components/RoleField.tsx"
import { Loaded } from "../../components/states.tsx"
import { loadAll, pageSize } from "../../data/organization.ts"
import { useResource } from "../../data/useResource.ts"
import { Link } from "../../router/Link.tsx"
import { client } from "../../session.ts"
import { commonStrings } from "../../strings/common.ts"
import { useStrings } from "../../strings/strings.ts"
import { accessKey, type Content, loadPerson, loadPlaces } from "./accessData.ts"
import { accessStrings } from "./accessStrings.ts"
import { type AccessExplanation, type AccessReason, explainAccess } from "./explainAccess.ts"
import { PersonQuestion } from "./PersonQuestion.tsx"

/** The published sites that a space is on. */
const listSites = async (content: Content, signal: AbortSignal): Promise<ReadonlyArray<Site>> =>
  content.kind === "collection"
    ? []
    : loadAll((cursor) =>
        client.sites.listSites(
          {
            params: { organizationId: content.value.organization },
            query: { limit: pageSize, space: content.value.id, published: true, ...cursor }
          },
          { signal }
        )
      )

const audiences = {
  public: "sitePublic",
  unlisted: "siteUnlisted",
  "share-link": "siteShareLink",
  "visitor-auth": "siteVisitorAuth"
} as const

const Reason = ({ reason }: { readonly reason: AccessReason }) => {
  const t = useStrings(accessStrings)
  switch (reason.kind) {
    case "administrator":
      return t("reasonAdministrator")
    case "organization":
      return t("reasonOrganization")
    case "default":
      return t("reasonDefault", { place: reason.place })
    case "user":
      return t("reasonUser", { place: reason.place })
    case "team":
      return t("reasonTeam", { place: reason.place, team: reason.team })
  }
}

interface ExplanationProps {
  readonly name: string
  readonly answer: AccessExplanation
  readonly sites: ReadonlyArray<Site>
}

const Explanation = ({ name, answer, sites }: ExplanationProps) => {
  const t = useStrings(accessStrings)
  const common = useStrings(commonStrings)
  const { role, reasons, unknown } = answer
  return (
    <div role="status" className={role === null ? "notice" : "notice notice-success"}>
      <p>
        <strong>
          {role === null ? t("noAccess", { name }) : t("hasRole", { name, role: roleName(role, common) })}
        </strong>
      </p>
      {reasons.length === 0 ? null : (
        <ul className="reasons">
          {reasons.map((reason) => (
            <li key={JSON.stringify(reason)}>
              <span className="tag">{roleName(reason.role, common)}</span> <Reason reason={reason} />
            </li>
          ))}
        </ul>
      )}
      {sites.map((site) => (
        <p key={site.id} className="small">
          {t(audiences[site.visibility], { site: site.title })}{" "}
          <Link to={`/sites/${site.id}/audience`}>{t("openAudience")}</Link>
        </p>
      ))}
      {unknown.map((place) => (
        <p key={place} className="small">
          {t("unknownPlace", { place })}
        </p>
      ))}
    </div>
  )
}

interface ReasonsProps {
  readonly content: Content
  readonly userId: string
  readonly name: string
}

const Reasons = ({ content, userId, name }: ReasonsProps) => {
  const { organization } = content.value
  const answer = useResource(`${accessKey(content)}/why/${userId}`, async (signal) => {
    const [person, places, sites] = await Promise.all([
      loadPerson(organization, userId, signal),
      loadPlaces(content, signal),
      listSites(content, signal)
    ])
    return { answer: explainAccess(person, places), sites }
  })
  return (
    <Loaded resource={answer}>
      {(known) => <Explanation name={name} answer={known.answer} sites={known.sites} />}
    </Loaded>
  )
}

/** Explains the access of a person, who is chosen first. */
export const WhyAccess = ({ content }: { readonly content: Content }) => {
  const t = useStrings(accessStrings)
  return (
    <PersonQuestion title={t("why")}>
      {({ id, name }) => <Reasons content={content} userId={id} name={name} />}
    </PersonQuestion>
  )
}
