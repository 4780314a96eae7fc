/** How the person receives notifications in the organization, and about single spaces. */
import type { NotificationSettings } from "@lectern/client/fetch"
import { IconButton } from "../../components/Button.tsx"
import { SelectField } from "../../components/fields.tsx"
import { ScreenFrame } from "../../components/Screen.tsx"
import { Loaded } from "../../components/states.tsx"
import {
  type MailLanguage,
  type NotificationDelivery,
  setDelivery,
  setMailLanguage,
  setSpaceDelivery,
  useNotificationSettings
} from "../../data/notifications.ts"
import { useOrganization } from "../../data/organization.ts"
import { BellOff } from "../../icons/icons.gen.ts"
import { notificationStrings } from "../../strings/notifications.ts"
import { useStrings } from "../../strings/strings.ts"
import { useSpaces } from "../home/spaces.ts"

/** The languages of e-mails, each by its own name. */
const languages: ReadonlyArray<{ readonly value: MailLanguage; readonly label: string }> = [
  { value: "en", label: "English" },
  { value: "de", label: "Deutsch" },
  { value: "fr", label: "Français" },
  { value: "es", label: "Español" }
]

const deliveries: ReadonlyArray<NotificationDelivery> = ["immediate", "daily", "list", "none"]

const Settings = ({ settings }: { readonly settings: NotificationSettings }) => {
  const t = useStrings(notificationStrings)
  const options = deliveries.map((value) => ({ value, label: t(value) }))
  const { organization } = settings
  const spaces = useSpaces().data ?? []
  const isSet = new Set<string>(settings.spaces.map(({ id }) => id))
  const others = spaces
    .filter(({ id }) => !isSet.has(id))
    .map(({ id, title }) => ({ value: id, label: title }))
  return (
    <>
      <section className="section settings-form">
        <SelectField
          label={t("delivery")}
          value={settings.delivery}
          options={options}
          description={settings.hasMail ? undefined : t("noMail")}
          onChange={(value) => void setDelivery(organization, value as NotificationDelivery)}
        />
        <SelectField
          label={t("language")}
          value={settings.language ?? ""}
          options={[{ value: "", label: t("defaultLanguage") }, ...languages]}
          onChange={(value) => void setMailLanguage(settings, value === "" ? null : (value as MailLanguage))}
        />
      </section>
      <section className="section settings-form">
        <h2>{t("spaces")}</h2>
        {settings.spaces.length === 0 ? (
          <p className="muted">{t("noSpaces")}</p>
        ) : (
          settings.spaces.map(({ id, title, delivery }) => (
            <div key={id} className="notification">
              <SelectField
                label={title}
                value={delivery}
                options={options}
                onChange={(value) => void setSpaceDelivery(organization, id, value as NotificationDelivery)}
              />
              <IconButton
                label={t("reset", { title })}
                icon={<BellOff size={18} />}
                onPress={() => void setSpaceDelivery(organization, id, null)}
              />
            </div>
          ))
        )}
        <SelectField
          label={t("addSpace")}
          value=""
          options={[{ value: "", label: t("chooseSpace") }, ...others]}
          onChange={(id) => {
            if (id !== "") void setSpaceDelivery(organization, id, "list")
          }}
        />
      </section>
    </>
  )
}

/** How the person receives notifications. */
const NotificationSettingsScreen = () => {
  const t = useStrings(notificationStrings)
  const { data: organization } = useOrganization()
  const settings = useNotificationSettings()
  return (
    <ScreenFrame
      title={t("settingsTitle")}
      meta={organization === undefined ? undefined : t("settingsHint", { organization: organization.title })}
    >
      <Loaded resource={settings}>{(loaded) => <Settings settings={loaded} />}</Loaded>
    </ScreenFrame>
  )
}

export default NotificationSettingsScreen
