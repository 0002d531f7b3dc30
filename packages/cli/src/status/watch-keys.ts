import type { Disposable } from '@switchboard/base'
import type { Io } from '../program/io.ts'

/** Which entry is selected next. */
export type MoveKey = 'up' | 'down' | 'page_up' | 'page_down' | 'first' | 'last'
export type WatchKey = MoveKey | 'restart' | 'quit' | 'interrupt'

const KEYS: Readonly<Record<string, WatchKey>> = {
  '\x1b[A': 'up',
  '\x1bOA': 'up',
  k: 'up',
  '\x1b[B': 'down',
  '\x1bOB': 'down',
  j: 'down',
  '\x1b[5~': 'page_up',
  '\x1b[6~': 'page_down',
  '\x1b[H': 'first',
  '\x1bOH': 'first',
  '\x1b[1~': 'first',
  g: 'first',
  '\x1b[F': 'last',
  '\x1bOF': 'last',
  '\x1b[4~': 'last',
  G: 'last',
  r: 'restart',
  q: 'quit',
  '\x04': 'quit',
  '\x03': 'interrupt',
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: keys are control characters
const SEQUENCE = /\x1b[[O][0-9;]*[A-Za-z~]|./gs

/** Reads the keyboard raw, key by key, until it is disposed. */
export function readKeys({ stdin }: Io, onKey: (key: WatchKey) => void): Disposable {
  const onData = (chunk: Buffer | string): void => {
    for (const [sequence] of String(chunk).matchAll(SEQUENCE)) {
      const key = Object.hasOwn(KEYS, sequence) ? KEYS[sequence] : undefined
      if (key !== undefined) onKey(key)
    }
  }
  stdin.setRawMode?.(true)
  stdin.on('data', onData)
  stdin.resume()
  return {
    dispose: () => {
      stdin.removeListener('data', onData)
      stdin.setRawMode?.(false)
      stdin.pause()
    },
  }
}
