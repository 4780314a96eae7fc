/** The fields for the emoji and the icon of a page, a group or a link. */
import { characterOf } from "../../components/Emoji.tsx"
import { TextField } from "../../components/fields.tsx"
import { useStrings } from "../../strings/strings.ts"
import { pageSettingsStrings } from "./pageSettingsStrings.ts"

/** An emoji and an icon; empty without one. */
interface Marks {
  readonly emoji: string
  readonly icon: string
}

/** Properties of {@link MarkFields}. */
export interface MarkFieldsProps {
  readonly settings: Marks
  readonly set: (change: Partial<Marks>) => void
}

/** The fields for the emoji and the icon. */
export const MarkFields = ({ settings, set }: MarkFieldsProps) => {
  const s = useStrings(pageSettingsStrings)
  return (
    <>
      <TextField
        label={s("emoji")}
        description={s("emojiHint")}
        maxLength={20}
        value={settings.emoji === "" ? "" : characterOf(settings.emoji)}
        onChange={(emoji) => set({ emoji: emoji.trim() })}
      />
      <TextField
        label={s("icon")}
        description={s("iconHint")}
        maxLength={50}
        value={settings.icon}
        onChange={(icon) => set({ icon: icon.trim() })}
      />
    </>
  )
}
