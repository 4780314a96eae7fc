/** The difference of a revision from the one before it, or from any other one that the address names. */
import type { Revision, Space } from "@lectern/client/fetch"
import { useMemo } from "react"
import { useActions } from "../../actions/actions.ts"
import { Button } from "../../components/Button.tsx"
import { SelectField } from "../../components/fields.tsx"
import { openConfirm } from "../../components/openConfirm.tsx"
import { ScreenFrame } from "../../components/Screen.tsx"
import { FailedState, Loaded, Skeleton } from "../../components/states.tsx"
import { runChange } from "../../data/change.ts"
import { useRevision, useRevisions } from "../../data/revisions.ts"
import { spaceKey, useSpace } from "../../data/spaces.ts"
import { ChangeSummary } from "../../diff/ChangeSummary.tsx"
import { compareContent } from "../../diff/compareContent.ts"
import { DifferenceList } from "../../diff/DifferenceList.tsx"
import { Link } from "../../router/Link.tsx"
import { navigate, useAddress, withQuery } from "../../router/location.ts"
import { pagePath } from "../../router/pagePaths.ts"
import { client } from "../../session.ts"
import { useFormats } from "../../strings/formats.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { PageDocumentProvider } from "../space/PageDocumentProvider.tsx"
import { restorePage } from "./restorePage.ts"
import { historyStrings } from "./strings.ts"

const restore = (space: Space, revisionId: string): void => {
  const send = (id: string) =>
    client.history.restoreRevision({ params: { spaceId: space.id, revisionId: id } })
  openConfirm({
    title: translate(historyStrings, "restoreTitle"),
    body: translate(historyStrings, "restoreBody"),
    confirm: translate(historyStrings, "restore"),
    isDangerous: false,
    run: () =>
      void runChange({
        send: () => send(revisionId),
        message: translate(historyStrings, "restored"),
        failure: translate(historyStrings, "restoreFailed"),
        undo: () => send(space.revision),
        invalidates: [spaceKey(space.id)]
      })
  })
}

const RestoreButton = ({ space, revision }: { readonly space: Space; readonly revision: string }) => {
  const t = useStrings(historyStrings)
  useActions([{ id: "revision.restore", label: t("restore"), run: () => restore(space, revision) }])
  return (
    <Button variant="primary" onPress={() => restore(space, revision)}>
      {t("restore")}
    </Button>
  )
}

interface DifferencesProps {
  readonly space: Space
  readonly before: Revision
  readonly after: Revision
}

const Differences = ({ space, before, after }: DifferencesProps) => {
  const t = useStrings(historyStrings)
  const changes = useMemo(() => compareContent(before, after), [before, after])
  const canRestore = space.permissions.edit
  if (changes.length === 0) return <p className="muted">{t("noChanges")}</p>
  return (
    <PageDocumentProvider place={{ spaceId: space.id }}>
      <section className="section">
        <h2>{t("changes")}</h2>
        <ChangeSummary changes={changes} />
      </section>
      <DifferenceList
        comparison={{
          spaceId: space.id,
          before: before.id,
          after: after.id,
          pagePath: (page) => pagePath({ spaceId: space.id }, { id: page })
        }}
        changes={changes}
        controls={(page) => {
          const types = page.changes.map(({ type }) => type)
          // A page that the later revision has created has no earlier version.
          if (!canRestore || types.includes("page_created")) return null
          return (
            <Button size="small" onPress={() => void restorePage(space, before.id, page)}>
              {t(types.includes("page_deleted") ? "restorePage" : "restoreEarlier")}
            </Button>
          )
        }}
      />
    </PageDocumentProvider>
  )
}

/** The choice of the revision to compare with. */
const CompareWith = ({
  spaceId,
  other,
  without
}: {
  readonly spaceId: string
  readonly other: string | undefined
  readonly without: string
}) => {
  const t = useStrings(historyStrings)
  const address = useAddress()
  const { dateTime } = useFormats()
  const revisions = useRevisions(spaceId, 200)
  const items = (revisions.data?.items ?? []).filter(({ id }) => id !== without)
  const isListed = items.some(({ id }) => id === other)
  return (
    <SelectField
      label={t("with")}
      value={other ?? ""}
      options={[
        ...(other === undefined || isListed ? [] : [{ value: other, label: other }]),
        ...items.map(({ id, createdAt, author }) => ({
          value: id,
          label: `${dateTime(createdAt)} · ${author?.displayName ?? t("server")}`
        }))
      ]}
      onChange={(id) => navigate(withQuery(address, "with", id), { replace: true })}
    />
  )
}

/** A revision, compared with another one. */
const RevisionScreen = ({
  params
}: {
  readonly params: { readonly space: string; readonly revision: string }
}) => {
  const t = useStrings(historyStrings)
  const { dateTime } = useFormats()
  const { query } = useAddress()
  const space = useSpace(params.space)
  const revision = useRevision(params.space, params.revision)
  const other = query.get("with") ?? revision.data?.parents[0]
  const before = useRevision(params.space, other)
  if (space.data === undefined) {
    return space.error === undefined ? (
      <Skeleton kind="text" rows={8} />
    ) : (
      <FailedState error={space.error} onRetry={space.reload} />
    )
  }
  const known = space.data
  const canRestore = known.permissions.edit && known.revision !== params.revision
  const isLocked = known.editMode === "locked"
  const time = revision.data === undefined ? "" : dateTime(revision.data.createdAt)
  return (
    <ScreenFrame
      title={t("revisionOf", { time })}
      above={
        <nav className="breadcrumbs">
          <Link to={`/spaces/${params.space}`}>{known.title}</Link>
          <span aria-hidden>/</span>
          <Link to={`/spaces/${params.space}/history`}>{t("history")}</Link>
        </nav>
      }
      actions={
        canRestore && !isLocked ? <RestoreButton space={known} revision={params.revision} /> : undefined
      }
    >
      {canRestore && isLocked ? <p className="muted small">{t("lockedRestore")}</p> : null}
      <Loaded resource={revision}>
        {(after) =>
          other === undefined ? (
            <p className="muted">{t("first")}</p>
          ) : (
            <>
              {known.revision === params.revision ? <p className="muted">{t("isCurrent")}</p> : null}
              <CompareWith spaceId={params.space} other={other} without={params.revision} />
              <Loaded resource={before}>
                {(base) => <Differences key={base.id} space={known} before={base} after={after} />}
              </Loaded>
            </>
          )
        }
      </Loaded>
    </ScreenFrame>
  )
}

export default RevisionScreen
