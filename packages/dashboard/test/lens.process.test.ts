/** The view of the lens in a real Chromium, on mods that are really indexed and judged. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createTemporaryDirectory, type TemporaryDirectory, waitFor } from '@switchboard/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Board, findChromium, findViolations } from './support/board.ts'

const chromium = findChromium()
const reason = chromium === undefined ? ' (needs Chromium: apt-get install chromium-headless-shell)' : ''
const MARK = '\ufeff'
const FILES: Readonly<Record<string, string>> = {
  'mods/a/descriptor.mod': 'name="Mod A"\n',
  'mods/a/common/traits/zz_a.txt': `${MARK}brave = {\n\tmartial = 2\n\tprowess = 4\n}\n`,
  'mods/a/common/decisions/shared.txt': `${MARK}go_home = { ai_check_interval = 1 }\n`,
  'mods/b/descriptor.mod': 'name="Mod B"\n',
  'mods/b/common/traits/zz_b.txt': `${MARK}brave = {\n\tmartial = 3\n\tlearning = 1\n}\n`,
  'mods/b/common/decisions/shared.txt': `${MARK}go_away = { ai_check_interval = 2 }\n`,
  'playset.json': '{"name":"mine","mods":["mods/a","mods/b"]}',
}

let board: Board
let page: Page
let folder: TemporaryDirectory

const ask = (command: string, params: object): Promise<object> =>
  board.ask('run_command', { of: 'lens', command, params, workspace: folder.path })

describe.skipIf(chromium === undefined)(`the lens in the dashboard${reason}`, () => {
  beforeAll(async () => {
    folder = await createTemporaryDirectory('switchboard-board-lens-')
    for (const [path, text] of Object.entries(FILES)) {
      await mkdir(dirname(folder.file(path)), { recursive: true })
      await writeFile(folder.file(path), text)
    }
    const off = { enabled: false }
    board = await Board.start({ packs: { debug: off, memory: off } }, chromium ?? '')
    page = await board.open()
  })
  afterAll(async () => {
    await board?.dispose()
    await folder?.remove()
  })

  test('says what to do while nothing is indexed', async () => {
    await board.show(page, '#/lens', 'Lens')
    await page.getByText('Nothing is indexed yet').waitFor()
    expect(await findViolations(page)).toEqual([])
  })

  test('shows a folder as soon as it is indexed, without being asked again', async () => {
    await page.locator('.live-live').waitFor()
    await ask('build', { folder: join(folder.path, 'mods') })
    const row = page.getByRole('row', { name: /mods/ })
    await row.getByText('complete').waitFor()
    await page.getByText('No playset and no mod is known').waitFor()
    expect(await findViolations(page)).toEqual([])
  })

  test('lists the conflicts of a playset by filters, and opens one to what is in effect and what differs', async () => {
    await ask('playset_add', { path: folder.file('playset.json') })
    await page.reload()
    await board.show(page, '#/lens', 'Lens')
    await page.getByRole('link', { name: 'brave' }).waitFor()
    await page.getByRole('link', { name: 'common/decisions/shared.txt' }).waitFor()
    await page.getByText('1 key lost').first().waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.getByLabel('Class').selectOption('key_override')
    await page.getByRole('link', { name: 'common/decisions/shared.txt' }).waitFor({ state: 'detached' })
    expect(page.url()).toContain('class=key_override')
    await page.getByRole('link', { name: 'brave' }).click()
    await page.getByRole('heading', { name: 'What differs' }).waitFor()
    const fields = page.getByRole('table', { name: /Fields of the definition/ })
    for (const field of ['learning', 'martial', 'prowess']) await fields.getByRole('row', { name: field }).waitFor()
    await page.getByLabel('Definition 1, of Mod B').getByText('learning = 1').waitFor()
    await page.getByLabel('Definition 2, of Mod A').getByText('prowess = 4').waitFor()
    expect(await page.locator('.effective h3').innerText()).toContain('Mod B')
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('link', { name: '← All conflicts' }).click()
    await page.getByRole('heading', { level: 1, name: 'Lens' }).waitFor()
    expect(page.url()).toContain('class=key_override')
  })

  test('tells of a conflict and a playset that are not there', async () => {
    await board.show(page, '#/lens/99999?of=playset:mine', 'One conflict')
    await page.getByText('has no conflict 99999').waitFor()
    expect(await findViolations(page)).toEqual([])
    await board.show(page, '#/lens?of=playset:other', 'Lens')
    await page.getByText('There is no playset "other"').waitFor()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    expect(await findViolations(page)).toEqual([])
  })

  test('says that files have changed until they are looked at again, by its button', async () => {
    // Layers of a playset and folders that nobody uses are not watched: the view is where that is seen.
    await writeFile(folder.file('mods/b/common/traits/zz_b.txt'), `${MARK}brave = {\n\tmartial = 5\n}\n`)
    await board.show(page, '#/lens', 'Lens')
    await page.getByRole('button', { name: `Look again at ${join(folder.path, 'mods')}` }).click()
    await page.getByRole('link', { name: 'brave' }).click()
    await page.getByLabel('Definition 1, of Mod B').getByText('martial = 5').waitFor()
  })

  test('is whole and accessible in dark and in narrow windows', async () => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 360, height: 740 })
    for (const [hash, heading] of [
      ['#/lens', 'Lens'],
      ['#/lens/0?of=playset:mine', 'One conflict'],
    ] as const) {
      await board.show(page, hash, heading)
      await page.getByRole('heading', { level: 2 }).first().waitFor()
      expect({ hash, found: await findViolations(page) }).toEqual({ hash, found: [] })
      expect({ hash, width: await page.evaluate('document.documentElement.scrollWidth') }).toEqual({ hash, width: 360 })
    }
  })

  test('is used by the keyboard: from the list into a conflict', async () => {
    await page.setViewportSize({ width: 1280, height: 860 })
    await board.show(page, '#/lens', 'Lens')
    await page.getByRole('link', { name: 'brave' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'One conflict' }).waitFor()
    await waitFor(async () => (await page.evaluate('document.activeElement.textContent')) === 'One conflict', {
      what: 'the heading to have the focus',
    })
  })
})
