/** The profile of the person: the name and the image that others see. */
import type { User } from "@lectern/client/fetch"
import { useState } from "react"
import { TextField } from "../../components/fields.tsx"
import { ScreenFrame } from "../../components/Screen.tsx"
import { SettingsForm } from "../../components/SettingsForm.tsx"
import { serverPageUrl, useServerPages } from "../../data/serverPages.ts"
import { personNames } from "../../navigation/personNames.ts"
import { client, sessionStore } from "../../session.ts"
import { useStore } from "../../store/store.ts"
import { useStrings } from "../../strings/strings.ts"
import { personStrings } from "./strings.ts"

const Profile = ({ user }: { readonly user: User }) => {
  const t = useStrings(personStrings)
  const [name, setName] = useState(user.displayName)
  const [photo, setPhoto] = useState(user.photoURL ?? "")
  const photoURL = photo.trim()
  const isPhotoChanged = photoURL !== "" && photoURL !== user.photoURL
  const onSubmit = async () => {
    const updated = await client.users.updateUserById({
      params: { userId: user.id },
      payload: { displayName: name.trim(), ...(isPhotoChanged ? { photoURL } : {}) }
    })
    sessionStore.set({ state: "signed-in", user: updated })
  }
  return (
    <SettingsForm
      isDisabled={name.trim() === "" || (name.trim() === user.displayName && !isPhotoChanged)}
      message={t("profileSaved")}
      onSubmit={onSubmit}
    >
      {(errorOf) => (
        <>
          <TextField
            label={t("name")}
            description={t("nameHint")}
            autoComplete="name"
            maxLength={100}
            value={name}
            onChange={setName}
            error={errorOf("displayName")}
          />
          <TextField
            label={t("photo")}
            description={t("photoHint")}
            inputMode="url"
            value={photo}
            onChange={setPhoto}
            error={errorOf("photoURL")}
          />
          {user.email === undefined ? null : (
            <TextField
              label={t("email")}
              description={t("emailHint")}
              isReadOnly
              value={user.email}
              onChange={() => undefined}
            />
          )}
        </>
      )}
    </SettingsForm>
  )
}

/** The link to the page of the server on which people export or erase their data. */
const OwnData = () => {
  const t = useStrings(personStrings)
  const { data: hasPages } = useServerPages()
  if (hasPages !== true) return null
  return (
    <section className="section settings-form">
      <h2>{t("ownData")}</h2>
      <p className="muted">{t("ownDataHint")}</p>
      <p>
        <a className="button button-normal" href={serverPageUrl("account")}>
          {t("openAccount")}
        </a>
      </p>
    </section>
  )
}

/** The profile of the person. */
const ProfileScreen = () => {
  const names = useStrings(personNames)
  const session = useStore(sessionStore)
  return (
    <ScreenFrame title={names("profile")}>
      {session.state === "signed-in" ? <Profile user={session.user} /> : null}
      <OwnData />
    </ScreenFrame>
  )
}

export default ProfileScreen
