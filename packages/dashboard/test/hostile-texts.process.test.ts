/** A server that writes HTML, hidden characters, escape sequences and ten megabytes into its texts harms nobody who looks. */
import { fileURLToPath } from 'node:url'
import { WITHOUT_PACKS } from '@switchboard/testkit/suite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Board, findChromium } from './support/board.ts'

const chromium = findChromium()
const reason = chromium === undefined ? ' (needs Chromium: apt-get install chromium-headless-shell)' : ''
const EVIL = fileURLToPath(new URL('fixtures/evil-server.mjs', import.meta.url))
// biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is what is looked for.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u200b\u202e]/

let board: Board

describe.skipIf(chromium === undefined)(`hostile texts${reason}`, () => {
  beforeAll(async () => {
    const config = {
      mcpServers: {
        evil: { command: process.execPath, args: [EVIL, '200000'] },
        huge: { command: process.execPath, args: [EVIL, '10000000'] },
      },
      // Else it would be in no list at all.
      definitions: 'warn',
      packs: WITHOUT_PACKS,
    }
    board = await Board.start(config, chromium ?? '')
  })
  afterAll(async () => {
    await board?.dispose()
  })

  test('are shown as text, written out and cut, in lists, forms, answers and logs', async () => {
    const page = await board.open('#/tools')
    await page.getByRole('link', { name: 'evil_evil' }).click()
    await page.getByLabel(/<b>bold<\/b>\\u202e/).fill('typed')
    await page.getByLabel(/^pick/).selectOption({ label: 'low\\u202e' })
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    const answer = page.getByLabel('Text 1 of the answer')
    // What is sent is what the server has in its schema, to the character: it says it back.
    await answer.getByText('"pick":"low\\u202e"').waitFor()
    await answer.getByText('more characters)').waitFor()
    const texts = [await page.locator('main').innerText()]
    for (const hash of ['#/servers', '#/servers/evil', '#/logs?source=server-evil', '#/tools', '#/calls']) {
      await board.go(page, hash)
      await page.getByText('Loading …').waitFor({ state: 'detached' })
      await page.locator('tbody tr, .facts').first().waitFor()
      texts.push(await page.locator('main').innerText())
    }
    expect(texts.join('\n')).toContain('<img src=x onerror=')
    expect(texts.join('\n')).toContain('safe\\u202eevil\\u200b\\u001b[31mred')
    expect(HIDDEN.test(texts.join('\n'))).toBe(false)
    expect(Math.max(...texts.map((text) => text.length))).toBeLessThan(100_000)
    // What is too large to be taken in at all is told of.
    await board.go(page, '#/servers')
    await page.getByText('The answer was too large to accept').waitFor()
    expect(
      await page.evaluate('window.harmed ?? document.querySelectorAll("main img, main script, main b").length'),
    ).toBe(0)
  })
})
