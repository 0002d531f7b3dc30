/** Whether an override is what its maker wanted. Never where the one that was to override loses. */
import type { Layer } from '../playset/layer.ts'
import type { Conflict } from './conflict.ts'

type Intention = Pick<Conflict, 'intended' | 'intendedBy'>

export function intentionOf(effective: number, losers: readonly number[], layers: readonly Layer[]): Intention {
  const reasons = new Set(losers.map((loser) => reasonOf(effective, loser, layers)))
  if (reasons.has(undefined) || reasons.size === 0) return { intended: false }
  for (const reason of ['dependency', 'game', 'same_mod'] as const) {
    if (reasons.has(reason)) return { intended: true, intendedBy: reason }
  }
  return { intended: false }
}

function reasonOf(winner: number, loser: number, layers: readonly Layer[]): Conflict['intendedBy'] {
  if (winner === loser) return 'same_mod'
  const above = layers[winner]
  const below = layers[loser]
  if (above === undefined || below === undefined) return undefined
  if (winner > loser && below.kind !== 'mod') return 'game'
  return dependsOn(above, below, layers, new Set()) ? 'dependency' : undefined
}

/** Also by way of others. */
function dependsOn(layer: Layer, other: Layer, layers: readonly Layer[], seen: Set<string>): boolean {
  if (layer.dependencies.includes(other.name)) return true
  for (const name of layer.dependencies) {
    if (seen.has(name)) continue
    seen.add(name)
    const between = layers.find((candidate) => candidate.name === name)
    if (between !== undefined && dependsOn(between, other, layers, seen)) return true
  }
  return false
}
