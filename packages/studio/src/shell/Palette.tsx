/** The command palette: actions, recent places, pages and spaces. A listbox that the field controls. */
import type { SearchSpaceResult } from "@lectern/client/fetch"
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from "react"
import { Dialog, Modal, ModalOverlay } from "react-aria-components"
import { currentContextActions } from "../actions/actions.ts"
import { formatShortcut } from "../actions/shortcuts.ts"
import { openDialog } from "../components/openDialog.tsx"
import { useAnswers } from "../data/answers.ts"
import { flattenPages, placePath, usePages } from "../data/content.ts"
import { useOrganization } from "../data/organization.ts"
import { pathOfPlace, titleOfPlace, usePlaces } from "../data/places.ts"
import { useResource } from "../data/useResource.ts"
import { CornerDownLeft, FileText, Library, MessageCircleQuestion, User, Zap } from "../icons/icons.gen.ts"
import { navigate, useAddress } from "../router/location.ts"
import { pagePath } from "../router/pagePaths.ts"
import { client } from "../session.ts"
import { shellStrings } from "../strings/shell.ts"
import { useStrings } from "../strings/strings.ts"
import { AnswerDialog } from "./AnswerDialog.tsx"
import { globalActions } from "./Shell.tsx"
import { focusBeforePalette, typedQuery } from "./shellState.ts"

interface Entry {
  readonly id: string
  readonly section: "actions" | "places" | "pages" | "spaces" | "people" | "texts" | "questions"
  readonly title: string
  readonly detail?: string | undefined
  readonly shortcut?: string | undefined
  readonly icon: ReactNode
  readonly run: () => void
}

const searchDelayMs = 150

/** The number of pages of the open change request that are displayed. */
const maximumOwnPages = 8

/** Returns a value after it has not changed for some time. */
const useDelayed = (value: string, delayMs: number): string => {
  const [delayed, setDelayed] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return delayed
}

/** Whether each word of the query begins a word of the text. */
const matches = (text: string, query: string): boolean => {
  const words = text.toLocaleLowerCase().split(/[\s\-/,.:]+/)
  return query
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)))
}

const useSearchEntries = (query: string): ReadonlyArray<Entry> => {
  const { data: organization } = useOrganization()
  const id = organization?.id
  const key = id === undefined || query === "" ? undefined : `organizations/${id}/search/${query}`
  const { data } = useResource(key, (signal) =>
    client.search.searchOrganizationContent(
      { params: { organizationId: id! }, query: { query, limit: 8 } },
      { signal }
    )
  )
  const items: ReadonlyArray<SearchSpaceResult> = data?.items ?? []
  return items.flatMap((space) => [
    ...(matches(space.title, query)
      ? [
          {
            id: `space ${space.id}`,
            section: "spaces" as const,
            title: space.title,
            icon: <Library size={16} />,
            run: () => navigate(pagePath({ spaceId: space.id }))
          }
        ]
      : []),
    ...space.pages.map((page) => ({
      id: `page ${space.id} ${page.id}`,
      section: matches(page.title, query) ? ("pages" as const) : ("texts" as const),
      title: page.title,
      detail: space.title,
      icon: <FileText size={16} />,
      run: () => navigate(pagePath({ spaceId: space.id }, page))
    }))
  ])
}

/** The change request of the address. */
const openChangePattern = /^\/spaces\/([^/]+)\/changes\/(\d+)(?:\/|$)/

/** The pages of the change request that is open: the search of the organization finds only pages of the spaces. */
const useChangeRequestEntries = (query: string): ReadonlyArray<Entry> => {
  const { path } = useAddress()
  const [, spaceId, change] = openChangePattern.exec(path) ?? []
  const place = spaceId === undefined ? undefined : { spaceId, change }
  const { data: pages } = usePages(place)
  if (place === undefined || pages === undefined || query === "") return []
  return flattenPages(pages)
    .filter(({ title }) => matches(title, query))
    .slice(0, maximumOwnPages)
    .map((page) => ({
      id: `change page ${page.id}`,
      section: "pages" as const,
      title: page.title,
      detail: `#${change}`,
      icon: <FileText size={16} />,
      run: () => navigate(placePath(place, page))
    }))
}

/** The entry that asks the query, on a server with a language model. */
const useQuestionEntries = (query: string): ReadonlyArray<Entry> => {
  const t = useStrings(shellStrings)
  const { data: organization } = useOrganization()
  const { data: isAvailable } = useAnswers()
  if (isAvailable !== true || organization === undefined || query === "") return []
  return [
    {
      id: "question",
      section: "questions",
      title: t("askQuestion", { query }),
      icon: <MessageCircleQuestion size={16} />,
      run: () =>
        openDialog((close) => (
          <AnswerDialog organization={organization.id} question={query} onClose={close} />
        ))
    }
  ]
}

const actionEntries = (): ReadonlyArray<Entry> => {
  const seen = new Set<string>()
  const all = [...currentContextActions(), ...globalActions()]
  // An action that destroys something is never near the first one, which Enter runs.
  const ordered = [
    ...all.filter(({ isDangerous }) => isDangerous !== true),
    ...all.filter(({ isDangerous }) => isDangerous === true)
  ]
  return ordered.flatMap(({ id, label, about, shortcut, run }) => {
    if (seen.has(id)) return []
    seen.add(id)
    return [
      {
        id: `action ${id}`,
        section: "actions" as const,
        title: label,
        detail: about,
        shortcut,
        icon: <Zap size={16} />,
        run
      }
    ]
  })
}

/** The favorites, and the pages that were opened last. */
const usePlaceEntries = (): ReadonlyArray<Entry> => {
  const favorites = usePlaces("favorite").data ?? []
  const recent = usePlaces("recent").data ?? []
  return [...recent, ...favorites].map((place) => ({
    id: `place ${pathOfPlace(place)}`,
    section: "places" as const,
    title: titleOfPlace(place),
    detail: place.page === undefined ? undefined : place.spaceTitle,
    icon: <FileText size={16} />,
    run: () => navigate(pathOfPlace(place))
  }))
}

/** The members of the organization whose name or e-mail address contains the query, for people who may list them. */
const usePersonEntries = (query: string): ReadonlyArray<Entry> => {
  const { data: organization } = useOrganization()
  const id = organization?.permissions.listMembers === true ? organization.id : undefined
  const key = id === undefined || query === "" ? undefined : `organizations/${id}/members/palette/${query}`
  const { data } = useResource(key, (signal) =>
    client.members.listMembersInOrganizationById(
      { params: { organizationId: id! }, query: { search: query, limit: 5 } },
      { signal }
    )
  )
  return (data?.items ?? []).map(({ user }) => ({
    id: `person ${user.id}`,
    section: "people" as const,
    title: user.displayName,
    detail: user.email,
    icon: <User size={16} />,
    run: () =>
      navigate(`/organization/members?${new URLSearchParams({ search: user.email ?? user.displayName })}`)
  }))
}

const Option = ({
  entry,
  id,
  isActive,
  onRun,
  onHover
}: {
  readonly entry: Entry
  readonly id: string
  readonly isActive: boolean
  readonly onRun: () => void
  readonly onHover: () => void
}) => {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: "nearest" })
  }, [isActive])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys of the listbox.
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus, and names the option as its active one.
    <div
      ref={element}
      id={id}
      role="option"
      aria-selected={isActive}
      className="palette-option"
      onClick={onRun}
      onPointerMove={onHover}
    >
      <span className="palette-icon" aria-hidden>
        {entry.icon}
      </span>
      <span className="palette-title">{entry.title}</span>
      {entry.detail === undefined ? null : <span className="palette-detail">{entry.detail}</span>}
      {entry.shortcut === undefined ? null : <kbd>{formatShortcut(entry.shortcut)}</kbd>}
      {isActive ? <CornerDownLeft size={14} aria-hidden className="palette-enter" /> : null}
    </div>
  )
}

/** Pages that only contain the query follow the actions: they are found later, when a person may already press Enter. */
const sections = ["places", "pages", "spaces", "people", "actions", "texts", "questions"] as const

/** How long the dialog takes to return the focus, in milliseconds. */
const restoreMs = 100

/** The command palette. */
const Palette = ({ onClose }: { readonly onClose: () => void }) => {
  const t = useStrings(shellStrings)
  const listId = useId()
  const [text, setText] = useState(typedQuery.get)
  useEffect(() => {
    typedQuery.set("")
    const before = focusBeforePalette.get()
    focusBeforePalette.set(undefined)
    // The dialog returns the focus to the field that was displayed before it, which no longer exists.
    const restore = (): void => {
      if (document.activeElement === document.body) before?.focus()
    }
    return () => void setTimeout(restore, restoreMs)
  }, [])
  const [active, setActive] = useState(0)
  const query = text.trim()
  const delayed = useDelayed(query, searchDelayMs)
  const found = useSearchEntries(delayed)
  const own = useChangeRequestEntries(query)
  const people = usePersonEntries(delayed)
  const questions = useQuestionEntries(query)
  const places = usePlaceEntries()
  const actions = useMemo(actionEntries, [])
  const entries = useMemo(() => {
    const filtered =
      query === ""
        ? [...places.slice(0, 5), ...actions]
        : [
            ...own,
            ...found,
            ...people,
            ...questions,
            ...[...places, ...actions].filter(({ title }) => matches(title, query))
          ]
    const unique = filtered.filter(
      (entry, index) => filtered.findIndex((other) => other.id === entry.id) === index
    )
    return sections.flatMap((section) => unique.filter((entry) => entry.section === section))
  }, [own, found, people, questions, places, actions, query])
  const activeIndex = Math.min(active, entries.length - 1)
  const run = (entry: Entry | undefined) => {
    if (entry === undefined) return
    onClose()
    entry.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setActive((activeIndex + step + entries.length) % Math.max(entries.length, 1))
    } else if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      event.preventDefault()
      run(entries[activeIndex])
    }
  }
  const optionId = (index: number) => `${listId}-${index}`
  return (
    <ModalOverlay
      className="overlay overlay-top"
      isOpen
      isDismissable
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
    >
      <Modal className="palette">
        <Dialog aria-label={t("searchEverything")}>
          <input
            className="palette-input"
            autoFocus
            role="combobox"
            aria-label={t("searchEverything")}
            aria-expanded
            aria-controls={listId}
            aria-activedescendant={entries.length === 0 ? undefined : optionId(activeIndex)}
            autoComplete="off"
            spellCheck={false}
            placeholder={t("palettePlaceholder")}
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              setActive(0)
            }}
            onKeyDown={onKeyDown}
          />
          <div className="palette-list" id={listId} role="listbox" aria-label={t("search")} tabIndex={-1}>
            {sections.map((section) => {
              const members = entries.filter((entry) => entry.section === section)
              if (members.length === 0) return null
              return (
                <div key={section} role="group" aria-label={t(section)}>
                  <div role="presentation" className="palette-section">
                    {t(section)}
                  </div>
                  {members.map((entry) => {
                    const index = entries.indexOf(entry)
                    return (
                      <Option
                        key={entry.id}
                        entry={entry}
                        id={optionId(index)}
                        isActive={index === activeIndex}
                        onRun={() => run(entry)}
                        onHover={() => setActive(index)}
                      />
                    )
                  })}
                </div>
              )
            })}
          </div>
          {entries.length === 0 ? (
            <p className="palette-empty" role="status">
              {t("paletteEmpty", { query })}
            </p>
          ) : null}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

export default Palette
