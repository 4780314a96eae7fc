/** The audit log: the callers, the operations and their resources, and the denials. */
import type { AuditRecord, Organization } from "@lectern/client/fetch"
import { useMemo, useState } from "react"
import { Button } from "../../components/Button.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { SelectField } from "../../components/fields.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { EmptyState, Loaded } from "../../components/states.tsx"
import { Time } from "../../components/Time.tsx"
import { loadAll, pageSize } from "../../data/organization.ts"
import { useResource } from "../../data/useResource.ts"
import { ScrollText } from "../../icons/icons.gen.ts"
import { navigate, useAddress, withQuery } from "../../router/location.ts"
import { client } from "../../session.ts"
import { shellStrings } from "../../strings/shell.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { useSpaces } from "../home/spaces.ts"
import { useNamedOperations, useOperationNames } from "./auditOperations.ts"
import { keyIn, useMembers } from "./data.ts"
import { OrganizationFrame } from "./OrganizationFrame.tsx"
import { serviceStrings } from "./serviceStrings.ts"

const recordsPerPage = 50

/** The operation that records the pages which a person opens. */
const visitOperation = "Places.recordRecentPage"

interface Records {
  readonly items: ReadonlyArray<AuditRecord>
  readonly hasMore: boolean
}

type Filter = NonNullable<Parameters<typeof client.audit.listAuditRecords>[0]["query"]>

const loadRecords = async (
  organizationId: string,
  filter: Filter,
  pages: number,
  signal: AbortSignal
): Promise<Records> => {
  const items: Array<AuditRecord> = []
  let page: string | undefined
  for (let index = 0; index < pages; index++) {
    const query = { ...filter, limit: recordsPerPage, ...(page === undefined ? {} : { page }) }
    const list = await client.audit.listAuditRecords({ params: { organizationId }, query }, { signal })
    items.push(...list.items)
    page = list.next?.page
    if (page === undefined) return { items, hasMore: false }
  }
  return { items, hasMore: true }
}

/** The start of a day, or of the day after it, in the time zone of the person. */
const startOf = (day: string, daysLater = 0): string => {
  const date = new Date(`${day}T00:00:00`)
  date.setDate(date.getDate() + daysLater)
  return date.toISOString()
}

const filterOf = (query: URLSearchParams): Filter => {
  const value = (name: string) => query.get(name) ?? undefined
  const [actor, operation, outcome, from, to] = ["actor", "operation", "outcome", "from", "to"].map(value)
  return {
    ...(actor === undefined ? {} : { actor }),
    ...(operation === undefined ? {} : { operation }),
    ...(outcome === "success" || outcome === "denied" ? { outcome } : {}),
    ...(from === undefined ? {} : { from: startOf(from) }),
    ...(to === undefined ? {} : { to: startOf(to, 1) })
  }
}

const openRecord = (record: AuditRecord): void =>
  openDialog((onClose) => (
    <Dialog title={translate(serviceStrings, "auditRecord")} size="wide" onClose={onClose}>
      <div className="dialog-body">
        <pre className="record">{JSON.stringify(record, null, 2)}</pre>
      </div>
    </Dialog>
  ))

const Filters = () => {
  const t = useStrings(serviceStrings)
  const address = useAddress()
  const members = useMembers()
  const operations = useNamedOperations()
  const set = (name: string, value: string) =>
    navigate(withQuery(address, name, value === "" ? undefined : value), { replace: true })
  const value = (name: string) => address.query.get(name) ?? ""
  return (
    <div className="filters">
      <SelectField
        label={t("actor")}
        value={value("actor")}
        options={[
          { value: "", label: t("everybody") },
          ...(members.data ?? []).map(({ id, user }) => ({ value: id, label: user.displayName }))
        ]}
        onChange={(actor) => set("actor", actor)}
      />
      <SelectField
        label={t("outcome")}
        value={value("outcome")}
        options={[
          { value: "", label: t("anyOutcome") },
          { value: "success", label: t("success") },
          { value: "denied", label: t("denied") }
        ]}
        onChange={(outcome) => set("outcome", outcome)}
      />
      <SelectField
        label={t("operation")}
        value={value("operation")}
        options={[{ value: "", label: t("anyOperation") }, ...operations]}
        onChange={(operation) => set("operation", operation)}
      />
      <label className="field">
        <span className="field-label">{t("from")}</span>
        <input
          className="input"
          type="date"
          value={value("from")}
          onChange={(event) => set("from", event.target.value)}
        />
      </label>
      <label className="field">
        <span className="field-label">{t("to")}</span>
        <input
          className="input"
          type="date"
          value={value("to")}
          onChange={(event) => set("to", event.target.value)}
        />
      </label>
    </div>
  )
}

const ObjectText = ({ text }: { readonly text: string }) => (text === "" ? null : <span>{text}</span>)

const Log = ({ organization }: { readonly organization: Organization }) => {
  const t = useStrings(serviceStrings)
  const shell = useStrings(shellStrings)
  const { query } = useAddress()
  const members = useMembers()
  const [pages, setPages] = useState(1)
  const key = `${keyIn(organization.id, "audit")}/${query.toString()}/${pages}`
  const records = useResource(key, (signal) => loadRecords(organization.id, filterOf(query), pages, signal))
  const describe = useOperationNames()
  // Each page that a user opens is recorded. These records are displayed on demand.
  const isDisplayed = ({ operation }: AuditRecord) =>
    operation !== visitOperation || query.get("operation") === visitOperation
  const titleOf = ({ operation, outcome }: AuditRecord): string => {
    const title = describe(operation) ?? operation
    return outcome === "denied" ? t("deniedTitle", { title }) : title
  }
  const nameOf = ({ actor, actorType }: AuditRecord) =>
    members.data?.find(({ id }) => id === actor)?.user.displayName ?? actor ?? t(`actor-${actorType}`)
  const spaces = useSpaces()
  const sites = useResource(keyIn(organization.id, "audited-sites"), (signal) =>
    loadAll((cursor) =>
      client.sites.listSites(
        { params: { organizationId: organization.id }, query: { limit: pageSize, ...cursor } },
        { signal }
      )
    )
  )
  /** The titles of members, spaces and sites by their ids. Other resources have no title here. */
  const titles = useMemo(
    () =>
      new Map([
        ...(sites.data ?? []).map(({ id, title }) => [id, title] as const),
        ...(spaces.data ?? []).map(({ id, title }) => [id, title] as const),
        ...(members.data ?? []).map(({ id, user }) => [id, user.displayName] as const)
      ]),
    [sites.data, spaces.data, members.data]
  )
  const objectOf = ({ resources }: AuditRecord): string =>
    resources.flatMap(({ id }) => titles.get(id) ?? []).join(" · ")
  return (
    <>
      <Filters />
      <Loaded resource={records}>
        {({ items, hasMore }) =>
          items.length === 0 ? (
            <EmptyState icon={<ScrollText />} title={t("noRecords")}>
              {t("noRecordsBody")}
            </EmptyState>
          ) : (
            <>
              <ul className="list">
                {items.filter(isDisplayed).map((record) => (
                  <li key={record.id}>
                    <div className="list-text">
                      <strong className="list-title">{titleOf(record)}</strong>
                      <p className="list-detail">
                        <span>{nameOf(record)}</span>
                        <ObjectText text={objectOf(record)} />
                        <Time value={record.createdAt} />
                        {record.reason === undefined ? null : <span>{record.reason}</span>}
                      </p>
                    </div>
                    <span className={record.outcome === "denied" ? "tag tag-danger" : "tag tag-success"}>
                      {t(record.outcome)}
                    </span>
                    <span className="list-actions">
                      <Button
                        size="small"
                        variant="quiet"
                        aria-label={t("detailsOf", { type: titleOf(record) })}
                        onPress={() => openRecord(record)}
                      >
                        {t("details")}
                      </Button>
                    </span>
                  </li>
                ))}
              </ul>
              {hasMore ? (
                <p className="state-actions">
                  <Button onPress={() => setPages(pages + 1)}>{shell("showMore")}</Button>
                </p>
              ) : null}
            </>
          )
        }
      </Loaded>
    </>
  )
}

/** The audit log. */
const AuditScreen = () => {
  const t = useStrings(serviceStrings)
  return (
    <OrganizationFrame title={t("audit")}>
      {(organization) => <Log organization={organization} />}
    </OrganizationFrame>
  )
}

export default AuditScreen
