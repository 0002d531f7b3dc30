import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createTemporaryDirectory } from '@switchboard/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { listPlaysets, readPlayset } from '../../src/playset/read-playset.ts'

/** The game's folder of a user: three mods, one of them from the workshop, and the game itself beside it. */
async function createUserFolder(more: Readonly<Record<string, string>> = {}): Promise<string> {
  const directory = await createTemporaryDirectory()
  onTestFinished(() => directory.remove())
  const files = {
    'mod/one.mod':
      'name="One"\npath="mod/one"\nversion="1.2"\nreplace_path="Common/traits"\nreplace_path="history/titles/"\n',
    'mod/one/descriptor.mod': 'name="One"\n',
    'mod/ugc_77.mod': 'name="Two"\npath="mod/two files"\nremote_file_id="77"\ndependencies={\n"One"\n"Absent"\n}\n',
    'mod/two files/common/x.txt': '',
    'mod/three/descriptor.mod': '\ufeffname="Three"\nsupported_version="1.19.*"\n',
    'install/game/common/traits/00.txt': '',
    'install/game/dlc/dlc001/dlc001.dlc': '',
    'install/game/dlc/dlc002/dlc002.dlc': '',
    'install/jomini/gui/a.gui': '',
    ...more,
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(directory.file(path)), { recursive: true })
    writeFileSync(directory.file(path), text)
  }
  return directory.path
}

const namesOf = ({ layers }: { layers: readonly { name: string }[] }): string[] => layers.map(({ name }) => name)

test('the list with which the game was started last gives its mods in order, over the game and its DLCs', async () => {
  const folder = await createUserFolder({
    'dlc_load.json': JSON.stringify({
      enabled_mods: ['mod/one.mod', 'mod/ugc_77.mod', 'mod/gone.mod'],
      disabled_dlcs: ['dlc/dlc001/dlc001.dlc'],
    }),
  })
  const playset = readPlayset(join(folder, 'dlc_load.json'), { gamePath: join(folder, 'install') })
  expect(namesOf(playset)).toEqual(['jomini', 'game', 'dlc002', 'One', 'Two'])
  expect(playset.layers[3]).toEqual({
    name: 'One',
    kind: 'mod',
    path: join(folder, 'mod/one'),
    version: '1.2',
    replacePaths: ['common/traits', 'history/titles'],
    dependencies: [],
  })
  expect(playset.layers[4]).toMatchObject({
    path: join(folder, 'mod/two files'),
    workshopId: '77',
    dependencies: ['One', 'Absent'],
  })
  expect(playset.left).toEqual([{ name: 'gone', reason: 'missing', path: 'mod/gone.mod' }])
  expect(playset.warnings).toEqual([
    'gone is enabled, but its files are not found (mod/gone.mod)',
    'Two depends on Absent, which is not in the playset',
  ])
})

test('a list that was made on Windows is found with its backslashes, and by the end of a path with a drive', async () => {
  const folder = await createUserFolder({
    'mod/far.mod': '\ufeffname="Far"\r\npath="C:\\\\Users\\\\Me\\\\mod\\\\far away"\r\n',
    'mod/far away/common/x.txt': '',
    'mod/ünï code/descriptor.mod':
      'name="Ünï"\r\nreplace_path="common\\\\traits"\r\nreplace_path="/history/titles/k_x/"\r\n',
    'dlc_load.json': `\ufeff${JSON.stringify({
      enabled_mods: ['mod\\one.mod', 'C:\\Users\\Me\\mod\\three', 'mod\\far.mod', 'mod\\ünï code'],
    })}`,
  })
  const playset = readPlayset(join(folder, 'dlc_load.json'))
  expect(namesOf(playset)).toEqual(['One', 'Three', 'Far', 'Ünï'])
  expect(playset.layers[2]?.path).toBe(join(folder, 'mod/far away'))
  expect(playset.layers[3]?.replacePaths).toEqual(['common/traits', 'history/titles/k_x'])
  expect(playset.left).toEqual([])
})

test("the launcher's export names mods by position, and finds them by number and name", async () => {
  const folder = await createUserFolder({
    'export.json': JSON.stringify({
      game: 'ck3',
      name: 'My list',
      mods: [
        { displayName: 'One', enabled: true, position: 2, steamId: '' },
        { displayName: 'Two', enabled: true, position: 1, steamId: '77' },
        { displayName: 'Three', enabled: false, position: 0 },
      ],
    }),
    'mod/One.mod': 'name="One"\npath="mod/one"\n',
  })
  const playset = readPlayset(join(folder, 'export.json'))
  expect(playset.name).toBe('My list')
  expect(namesOf(playset)).toEqual(['Two', 'One'])
  expect(playset.left).toEqual([{ name: 'Three', reason: 'disabled' }])
  expect(playset.warnings).toContain('Two depends on One, which comes after it in the load order')
})

test('a mod of which the export says the name alone is found by what its descriptor says', async () => {
  const folder = await createUserFolder({
    'export.json': JSON.stringify({
      game: 'ck3',
      name: 'My list',
      mods: [
        { displayName: 'A local one: mine', enabled: true, position: 0 },
        { displayName: 'Of the shop', enabled: true, position: 1, steamId: '88' },
        { displayName: 'A copy', enabled: true, position: 2, steamId: '99' },
      ],
    }),
    'mod/my_folder.mod': 'name="A local one: mine"\npath="mod/my_folder"\n',
    'mod/my_folder/common/x.txt': '',
    'mod/of_the_shop.mod': 'name="Renamed"\nremote_file_id="88"\npath="C:/Steam/workshop/88"\n',
    'workshop/88/common/x.txt': '',
    'mod/copy.mod': 'name="A copy"\npath="mod/three"\n',
  })
  const playset = readPlayset(join(folder, 'export.json'), { workshopFolder: join(folder, 'workshop') })
  expect(namesOf(playset)).toEqual(['A local one: mine', 'Of the shop', 'A copy'])
  expect(playset.layers[1]?.path).toBe(join(folder, 'workshop/88'))
})

test('a folder that is written in other letters is found, one that is listed twice is there once, and a packed mod is told', async () => {
  const folder = await createUserFolder({
    'mod/four.mod': 'name="Four"\npath="mod/Four Files"\n',
    'mod/four files/common/x.txt': '',
    'mod/packed.mod': 'name="Packed"\narchive="mod/packed.zip"\n',
    'mod/packed.zip': 'PK\u0003\u0004',
    'dlc_load.json': JSON.stringify({
      enabled_mods: ['mod/four.mod', 'mod/packed.mod', 'mod/one.mod', 'MOD/THREE', 'mod/one'],
    }),
  })
  const playset = readPlayset(join(folder, 'dlc_load.json'))
  expect(namesOf(playset)).toEqual(['Four', 'One', 'Three'])
  expect(playset.layers[0]?.path).toBe(join(folder, 'mod/four files'))
  expect(playset.left).toEqual([{ name: 'packed', reason: 'missing', path: 'mod/packed.mod' }])
  expect(playset.warnings).toEqual([
    'packed is packed in mod/packed.zip, which is not read: unpack it, and name its folder',
    'one is listed twice: One has the same folder, and stays',
  ])
})

test("the launcher's database has several, of which the active one is taken", async () => {
  const folder = await createUserFolder()
  const path = join(folder, 'launcher-v2.sqlite')
  const database = new DatabaseSync(path)
  database.exec(`
    CREATE TABLE playsets (id TEXT, name TEXT, isActive INTEGER, isRemoved INTEGER);
    CREATE TABLE mods (id TEXT, displayName TEXT, steamId TEXT, gameRegistryId TEXT, dirPath TEXT);
    CREATE TABLE playsets_mods (playsetId TEXT, modId TEXT, enabled INTEGER, position INTEGER);
    INSERT INTO playsets VALUES ('p', 'old', 0, 0), ('q', 'mine', 1, 0);
    INSERT INTO mods VALUES ('a', 'One', NULL, 'mod/one.mod', NULL), ('b', 'Two', '77', 'mod/gone.mod', '${join(folder, 'mod/two files')}');
    INSERT INTO playsets_mods VALUES ('q', 'b', 1, 10), ('q', 'a', 1, 9), ('p', 'a', 0, 0);
  `)
  database.close()
  expect(listPlaysets(path)).toEqual(['mine', 'old'])
  expect(namesOf(readPlayset(path))).toEqual(['One', 'Two'])
  expect(readPlayset(path, { name: 'old' }).left).toMatchObject([{ name: 'One', reason: 'disabled' }])
  expect(() => readPlayset(path, { name: 'none' })).toThrow('has no playset "none", but "old", "mine"')
})

test('our own list says where the game is, and may add dependencies', async () => {
  const folder = await createUserFolder()
  const path = join(folder, 'lists/mine.json')
  mkdirSync(dirname(path))
  const mods = [
    '../mod/three',
    { path: join(folder, 'mod/one.mod'), dependencies: ['Three'] },
    { path: '../mod/ugc_77.mod', enabled: false },
  ]
  writeFileSync(path, JSON.stringify({ name: 'mine', game: join(folder, 'install/game'), mods }))
  const playset = readPlayset(path)
  expect(namesOf(playset)).toEqual(['jomini', 'game', 'dlc001', 'dlc002', 'Three', 'One'])
  expect(playset.layers.at(-1)?.dependencies).toEqual(['Three'])
})

test('one mod is a playset too, by its descriptor or by its folder', async () => {
  const folder = await createUserFolder()
  for (const path of ['mod/one.mod', 'mod/one', 'mod/one/descriptor.mod']) {
    expect(readPlayset(join(folder, path)).layers).toMatchObject([{ name: 'One', path: join(folder, 'mod/one') }])
  }
})

test.each([
  ['{', 'is not JSON'],
  ['[]', 'an object with "mods" is wanted'],
  ['{"a": 1}', 'neither "mods" nor "enabled_mods"'],
  ['{"mods": [5]}', 'mods[0] neither a path nor an object'],
  ['{"mods": [{}]}', 'mods[0] neither "path" nor "name" nor "steamId"'],
])('%s is refused with what is wrong', async (text, message) => {
  const folder = await createUserFolder({ 'list.json': text })
  expect(() => readPlayset(join(folder, 'list.json'))).toThrow(message)
})

test('a database that is none of the launcher is refused', async () => {
  const folder = await createUserFolder({ 'launcher-v2.sqlite': 'no database' })
  expect(() => readPlayset(join(folder, 'launcher-v2.sqlite'))).toThrow(
    'tables playsets, mods and playsets_mods are wanted',
  )
})
