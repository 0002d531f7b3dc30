/** What of a file is still found after one brace was taken out of it, or one mark put into it. */
import type { SeededRandom } from '@switchboard/testkit'
import { extractScript } from '../../src/extract/extract-script.ts'

export interface ScriptSample {
  readonly path: string
  readonly bytes: Uint8Array
}

export interface Recovery {
  readonly mutation: string
  readonly files: number
  /** Of all other definitions: those not around the place of the mutation. */
  readonly foundShare: number
  /** Definitions that are none, in proportion to the real ones. */
  readonly phantomShare: number
  /** Mutations that no problem was told for. */
  readonly silent: number
}

const MUTATIONS = {
  'delete }': 0x7d,
  'delete {': 0x7b,
  'insert }': 0x7d,
  'insert {': 0x7b,
  'insert "': 0x22,
} as const

const LOCAL = new Set(['variable', 'event_namespace'])
const MIN_DEFINITIONS = 5

export function measureRecovery(samples: readonly ScriptSample[], random: SeededRandom, perFile: number): Recovery[] {
  return Object.entries(MUTATIONS).map(([mutation, byte]) => {
    let files = 0
    let expected = 0
    let found = 0
    let phantoms = 0
    let silent = 0
    for (const { path, bytes } of samples) {
      const before = definitionsOf(bytes, path)
      if (before.length < MIN_DEFINITIONS) continue
      for (let run = 0; run < perFile; run++) {
        const at = mutation.startsWith('delete') ? pickBrace(bytes, byte, random) : pickGap(bytes, random)
        if (at === undefined) continue
        files++
        const changed = mutation.startsWith('delete')
          ? Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)])
          : Buffer.concat([bytes.subarray(0, at), Uint8Array.of(byte), bytes.subarray(at)])
        const after = extractScript(changed, path)
        if (after.problems.length === 0) silent++
        const names = new Set(
          after.symbols.filter(({ kind }) => !LOCAL.has(kind)).map(({ kind, name }) => `${kind} ${name}`),
        )
        const others = before.filter(({ start, end }) => at < start || at >= end)
        expected += others.length
        found += others.filter(({ key }) => names.has(key)).length
        const real = new Set(before.map(({ key }) => key))
        phantoms += [...names].filter((key) => !real.has(key)).length
      }
    }
    return { mutation, files, foundShare: found / expected, phantomShare: phantoms / expected, silent }
  })
}

function definitionsOf(bytes: Uint8Array, path: string): { key: string; start: number; end: number }[] {
  return extractScript(bytes, path)
    .symbols.filter(({ kind }) => !LOCAL.has(kind))
    .map(({ kind, name, start, end }) => ({ key: `${kind} ${name}`, start, end }))
}

/** A brace of the script: not of a comment or a text. */
function pickBrace(bytes: Uint8Array, brace: number, random: SeededRandom): number | undefined {
  const places = scriptPlaces(bytes).filter((at) => bytes[at] === brace)
  return places.length === 0 ? undefined : random.pick(places)
}

/** Between two words of the script. */
function pickGap(bytes: Uint8Array, random: SeededRandom): number | undefined {
  const places = scriptPlaces(bytes).filter((at) => bytes[at] === 0x20 || bytes[at] === 0x09)
  return places.length === 0 ? undefined : random.pick(places)
}

function scriptPlaces(bytes: Uint8Array): number[] {
  const places: number[] = []
  let state: 'script' | 'comment' | 'text' = 'script'
  for (const [at, byte] of bytes.entries()) {
    if (state === 'comment') state = byte === 0x0a ? 'script' : 'comment'
    else if (state === 'text') state = byte === 0x22 ? 'script' : 'text'
    else if (byte === 0x23) state = 'comment'
    else if (byte === 0x22) state = 'text'
    else places.push(at)
  }
  return places
}
