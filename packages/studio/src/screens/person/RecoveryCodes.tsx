/** The recovery codes of the person, which are displayed once. */

import { useState } from "react"
import { Button } from "../../components/Button.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { openConfirm } from "../../components/openConfirm.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { runChange } from "../../data/change.ts"
import { createRecoveryCodes, type SecondFactor, secondFactorKey } from "../../data/passkeys.ts"
import { Check, Copy } from "../../icons/icons.gen.ts"
import { onSensitiveError } from "../../session.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { passkeyStrings } from "./passkeyStrings.ts"

const CodesDialog = ({
  codes,
  onClose
}: {
  readonly codes: ReadonlyArray<string>
  readonly onClose: () => void
}) => {
  const t = useStrings(passkeyStrings)
  const [isCopied, setIsCopied] = useState(false)
  const copy = () =>
    void navigator.clipboard?.writeText(codes.join("\n")).then(
      () => setIsCopied(true),
      // The codes can be selected.
      () => undefined
    )
  return (
    <Dialog title={t("codesCreated")} onClose={onClose} isDismissable={false} isClosedByEscape={false}>
      <div className="dialog-body">
        <p>{t("codesOnce")}</p>
        <ol className="recovery-codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ol>
      </div>
      <footer className="dialog-footer">
        <Button icon={isCopied ? <Check size={16} /> : <Copy size={16} />} onPress={copy}>
          {isCopied ? t("copied") : t("copyCodes")}
        </Button>
        <Button variant="primary" onPress={onClose}>
          {t("close")}
        </Button>
      </footer>
    </Dialog>
  )
}

const create = async (): Promise<void> => {
  const codes = await runChange({
    send: () => onSensitiveError(createRecoveryCodes()),
    failure: translate(passkeyStrings, "codesNotCreated"),
    invalidates: [secondFactorKey]
  })
  if (codes !== undefined) openDialog((onClose) => <CodesDialog codes={codes} onClose={onClose} />)
}

const openReplace = (): void =>
  openConfirm({
    title: translate(passkeyStrings, "replaceTitle"),
    body: translate(passkeyStrings, "replaceBody"),
    confirm: translate(passkeyStrings, "replaceCodes"),
    run: () => void create()
  })

/** The number of the recovery codes, and the button that creates new ones. */
export const RecoveryCodes = ({
  factor,
  canChange
}: {
  readonly factor: SecondFactor
  readonly canChange: boolean
}) => {
  const t = useStrings(passkeyStrings)
  const count = factor.recoveryCodes
  return (
    <section className="section settings-form">
      <h2>{t("codes")}</h2>
      <p className="muted">{t("codesHint", { count })}</p>
      {canChange ? (
        <p>
          <Button onPress={count === 0 ? () => void create() : openReplace}>
            {t(count === 0 ? "createCodes" : "replaceCodes")}
          </Button>
        </p>
      ) : null}
    </section>
  )
}
