import { writeFile } from 'node:fs/promises'
import { endianness } from 'node:os'
import { createTemporaryDirectory } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { findRows, rowKeys, type SocketRow } from '../../src/access/socket-table.ts'

const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode'
const WIDE = '0000000000000000FFFF0000'

describe.skipIf(endianness() !== 'LE')('a connection in the table (literals of a little-endian machine)', () => {
  const port = (number: number) => ({ local: 40_000, remote: number })
  const keys = (local: string, remote: string) =>
    rowKeys({ local: { address: local, port: port(19_877).local }, remote: { address: remote, port: 19_877 } })

  it.each([
    ['127.0.0.1', '127.0.0.1', ['0100007F:9C40 0100007F:4DA5', `${WIDE}0100007F:9C40 ${WIDE}0100007F:4DA5`]],
    ['::ffff:127.0.0.1', '127.0.0.2', ['0100007F:9C40 0200007F:4DA5', `${WIDE}0100007F:9C40 ${WIDE}0200007F:4DA5`]],
    ['::1', '::1', ['00000000000000000000000001000000:9C40 00000000000000000000000001000000:4DA5']],
    ['fe80::1:2%eth0', '2001:db8::', ['000080FE000000000000000002000100:9C40 B80D0120000000000000000000000000:4DA5']],
    ['/run/some.sock', '127.0.0.1', []],
  ])('from %s to %s is named %j', (local, remote, expected) => expect(keys(local, remote)).toEqual(expected))
})

describe('rows', () => {
  const row = (key: string, state: string, uid: number, inode: number): string =>
    `   7: ${key} ${state} 00000000:00000000 00:00000000 00000000  ${uid}        0 ${inode} 1 0000000000000000 20 4 30 10 -1`

  async function find(lines: readonly string[], wanted: readonly string[]): Promise<Map<string, SocketRow>> {
    const directory = await createTemporaryDirectory()
    const file = directory.file('tcp')
    await writeFile(file, `${[HEAD, ...lines].join('\n')}\n`)
    const found = new Map<string, SocketRow>()
    await findRows(file, new Set(wanted), found)
    await directory.remove()
    return found
  }

  const key = (number: number) => `0100007F:${number.toString(16).toUpperCase().padStart(4, '0')} 0100007F:4DA5`

  it('tell owner, state and whether anybody holds the socket', async () => {
    const lines = [row(key(1), '01', 1000, 77), row(key(2), '06', 0, 0), row(key(3), '05', 65_534, 9)]
    expect(await find(lines, [key(1), key(2), key(3), key(4)])).toEqual(
      new Map([
        [key(1), { uid: 1000, isHeld: true, state: 1 }],
        [key(2), { uid: 0, isHeld: false, state: 6 }],
        [key(3), { uid: 65_534, isHeld: true, state: 5 }],
      ]),
    )
  })

  it('are found among many, wherever a piece of the file ends', async () => {
    const lines = Array.from({ length: 20_000 }, (_, number) => row(key(number), '01', number, 1))
    const wanted = [0, 437, 9_999, 19_999].map(key)
    const found = await find(lines, wanted)
    expect([...found.values()].map(({ uid }) => uid)).toEqual([0, 437, 9_999, 19_999])
  })

  it('the other way round, or of a line that is cut, are none', async () => {
    const [from, to] = key(1).split(' ')
    expect(await find([row(`${to} ${from}`, '01', 0, 1), `   8: ${key(1)} 01`], [key(1)])).toEqual(new Map())
  })
})
