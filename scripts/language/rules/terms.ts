/** Terms of the field that everyday words stood in for: a search for the term must find the code. */
import type { PhraseRule } from "./PhraseRule.ts"

export const terms: ReadonlyArray<PhraseRule> = [
  // People ask questions, and a language model answers them. No other part of a program does.
  {
    id: "answer",
    pattern:
      "(verb|server|store|service|endpoint|operation|query|adapter)s? (is |are |was |were )?answer(s|ed|ing)?",
    instead: "return, returns, response, result"
  },
  {
    id: "keep",
    pattern: "kept(?!-)|keeps? (it|them|what|nothing|nobody|all|in memory|who|whom|those|others)",
    instead: "store, cache, retain, preserve, leave unchanged"
  },
  {
    id: "take-apart",
    pattern: "(takes?|taken|took|taking)( \\w+){0,4} apart",
    instead: "parse, decode, split"
  },
  {
    id: "tell-apart",
    pattern: "(tells?|told|telling)( \\w+){0,3} (apart|from)",
    instead: "distinguish, differ from"
  },
  { id: "anew", pattern: "anew", instead: "again; rebuild, regenerate, recompute" },
  { id: "say", pattern: "(say|says|said|saying)", instead: "state, declare, specify, report, contain" },
  {
    id: "tell",
    pattern: "(tell|tells|told|telling)(?!( \\w+){0,3} (apart|from)\\b)",
    instead: "report, return, determine, show, log"
  },
  {
    id: "ask",
    pattern: "asked of|ask(s|ed|ing)? (the|a|each) (store|server|database|adapter|service)(?! for)",
    instead: "request, query, call, require"
  },
  { id: "ask-for", pattern: "(ask|asks|asked|asking) for", instead: "request, require, load, fetch" },
  { id: "follows-from", pattern: "follow(s|ed)? from", instead: "be derived from, depend on, result from" },
  {
    id: "place-of",
    pattern: "in the place of|into its place|stands? in for",
    instead: "replace, instead of, expand to"
  },
  { id: "bin", pattern: "(the|a) bin", instead: "trash, soft-deleted" },
  {
    id: "thrown-away",
    pattern: "(thrown?|threw|throws?|throwing)( \\w+)? away",
    instead: "delete, move to the trash, discard"
  },
  { id: "brought-back", pattern: "(brought|brings?|bringing)( \\w+)? back", instead: "restore, revert" },
  {
    id: "bring",
    pattern: "(brings?|bringing|brought)(?!( \\w+)? back\\b|( \\w+){0,4} up to date\\b)",
    instead: "provide, include, contain, import"
  },
  {
    id: "permanently",
    pattern: "for good|for ever",
    instead: "permanently, indefinitely, without a limit"
  },
  {
    id: "divided-by",
    pattern:
      "divided by (a |an |the )?(commas?|lines?|line breaks?|line feeds?|spaces?|semicolons?|white space|slash|slashes|tabs?|newlines?|dots?)",
    instead: "separated by, comma-separated"
  },
  { id: "way-of-ids", pattern: "way of ids|ways? up", instead: "path of ids, ancestors" },
  {
    id: "ways-to",
    pattern: "ways to the|(at|in) (one|a single) go",
    instead: "queries, round trips, in one query"
  },
  { id: "in-the-way", pattern: "in (the|its|their|another's) way", instead: "conflicting, conflicts with" },
  { id: "patience", pattern: "patience|patient(ly)?", instead: "timeout, retries" },
  { id: "sign-of-life", pattern: "signs? of life", instead: "heartbeat" },
  { id: "bury", pattern: "bur(y|ies|ied)", instead: "dead-letter" },
  { id: "hurt", pattern: "hurts?|hurting", instead: "adversarial input, slow down, exhaust" },
  {
    id: "law",
    pattern: "laws?",
    instead: "conformance test, rule, invariant",
    why: "A law is an algebraic property."
  },
  { id: "story", pattern: "story|stories|telling|tellings", instead: "scenario, run" },
  { id: "damages", pattern: "damages?|damaged", instead: "corrupt, corruption case" },
  { id: "chance", pattern: "chance", instead: "randomness, random generator, probability" },
  { id: "moment", pattern: "moments?", instead: "instant, time, point in time" },
  { id: "look-up", pattern: "look-ups?", instead: "query, read, lookup" },
  {
    id: "look-at",
    pattern: "look(s|ed|ing)? (at|for|through|in|into)",
    instead: "read, inspect, check, search, validate"
  },
  {
    id: "lead-to",
    pattern:
      "(leads?|led) (\\w+ )?(out|nowhere|anywhere|somewhere|on|there|into|outside|where)|leads? to (an? |the |its |this |that |another |other )?(\\w+ )?(pages?|archives?|websites?|files?|headings?|places?|sections?|spaces?|sites?|images?|what|where|it|them|something|nothing|one|documents?|application)|where (\\w+ ){1,4}leads?( to)?",
    instead: "link to, redirect to, point to, refer to"
  },
  { id: "picture", pattern: "pictures?", instead: "image" },
  { id: "administrate", pattern: "administrat(e|es|ed|ing)", instead: "administer, manage; administrator" },
  {
    id: "meet-others",
    pattern: "(meets?|met|meeting) (\\w+ )?(others?|another|nobody|them)",
    instead: "conflict with, serialization conflict"
  },
  { id: "put-right", pattern: "puts?( \\w+){0,3} right", instead: "repair, fix, correct" },
  {
    id: "address-of-page",
    pattern:
      "(?<!e-mail )(?<!IP )address(es)? of (an? |the |its |their )?(\\w+ )?(pages?|spaces?|sites?|files?|website|archives?|resources?|images?|collections?|server|OpenAPI)",
    instead: "URL"
  },
  {
    id: "most-bytes",
    pattern:
      "the most (bytes|characters|rows|items|pages|entries|levels|files|elements|columns|texts|documents|hits|lines|requests|nodes|links)",
    instead: "the maximum number of …, the maximum size in bytes"
  },
  {
    id: "so-many",
    pattern: "so many|so much(?! (?:that|as))",
    instead: "a number with its unit: `limit` items, up to `count` rows"
  },
  {
    id: "count-text",
    pattern:
      "(?<!alt )(an?|one|each|every|another|no) text(?! (column|field|editor|node|file|search|index|format|record|direction))|(?<!alt )texts",
    instead: "string, text (uncountable), Markdown, value"
  },
  {
    id: "turn-of-loop",
    pattern: "turns? of the event loop",
    instead: "event-loop tick, yield to the event loop"
  },
  { id: "by-turns", pattern: "(by|in) turns?", instead: "alternately, round-robin, one at a time" },
  { id: "side-by-side", pattern: "side by side", instead: "concurrently, adjacent" },
  {
    id: "caller-learns",
    pattern: "callers are told|is told (to|by|of|what|why)",
    instead: "returns, reports; the error states"
  },
  { id: "deed", pattern: "deeds?", instead: "mutation, command, step" },
  {
    id: "lie",
    pattern: "(a|the|such) lies?|lies (?!in|at|on|between|within)",
    instead: "tampered response, falsified result"
  }
]
