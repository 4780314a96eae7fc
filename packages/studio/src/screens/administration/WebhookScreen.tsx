/** A webhook: its deliveries, their requests, and how to send them again. */
import type { Organization, Webhook, WebhookDelivery } from "@lectern/client/fetch"
import { ActionMenu } from "../../components/ActionMenu.tsx"
import { Button } from "../../components/Button.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { ItemList } from "../../components/ItemList.tsx"
import { openConfirm } from "../../components/openConfirm.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { EmptyState, Loaded } from "../../components/states.tsx"
import { Time } from "../../components/Time.tsx"
import { runChange } from "../../data/change.ts"
import { useList, usePolling } from "../../data/lists.ts"
import { useResource } from "../../data/useResource.ts"
import { RotateCw, Send } from "../../icons/icons.gen.ts"
import { Link } from "../../router/Link.tsx"
import { navigate, useAddress } from "../../router/location.ts"
import { client } from "../../session.ts"
import { commonStrings } from "../../strings/common.ts"
import { shellStrings } from "../../strings/shell.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { keyIn } from "./data.ts"
import { OrganizationFrame } from "./OrganizationFrame.tsx"
import { programStrings } from "./programStrings.ts"
import { openWebhook, openWebhookSecret } from "./WebhookDialog.tsx"

interface WebhookProps {
  readonly organization: Organization
  readonly webhook: Webhook
}

const keyOf = (organization: Organization, webhookId: string): string =>
  `${keyIn(organization.id, "webhooks")}/${webhookId}`

const openDelete = ({ organization, webhook }: WebhookProps): void =>
  openConfirm({
    title: translate(programStrings, "deleteWebhookTitle"),
    body: translate(programStrings, "deleteWebhookBody", { url: webhook.url }),
    confirm: translate(commonStrings, "delete"),
    run: () =>
      void runChange({
        send: async () => {
          await client.webhooks.deleteWebhook({
            params: { organizationId: organization.id, webhookId: webhook.id }
          })
          navigate("/organization/webhooks")
        },
        message: translate(programStrings, "webhookDeleted"),
        failure: translate(programStrings, "webhookNotDeleted"),
        invalidates: [keyIn(organization.id, "webhooks")]
      })
  })

const openRotate = ({ organization, webhook }: WebhookProps): void =>
  openConfirm({
    title: translate(programStrings, "rotateSecret"),
    body: translate(programStrings, "rotateSecretBody"),
    confirm: translate(programStrings, "rotate"),
    isDangerous: false,
    run: () =>
      void runChange({
        send: async () => {
          const { secret } = await client.webhooks.rotateWebhookSecret({
            params: { organizationId: organization.id, webhookId: webhook.id },
            payload: {}
          })
          openWebhookSecret(secret)
        },
        failure: translate(programStrings, "notRotated"),
        invalidates: [keyOf(organization, webhook.id)]
      })
  })

const redeliver = ({ organization, webhook }: WebhookProps, deliveryId: string) =>
  runChange({
    send: () =>
      client.webhooks.redeliverWebhookDelivery({
        params: { organizationId: organization.id, webhookId: webhook.id, deliveryId }
      }),
    message: translate(programStrings, "redelivered"),
    failure: translate(programStrings, "notRedelivered"),
    invalidates: [keyOf(organization, webhook.id)]
  })

const DeliveryDialog = ({
  organization,
  webhook,
  deliveryId,
  onClose
}: WebhookProps & { readonly deliveryId: string; readonly onClose: () => void }) => {
  const t = useStrings(programStrings)
  const delivery = useResource(`${keyOf(organization, webhook.id)}/delivery/${deliveryId}`, (signal) =>
    client.webhooks.getWebhookDelivery(
      { params: { organizationId: organization.id, webhookId: webhook.id, deliveryId } },
      { signal }
    )
  )
  return (
    <Dialog title={t("delivery")} size="wide" onClose={onClose}>
      <div className="dialog-body">
        <Loaded resource={delivery}>
          {({ event, log }) => (
            <>
              {log.length === 0 ? <p className="muted">{t("noRequests")}</p> : null}
              <ul className="list">
                {log.map(({ startedAt, durationMs, status, error }) => (
                  <li key={startedAt}>
                    <div className="list-text">
                      <strong className="list-title">
                        {status === undefined ? (error ?? t("noResponse")) : t("responded", { status })}
                      </strong>
                      <p className="list-detail">
                        <Time value={startedAt} />
                        <span>{t("duration", { milliseconds: durationMs })}</span>
                      </p>
                    </div>
                  </li>
                ))}
              </ul>
              <pre className="record">{JSON.stringify(event, null, 2)}</pre>
            </>
          )}
        </Loaded>
      </div>
    </Dialog>
  )
}

const states = ["pending", "delivered", "failed"] as const

const tagOf = { pending: "tag tag-primary", delivered: "tag tag-success", failed: "tag tag-danger" } as const

const lastOf = ({ log }: WebhookDelivery): string | undefined => {
  const last = log.at(-1)
  return last === undefined ? undefined : (last.error ?? String(last.status))
}

const Deliveries = (properties: WebhookProps) => {
  const { organization, webhook } = properties
  const t = useStrings(programStrings)
  const { query } = useAddress()
  const state = states.find((candidate) => candidate === query.get("state"))
  const deliveries = useList(
    `${keyOf(organization, webhook.id)}/deliveries/${state ?? "all"}`,
    (page, signal) =>
      client.webhooks.listWebhookDeliveries(
        {
          params: { organizationId: organization.id, webhookId: webhook.id },
          query: { ...page, ...(state === undefined ? {} : { state }) }
        },
        { signal }
      )
  )
  usePolling(deliveries, deliveries.data?.some((delivery) => delivery.state === "pending") === true, 3_000)
  const base = `/organization/webhooks/${webhook.id}`
  return (
    <>
      <nav className="tabs" aria-label={t("deliveries")}>
        <Link to={base} data-current={state === undefined}>
          {t("allDeliveries")}
        </Link>
        {states.map((candidate) => (
          <Link key={candidate} to={`${base}?state=${candidate}`} data-current={candidate === state}>
            {t(`state-${candidate}`)}
          </Link>
        ))}
      </nav>
      <ItemList
        resource={deliveries}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={<Send />} title={t("noDeliveries")}>
            {t("noDeliveriesBody")}
          </EmptyState>
        }
      >
        {(delivery) => (
          <>
            <div className="list-text">
              <strong className="list-title">{delivery.type}</strong>
              <p className="list-detail">
                <Time value={delivery.createdAt} />
                <span>{t("attempts", { count: delivery.attempts })}</span>
                {lastOf(delivery) === undefined ? null : <span>{lastOf(delivery)}</span>}
              </p>
            </div>
            <span className={tagOf[delivery.state]}>{t(`state-${delivery.state}`)}</span>
            <span className="list-actions">
              <Button
                size="small"
                variant="quiet"
                aria-label={t("detailsOf", { type: delivery.type })}
                onPress={() =>
                  openDialog((onClose) => (
                    <DeliveryDialog {...properties} deliveryId={delivery.id} onClose={onClose} />
                  ))
                }
              >
                {t("details")}
              </Button>
              <Button
                size="small"
                icon={<RotateCw size={14} />}
                aria-label={t("redeliverOf", { type: delivery.type })}
                onPress={() => void redeliver(properties, delivery.id)}
              >
                {t("redeliver")}
              </Button>
            </span>
          </>
        )}
      </ItemList>
    </>
  )
}

const LoadedWebhook = ({
  organization,
  id
}: {
  readonly organization: Organization
  readonly id: string
}) => {
  const t = useStrings(programStrings)
  const common = useStrings(commonStrings)
  const shell = useStrings(shellStrings)
  const webhook = useResource(`${keyOf(organization, id)}/webhook`, (signal) =>
    client.webhooks.getWebhook({ params: { organizationId: organization.id, webhookId: id } }, { signal })
  )
  return (
    <Loaded resource={webhook}>
      {(known) => (
        <>
          <div className="section-header">
            <p>
              <strong className="list-title">{known.url}</strong>{" "}
              <span className={known.active ? "tag tag-success" : "tag tag-warning"}>
                {known.active ? common("active") : common("paused")}
              </span>
            </p>
            <span className="button-row">
              <ActionMenu
                label={shell("moreActions")}
                actions={[
                  {
                    id: "rotate",
                    label: t("rotateSecret"),
                    run: () => openRotate({ organization, webhook: known })
                  },
                  {
                    id: "delete",
                    label: common("delete"),
                    isDangerous: true,
                    run: () => openDelete({ organization, webhook: known })
                  }
                ]}
              />
              <Button onPress={() => openWebhook(organization, known)}>{common("edit")}</Button>
            </span>
          </div>
          <Deliveries organization={organization} webhook={known} />
        </>
      )}
    </Loaded>
  )
}

/** A webhook. */
const WebhookScreen = ({ params }: { readonly params: { readonly webhook: string } }) => {
  const t = useStrings(programStrings)
  return (
    <OrganizationFrame title={t("deliveries")}>
      {(organization) => <LoadedWebhook organization={organization} id={params.webhook} />}
    </OrganizationFrame>
  )
}

export default WebhookScreen
