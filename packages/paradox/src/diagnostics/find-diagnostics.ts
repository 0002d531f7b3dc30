/**
 * Diagnostics across files, on the side of silence: what may be an error of our tables or of what is not indexed is no
 * diagnostic. Guards: nothing about unknown names without the game; nothing about a kind of which the game's own files name
 * unknown things, nor about texts that the game's own things lack (then our table is wrong about it); nothing about a name that
 * may be the engine's.
 */
import type { Conflict } from '../conflicts/conflict.ts'
import { findConflicts, isEffective } from '../conflicts/find-conflicts.ts'
import type { DiagnosticsIndex, DiagnosticsReport, PlaysetDiagnostic } from './diagnostic.ts'
import { findMissingTexts, findUnusedTexts } from './text-diagnostics.ts'
import { Trust } from './trust.ts'

const ENGINE = 'engine'

export function findDiagnostics(
  index: DiagnosticsIndex,
  conflicts: readonly Conflict[] = findConflicts(index),
): DiagnosticsReport {
  const hasGame = index.layers.some(({ kind }) => kind === 'game')
  const diagnostics = conflicts.flatMap((conflict) => ofConflict(conflict, index))
  const notJudged: string[] = []
  if (hasGame) {
    const { unknown, untrusted } = findUnknownReferences(index)
    const texts = findMissingTexts(index)
    diagnostics.push(...unknown, ...texts.diagnostics, ...findUnusedTexts(index))
    if (texts.untrusted.length > 0) {
      notJudged.push(`texts for ${texts.untrusted.join(', ')}: the game itself lacks some`)
    }
    if (untrusted.length > 0) {
      notJudged.push(`references to ${untrusted.join(', ')}: in the game's own files some are unknown too`)
    }
    if (index.isMentioned === undefined)
      notJudged.push('unused texts: this index cannot tell whether a word stands anywhere')
  } else notJudged.push('unknown references, missing and unused texts: the game itself is not in the playset')
  return { diagnostics, completeness: hasGame ? 'complete' : 'unknown', notJudged }
}

function findUnknownReferences(index: DiagnosticsIndex): { unknown: PlaysetDiagnostic[]; untrusted: string[] } {
  const trust = new Trust()
  const unknown: { kinds: string; diagnostic: PlaysetDiagnostic }[] = []
  for (const { layer, path, line, name, kinds } of index.references()) {
    if (kinds.length === 0 || kinds.includes(ENGINE)) continue
    const key = kinds.join(' or ')
    const isKnown = kinds.some((kind) => isDefined(index, kind, name))
    if (index.layers[layer]?.kind !== 'mod') trust.count(key, !isKnown)
    else if (!isKnown && isEffective(index, { layer, path })) {
      unknown.push({
        kinds: key,
        diagnostic: {
          code: 'reference.unknown',
          severity: 'warning',
          layer,
          path,
          line,
          name,
          message: `no ${key} "${name}" is defined in the game or in any mod of the playset`,
          hint: 'look for a misspelling, or for a mod that is missing from the playset',
        },
      })
    }
  }
  return {
    unknown: unknown.filter(({ kinds }) => trust.has(kinds)).map(({ diagnostic }) => diagnostic),
    untrusted: trust.lost(),
  }
}

/** A definition that is hidden is told as dangling, not as unknown. Scripts of one file answer for its own. */
function isDefined(index: DiagnosticsIndex, kind: string, name: string): boolean {
  return (
    index.definitionsOf({ kind, name }).length > 0 ||
    (kind.startsWith('scripted_') && index.definitionsOf({ kind: `local_${kind}`, name }).length > 0)
  )
}

function ofConflict(conflict: Conflict, index: DiagnosticsIndex): PlaysetDiagnostic[] {
  const { class: type, lostKeys = [], effective, losers, kind, name } = conflict
  if (type === 'file_shadow' && lostKeys.length > 0 && !conflict.intended && effective !== undefined) {
    const lost = lostKeys.slice(0, 5).map((key) => `${key.kind} ${key.name}`)
    const more = lostKeys.length > 5 ? ` and ${lostKeys.length - 5} more` : ''
    const [loser] = losers
    return [
      {
        code: 'file.shadow-loses-keys',
        severity: 'warning',
        layer: effective.layer,
        path: effective.path,
        line: 1,
        name: effective.path,
        message: `this file stands in the place of that of ${index.layers[loser?.layer ?? -1]?.name ?? '?'}, and with it ${lost.join(', ')}${more} are gone`,
        hint: 'rename one of the files, or define in this one what is lost',
      },
    ]
  }
  if (type !== 'duplicate_forbidden') return []
  const places = effective === undefined ? losers : [effective, ...losers]
  return losers.map((loser) => {
    const other = places.find((place) => place !== loser)
    return {
      code: 'definition.duplicate',
      severity: 'warning',
      layer: loser.layer,
      path: loser.path,
      line: loser.line ?? 1,
      name,
      message: `${kind} "${name}" is also defined in ${other?.path ?? '?'} line ${other?.line ?? 1}`,
      hint: 'delete one of them, or give it a name of its own',
    }
  })
}
