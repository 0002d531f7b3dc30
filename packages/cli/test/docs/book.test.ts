/** The pages of docs/ as a book: all of them in its contents, no link that leads nowhere, and headings that the code really says. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { CLIENT_IDS } from '../../src/clients/client-places.ts'
import { createClientsDocument } from '../../src/clients/clients-document.ts'
import { listPages, ROOT, readPage } from './read-fences.ts'

/** What a page links to, without its anchor; from the root. */
function linksOf(page: string): { target: string; anchor: string }[] {
  const text = readPage(page).replaceAll(/^ *```[\s\S]*?^ *```/gm, '')
  const base = new URL(page, 'file:///')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    if (/^[a-z]+:/.test(link)) return []
    const { pathname, hash } = new URL(link, base)
    return [{ target: decodeURIComponent(pathname.slice(1)), anchor: hash.slice(1) }]
  })
}

const anchorsOf = (page: string): string[] =>
  [...readPage(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )

test('docs/README.md has every page in its contents, each once', () => {
  const pages = listPages().filter((page) => page.startsWith('docs/') && page !== 'docs/README.md')
  const listed = linksOf('docs/README.md').map(({ target }) => target)
  expect({ missing: pages.filter((page) => !listed.includes(page)) }).toEqual({ missing: [] })
  expect(listed).toHaveLength(new Set(listed).size)
})

test('its chapters are numbered in their order', () => {
  const numbers = [...readPage('docs/README.md').matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number))
  expect(numbers).toEqual(numbers.map((_, at) => at + 1))
})

test.each(listPages())('every link of %s leads somewhere', (page) => {
  const broken = linksOf(page).filter(({ target, anchor }) => {
    const file = fileURLToPath(new URL(target, ROOT))
    if (!existsSync(file)) return true
    return anchor !== '' && target.endsWith('.md') && !anchorsOf(target).includes(anchor)
  })
  expect(broken).toEqual([])
})

test('docs/clients.md is what init would write, of every client', async () => {
  const page = readPage('docs/clients.md')
  expect(page).toBe(await createClientsDocument())
  // Insiders has the entry of VS Code.
  expect(page.match(/^## /gm)).toHaveLength(CLIENT_IDS.length - 1 + 1)
})

/** Headings of troubleshooting.md that say what a person sees, for which no message exists. */
const SEEN = new Set(['Every tool is listed twice', 'in every answer that an agent gets'])

/** Where a message is put together inside of a sentence. */
const JOINTS = [
  ['was not found on the PATH', 'was not found … on the PATH'],
  ['A page may not call', 'A page … may not call'],
  ['tools are left out', '… are left out'],
] as const

function readSources(): string {
  const packages = fileURLToPath(new URL('packages', ROOT))
  const texts = readdirSync(packages, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?:^|[\\/])src[\\/].*\.tsx?$/.test(path) && !/node_modules|generated/.test(path))
    .map((path) => readFileSync(join(packages, path), 'utf8'))
  return texts.join('\n')
}

test('every heading of troubleshooting.md is a message that the code says', () => {
  const sources = readSources()
  const headings = [...readPage('docs/troubleshooting.md').matchAll(/^## (.*)$/gm)].map(([, text = '']) => text)
  const unsaid = headings.flatMap((heading) => {
    const message = heading.replace(/^`\w+`: /, '')
    if (SEEN.has(message)) return []
    // What is filled in stands as … or as a number; between are the words of the code, piece by piece as it puts them together.
    const joined = JOINTS.reduce((text, [whole, parts]) => text.replace(whole, parts), message)
    const pieces = joined.split(/…|\S*SHA256SUMS|\d+|tools\/call|: | \/ |"/)
    const words = pieces.map((part) => part.replace(/^[\s:,.()/=]+|[\s:,.()/=]+$/g, ''))
    const spoken = words.filter((part) => part.length > 2)
    const missing = spoken.filter((part) => !sources.includes(part))
    return spoken.length === 0 || missing.length > 0 ? [{ heading, missing }] : []
  })
  expect(headings.length).toBeGreaterThan(15)
  expect(unsaid).toEqual([])
})
