/** The pages for people, and the fences of code in them. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const ROOT = new URL('../../../../', import.meta.url)

export interface Fence {
  readonly page: string
  /** Where its first line stands. */
  readonly line: number
  /** The first word behind the fence; empty: none. */
  readonly language: string
  /** The rest of that line: `file=shop.ts`. */
  readonly note: string
  readonly text: string
}

export function readPage(page: string): string {
  return readFileSync(fileURLToPath(new URL(page, ROOT)), 'utf8').replaceAll('\r\n', '\n')
}

export function listPages(): string[] {
  const docs = readdirSync(fileURLToPath(new URL('docs', ROOT))).filter((name) => name.endsWith('.md'))
  return ['README.md', 'CONTRIBUTING.md', ...docs.map((name) => `docs/${name}`).sort()]
}

/** Throws where a fence is not closed. */
export function readFences(page: string, text = readPage(page)): Fence[] {
  const fences: Fence[] = []
  let open: { line: number; info: string; lines: string[] } | undefined
  text.split('\n').forEach((line, index) => {
    const mark = /^ *```(.*)$/.exec(line)
    if (mark === null) open?.lines.push(line)
    else if (open === undefined) open = { line: index + 2, info: (mark[1] ?? '').trim(), lines: [] }
    else {
      const [language = '', ...note] = open.info.split(' ')
      fences.push({ page, line: open.line, language, note: note.join(' '), text: open.lines.join('\n') })
      open = undefined
    }
  })
  if (open !== undefined) throw new Error(`${page}: a fence is not closed`)
  return fences
}
