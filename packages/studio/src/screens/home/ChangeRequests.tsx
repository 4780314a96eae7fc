/** The change requests on the start page: the own drafts, and the requests in review. */
import type { ChangeRequest, Organization, Space } from "@lectern/client/fetch"
import { ChangeRequestStatus } from "../../components/ChangeRequestStatus.tsx"
import { Loaded, Skeleton } from "../../components/states.tsx"
import { Time } from "../../components/Time.tsx"
import { useResource } from "../../data/useResource.ts"
import { useUserId } from "../../data/user.ts"
import { GitPullRequestArrow } from "../../icons/icons.gen.ts"
import { Link } from "../../router/Link.tsx"
import { client } from "../../session.ts"
import { useStrings } from "../../strings/strings.ts"
import { homeStrings } from "./strings.ts"

const maximumDisplayed = 6

/** Properties of the lists of change requests. */
export interface ChangeRequestsProps {
  readonly organization: Organization
  /** The known spaces, for their titles. */
  readonly spaces: ReadonlyArray<Space>
}

interface ListProps {
  readonly requests: ReadonlyArray<ChangeRequest>
  readonly spaces: ReadonlyArray<Space>
}

const List = ({ requests, spaces }: ListProps) => {
  const t = useStrings(homeStrings)
  return (
    <ul className="list">
      {requests.map((request) => (
        <li key={request.id}>
          <span className="list-icon">
            <GitPullRequestArrow size={18} aria-hidden />
          </span>
          <div className="list-text">
            <Link className="list-link" to={`/spaces/${request.space}/changes/${request.number}/review`}>
              {request.subject === "" ? t("untitled") : request.subject}
            </Link>
            <p className="list-detail">
              <span>{spaces.find(({ id }) => id === request.space)?.title ?? ""}</span>
              <span>#{request.number}</span>
              <span>{request.createdBy.displayName}</span>
              <Time value={request.updatedAt} />
            </p>
          </div>
          <ChangeRequestStatus request={request} />
        </li>
      ))}
    </ul>
  )
}

/** The drafts of the person, for which no review is requested yet. Empty without any. */
export const OwnDrafts = ({ organization, spaces }: ChangeRequestsProps) => {
  const t = useStrings(homeStrings)
  const creator = useUserId()
  const drafts = useResource(
    creator === undefined ? undefined : `organizations/${organization.id}/change-requests/own-drafts`,
    (signal) =>
      client.changeRequests.listChangeRequestsForOrganization(
        {
          params: { organizationId: organization.id },
          query: { status: "draft", creator: creator!, limit: maximumDisplayed }
        },
        { signal }
      )
  )
  const items = drafts.data?.items ?? []
  if (items.length === 0) return null
  return (
    <section className="section">
      <div className="section-header">
        <h2>{t("ownDrafts")}</h2>
      </div>
      <List requests={items} spaces={spaces} />
    </section>
  )
}

/** The change requests that are in review. */
export const OpenChangeRequests = ({ organization, spaces }: ChangeRequestsProps) => {
  const t = useStrings(homeStrings)
  const requests = useResource(`organizations/${organization.id}/change-requests/open`, (signal) =>
    client.changeRequests.listChangeRequestsForOrganization(
      { params: { organizationId: organization.id }, query: { status: "open", limit: maximumDisplayed } },
      { signal }
    )
  )
  return (
    <section className="section">
      <div className="section-header">
        <h2>{t("toReview")}</h2>
      </div>
      <Loaded resource={requests} skeleton={<Skeleton rows={3} />}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="muted">{t("toReviewEmpty")}</p>
          ) : (
            <List requests={items} spaces={spaces} />
          )
        }
      </Loaded>
    </section>
  )
}
