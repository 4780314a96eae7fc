/** The dialog that creates a webhook, and edits one. */
import type { Organization, Webhook } from "@lectern/client/fetch"
import { useState } from "react"
import { CheckField } from "../../components/CheckField.tsx"
import { openSecret } from "../../components/CopyText.tsx"
import { FormDialog } from "../../components/FormDialog.tsx"
import { TextField } from "../../components/fields.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { invalidate } from "../../data/cache.ts"
import { client } from "../../session.ts"
import { commonStrings } from "../../strings/common.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { keyIn } from "./data.ts"
import { EventField } from "./EventField.tsx"
import { programStrings } from "./programStrings.ts"

interface WebhookDialogProps {
  readonly organization: Organization
  readonly webhook: Webhook | undefined
  readonly onClose: () => void
}

/** Displays the secret of a webhook, once. */
export const openWebhookSecret = (secret: string): void =>
  openSecret({
    title: translate(programStrings, "webhookSecret"),
    description: translate(programStrings, "webhookSecretBody"),
    label: translate(programStrings, "secret"),
    secret
  })

const WebhookDialog = ({ organization, webhook, onClose }: WebhookDialogProps) => {
  const t = useStrings(programStrings)
  const common = useStrings(commonStrings)
  const [url, setUrl] = useState(webhook?.url ?? "")
  const [description, setDescription] = useState(webhook?.description ?? "")
  const [types, setTypes] = useState<ReadonlySet<string> | undefined>(
    (webhook?.events ?? []).length === 0 ? undefined : new Set(webhook?.events)
  )
  const [isActive, setIsActive] = useState(webhook?.active ?? true)
  const onSubmit = async () => {
    const params = { organizationId: organization.id }
    const payload = {
      url: url.trim(),
      description: description.trim() === "" ? null : description.trim(),
      events: [...(types ?? [])],
      active: isActive
    }
    if (webhook === undefined) {
      const created = await client.webhooks.createWebhook({ params, payload })
      openWebhookSecret(created.secret)
    } else {
      await client.webhooks.updateWebhook({ params: { ...params, webhookId: webhook.id }, payload })
    }
    invalidate(keyIn(organization.id, "webhooks"))
  }
  return (
    <FormDialog
      title={webhook === undefined ? t("newWebhook") : t("editWebhook")}
      submit={webhook === undefined ? common("create") : common("save")}
      // A webhook without types would receive all events.
      isDisabled={url.trim() === "" || types?.size === 0}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <TextField
            label={t("webhookUrl")}
            description={t("webhookUrlHint")}
            autoFocus
            type="url"
            maxLength={2_048}
            placeholder="https://example.com/lectern"
            value={url}
            onChange={setUrl}
            error={errorOf("url")}
          />
          <TextField
            label={common("description")}
            maxLength={255}
            value={description}
            onChange={setDescription}
            error={errorOf("description")}
          />
          <EventField label={t("eventTypes")} types={types} onChange={setTypes} error={errorOf("events")} />
          <CheckField
            label={common("active")}
            description={t("activeHint")}
            isChecked={isActive}
            onChange={setIsActive}
          />
        </>
      )}
    </FormDialog>
  )
}

/** Opens the dialog that creates a webhook, or edits one. */
export const openWebhook = (organization: Organization, webhook?: Webhook): void =>
  openDialog((onClose) => <WebhookDialog organization={organization} webhook={webhook} onClose={onClose} />)
