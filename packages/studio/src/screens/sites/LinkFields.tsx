/** The links of the header and the footer of a site, its copyright notice and its announcement. */
import type { SiteCustomization } from "@lectern/client/fetch"
import { Button, IconButton } from "../../components/Button.tsx"
import { CheckField } from "../../components/CheckField.tsx"
import { SelectField, TextField } from "../../components/fields.tsx"
import { ArrowDown, ArrowUp, Plus, X } from "../../icons/icons.gen.ts"
import { commonStrings } from "../../strings/common.ts"
import { useStrings } from "../../strings/strings.ts"
import type { CustomizationFieldsProps } from "./LookFields.tsx"
import { lookStrings } from "./lookStrings.ts"

type Target = SiteCustomization["footer"]["groups"][number]["links"][number]["to"]

interface EditedLink {
  readonly title: string
  readonly to: Target | null
}

interface LinkRowsProps<Link extends EditedLink> {
  readonly links: ReadonlyArray<Link>
  readonly onChange: (links: ReadonlyArray<Link>) => void
  readonly create: () => Link
}

const swapped = <Item,>(items: ReadonlyArray<Item>, index: number): ReadonlyArray<Item> =>
  items.toSpliced(index, 2, items[index + 1]!, items[index]!)

/** Links with their titles. Only the targets that are URLs can be changed here; others are pages and files. */
const LinkRows = <Link extends EditedLink>({ links, onChange, create }: LinkRowsProps<Link>) => {
  const t = useStrings(lookStrings)
  const common = useStrings(commonStrings)
  const replace = (index: number, change: Partial<EditedLink>) =>
    onChange(links.map((link, position) => (position === index ? { ...link, ...change } : link)))
  return (
    <>
      {links.map((link, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: links have no identity of their own.
        <div key={index} className="link-row">
          <TextField
            label={common("title")}
            maxLength={100}
            value={link.title}
            onChange={(title) => replace(index, { title })}
          />
          {link.to?.kind === "url" ? (
            <TextField
              label={t("url")}
              value={link.to.url}
              onChange={(url) => replace(index, { to: { kind: "url", url } })}
            />
          ) : (
            <p className="muted small">{link.to === null ? t("menuOnly") : t("internalTarget")}</p>
          )}
          <span className="link-row-actions">
            <IconButton
              label={common("moveUp")}
              icon={<ArrowUp size={16} />}
              isDisabled={index === 0}
              onPress={() => onChange(swapped(links, index - 1))}
            />
            <IconButton
              label={common("moveDown")}
              icon={<ArrowDown size={16} />}
              isDisabled={index === links.length - 1}
              onPress={() => onChange(swapped(links, index))}
            />
            <IconButton
              label={common("remove")}
              icon={<X size={16} />}
              onPress={() => onChange(links.toSpliced(index, 1))}
            />
          </span>
        </div>
      ))}
      <div>
        <Button size="small" icon={<Plus size={14} />} onPress={() => onChange([...links, create()])}>
          {t("addLink")}
        </Button>
      </div>
    </>
  )
}

const newTarget = { kind: "url", url: "https://" } as const

const FooterFields = ({ draft, onChange }: CustomizationFieldsProps) => {
  const t = useStrings(lookStrings)
  const { footer } = draft
  const setGroups = (groups: typeof footer.groups) => onChange({ ...draft, footer: { ...footer, groups } })
  const setCopyright = (copyright: string) => {
    const { copyright: _, ...rest } = footer
    onChange({ ...draft, footer: copyright === "" ? rest : { ...rest, copyright } })
  }
  return (
    <>
      {footer.groups.map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups have no identity of their own.
        <fieldset key={index} className="link-group">
          <legend className="field-label">{t("footerGroup", { number: index + 1 })}</legend>
          <TextField
            label={t("groupTitle")}
            maxLength={100}
            value={group.title}
            onChange={(title) => setGroups(footer.groups.with(index, { ...group, title }))}
          />
          <LinkRows
            links={group.links}
            onChange={(links) => setGroups(footer.groups.with(index, { ...group, links }))}
            create={() => ({ title: t("newLink"), to: newTarget })}
          />
          <div>
            <Button size="small" variant="quiet" onPress={() => setGroups(footer.groups.toSpliced(index, 1))}>
              {t("removeGroup")}
            </Button>
          </div>
        </fieldset>
      ))}
      <div>
        <Button
          size="small"
          icon={<Plus size={14} />}
          onPress={() => setGroups([...footer.groups, { title: t("newGroup"), links: [] }])}
        >
          {t("addFooterGroup")}
        </Button>
      </div>
      <TextField
        label={t("copyright")}
        maxLength={300}
        value={footer.copyright ?? ""}
        onChange={setCopyright}
      />
    </>
  )
}

const styles = ["info", "warning", "danger", "success"] as const

const AnnouncementFields = ({ draft, onChange }: CustomizationFieldsProps) => {
  const t = useStrings(lookStrings)
  const announcement = draft.announcement ?? { enabled: false, message: "", style: "info" as const }
  const change = (part: Partial<NonNullable<SiteCustomization["announcement"]>>) =>
    onChange({ ...draft, announcement: { ...announcement, ...part } })
  return (
    <>
      <CheckField
        label={t("hasAnnouncement")}
        isChecked={announcement.enabled}
        onChange={(enabled) => change({ enabled })}
      />
      {announcement.enabled ? (
        <>
          <TextField
            label={t("announcement")}
            maxLength={1_000}
            rows={2}
            value={announcement.message}
            onChange={(message) => change({ message })}
          />
          <SelectField
            label={t("announcementStyle")}
            value={announcement.style}
            options={styles.map((value) => ({ value, label: t(`style-${value}`) }))}
            onChange={(style) => change({ style: style as (typeof styles)[number] })}
          />
        </>
      ) : null}
    </>
  )
}

/** The links of the header and the footer, and the announcement. */
export const LinkFields = (properties: CustomizationFieldsProps) => {
  const { draft, onChange } = properties
  const t = useStrings(lookStrings)
  return (
    <>
      <fieldset className="link-group">
        <legend className="field-label">{t("headerLinks")}</legend>
        <LinkRows
          links={draft.header.links}
          onChange={(links) => onChange({ ...draft, header: { ...draft.header, links } })}
          create={() => ({ title: t("newLink"), to: newTarget, links: [] })}
        />
      </fieldset>
      <h2>{t("footer")}</h2>
      <FooterFields {...properties} />
      <AnnouncementFields {...properties} />
    </>
  )
}
