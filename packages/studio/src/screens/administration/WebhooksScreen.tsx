/** The webhooks of the organization. */
import type { Organization } from "@lectern/client/fetch"
import { Button } from "../../components/Button.tsx"
import { ItemList, ItemRow } from "../../components/ItemList.tsx"
import { EmptyState } from "../../components/states.tsx"
import { useList } from "../../data/lists.ts"
import { Plus, Webhook as WebhookIcon } from "../../icons/icons.gen.ts"
import { client } from "../../session.ts"
import { commonStrings } from "../../strings/common.ts"
import { useStrings } from "../../strings/strings.ts"
import { keyIn } from "./data.ts"
import { OrganizationFrame } from "./OrganizationFrame.tsx"
import { programStrings } from "./programStrings.ts"
import { openWebhook } from "./WebhookDialog.tsx"

const NewWebhook = ({ organization }: { readonly organization: Organization }) => {
  const t = useStrings(programStrings)
  return (
    <Button variant="primary" icon={<Plus size={16} />} onPress={() => openWebhook(organization)}>
      {t("newWebhook")}
    </Button>
  )
}

const Webhooks = ({ organization }: { readonly organization: Organization }) => {
  const t = useStrings(programStrings)
  const common = useStrings(commonStrings)
  const webhooks = useList(`${keyIn(organization.id, "webhooks")}/list`, (query, signal) =>
    client.webhooks.listWebhooks({ params: { organizationId: organization.id }, query }, { signal })
  )
  return (
    <ItemList
      resource={webhooks}
      keyOf={({ id }) => id}
      empty={
        <EmptyState icon={<WebhookIcon />} title={t("noWebhooks")}>
          {t("noWebhooksBody")}
        </EmptyState>
      }
    >
      {(webhook) => (
        <ItemRow
          icon={<WebhookIcon size={18} aria-hidden />}
          title={webhook.url}
          to={`/organization/webhooks/${webhook.id}`}
          details={
            <>
              {webhook.description === undefined ? null : <span>{webhook.description}</span>}
              <span>
                {webhook.events.length === 0
                  ? t("allEvents")
                  : t("eventCount", { count: webhook.events.length })}
              </span>
            </>
          }
          tags={
            webhook.active ? (
              <span className="tag tag-success">{common("active")}</span>
            ) : (
              <span className="tag tag-warning">{common("paused")}</span>
            )
          }
        />
      )}
    </ItemList>
  )
}

/** The webhooks of the organization. */
const WebhooksScreen = () => {
  const t = useStrings(programStrings)
  return (
    <OrganizationFrame
      title={t("webhooks")}
      actions={(organization) => <NewWebhook organization={organization} />}
    >
      {(organization) => <Webhooks organization={organization} />}
    </OrganizationFrame>
  )
}

export default WebhooksScreen
