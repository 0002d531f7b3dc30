/** Real texts of errors, by the pattern that they must lead to, each with a similar one that must not. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Case {
  /** Of the pattern. */
  readonly id: string
  /** `run: …`: a program printed it here; `known`: as the program is known to print it. */
  readonly origin: string
  readonly text: string
  readonly other: string
}

export interface Section {
  readonly id: string
  readonly origin: string
  readonly body: string
}

/** Each begins with a line `=== id | origin`. */
export function readSections(content: string): Section[] {
  const sections = content.replaceAll('\r\n', '\n').split(/^=== /m).slice(1)
  return sections.map((section) => {
    const [head = '', ...lines] = section.split('\n')
    const [id = '', origin = ''] = head.split(' | ')
    return { id, origin, body: lines.join('\n').trim() }
  })
}

export function readCases(): Case[] {
  const folder = join(import.meta.dirname, 'cases')
  return readdirSync(folder).flatMap((file) =>
    readSections(readFileSync(join(folder, file), 'utf8')).map(({ id, origin, body }) => {
      const [text = '', other = ''] = body.split('\n--- not\n')
      return { id, origin, text: text.trim(), other: other.trim() }
    }),
  )
}
