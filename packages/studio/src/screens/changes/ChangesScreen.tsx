/** The change requests of a space, by status. The address names the status. */
import type { ChangeRequest } from "@lectern/client/fetch"
import { useState } from "react"
import { useActions } from "../../actions/actions.ts"
import { Button, ButtonLink } from "../../components/Button.tsx"
import { ChangeRequestStatus } from "../../components/ChangeRequestStatus.tsx"
import { CheckField } from "../../components/CheckField.tsx"
import { TextField } from "../../components/fields.tsx"
import { HelpLink } from "../../components/HelpLink.tsx"
import { ScreenFrame } from "../../components/Screen.tsx"
import { EmptyState, Loaded } from "../../components/states.tsx"
import { Time } from "../../components/Time.tsx"
import { showFailure } from "../../data/change.ts"
import { useChangeRequests } from "../../data/changeRequests.ts"
import { requestEditorFocus } from "../../data/editorFocus.ts"
import { useSpace } from "../../data/spaces.ts"
import { useUserId } from "../../data/user.ts"
import { beginNewChangeRequest } from "../../edits/beginChangeRequest.tsx"
import { GitPullRequestArrow, Plus } from "../../icons/icons.gen.ts"
import { Link } from "../../router/Link.tsx"
import { navigate, useAddress, withQuery } from "../../router/location.ts"
import { pagePath } from "../../router/pagePaths.ts"
import { useStrings } from "../../strings/strings.ts"
import { changesStrings } from "./strings.ts"

const statuses: ReadonlyArray<ChangeRequest["status"]> = ["open", "draft", "merged", "archived"]

/** The button that creates a change request, and opens its first page. */
const NewButton = ({ spaceId }: { readonly spaceId: string }) => {
  const t = useStrings(changesStrings)
  const [isPending, setIsPending] = useState(false)
  const create = async () => {
    if (isPending) return
    setIsPending(true)
    try {
      const { number } = await beginNewChangeRequest(spaceId)
      requestEditorFocus()
      navigate(pagePath({ spaceId, change: String(number) }))
    } catch (error) {
      showFailure(t("notCreated"), error)
      setIsPending(false)
    }
  }
  useActions([{ id: "changes.new", label: t("newRequest"), run: () => void create() }])
  return (
    <Button icon={<Plus size={15} />} isPending={isPending} onPress={() => void create()}>
      {t("newRequest")}
    </Button>
  )
}

/** The change requests of a space. */
const ChangesScreen = ({ params }: { readonly params: { readonly space: string } }) => {
  const t = useStrings(changesStrings)
  const address = useAddress()
  const { query } = address
  const me = useUserId()
  const [filter, setFilter] = useState("")
  const isMine = query.get("mine") === "1"
  const space = useSpace(params.space)
  const counts: Partial<Record<ChangeRequest["status"], number>> = {
    open: space.data?.changeRequestsOpen ?? 0,
    draft: space.data?.changeRequestsDraft ?? 0
  }
  // Without a request in review, the drafts are more useful than an empty list.
  const initial = counts.open === 0 && counts.draft !== 0 ? "draft" : "open"
  const status = statuses.find((candidate) => candidate === query.get("status")) ?? initial
  const requests = useChangeRequests(params.space, status)
  const base = `/spaces/${params.space}/changes`
  return (
    <ScreenFrame
      title={t("changeRequests")}
      above={space.data?.title}
      actions={space.data?.permissions.edit === true ? <NewButton spaceId={params.space} /> : undefined}
    >
      <nav className="tabs" aria-label={t("changeRequests")}>
        {statuses.map((candidate) => (
          <Link
            key={candidate}
            to={`${base}?status=${candidate}${isMine ? "&mine=1" : ""}`}
            data-current={candidate === status}
          >
            {t(candidate)}
            {(counts[candidate] ?? 0) === 0 ? null : <span className="muted"> {counts[candidate]}</span>}
          </Link>
        ))}
      </nav>
      <div className="filters">
        <TextField label={t("filter")} type="search" value={filter} onChange={setFilter} />
        <CheckField
          label={t("mine")}
          isChecked={isMine}
          onChange={(isChecked) =>
            navigate(withQuery(address, "mine", isChecked ? "1" : undefined), { replace: true })
          }
        />
      </div>
      <Loaded resource={requests}>
        {(all) => {
          const items = all.filter(
            ({ subject, number, createdBy }) =>
              (!isMine || createdBy.id === me) &&
              `#${number} ${subject} ${createdBy.displayName}`
                .toLowerCase()
                .includes(filter.trim().toLowerCase())
          )
          if (all.length > 0 && items.length === 0) return <p className="muted">{t("noMatch")}</p>
          return items.length === 0 ? (
            <EmptyState
              icon={<GitPullRequestArrow />}
              title={t("none")}
              actions={
                <>
                  <ButtonLink to={`/spaces/${params.space}`}>{t("goToPages")}</ButtonLink>
                  <HelpLink section="changes" />
                </>
              }
            >
              {t("noneBody")}
            </EmptyState>
          ) : (
            <ul className="list">
              {items.map(({ id, number, subject, createdBy, updatedAt, ...status }) => (
                <li key={id}>
                  <span className="list-icon">
                    <GitPullRequestArrow size={18} aria-hidden />
                  </span>
                  <div className="list-text">
                    <Link className="list-link" to={`${base}/${number}/review`}>
                      {subject === "" ? t("untitled") : subject}
                    </Link>
                    <p className="list-detail">
                      <span>#{number}</span>
                      <span>{t("by", { name: createdBy.displayName })}</span>
                      <Time value={updatedAt} />
                    </p>
                  </div>
                  <ChangeRequestStatus request={status} />
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
    </ScreenFrame>
  )
}

export default ChangesScreen
