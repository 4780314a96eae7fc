/** The dialog that creates an API token of the person. */
import type { Organization, TokenPermission } from "@lectern/client/fetch"
import { useState } from "react"
import { CheckField, RadioField } from "../../components/CheckField.tsx"
import { openSecret } from "../../components/CopyText.tsx"
import { FormDialog } from "../../components/FormDialog.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { invalidate } from "../../data/cache.ts"
import { client } from "../../session.ts"
import { commonStrings } from "../../strings/common.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { expiryIn } from "./expiry.ts"
import { programStrings } from "./programStrings.ts"
import { TokenFields } from "./TokenFields.tsx"

/** The key of the API tokens of the person. */
export const tokensKey = "tokens"

/** The permissions that a person most often limits a token to. */
const presets = {
  read: [
    "organization.view",
    "organization.list",
    "collection.view",
    "collection.list",
    "space.view",
    "space.read",
    "content.read",
    "changeRequest.view",
    "comment.view"
  ],
  write: [
    "organization.view",
    "organization.list",
    "collection.view",
    "collection.list",
    "space.view",
    "space.read",
    "space.propose",
    "content.read",
    "content.edit",
    "changeRequest.view",
    "changeRequest.edit",
    "comment.view",
    "comment.reply"
  ]
} as const satisfies Readonly<Record<string, ReadonlyArray<TokenPermission>>>

type Scope = "all" | keyof typeof presets

/** Displays the secret of a token, once. */
export const openTokenSecret = (secret: string): void =>
  openSecret({
    title: translate(programStrings, "tokenCreated"),
    description: translate(programStrings, "secretOnce"),
    label: translate(programStrings, "secret"),
    secret
  })

interface TokenDialogProps {
  readonly organization: Organization | undefined
  readonly onClose: () => void
}

const TokenDialog = ({ organization, onClose }: TokenDialogProps) => {
  const t = useStrings(programStrings)
  const common = useStrings(commonStrings)
  const [label, setLabel] = useState("")
  const [days, setDays] = useState("90")
  const [scope, setScope] = useState<Scope>("all")
  const [isReadOnly, setIsReadOnly] = useState(false)
  const [isRenewable, setIsRenewable] = useState(false)
  const [isLimited, setIsLimited] = useState(true)
  const onSubmit = async () => {
    const token = await client.tokens.createApiToken({
      payload: {
        label: label.trim(),
        readOnly: isReadOnly,
        expiresAt: expiryIn(days),
        ...(isRenewable && expiryIn(days) !== null ? { renewable: true } : {}),
        ...(isLimited && organization !== undefined ? { organization: organization.id } : {}),
        ...(scope === "all" ? {} : { permissions: presets[scope] })
      }
    })
    invalidate(tokensKey)
    openTokenSecret(token.secret)
  }
  return (
    <FormDialog
      title={t("newToken")}
      submit={common("create")}
      isDisabled={label.trim() === ""}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <TokenFields
            title={t("purpose")}
            placeholder={t("purposePlaceholder")}
            label={label}
            days={days}
            error={errorOf("label")}
            onLabel={setLabel}
            onDays={setDays}
          />
          {expiryIn(days) === null ? null : (
            <CheckField
              label={t("renewable")}
              description={t("renewableHint")}
              isChecked={isRenewable}
              onChange={setIsRenewable}
            />
          )}
          <RadioField
            label={t("tokenCan")}
            value={scope}
            choices={[
              { value: "all", label: t("canAll"), description: t("canAllHint") },
              { value: "write", label: t("canWrite") },
              { value: "read", label: t("canRead") }
            ]}
            onChange={setScope}
          />
          {scope === "all" ? (
            <CheckField
              label={t("readOnly")}
              description={t("readOnlyHint")}
              isChecked={isReadOnly}
              onChange={setIsReadOnly}
            />
          ) : null}
          {organization === undefined ? null : (
            <CheckField
              label={t("onlyIn", { organization: organization.title })}
              isChecked={isLimited}
              onChange={setIsLimited}
            />
          )}
        </>
      )}
    </FormDialog>
  )
}

/** Opens the dialog that creates a token. */
export const openNewToken = (organization: Organization | undefined): void =>
  openDialog((onClose) => <TokenDialog organization={organization} onClose={onClose} />)
