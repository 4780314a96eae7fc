/** The link of an empty place to the documentation. */
import { config } from "../config.ts"
import { shellStrings } from "../strings/shell.ts"
import { useStrings } from "../strings/strings.ts"

/** The sections of the documentation that empty places refer to. */
const sections = {
  spaces: "concepts#content-and-revisions",
  changes: "concepts#change-requests",
  writing: "guides/first-hour#write",
  review: "guides/first-hour#review",
  blocks: "blocks"
} as const

/** Links the documentation in another tab. Nothing is displayed in hosts without it. */
export const HelpLink = ({ section }: { readonly section: keyof typeof sections }) => {
  const t = useStrings(shellStrings)
  return config.help === "" ? null : (
    <a className="help-link" href={`${config.help}/${sections[section]}`} target="_blank" rel="noreferrer">
      {t("openHelp")}
    </a>
  )
}
