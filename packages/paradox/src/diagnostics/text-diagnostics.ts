/** Texts that are missing for something defined, and texts that nothing asks for. */
import type { PlaysetDefinition } from '../conflicts/conflict.ts'
import { isEffective } from '../conflicts/find-conflicts.ts'
import { languageOfPath } from '../localization/language-of-path.ts'
import { parseScript } from '../script/parse-script.ts'
import type { DiagnosticsIndex, PlaysetDiagnostic } from './diagnostic.ts'
import { impliedTextsOf } from './implied-texts.ts'
import { Trust } from './trust.ts'

const TEXT = 'localization'
/** What only a few things of the game lack or have is nobody's rule. */
const MIN_OF_GAME = 20

export interface MissingTexts {
  readonly diagnostics: readonly PlaysetDiagnostic[]
  /** Texts that the game itself lacks for some of its own things: then our table asks for too much. */
  readonly untrusted: readonly string[]
}

/** In every language for which the mod that defines the thing has texts. */
export function findMissingTexts(index: DiagnosticsIndex): MissingTexts {
  const languages = languagesOfMods(index)
  const trust = new Trust(MIN_OF_GAME)
  const found: { pattern: string; diagnostic: PlaysetDiagnostic }[] = []
  for (const key of index.keys()) {
    const implied = impliedTextsOf(key.kind)
    if (implied.length === 0) continue
    const definition = index.definitionsOf(key).find((one) => isEffective(index, one))
    if (definition === undefined) continue
    const isOfMod = index.layers[definition.layer]?.kind === 'mod'
    const wanted = languages.get(definition.layer) ?? []
    let fields: ReadonlySet<string> | undefined
    for (const { pattern, unless } of implied) {
      const name = pattern.replace('{}', key.name)
      const known = new Set(index.definitionsOf({ kind: TEXT, name }).map(({ path }) => languageOfPath(path)))
      const missing = wanted.filter((language) => !known.has(language))
      const isMissing = (isOfMod ? missing.length > 0 : known.size === 0) && !hasOther(unless)
      const about = `${key.kind} ${pattern}`
      if (!isOfMod) trust.count(about, isMissing)
      else if (isMissing) {
        found.push({
          pattern: about,
          diagnostic: {
            code: 'localization.missing',
            severity: 'warning',
            layer: definition.layer,
            path: definition.path,
            line: definition.line,
            name,
            message: `${key.kind} "${key.name}" has no text "${name}" in ${missing.join(', ')}: the game shows the key`,
            hint: `add ${name}:0 "…" to a file of each language`,
          },
        })
      }
    }
    // Read only where it matters.
    function hasOther(unless: readonly string[]): boolean {
      if (unless.length === 0 || definition === undefined) return false
      fields ??= fieldsOf(index, definition)
      return unless.some((field) => fields?.has(field) === true)
    }
  }
  return {
    diagnostics: found.filter(({ pattern }) => trust.has(pattern)).map(({ diagnostic }) => diagnostic),
    untrusted: trust.lost(),
  }
}

/** Nothing names it, no file has the word, and no part of its key is the name of anything. */
export function findUnusedTexts(index: DiagnosticsIndex): PlaysetDiagnostic[] {
  if (index.isMentioned === undefined) return []
  const names = new Set<string>()
  const texts: string[] = []
  for (const { kind, name } of index.keys()) {
    if (kind === TEXT) texts.push(name)
    else names.add(name)
  }
  const diagnostics: PlaysetDiagnostic[] = []
  for (const name of texts) {
    const [definition] = index.definitionsOf({ kind: TEXT, name })
    if (definition === undefined || index.layers[definition.layer]?.kind !== 'mod') continue
    if (index.referencesTo(name).length > 0 || index.isMentioned(name) || holdsName(name, names)) continue
    diagnostics.push({
      code: 'localization.unused',
      severity: 'information',
      layer: definition.layer,
      path: definition.path,
      line: definition.line,
      name,
      message: `nothing in the playset names the text "${name}"`,
      hint: 'it may be left over, or its key misspelled; the engine itself may also ask for it',
    })
  }
  return diagnostics
}

/** Whether the key, or what is between two of its marks, is the name of something: `building_x_desc` is of `x`. */
function holdsName(key: string, names: ReadonlySet<string>): boolean {
  const cuts = [0]
  for (let at = 0; at < key.length; at++) if (key[at] === '_' || key[at] === '.') cuts.push(at + 1)
  cuts.push(key.length + 1)
  return cuts.some((from, index) => cuts.slice(index + 1).some((to) => names.has(key.slice(from, to - 1))))
}

function languagesOfMods(index: DiagnosticsIndex): Map<number, string[]> {
  const languages = new Map<number, Set<string>>()
  for (const key of index.keys()) {
    if (key.kind !== TEXT) continue
    for (const { layer, path } of index.definitionsOf(key)) {
      const language = languageOfPath(path)
      if (language !== undefined) languages.set(layer, (languages.get(layer) ?? new Set()).add(language))
    }
  }
  return new Map([...languages].map(([layer, set]) => [layer, [...set].sort()]))
}

function fieldsOf(index: DiagnosticsIndex, definition: PlaysetDefinition): Set<string> {
  const bytes = index.readBytes(definition)?.subarray(definition.start, definition.end)
  const fields = new Set<string>()
  if (bytes === undefined) return fields
  const { tree } = parseScript(bytes)
  if (tree.size === 0) return fields
  for (let child = tree.firstChild(0); child < tree.end(0); child = tree.next(child)) fields.add(tree.key(child))
  return fields
}
