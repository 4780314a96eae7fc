/** The passkeys of the person, and the recovery codes. */

import { useState } from "react"
import { Button } from "../../components/Button.tsx"
import { FormDialog } from "../../components/FormDialog.tsx"
import { TextField } from "../../components/fields.tsx"
import { ItemList, ItemRow } from "../../components/ItemList.tsx"
import { openConfirm } from "../../components/openConfirm.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { ScreenFrame } from "../../components/Screen.tsx"
import { EmptyState, Loaded } from "../../components/states.tsx"
import { invalidate } from "../../data/cache.ts"
import { runChange } from "../../data/change.ts"
import {
  addPasskey,
  type Passkey,
  removePasskey,
  renamePasskey,
  type SecondFactor,
  secondFactorKey,
  useSecondFactor
} from "../../data/passkeys.ts"
import { serverPageUrl } from "../../data/serverPages.ts"
import { Fingerprint, KeyRound, Plus } from "../../icons/icons.gen.ts"
import { personNames } from "../../navigation/personNames.ts"
import { onSensitiveError, signInPageUrl } from "../../session.ts"
import { useFormats } from "../../strings/formats.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { passkeyStrings } from "./passkeyStrings.ts"
import { RecoveryCodes } from "./RecoveryCodes.tsx"

const add = (): void =>
  void runChange({
    send: () => onSensitiveError(addPasskey()),
    message: ({ name }) => translate(passkeyStrings, "added", { name }),
    failure: translate(passkeyStrings, "notAdded"),
    invalidates: [secondFactorKey, "organizations"]
  })

const RenameDialog = ({ passkey, onClose }: { readonly passkey: Passkey; readonly onClose: () => void }) => {
  const t = useStrings(passkeyStrings)
  const [name, setName] = useState(passkey.name)
  const onSubmit = async () => {
    await renamePasskey(passkey.id, name.trim())
    invalidate(secondFactorKey)
  }
  return (
    <FormDialog
      title={t("renameTitle")}
      submit={t("save")}
      isDisabled={name.trim() === ""}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {(errorOf) => (
        <TextField
          label={t("name")}
          autoFocus
          maxLength={100}
          value={name}
          onChange={setName}
          error={errorOf("name")}
        />
      )}
    </FormDialog>
  )
}

const openRemove = ({ id, name }: Passkey, isLast: boolean): void =>
  openConfirm({
    title: translate(passkeyStrings, "removeTitle", { name }),
    body: translate(passkeyStrings, isLast ? "removeLastBody" : "removeBody"),
    confirm: translate(passkeyStrings, "remove"),
    run: () =>
      void runChange({
        send: () => onSensitiveError(removePasskey(id)),
        message: translate(passkeyStrings, "removed", { name }),
        failure: translate(passkeyStrings, "notRemoved", { name }),
        invalidates: [secondFactorKey]
      })
  })

const PasskeyList = ({ factor }: { readonly factor: SecondFactor }) => {
  const t = useStrings(passkeyStrings)
  const { ago } = useFormats()
  const { passkeys } = factor
  return (
    <ItemList
      resource={{ data: passkeys, error: undefined, isLoading: false, reload: () => undefined }}
      keyOf={({ id }) => id}
      empty={
        <EmptyState icon={<Fingerprint />} title={t("none")}>
          {t("noneBody")}
        </EmptyState>
      }
    >
      {(passkey) => (
        <ItemRow
          icon={<KeyRound size={18} aria-hidden />}
          title={passkey.name}
          details={
            <>
              <span>{t("created", { time: ago(passkey.createdAt) })}</span>
              <span>
                {passkey.lastUsedAt === null ? t("unused") : t("used", { time: ago(passkey.lastUsedAt) })}
              </span>
            </>
          }
          tags={passkey.synced ? <span className="tag">{t("synced")}</span> : undefined}
          actions={[
            {
              id: "rename",
              label: t("rename"),
              run: () => openDialog((onClose) => <RenameDialog passkey={passkey} onClose={onClose} />)
            },
            {
              id: "remove",
              label: t("remove"),
              isDangerous: true,
              run: () => openRemove(passkey, passkeys.length === 1)
            }
          ]}
        />
      )}
    </ItemList>
  )
}

/** The explanation of each reason for which there are no passkeys. */
const unavailableBodies = { ipAddress: "ipAddressBody", insecure: "insecureBody" } as const

const Unavailable = ({ reason }: { readonly reason: "ipAddress" | "insecure" }) => {
  const t = useStrings(passkeyStrings)
  return (
    <EmptyState icon={<Fingerprint />} title={t(reason)}>
      {t(unavailableBodies[reason])}
    </EmptyState>
  )
}

const NoSession = () => {
  const t = useStrings(passkeyStrings)
  return (
    <EmptyState
      icon={<Fingerprint />}
      title={t("noSession")}
      actions={
        <a className="button button-normal" href={signInPageUrl()}>
          {t("signIn")}
        </a>
      }
    >
      {t("noSessionBody")}
    </EmptyState>
  )
}

/** Whether the session may change the passkeys: of an account without passkeys, or after a second factor was verified. */
const canChange = ({ passkeys, verified }: SecondFactor): boolean => passkeys.length === 0 || verified

const Factor = ({ factor }: { readonly factor: SecondFactor }) => {
  const t = useStrings(passkeyStrings)
  const hasPasskeys = factor.passkeys.length > 0
  return (
    <>
      {factor.required && !hasPasskeys ? <p className="notice">{t("required")}</p> : null}
      {canChange(factor) ? null : (
        <p className="notice">
          {t("verifyHint")} <a href={serverPageUrl("second-factor?return=app/me/passkeys")}>{t("verify")}</a>
        </p>
      )}
      {factor.unavailable === undefined ? null : <Unavailable reason={factor.unavailable} />}
      {factor.unavailable !== undefined && !hasPasskeys ? null : <PasskeyList factor={factor} />}
      {hasPasskeys ? <RecoveryCodes factor={factor} canChange={canChange(factor)} /> : null}
    </>
  )
}

/** The passkeys of the person. */
const PasskeysScreen = () => {
  const t = useStrings(passkeyStrings)
  const names = useStrings(personNames)
  const factor = useSecondFactor()
  const { data } = factor
  return (
    <ScreenFrame
      title={names("passkeys")}
      meta={data?.host === undefined ? undefined : t("hint", { host: data.host })}
      actions={
        data?.host === undefined || !canChange(data) ? undefined : (
          <Button variant="primary" icon={<Plus size={16} />} onPress={add}>
            {t("add")}
          </Button>
        )
      }
    >
      <Loaded resource={factor}>
        {(loaded) => (loaded === null ? <NoSession /> : <Factor factor={loaded} />)}
      </Loaded>
    </ScreenFrame>
  )
}

export default PasskeysScreen
