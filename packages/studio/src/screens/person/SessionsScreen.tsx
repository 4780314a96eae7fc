/** The browsers that are signed in to the account of the person. */
import type { Session } from "@lectern/client/fetch"
import { Button } from "../../components/Button.tsx"
import { ItemList, ItemRow } from "../../components/ItemList.tsx"
import { openConfirm } from "../../components/openConfirm.tsx"
import { ScreenFrame } from "../../components/Screen.tsx"
import { EmptyState } from "../../components/states.tsx"
import { runChange, showFailure } from "../../data/change.ts"
import { useList } from "../../data/lists.ts"
import { MonitorSmartphone } from "../../icons/icons.gen.ts"
import { personNames } from "../../navigation/personNames.ts"
import { client, loadSession, signOut } from "../../session.ts"
import { useFormats } from "../../strings/formats.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { personStrings } from "./strings.ts"

const sessionsKey = "user/sessions"

const methodNames = {
  email: "byEmail",
  link: "byLink",
  saml: "bySaml",
  oidc: "byOidc",
  passkey: "byPasskey"
} as const

const nameOf = ({ device }: Session): string => device ?? translate(personStrings, "unknownDevice")

/** Ends a session. Ending the current one signs this browser out. */
const openEnd = (session: Session): void => {
  const device = nameOf(session)
  openConfirm({
    title: translate(personStrings, "endTitle", { device }),
    body: translate(personStrings, "endBody"),
    confirm: translate(personStrings, "end"),
    run: () =>
      session.current
        ? void signOut()
        : void runChange({
            send: () => client.sessions.revokeSession({ params: { sessionId: session.id } }),
            message: translate(personStrings, "ended", { device }),
            failure: translate(personStrings, "notEnded", { device }),
            invalidates: [sessionsKey]
          })
  })
}

const openEverywhere = (): void =>
  openConfirm({
    title: translate(personStrings, "everywhereTitle"),
    body: translate(personStrings, "everywhereBody"),
    confirm: translate(personStrings, "everywhere"),
    run: () =>
      void client.sessions.signOutEverywhere().then(
        () => loadSession(),
        (error: unknown) => showFailure(translate(personStrings, "everywhereFailed"), error)
      )
  })

/** The browsers that are signed in to the account of the person. */
const SessionsScreen = () => {
  const t = useStrings(personStrings)
  const names = useStrings(personNames)
  const { ago } = useFormats()
  const sessions = useList(sessionsKey, (query, signal) =>
    client.sessions.listSessions({ query }, { signal })
  )
  return (
    <ScreenFrame
      title={names("sessions")}
      meta={t("sessionsHint")}
      actions={
        (sessions.data?.length ?? 0) === 0 ? undefined : (
          <Button onPress={openEverywhere}>{t("everywhere")}</Button>
        )
      }
    >
      <ItemList
        resource={sessions}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={<MonitorSmartphone />} title={t("noSessions")}>
            {t("noSessionsBody")}
          </EmptyState>
        }
      >
        {(session) => (
          <ItemRow
            icon={<MonitorSmartphone size={18} aria-hidden />}
            title={nameOf(session)}
            details={
              <>
                <span>{t("lastUsed", { time: ago(session.lastUsedAt) })}</span>
                <span>{t(methodNames[session.method])}</span>
                <span>{t("signedIn", { time: ago(session.createdAt) })}</span>
                {session.address === undefined ? null : <span>{session.address}</span>}
              </>
            }
            tags={session.current ? <span className="tag">{t("current")}</span> : undefined}
            controls={
              <Button size="small" onPress={() => openEnd(session)}>
                {t("end")}
              </Button>
            }
          />
        )}
      </ItemList>
    </ScreenFrame>
  )
}

export default SessionsScreen
