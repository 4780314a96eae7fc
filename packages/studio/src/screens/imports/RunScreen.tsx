/** An import run: its progress, its report, and what to do next. */
import type { ImportRun, Space } from "@lectern/client/fetch"
import { useEffect } from "react"
import { Button, ButtonLink } from "../../components/Button.tsx"
import { openConfirm } from "../../components/openConfirm.tsx"
import { Progress } from "../../components/Progress.tsx"
import { Loaded } from "../../components/states.tsx"
import { runChange } from "../../data/change.ts"
import { useChangeRequests } from "../../data/changeRequests.ts"
import { usePolling } from "../../data/lists.ts"
import { useResource } from "../../data/useResource.ts"
import { Ban } from "../../icons/icons.gen.ts"
import { client } from "../../session.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { RunStatus } from "./RunStatus.tsx"
import { archiveDraftOf, isRunning, runKey, sourceUrl } from "./runs.ts"
import { SpaceFrame } from "./SpaceFrame.tsx"
import { importStrings } from "./strings.ts"

const openCancel = (space: Space, run: ImportRun): void =>
  openConfirm({
    title: translate(importStrings, "cancelTitle"),
    body: translate(importStrings, "cancelBody"),
    confirm: translate(importStrings, "cancelRun"),
    run: () =>
      void runChange({
        send: () =>
          client.importRuns.cancelImportRun({
            params: { organizationId: space.organization, importRunId: run.id }
          }),
        message: translate(importStrings, "cancelled"),
        failure: translate(importStrings, "cancelFailed"),
        invalidates: [runKey(run.id), `imports/of/${space.id}`]
      })
  })

/** Where the imported content is: the change request with the revision, or the space. */
const Result = ({ space, run }: { readonly space: Space; readonly run: ImportRun }) => {
  const t = useStrings(importStrings)
  const drafts = useChangeRequests(space.id, "draft")
  const request = drafts.data?.find(({ revision }) => revision === run.revision)
  return (
    <section className="section settings-form">
      <p>{t("importedCount", { count: run.importedResources })}</p>
      <div className="button-row">
        {request === undefined ? (
          <ButtonLink variant="primary" to={`/spaces/${space.id}`}>
            {t("openPages")}
          </ButtonLink>
        ) : (
          <ButtonLink variant="primary" to={`/spaces/${space.id}/changes/${request.number}/review`}>
            {t("reviewImport")}
          </ButtonLink>
        )}
      </div>
    </section>
  )
}

const kinds = { page: "kindPage", file: "kindFile", entry: "kindEntry" } as const

const Report = ({ run }: { readonly run: ImportRun }) => {
  const t = useStrings(importStrings)
  if (run.skippedResources === 0)
    return run.status === "completed" ? <p className="muted">{t("nothingSkipped")}</p> : null
  return (
    <section className="section">
      <div className="section-header">
        <h2>{t("skippedCount", { count: run.skippedResources })}</h2>
      </div>
      <ul className="list">
        {run.skipped.map(({ kind, resource, reason }) => (
          <li key={`${kind} ${resource}`}>
            <div className="list-text">
              <strong className="list-title">{resource}</strong>
              <p className="list-detail">
                <span>{t(kinds[kind])}</span>
                <span>{reason}</span>
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

const Run = ({ space, run }: { readonly space: Space; readonly run: ImportRun }) => {
  const t = useStrings(importStrings)
  const isUnsuccessful = run.status === "failed" || run.status === "cancelled"
  useEffect(() => {
    // Without the permission, or a connection, the draft remains: it is archived by the next visit.
    if (isUnsuccessful) void archiveDraftOf(space.id, run.id).catch(() => undefined)
  }, [space.id, run.id, isUnsuccessful])
  return (
    <>
      <section className="section settings-form">
        <div className="button-row">
          <RunStatus status={run.status} />
          <strong className="list-title">{sourceUrl(run) ?? t("documents")}</strong>
        </div>
        {isRunning(run) ? (
          <>
            <Progress
              label={
                run.totalResources === 0
                  ? t("reading")
                  : t("progress", { done: run.importedResources, total: run.totalResources })
              }
              value={run.totalResources === 0 ? undefined : run.importedResources / run.totalResources}
            />
            <p className="muted">{t("continues")}</p>
            <div>
              <Button icon={<Ban size={16} />} onPress={() => openCancel(space, run)}>
                {t("cancelRun")}
              </Button>
            </div>
          </>
        ) : null}
        {run.status === "failed" ? (
          <>
            <p role="alert" className="form-error">
              {run.error ?? t("unknownError")}
            </p>
            <p className="muted">{t("failedBody")}</p>
          </>
        ) : null}
        {run.status === "cancelled" ? <p className="muted">{t("cancelledBody")}</p> : null}
        {isUnsuccessful ? (
          <div>
            <ButtonLink to={`/spaces/${space.id}/import`}>{t("again")}</ButtonLink>
          </div>
        ) : null}
      </section>
      {run.status === "completed" ? <Result space={space} run={run} /> : null}
      <Report run={run} />
    </>
  )
}

const LoadedRun = ({ space, runId }: { readonly space: Space; readonly runId: string }) => {
  const run = useResource(
    runKey(runId),
    (signal) =>
      client.importRuns.getImportRun(
        { params: { organizationId: space.organization, importRunId: runId } },
        { signal }
      ),
    { staleAfterMs: 500 }
  )
  usePolling(run, run.data !== undefined && isRunning(run.data))
  return <Loaded resource={run}>{(known) => <Run space={space} run={known} />}</Loaded>
}

/** An import run. */
const RunScreen = ({ params }: { readonly params: { readonly space: string; readonly run: string } }) => {
  const t = useStrings(importStrings)
  return (
    <SpaceFrame
      spaceId={params.space}
      title={t("runTitle")}
      parent={{ to: `/spaces/${params.space}/import`, title: t("importTitle") }}
      isPermitted={({ permissions }) => permissions.edit}
    >
      {(space) => <LoadedRun space={space} runId={params.run} />}
    </SpaceFrame>
  )
}

export default RunScreen
