/** One conflict, for the model and as data. */
import type { Layer } from '@switchboard/paradox'
import type { Conflict, PlaysetDefinition, PlaysetFile } from '@switchboard/paradox/conflicts'
import { cutLine } from './describe-index.ts'

const MAX_LOST = 20

export function toConflictData(id: number, conflict: Conflict, layers: readonly Layer[]) {
  const { class: type, kind, name, effective, losers, why, rule, confidence, intended, difference } = conflict
  const { lostKeys = [], fields = [], references = [] } = conflict
  const place = (at: PlaysetFile & Partial<PlaysetDefinition>): string => showPlace(at, layers)
  return {
    ...{ id, class: type, kind, name, why, rule, confidence, intended },
    losers: losers.map(place),
    ...(effective === undefined ? {} : { effective: place(effective) }),
    ...(difference === undefined ? {} : { difference }),
    ...(lostKeys.length === 0 ? {} : { lostKeys: lostKeys.slice(0, MAX_LOST).map((key) => `${key.kind} ${key.name}`) }),
    ...(fields.length === 0 ? {} : { fields: fields.map((field) => ({ ...field })) }),
    ...(references.length === 0 ? {} : { references: references.slice(0, MAX_LOST).map(place) }),
  }
}

export function showConflict(id: number, conflict: Conflict, layers: readonly Layer[], isWhole: boolean): string {
  const {
    class: type,
    kind,
    name,
    effective,
    losers,
    why,
    rule,
    confidence,
    difference,
    lostKeys = [],
    fields = [],
  } = conflict
  const same = difference === undefined ? '' : `, ${difference}`
  const lost = lostKeys.slice(0, 5).map((key) => `${key.kind} ${key.name}`)
  const lines = [
    `#${id} ${type}: ${kind} ${name}${same}`,
    ...(effective === undefined ? [] : [`  in effect: ${showPlace(effective, layers)}`]),
    ...losers.slice(0, isWhole ? 20 : 3).map((loser) => `  not: ${showPlace(loser, layers)}`),
    ...(lost.length === 0
      ? []
      : [`  lost: ${lost.join(', ')}${lostKeys.length > 5 ? ` and ${lostKeys.length - 5} more` : ''}`]),
    `  ${cutLine(why, 200)} (${rule}; ${confidence})`,
    ...(isWhole
      ? fields.map(
          ({ field, change, loser = '–', effective: now = '–' }) =>
            `  ${change} ${field}: ${cutLine(loser, 80)} → ${cutLine(now, 80)}`,
        )
      : []),
  ]
  return lines.join('\n')
}

function showPlace({ layer, path, line }: PlaysetFile & Partial<PlaysetDefinition>, layers: readonly Layer[]): string {
  return `${layers[layer]?.name ?? '?'}: ${path}${line === undefined ? '' : `:${line}`}`
}
